import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { invalidateTopic } from '../../../src/renderer/src/api/queries.ts';

test('a change during the first read of a view is shown when that read ends', async () => {
  const client = new QueryClient();
  let stored = 'before';
  const firstRead = Promise.withResolvers<void>();
  let reads = 0;
  const view = new QueryObserver(client, {
    queryKey: ['items', 'one'],
    queryFn: async () => {
      const found = stored;
      reads += 1;
      if (reads === 1) await firstRead.promise;
      return found;
    },
  });
  const close = view.subscribe(() => undefined);
  stored = 'after';
  const done = invalidateTopic(client, 'items');
  firstRead.resolve();
  await done;
  expect(view.getCurrentResult().data).toBe('after');
  expect(reads).toBe(2);
  close();
});

import { setImmediate as immediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createEventFeedService } from '../../../src/bridge/eventRoutes.ts';
import type { AssistantAsker } from '../../../src/core/base/request.ts';
import type { Topic } from '../../../src/core/base/ports.ts';

const by: AssistantAsker = { kind: 'assistant', assistantId: 'as_1', name: 'One' };

/** Creates event feeds for one assistant. `reads` is how often the feeds read what the assistant can see. */
const startFeeds = () => {
  const listeners = new Set<(topic: Topic) => void>();
  const paired = new Set([by.assistantId]);
  let reads = 0;
  const feeds = createEventFeedService(
    {
      onChanged: (listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
      onListingNews: () => undefined,
      isConnected: () => true,
      isPaired: (assistantId) => paired.has(assistantId),
    },
    {
      approvals: () => {
        reads += 1;
        return [];
      },
      changedItems: () => ({ mark: 'm', items: [] }),
      checkVisibility: () => undefined,
    },
  );
  const changed = async (topic: Topic): Promise<void> => {
    for (const listener of listeners) listener(topic);
    await immediate();
  };
  return { feeds, changed, paired, reads: () => reads };
};

test('event feeds read nothing for an assistant that has stopped listening', async () => {
  const { feeds, changed, reads } = startFeeds();
  const { stop } = feeds.listen(by, null, () => undefined);
  await changed('items');
  const readsBefore = reads();
  expect(readsBefore).toBeGreaterThan(1);
  stop();
  await changed('items');
  await changed('approvals');
  expect(reads()).toBe(readsBefore);
});

test('event feeds forget an assistant whose pairing was removed', async () => {
  const { feeds, changed, paired } = startFeeds();
  feeds.listen(by, null, () => undefined).stop();
  await changed('assistants');
  expect(feeds.count()).toBe(1);
  paired.clear();
  await changed('assistants');
  expect(feeds.count()).toBe(0);
});

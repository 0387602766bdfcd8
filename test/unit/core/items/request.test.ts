import { expect, test } from 'vitest';
import { sendItemRequest } from '../../../../src/core/items/itemsContext.ts';
import type { Perform } from '../../../../src/core/base/request.ts';

test('the request of an item is sent only while its account is connected', async () => {
  const sent: string[] = [];
  const perform: Perform = async ({ route }) => {
    sent.push(route);
    return { state: 'done', status: 200, headers: {}, answer: {}, source: 'service', ageMs: 0 };
  };
  const never = new AbortController().signal;
  const item = { account: 'practice#first', by: { kind: 'person' } } as const;
  const ask = (account: string) =>
    sendItemRequest({ account: () => account, perform }, item, { route: 'createListing', input: { body: {} } }, never);
  await expect(ask('practice#second')).rejects.toMatchObject({ code: 'ACCOUNT_CHANGED' });
  expect(sent).toEqual([]);
  await ask('practice#first');
  expect(sent).toEqual(['createListing']);
});

import { afterEach, beforeEach, expect, test } from 'vitest';
import * as z from 'zod';
import { allowFolder } from '../../../helpers/allowFolder.ts';
import { waitUntil } from '../../../helpers/testClock.ts';
import { createLiveListings, createReviewedListings, readRequestId, waitUntilBatchSent } from './batchCalls.ts';
import { connect, type Answer } from './clients.ts';
import { startMcp, type Mcp } from './startMcp.ts';

let mcp: Mcp;

beforeEach(async () => {
  mcp = await startMcp();
});
afterEach(() => mcp.close());

const createReviewed = (count: number) => createReviewedListings(mcp, count);
const createLive = (count: number) => createLiveListings(mcp, count);
const listOpenBatches = () => mcp.world.companion().batches.listOpen();
const check = (requestId: string, waitS = 0): Promise<Answer> => mcp.client.call('check_request', { requestId, waitS });

const listPending = (requestId: string) =>
  mcp.world
    .companion()
    .batches.readBatch(requestId)
    .rows.flatMap(({ listingId, approval }) =>
      approval?.state === 'pending' ? [{ listingId, approvalId: approval.approvalId, digest: approval.digest }] : [],
    );
const approveBatch = async (
  requestId: string,
  isChosen: (listingId: string) => boolean = () => true,
): Promise<void> => {
  const prompts = listPending(requestId);
  await mcp.world.pressYesToRows(
    requestId,
    prompts.filter(({ listingId }) => isChosen(listingId)),
    prompts.filter(({ listingId }) => !isChosen(listingId)),
  );
};
const waitUntilSent = (requestId: string) => waitUntilBatchSent(mcp, requestId);

test('thirty price changes are one call, one prompt and one answer', async () => {
  const ids = await createLive(30);
  const rows = ids.map((listingId, at) => ({ listingId, priceCents: 2_000 + at }));
  const asked = await mcp.client.call('change_live_listing', { rows, reason: 'Cheaper by Friday.' });
  expect(asked.data).toMatchObject({
    state: 'waiting_for_person',
    counts: { pending: 30 },
    rows: [],
    next: { tool: 'check_request', arguments: { requestId: readRequestId(asked), waitS: 45 } },
  });
  expect(listOpenBatches()).toMatchObject([{ reason: 'Cheaper by Friday.', by: { name: 'Tidy Helper' } }]);
  expect(mcp.world.notices).toHaveLength(1);
  expect((await mcp.world.listing(ids[29] ?? '')).price).not.toBe(2_029);

  const waiting = check(readRequestId(asked), 45);
  await approveBatch(readRequestId(asked));
  expect((await waiting).data).toMatchObject({
    state: 'over',
    counts: { done: 30 },
    rows: ids.map((listingId) => ({ listingId, state: 'done' })),
  });
  expect(JSON.stringify((await check(readRequestId(asked))).data)).not.toContain('untrustedOutcome');
  expect((await mcp.world.listing(ids[29] ?? '')).price).toBe(2_029);
});

test('a batch of publishes returns the link of each live listing', async () => {
  const listingIds = await createReviewed(3);
  const asked = await mcp.client.call('publish_listing', { listingIds });
  await approveBatch(readRequestId(asked));
  await waitUntilSent(readRequestId(asked));
  const over = await check(readRequestId(asked));
  expect(over.data).toMatchObject({ state: 'over', counts: { done: 3 }, next: null });
  const rows = z.array(z.looseObject({ state: z.literal('done'), liveUrl: z.url() })).parse(over.data['rows']);
  expect(rows).toHaveLength(3);
});

test('a batch of ends is sent after its undo window, without the rows that the person declined', async () => {
  const listingIds = await createLive(5);
  const asked = await mcp.client.call('end_listing', { listingIds });
  const [declined] = listingIds;
  await approveBatch(readRequestId(asked), (listingId) => listingId !== declined);
  const held = await check(readRequestId(asked));
  expect(held.data).toMatchObject({ state: 'under_way', counts: { held: 4, declined: 1 } });
  await waitUntilSent(readRequestId(asked));
  const over = await check(readRequestId(asked));
  expect(over.data).toMatchObject({ state: 'over', counts: { done: 4, declined: 1 } });
  expect(over.data['nextStep']).toContain('The person said no, and that stands.');
  expect(await mcp.world.happened('end')).toBe(4);
});

test('a call with one listing in listingIds is the request of this listing', async () => {
  const listingIds = await createReviewed(1);
  const asked = await mcp.client.call('publish_listing', { listingIds });
  expect(readRequestId(asked)).toMatch(/^ap_/);
  expect(listOpenBatches()).toEqual([]);
});

test('a listing that the assistant may not touch is refused by name, and the other listings are asked about', async () => {
  const folder = await mcp.world.folder('own lamp');
  allowFolder(mcp.world, 'Tidy Helper', folder);
  mcp.world.companion().assistants.change(mcp.assistantId, { touches: 'own', folders: [folder] });
  const made = await mcp.client.call('create_listing_from_photos', { folder, waitS: 0 });
  const itemId = z.string().parse(made.data['itemId']);
  const own = await mcp.world.until(async () => {
    const item = await mcp.client.call('check_request', { itemId });
    return item.data['step'] === 'review' ? z.string().parse(item.data['listingId']) : null;
  }, 'the review');
  const [foreign = ''] = await createReviewed(1);
  const asked = await mcp.client.call('publish_listing', { listingIds: [foreign, own] });
  expect(asked.data).toMatchObject({
    state: 'waiting_for_person',
    counts: { refused: 1, pending: 1 },
    rows: expect.arrayContaining([
      expect.objectContaining({ listingId: foreign, code: 'NOT_YOUR_LISTING' }),
    ]) as unknown,
  });
  expect(asked.data['nextStep']).toContain('NOT_YOUR_LISTING: The person lets you touch only listings that you made.');
});

test('a batch in which every listing is refused asks the person nothing', async () => {
  const listingIds = await createLive(2);
  const asked = await mcp.client.call('publish_listing', { listingIds });
  expect(asked.data).toMatchObject({ state: 'over', counts: { refused: 2 }, next: null });
  expect(listOpenBatches()).toEqual([]);
  expect(mcp.world.notices).toEqual([]);
});

test('a client that repeats a batch whose answer was lost gets the same batch', async () => {
  const listingIds = await createReviewed(4);
  const clientTimeout = new AbortController();
  const lost = mcp.client.call('publish_listing', { listingIds, waitS: 44 }, { signal: clientTimeout.signal });
  lost.catch(() => undefined);
  await waitUntil(() => mcp.world.clock.sleepsFor(44_000), 'the wait');
  clientTimeout.abort(new Error('No more time.'));
  await expect(lost).rejects.toThrow();
  await waitUntil(() => !mcp.world.clock.sleepsFor(44_000), 'the end of the wait');
  const [batch] = listOpenBatches();
  await approveBatch(batch?.batchId ?? '');
  await waitUntilSent(batch?.batchId ?? '');
  const again = await mcp.client.call('publish_listing', { listingIds });
  expect(again.data).toMatchObject({ requestId: batch?.batchId, state: 'over', counts: { done: 4 } });
  expect(await mcp.world.happened('publish')).toBe(4);
});

test('a repeated call gets its open batch, in any order of the listings, and a new one after the answer', async () => {
  const listingIds = await createReviewed(2);
  const first = await mcp.client.call('publish_listing', { listingIds });
  const again = await mcp.client.call('publish_listing', { listingIds: listingIds.toReversed() });
  expect(again.data).toMatchObject({ state: 'waiting_for_person', counts: { pending: 2 } });
  expect(readRequestId(again)).toBe(readRequestId(first));
  expect(listOpenBatches()).toHaveLength(1);
  await mcp.client.call('withdraw_request', { requestId: readRequestId(first) });
  const later = await mcp.client.call('publish_listing', { listingIds });
  expect(readRequestId(later)).not.toBe(readRequestId(first));
  expect(later.data).toMatchObject({ state: 'waiting_for_person', counts: { pending: 2 } });
});

test('a repeated call gets its open batch after a restart, with the listing that was refused', async () => {
  const { world, assistantId, token } = mcp;
  world.companion().assistants.change(assistantId, { publishesPerDay: 2 });
  const listingIds = await createReviewed(3);
  const first = await mcp.client.call('publish_listing', { listingIds });
  expect(first.data).toMatchObject({ counts: { pending: 2, refused: 1 } });
  await mcp.client.close();
  await mcp.bridge.stop();
  await world.stop();
  await world.begin();
  const bridge = await world.bridge();
  mcp = { ...mcp, bridge, client: await connect(bridge.url, token) };
  const again = await mcp.client.call('publish_listing', { listingIds });
  expect(again.data).toEqual(first.data);
  expect(listOpenBatches()).toHaveLength(1);
  const pendingIds = listPending(readRequestId(again)).map(({ listingId }) => listingId);
  const changed = await mcp.client.call('publish_listing', { listingIds: pendingIds });
  expect(changed.data).toMatchObject({ state: 'over', rows: [{ code: 'ALREADY_ASKED' }, { code: 'ALREADY_ASKED' }] });
});

test('a client that repeats a batch while its listings are still being read gets the same batch', async () => {
  const listingIds = await createReviewed(6);
  const [one, other] = await Promise.all([
    mcp.client.call('publish_listing', { listingIds }),
    mcp.client.call('publish_listing', { listingIds }),
  ]);
  expect(readRequestId(other)).toBe(readRequestId(one));
  expect(one.data).toMatchObject({ counts: { pending: 6 } });
  expect(listOpenBatches()).toHaveLength(1);
});

test('an assistant cannot read the batch of another asker', async () => {
  const own = await mcp.world.companion().batches.publishListings(await createReviewed(2));
  expect(await check(own.batchId)).toMatchObject({ isError: true, data: { code: 'NOT_FOUND' } });
});

test('a batch is one entry in the list of the assistant’s calls', async () => {
  await mcp.client.call('publish_listing', { listingIds: await createReviewed(5) });
  const { activity } = mcp.world.companion();
  expect(activity.list(mcp.assistantId)).toMatchObject([{ status: 202, answeredFrom: 'companion', title: null }]);
});

test.each([
  ['publish_listing', {}, 'listingId'],
  ['publish_listing', { listingId: 'a', listingIds: ['b', 'c'] }, 'listingId'],
  ['publish_listing', { listingIds: ['a', 'a'] }, 'listingIds'],
  [
    'change_live_listing',
    {
      rows: [
        { listingId: 'a', priceCents: 1 },
        { listingId: 'a', priceCents: 2 },
      ],
    },
    'rows',
  ],
  ['end_listing', { listingIds: [] }, 'listingIds'],
  ['end_listing', { listingIds: Array.from({ length: 201 }, (_, at) => `l${at}`) }, 'listingIds'],
  ['change_live_listing', { rows: [{ listingId: 'a', price: 1 }] }, 'rows.0'],
  ['change_live_listing', { rows: [{ listingId: 'a', priceCents: 'all' }] }, 'rows.0.priceCents'],
  ['change_live_listing', { rows: [{ listingId: 'a', priceCents: 1 }, { listingId: 'b' }] }, 'rows.1'],
  ['change_live_listing', { rows: [{ listingId: 'a', priceCents: 1 }], priceCents: 2 }, 'rows'],
])('%s with %o is refused and names the argument', async (tool, args, field) => {
  expect(await mcp.client.call(tool, args)).toMatchObject({ isError: true, data: { code: 'INVALID_REQUEST', field } });
});

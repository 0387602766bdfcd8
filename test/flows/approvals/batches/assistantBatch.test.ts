import { afterEach, beforeEach, expect, test } from 'vitest';
import type { BatchView } from '../../../../src/core/approvals/batches.ts';
import { pairAsker } from '../../../helpers/assistant.ts';
import { waitUntil } from '../../../helpers/testClock.ts';
import { startWorld, type World } from '../../../helpers/world.ts';
import type { Asker } from '../../../../src/core/base/request.ts';

let world: World;
let helper: Asker;
let key: string;
beforeEach(async () => {
  world = await startWorld();
  helper = pairAsker(world, 'Tidy Helper');
  key = (await world.secrets.get('agent-key practice')) ?? '';
});
afterEach(() => world.close());

const getBatches = () => world.companion().batches;
const createReviewedListings = async (count: number): Promise<string[]> => {
  const ids = [];
  for (let at = 0; at < count; at += 1) ids.push(await world.practice.written(key));
  return ids;
};
const createLiveListings = async (count: number): Promise<string[]> => {
  const ids = [];
  for (let at = 0; at < count; at += 1) ids.push(await world.practice.live(key));
  return ids;
};
const toPublish = (listingId: string) => ({ route: 'publishListing' as const, input: { params: { listingId } } });
const toEnd = (listingId: string) => ({ route: 'endListing' as const, input: { params: { listingId } } });
const toDelete = (listingId: string) => ({ route: 'deleteListing' as const, input: { params: { listingId } } });
const listPendingChoices = ({ rows }: BatchView) =>
  rows.flatMap(({ approval }) =>
    approval?.state === 'pending' ? [{ approvalId: approval.approvalId, digest: approval.digest }] : [],
  );
const findOpenBatch = (batchId: string): BatchView | undefined =>
  getBatches()
    .listOpen()
    .find((one) => one.batchId === batchId);
const waitUntilOver = (batchId: string) =>
  world.until(() => (findOpenBatch(batchId)?.state === 'over' ? findOpenBatch(batchId) : null), 'the end of the batch');

test('a batch shows the assistant’s name and reason and triggers one notification', async () => {
  const ids = await createReviewedListings(6);
  const [batch] = await getBatches().requestBatches(helper, ids.map(toPublish), 'All six are ready.');
  expect(batch).toMatchObject({ by: helper, reason: 'All six are ready.', state: 'waiting' });
  expect(batch?.rows).toHaveLength(6);
  expect(world.notices).toMatchObject([
    { title: 'Tidy Helper asks: Publish 6 listings', batchId: batch?.batchId, kind: 'approvals' },
  ]);
});

test('the notification of a batch counts only the rows that can be approved', async () => {
  const [onSale = ''] = await createLiveListings(1);
  const [batch] = await getBatches().requestBatches(helper, [
    ...(await createReviewedListings(2)).map(toPublish),
    toPublish(onSale),
  ]);
  expect(batch?.rows.map(({ problem }) => problem?.code)).toEqual([undefined, undefined, 'WRONG_STATE']);
  expect(world.notices).toMatchObject([{ title: 'Tidy Helper asks: Publish 2 listings' }]);
});

test('a request with publishes, ends and deletions becomes three separate batches', async () => {
  const [one = '', two = ''] = await createReviewedListings(2);
  const [three = '', four = ''] = await createLiveListings(2);
  const asked = await getBatches().requestBatches(helper, [toPublish(one), toEnd(three), toDelete(two), toEnd(four)]);
  expect(asked.map(({ rows }) => rows.map(({ route }) => route))).toEqual([
    ['publishListing'],
    ['endListing', 'endListing'],
    ['deleteListing'],
  ]);
  expect(world.notices.map(({ title }) => title)).toEqual([
    'Tidy Helper asks: Publish 1 listing',
    'Tidy Helper asks: End 2 listings',
    'Tidy Helper asks: Delete 1 listing',
  ]);
});

test('a new batch is listed after the batches that were already pending', async () => {
  const ids = await createReviewedListings(4);
  const own = await getBatches().publishListings(ids.slice(0, 2));
  const [theirs] = await getBatches().requestBatches(helper, ids.slice(2).map(toPublish));
  expect(
    getBatches()
      .listOpen()
      .map(({ batchId }) => batchId),
  ).toEqual([own.batchId, theirs?.batchId]);
  await world.pressYesToRows(own.batchId, listPendingChoices(own));
  await waitUntilOver(own.batchId);
  getBatches().closeBatch(own.batchId, []);
  expect(
    getBatches()
      .listOpen()
      .map(({ batchId }) => batchId),
  ).toEqual([theirs?.batchId]);
});

test('a batch of any size is only one of the five approvals that an assistant can have pending', async () => {
  const ids = await createReviewedListings(12);
  await getBatches().requestBatches(helper, ids.slice(0, 8).map(toPublish));
  for (const id of ids.slice(8)) {
    const asked = await world.companion().perform({ by: helper, ...toPublish(id) });
    expect(asked.state).toBe('pending');
  }
  const [more = ''] = await createReviewedListings(1);
  await expect(world.companion().perform({ by: helper, ...toPublish(more) })).rejects.toMatchObject({
    code: 'TOO_MANY_WAITING',
  });
});

test('a batch of requests to end listings has one undo window of five seconds for all rows', async () => {
  const ids = await createLiveListings(3);
  const [batch] = await getBatches().requestBatches(helper, ids.map(toEnd));
  const held = await world.pressYesToRows(batch?.batchId ?? '', listPendingChoices(batch ?? throwNoBatch()));
  expect(held).toMatchObject({ state: 'held', heldUntil: world.clock.now() + 5_000 });
  expect(new Set(held.rows.map(({ approval }) => approval?.heldUntil)).size).toBe(1);
  const back = getBatches().takeBack(held.batchId);
  expect(back.rows.map(({ approval }) => approval?.outcome?.code)).toEqual(Array(3).fill('TAKEN_BACK'));
  world.clock.advance(10_000);
  await waitUntil(() => findOpenBatch(held.batchId)?.state === 'over', 'the end');
  expect(await world.happened('end')).toBe(0);
});

test('after the undo window of a batch, only the listings that did not change are ended', async () => {
  const ids = await createLiveListings(3);
  const batch = (await getBatches().requestBatches(helper, ids.map(toEnd)))[0] ?? throwNoBatch();
  await world.pressYesToRows(batch.batchId, listPendingChoices(batch));
  await world.practice.call(key, 'POST', `/market/revise/${ids[1]}`, { title: 'Another title' });
  const after = await world.until(
    () => (findOpenBatch(batch.batchId)?.state === 'waiting' ? findOpenBatch(batch.batchId) : null),
    'the row with a new prompt',
  );
  expect(after.rows.map(({ approval }) => approval?.state)).toEqual(['done', 'pending', 'done']);
  expect(after.rows[1]?.approval?.sinceShown).toMatchObject([{ label: 'Title', after: 'Another title' }]);
  expect(await world.happened('end')).toBe(2);
});

test('a batch rejects a duplicate listing and a listing that already has a prompt', async () => {
  const [one = '', two = ''] = await createReviewedListings(2);
  await expect(getBatches().requestBatches(helper, [toPublish(one), toPublish(one)])).rejects.toMatchObject({
    code: 'INVALID_REQUEST',
  });
  await world.companion().perform({ by: helper, ...toPublish(one) });
  const [batch] = await getBatches().requestBatches(helper, [toPublish(one), toPublish(two)]);
  expect(batch?.rows.map(({ problem }) => problem?.code ?? null)).toEqual(['ALREADY_ASKED', null]);
});

const throwNoBatch = (): never => {
  throw new Error('There is no batch.');
};

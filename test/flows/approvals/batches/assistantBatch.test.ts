import { afterEach, beforeEach, expect, test } from 'vitest';
import type { BatchView } from '../../../../src/core/approvals/batches.ts';
import { pairedAsker } from '../../../helpers/assistant.ts';
import { settled } from '../../../helpers/testClock.ts';
import { startWorld, type World } from '../../../helpers/world.ts';
import type { Asker } from '../../../../src/core/base/request.ts';

let world: World;
let helper: Asker;
let key: string;
beforeEach(async () => {
  world = await startWorld();
  helper = pairedAsker(world, 'Tidy Helper');
  key = (await world.secrets.get('agent-key practice')) ?? '';
});
afterEach(() => world.close());

const batches = () => world.companion().batches;
const written = async (count: number): Promise<string[]> => {
  const ids = [];
  for (let at = 0; at < count; at += 1) ids.push(await world.practice.written(key));
  return ids;
};
const live = async (count: number): Promise<string[]> => {
  const ids = [];
  for (let at = 0; at < count; at += 1) ids.push(await world.practice.live(key));
  return ids;
};
const publish = (listingId: string) => ({ route: 'publishListing' as const, input: { params: { listingId } } });
const end = (listingId: string) => ({ route: 'endListing' as const, input: { params: { listingId } } });
const remove = (listingId: string) => ({ route: 'deleteListing' as const, input: { params: { listingId } } });
const ticks = ({ rows }: BatchView) =>
  rows.flatMap(({ approval }) =>
    approval?.state === 'pending' ? [{ approvalId: approval.approvalId, digest: approval.digest }] : [],
  );
const now = (batchId: string): BatchView | undefined =>
  batches()
    .listOpen()
    .find((one) => one.batchId === batchId);
const over = (batchId: string) =>
  world.until(() => (now(batchId)?.state === 'over' ? now(batchId) : null), 'the end of the batch');

test('a batch shows the assistant’s name and reason and triggers one notification', async () => {
  const ids = await written(6);
  const [batch] = await batches().requestBatches(helper, ids.map(publish), 'All six are ready.');
  expect(batch).toMatchObject({ by: helper, reason: 'All six are ready.', state: 'waiting' });
  expect(batch?.rows).toHaveLength(6);
  expect(world.notices).toMatchObject([
    { title: 'Tidy Helper asks: Publish 6 listings', batchId: batch?.batchId, kind: 'approvals' },
  ]);
});

test('the notification of a batch counts only the rows that can be approved', async () => {
  const [onSale = ''] = await live(1);
  const [batch] = await batches().requestBatches(helper, [...(await written(2)).map(publish), publish(onSale)]);
  expect(batch?.rows.map(({ problem }) => problem?.code)).toEqual([undefined, undefined, 'WRONG_STATE']);
  expect(world.notices).toMatchObject([{ title: 'Tidy Helper asks: Publish 2 listings' }]);
});

test('publishes, ends and deletions in one request become separate batches', async () => {
  const [one = '', two = ''] = await written(2);
  const [three = '', four = ''] = await live(2);
  const asked = await batches().requestBatches(helper, [publish(one), end(three), remove(two), end(four)]);
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
  const ids = await written(4);
  const own = await batches().publishListings(ids.slice(0, 2));
  const [theirs] = await batches().requestBatches(helper, ids.slice(2).map(publish));
  expect(
    batches()
      .listOpen()
      .map(({ batchId }) => batchId),
  ).toEqual([own.batchId, theirs?.batchId]);
  await batches().approveRows(own.batchId, ticks(own));
  await over(own.batchId);
  batches().closeBatch(own.batchId, []);
  expect(
    batches()
      .listOpen()
      .map(({ batchId }) => batchId),
  ).toEqual([theirs?.batchId]);
});

test('a batch of any size is one of an assistant’s five pending approvals', async () => {
  const ids = await written(12);
  await batches().requestBatches(helper, ids.slice(0, 8).map(publish));
  for (const id of ids.slice(8)) {
    const asked = await world.companion().perform({ by: helper, ...publish(id) });
    expect(asked.state).toBe('pending');
  }
  const [more = ''] = await written(1);
  await expect(world.companion().perform({ by: helper, ...publish(more) })).rejects.toMatchObject({
    code: 'TOO_MANY_WAITING',
  });
});

test('a batch of ends has one undo window of five seconds for all rows', async () => {
  const ids = await live(3);
  const [batch] = await batches().requestBatches(helper, ids.map(end));
  const held = await batches().approveRows(batch?.batchId ?? '', ticks(batch ?? never()));
  expect(held).toMatchObject({ state: 'held', heldUntil: world.clock.now() + 5_000 });
  expect(new Set(held.rows.map(({ approval }) => approval?.heldUntil)).size).toBe(1);
  const back = batches().takeBack(held.batchId);
  expect(back.rows.map(({ approval }) => approval?.outcome?.code)).toEqual(Array(3).fill('TAKEN_BACK'));
  world.clock.advance(10_000);
  await settled(() => now(held.batchId)?.state === 'over', 'the end');
  expect(await world.happened('end')).toBe(0);
});

test('after the undo window, a batch ends only the listings that did not change', async () => {
  const ids = await live(3);
  const batch = (await batches().requestBatches(helper, ids.map(end)))[0] ?? never();
  await batches().approveRows(batch.batchId, ticks(batch));
  await world.practice.call(key, 'POST', `/market/revise/${ids[1]}`, { title: 'Another title' });
  const after = await world.until(
    () => (now(batch.batchId)?.state === 'waiting' ? now(batch.batchId) : null),
    'the row with a new prompt',
  );
  expect(after.rows.map(({ approval }) => approval?.state)).toEqual(['done', 'pending', 'done']);
  expect(after.rows[1]?.approval?.sinceShown).toMatchObject([{ label: 'Title', after: 'Another title' }]);
  expect(await world.happened('end')).toBe(2);
});

test('a batch rejects a duplicate listing and a listing that already has a prompt', async () => {
  const [one = '', two = ''] = await written(2);
  await expect(batches().requestBatches(helper, [publish(one), publish(one)])).rejects.toMatchObject({
    code: 'INVALID_REQUEST',
  });
  await world.companion().perform({ by: helper, ...publish(one) });
  const [batch] = await batches().requestBatches(helper, [publish(one), publish(two)]);
  expect(batch?.rows.map(({ problem }) => problem?.code ?? null)).toEqual(['ALREADY_ASKED', null]);
});

const never = (): never => {
  throw new Error('There is no batch.');
};

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Asker } from '../../../../src/core/base/request.ts';
import { pairAsker } from '../../../helpers/assistant.ts';
import { performAs, readServiceKey } from '../../../helpers/approvals/decisions.ts';
import { startWorld, type World } from '../../../helpers/world.ts';

let world: World;
let by: Asker;
beforeEach(async () => {
  world = await startWorld();
  by = pairAsker(world, 'Insistent');
});
afterEach(() => world.close());

const getApprovals = () => world.companion().approvals;
const getBatches = () => world.companion().batches;
const toPublish = (listingId: string) => ({ route: 'publishListing' as const, input: { params: { listingId } } });
const createListing = async (): Promise<string> => world.practice.written(await readServiceKey(world));
/** Requests a batch for two new listings. */
const requestBatch = async (asker: Asker = by) => {
  const [batch] = await getBatches().requestBatches(asker, [
    toPublish(await createListing()),
    toPublish(await createListing()),
  ]);
  if (!batch) throw new Error('There is no batch.');
  return batch;
};
type Batch = Awaited<ReturnType<typeof requestBatch>>;
const listApprovals = ({ rows }: Batch) => rows.flatMap(({ approval }) => approval ?? []);
const withdrawAll = (batch: Batch): void => {
  for (const { approvalId } of listApprovals(batch)) getApprovals().withdraw(approvalId);
};
const listIdsInWindow = (): string[] =>
  getBatches()
    .listOpen()
    .map(({ batchId }) => batchId);
const expectTooMany = () =>
  expect(requestBatch()).rejects.toMatchObject({
    code: 'TOO_MANY_WAITING',
    retryAfterS: expect.any(Number) as number,
  });

describe('an assistant that withdraws batches', () => {
  test('an assistant that withdrew two batches gets no third batch for ten minutes', async () => {
    for (let asked = 0; asked < 2; asked += 1) withdrawAll(await requestBatch());
    await expectTooMany();
    await requestBatch(pairAsker(world, 'Other'));
    await world.stop();
    await world.begin();
    await expectTooMany();
    world.clock.advance(10 * 60_000);
    await requestBatch();
  });

  test('a batch that its assistant ends by changing the listings is treated as withdrawn', async () => {
    withdrawAll(await requestBatch());
    const [one = '', two = ''] = [await createListing(), await createListing()];
    const [batch] = await getBatches().requestBatches(by, [toPublish(one), toPublish(two)]);
    for (const listingId of [one, two]) {
      const body = { intent: 'adapt_marketplace' as const, targetMarketplaceId: 'MKT_US' };
      const answered = await performAs(world, by, 'generateListing', { params: { listingId }, body });
      const answer = answered.state === 'done' ? answered.answer : null;
      await world.practice.fault({ method: 'GET', path: '/listings/{listingId}', body: answer });
      await performAs(world, by, 'readListing', { params: { listingId } });
    }
    await world.until(() => getBatches().readBatch(batch?.batchId ?? '').state === 'over', 'the end of the batch');
    await expectTooMany();
  });

  test('an answered, pending or expired batch is not treated as withdrawn', async () => {
    for (let asked = 0; asked < 3; asked += 1) {
      const batch = await requestBatch();
      const shown = listApprovals(batch).map(({ approvalId, digest }) => ({ approvalId, digest }));
      if (asked === 0) {
        await world.pressYesToRows(batch.batchId, shown);
        await world.until(() => getBatches().readBatch(batch.batchId).state === 'over', 'the end of the batch');
      }
      if (asked === 1) {
        getBatches().closeBatch(batch.batchId, shown.slice(0, 1));
        getApprovals().withdraw(shown[1]?.approvalId ?? '');
      }
      if (asked === 2) getApprovals().withdraw(shown[0]?.approvalId ?? '');
    }
    const late = await requestBatch();
    world.clock.advance(24 * 60 * 60_000);
    getApprovals().expireDue();
    expect(getBatches().readBatch(late.batchId).rows[0]?.approval?.state).toBe('expired');
    withdrawAll(await requestBatch());
    await requestBatch();
  });
});

describe('a batch without pending rows', () => {
  test('a batch without pending rows leaves the window if the person answered none of its rows', async () => {
    const batch = await requestBatch();
    const other = await requestBatch();
    expect(listIdsInWindow()).toEqual([batch.batchId, other.batchId]);
    withdrawAll(batch);
    expect(listIdsInWindow()).toEqual([other.batchId]);
    expect(
      getBatches()
        .readBatch(batch.batchId)
        .rows.map(({ approval }) => approval?.state),
    ).toEqual(['withdrawn', 'withdrawn']);
    const kept = getApprovals()
      .history()
      .map(({ approvalId }) => approvalId);
    expect(kept).toEqual(expect.arrayContaining(listApprovals(batch).map(({ approvalId }) => approvalId)));
    await world.stop();
    await world.begin();
    expect(listIdsInWindow()).toEqual([other.batchId]);
  });

  test('a batch without pending rows stays in the window if the person answered one of its rows', async () => {
    const batch = await requestBatch();
    const [first, second] = listApprovals(batch);
    getApprovals().decline(first?.approvalId ?? '', first?.digest ?? '', 'no');
    getApprovals().withdraw(second?.approvalId ?? '');
    expect(listIdsInWindow()).toEqual([batch.batchId]);
  });
});

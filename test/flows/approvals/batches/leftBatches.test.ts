import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Asker } from '../../../../src/core/base/request.ts';
import { pairedAsker } from '../../../helpers/assistant.ts';
import { performAs, serviceKey } from '../../../helpers/approvals/decisions.ts';
import { startWorld, type World } from '../../../helpers/world.ts';

let world: World;
let by: Asker;
beforeEach(async () => {
  world = await startWorld();
  by = pairedAsker(world, 'Insistent');
});
afterEach(() => world.close());

const approvals = () => world.companion().approvals;
const batches = () => world.companion().batches;
const publish = (listingId: string) => ({ route: 'publishListing' as const, input: { params: { listingId } } });
const written = async (): Promise<string> => world.practice.written(await serviceKey(world));
/** Requests a batch for two new listings. */
const askBatch = async (asker: Asker = by) => {
  const [batch] = await batches().requestBatches(asker, [publish(await written()), publish(await written())]);
  if (!batch) throw new Error('There is no batch.');
  return batch;
};
type Batch = Awaited<ReturnType<typeof askBatch>>;
const approvalsOf = ({ rows }: Batch) => rows.flatMap(({ approval }) => approval ?? []);
const withdrawAll = (batch: Batch): void => {
  for (const { approvalId } of approvalsOf(batch)) approvals().withdraw(approvalId);
};
const idsInWindow = (): string[] =>
  batches()
    .listOpen()
    .map(({ batchId }) => batchId);
const isTooMuch = () =>
  expect(askBatch()).rejects.toMatchObject({
    code: 'TOO_MANY_WAITING',
    retryAfterS: expect.any(Number) as number,
  });

describe('an assistant that withdraws batches', () => {
  test('an assistant that withdrew two batches gets no third batch for ten minutes', async () => {
    for (let asked = 0; asked < 2; asked += 1) withdrawAll(await askBatch());
    await isTooMuch();
    await askBatch(pairedAsker(world, 'Other'));
    await world.stop();
    await world.begin();
    await isTooMuch();
    world.clock.advance(10 * 60_000);
    await askBatch();
  });

  test('a batch that its assistant ends by changing the listings is treated as withdrawn', async () => {
    withdrawAll(await askBatch());
    const [one = '', two = ''] = [await written(), await written()];
    const [batch] = await batches().requestBatches(by, [publish(one), publish(two)]);
    for (const listingId of [one, two]) {
      const body = { intent: 'adapt_marketplace' as const, targetMarketplaceId: 'MKT_US' };
      const answered = await performAs(world, by, 'generateListing', { params: { listingId }, body });
      const answer = answered.state === 'done' ? answered.answer : null;
      await world.practice.fault({ method: 'GET', path: '/listings/{listingId}', body: answer });
      await performAs(world, by, 'readListing', { params: { listingId } });
    }
    await world.until(() => batches().readBatch(batch?.batchId ?? '').state === 'over', 'the end of the batch');
    await isTooMuch();
  });

  test('an answered, pending or expired batch is not treated as withdrawn', async () => {
    for (let asked = 0; asked < 3; asked += 1) {
      const batch = await askBatch();
      const shown = approvalsOf(batch).map(({ approvalId, digest }) => ({ approvalId, digest }));
      if (asked === 0) {
        await batches().approveRows(batch.batchId, shown);
        await world.until(() => batches().readBatch(batch.batchId).state === 'over', 'the end of the batch');
      }
      if (asked === 1) {
        batches().closeBatch(batch.batchId, shown.slice(0, 1));
        approvals().withdraw(shown[1]?.approvalId ?? '');
      }
      if (asked === 2) approvals().withdraw(shown[0]?.approvalId ?? '');
    }
    const late = await askBatch();
    world.clock.advance(24 * 60 * 60_000);
    approvals().expireDue();
    expect(batches().readBatch(late.batchId).rows[0]?.approval?.state).toBe('expired');
    withdrawAll(await askBatch());
    await askBatch();
  });
});

describe('a batch without pending rows', () => {
  test('the batch disappears from the window if the person answered none of its rows', async () => {
    const batch = await askBatch();
    const other = await askBatch();
    expect(idsInWindow()).toEqual([batch.batchId, other.batchId]);
    withdrawAll(batch);
    expect(idsInWindow()).toEqual([other.batchId]);
    expect(
      batches()
        .readBatch(batch.batchId)
        .rows.map(({ approval }) => approval?.state),
    ).toEqual(['withdrawn', 'withdrawn']);
    const kept = approvals()
      .history()
      .map(({ approvalId }) => approvalId);
    expect(kept).toEqual(expect.arrayContaining(approvalsOf(batch).map(({ approvalId }) => approvalId)));
    await world.stop();
    await world.begin();
    expect(idsInWindow()).toEqual([other.batchId]);
  });

  test('the batch stays in the window if the person answered one of its rows', async () => {
    const batch = await askBatch();
    const [first, second] = approvalsOf(batch);
    approvals().decline(first?.approvalId ?? '', first?.digest ?? '', 'no');
    approvals().withdraw(second?.approvalId ?? '');
    expect(idsInWindow()).toEqual([batch.batchId]);
  });
});

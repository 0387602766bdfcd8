import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Asker } from '../../../../src/core/base/request.ts';
import { listPendingPrompts } from '../../../../src/main/tray/pendingApprovals.ts';
import { listPendingApprovals } from '../../../../src/renderer/src/screens/approvals/approvalText.ts';
import { pairAsker } from '../../../helpers/assistant.ts';
import { readServiceKey } from '../../../helpers/approvals/decisions.ts';
import { waitUntil } from '../../../helpers/testClock.ts';
import { startWorld, type World } from '../../../helpers/world.ts';

let world: World;
let by: Asker;
beforeEach(async () => {
  world = await startWorld();
  by = pairAsker(world, 'Tidy Helper');
});
afterEach(() => world.close());

const getBatches = () => world.companion().batches;
const listPending = () => world.companion().approvals.listPending();
const createListing = async (): Promise<string> => world.practice.written(await readServiceKey(world));
const toPublish = (listingId: string) => ({ route: 'publishListing' as const, input: { params: { listingId } } });
const listIdsInWindow = (): string[] =>
  listPendingApprovals(listPending(), getBatches().listOpen()).map(({ id }) => id);
const listIdsInTray = (): string[] => listPendingPrompts(listPending(), getBatches().listOpen()).map(({ id }) => id);
/** Deletes a listing as the person. */
const deleteListing = async (listingId: string): Promise<void> => {
  const input = { params: { listingId } };
  const asked = await world.companion().perform({ by: { kind: 'person' }, route: 'deleteListing', input });
  if (asked.state === 'pending') await world.approve(world.companion().approvals.readView(asked.approvalId));
};

test('a batch ends when the last of its listings is deleted', async () => {
  const ids = [await createListing(), await createListing(), await createListing()];
  const [batch] = await getBatches().requestBatches(by, ids.map(toPublish));
  const batchId = batch?.batchId ?? '';
  const listStates = () =>
    getBatches()
      .readBatch(batchId)
      .rows.map(({ approval }) => approval?.state);
  for (const [at, listingId] of ids.entries()) {
    expect(listIdsInWindow()).toEqual([batchId]);
    expect(listIdsInTray()).toEqual([batchId]);
    await deleteListing(listingId);
    await waitUntil(() => listStates()[at] === 'superseded', 'the end of the row');
    expect(listStates().slice(at + 1)).toEqual(ids.slice(at + 1).map(() => 'pending'));
  }
  expect(getBatches().readBatch(batchId)).toMatchObject({
    state: 'over',
    rows: ids.map(() => ({ approval: { outcome: { code: 'NOT_FOUND' } } })),
  });
  expect(listIdsInWindow()).toEqual([]);
  expect(listIdsInTray()).toEqual([]);
});

test('prompts and batches are listed in request order even if the clock is set back', async () => {
  const requestPublish = async (): Promise<string> => {
    const asked = await world.companion().perform({ by, ...toPublish(await createListing()) });
    return asked.state === 'pending' ? asked.approvalId : '';
  };
  const requestBatch = async (): Promise<string> => {
    const [batch] = await getBatches().requestBatches(by, [
      toPublish(await createListing()),
      toPublish(await createListing()),
    ]);
    return batch?.batchId ?? '';
  };
  const order: string[] = [];
  for (const next of [requestPublish, requestBatch, requestPublish, requestBatch]) {
    order.push(await next());
    world.clock.jumpWall(-3_600_000);
  }
  expect(listIdsInWindow()).toEqual(order);
  expect(
    getBatches()
      .listOpen()
      .map(({ batchId }) => batchId),
  ).toEqual([order[1], order[3]]);
  expect(listPending().map(({ approvalId }) => approvalId)).toEqual([order[0], order[2]]);
});

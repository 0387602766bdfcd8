import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Asker } from '../../../../src/core/base/request.ts';
import { listPendingPrompts } from '../../../../src/main/tray/pendingApprovals.ts';
import { listPendingApprovals } from '../../../../src/renderer/src/screens/approvals/approvalText.ts';
import { pairedAsker } from '../../../helpers/assistant.ts';
import { serviceKey } from '../../../helpers/approvals/decisions.ts';
import { settled } from '../../../helpers/testClock.ts';
import { startWorld, type World } from '../../../helpers/world.ts';

let world: World;
let by: Asker;
beforeEach(async () => {
  world = await startWorld();
  by = pairedAsker(world, 'Tidy Helper');
});
afterEach(() => world.close());

const batches = () => world.companion().batches;
const waiting = () => world.companion().approvals.listPending();
const written = async (): Promise<string> => world.practice.written(await serviceKey(world));
const publish = (listingId: string) => ({ route: 'publishListing' as const, input: { params: { listingId } } });
const idsInWindow = (): string[] => listPendingApprovals(waiting(), batches().listOpen()).map(({ id }) => id);
const idsInTray = (): string[] => listPendingPrompts(waiting(), batches().listOpen()).map(({ id }) => id);
/** The person deletes a listing in the window. */
const remove = async (listingId: string): Promise<void> => {
  const input = { params: { listingId } };
  const asked = await world.companion().perform({ by: { kind: 'person' }, route: 'deleteListing', input });
  if (asked.state === 'pending') await world.approve(world.companion().approvals.readView(asked.approvalId));
};

test('a batch ends when the last of its listings is deleted', async () => {
  const ids = [await written(), await written(), await written()];
  const [batch] = await batches().requestBatches(by, ids.map(publish));
  const batchId = batch?.batchId ?? '';
  const states = () =>
    batches()
      .readBatch(batchId)
      .rows.map(({ approval }) => approval?.state);
  for (const [at, listingId] of ids.entries()) {
    expect(idsInWindow()).toEqual([batchId]);
    expect(idsInTray()).toEqual([batchId]);
    await remove(listingId);
    await settled(() => states()[at] === 'superseded', 'the end of the row');
    expect(states().slice(at + 1)).toEqual(ids.slice(at + 1).map(() => 'pending'));
  }
  expect(batches().readBatch(batchId)).toMatchObject({
    state: 'over',
    rows: ids.map(() => ({ approval: { outcome: { code: 'NOT_FOUND' } } })),
  });
  expect(idsInWindow()).toEqual([]);
  expect(idsInTray()).toEqual([]);
});

test('prompts and batches are listed in request order even if the clock is set back', async () => {
  const ask = async (): Promise<string> => {
    const asked = await world.companion().perform({ by, ...publish(await written()) });
    return asked.state === 'pending' ? asked.approvalId : '';
  };
  const askBatch = async (): Promise<string> => {
    const [batch] = await batches().requestBatches(by, [publish(await written()), publish(await written())]);
    return batch?.batchId ?? '';
  };
  const order: string[] = [];
  for (const next of [ask, askBatch, ask, askBatch]) {
    order.push(await next());
    world.clock.jumpWall(-3_600_000);
  }
  expect(idsInWindow()).toEqual(order);
  expect(
    batches()
      .listOpen()
      .map(({ batchId }) => batchId),
  ).toEqual([order[1], order[3]]);
  expect(waiting().map(({ approvalId }) => approvalId)).toEqual([order[0], order[2]]);
});

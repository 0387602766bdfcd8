import { afterEach, expect, test } from 'vitest';
import type { BatchView } from '../../../../src/core/approvals/batches.ts';
import {
  planBulkUndo,
  planBulkChanges,
  type BulkTarget,
} from '../../../../src/renderer/src/screens/listings/bulk/bulkChanges.ts';
import { parsePriceRule } from '../../../../src/renderer/src/screens/listings/bulk/priceRules.ts';
import { holdRequest, createWrittenListing } from '../../../helpers/approvals/decisions.ts';
import { waitUntil } from '../../../helpers/testClock.ts';
import { startWorld, type World } from '../../../helpers/world.ts';

let world: World;
afterEach(() => world.close());

const getBatches = () => world.companion().batches;
const listPendingChoices = (batch: BatchView) =>
  batch.rows.flatMap(({ approval }) =>
    approval?.state === 'pending' ? [{ approvalId: approval.approvalId, digest: approval.digest }] : [],
  );
const waitUntilOver = () =>
  waitUntil(() => {
    const [batch] = getBatches().listOpen();
    return batch?.state === 'over' ? batch : null;
  }, 'the end of the batch');

/** Creates listings that the person has published. */
const createLiveListings = async (count: number): Promise<string[]> => {
  const ids: string[] = [];
  for (let at = 0; at < count; at += 1) {
    const listingId = await createWrittenListing(world);
    await world.perform('publishListing', { params: { listingId } });
    await world.yes();
    ids.push(listingId);
  }
  return ids;
};

/** Returns the listings as the window shows them: each row of the list with its stored copy. */
const listTargets = async (ids: readonly string[]): Promise<BulkTarget[]> => {
  for (const listingId of ids) await world.listing(listingId);
  const { listings } = world.companion();
  const filter = { q: '', statuses: [], site: null, from: null, to: null, minCents: null, maxCents: null };
  const { rows } = listings.search(filter, { sort: 'newest', offset: 0, limit: 100 });
  return ids.flatMap((listingId) =>
    rows.filter((row) => row.listingId === listingId).map((row) => ({ row, listing: listings.readStored(listingId) })),
  );
};
const planTenPercentLess = async (ids: readonly string[]) => {
  const rule = parsePriceRule('percent', '-10', '99');
  if (!rule) throw new Error('Invalid price rule.');
  return planBulkChanges(await listTargets(ids), { field: 'price', rule, medians: new Map() });
};
const toRevisions = ({ changes }: ReturnType<typeof planBulkChanges>) =>
  changes.map(({ row: { listingId }, body }) => ({
    route: 'reviseListing' as const,
    input: { params: { listingId }, body },
  }));
const readPrices = (ids: readonly string[]) => Promise.all(ids.map(async (id) => (await world.listing(id)).price));

test('a bulk price change of live listings needs one approval, and so does its undo', async () => {
  world = await startWorld();
  const shown = await createLiveListings(2);
  const draft = await createWrittenListing(world);
  const before = await readPrices([...shown, draft]);
  const plan = await planTenPercentLess([...shown, draft]);
  expect(plan.changes.map((change) => change.live)).toEqual([true, true, false]);
  for (const { row, body } of plan.changes.filter((change) => !change.live)) {
    const outcome = await world.perform('updateListing', { params: { listingId: row.listingId }, body });
    expect(outcome.state).toBe('done');
  }
  const requests = toRevisions({ ...plan, changes: plan.changes.filter((change) => change.live) });
  const [batch] = await getBatches().requestBatches({ kind: 'person' }, requests);
  if (!batch) throw new Error('No batch.');
  expect(await world.happened('revision')).toBe(0);
  expect(await readPrices(shown)).toEqual(before.slice(0, 2));
  expect(batch.rows.map(({ approval }) => approval?.prompt.changes.map(({ key }) => key))).toEqual([
    ['price'],
    ['price'],
  ]);

  await world.pressYesToRows(batch.batchId, listPendingChoices(batch));
  await waitUntilOver();
  expect(await readPrices([...shown, draft])).toEqual(plan.changes.map(({ body }) => body.price));
  getBatches().closeBatch(batch.batchId, []);

  const back = planBulkUndo(await listTargets([...shown, draft]), { field: 'price', rows: plan.changes });
  expect(back.changes.map(({ body }) => body.price)).toEqual(before);
  const [second] = await getBatches().requestBatches(
    { kind: 'person' },
    toRevisions({ ...back, changes: back.changes.slice(0, 2) }),
  );
  expect(await world.happened('revision')).toBe(2);
  await world.pressYesToRows(second?.batchId ?? '', second ? listPendingChoices(second) : []);
  await waitUntilOver();
  expect(await readPrices(shown)).toEqual(before.slice(0, 2));
  expect(await world.happened('revision')).toBe(4);
});

test('a bulk price change interrupted by a restart changes each price only once', async () => {
  world = await startWorld();
  const ids = await createLiveListings(4);
  const plan = await planTenPercentLess(ids);
  const wanted = plan.changes.map(({ body }) => body.price);
  const [batch] = await getBatches().requestBatches({ kind: 'person' }, toRevisions(plan));
  const second = await holdRequest(world, 'POST', '/market/revise/{listingId}', 1);
  await world.pressYesToRows(batch?.batchId ?? '', batch ? listPendingChoices(batch) : []);
  await second.arrived();
  const stopped = world.stop();
  await second.go();
  await stopped;
  await world.begin();

  // Unsent rows need a new approval; sent rows are found by reading and not resent.
  const waiting = await world.until(() => {
    world.clock.advance(10_000);
    const [open] = getBatches().listOpen();
    const busy = open?.rows.some(({ approval }) =>
      ['approved', 'sending', 'unconfirmed'].includes(approval?.state ?? ''),
    );
    return open && !busy ? open : null;
  }, 'the batch after the start');
  const sent = await world.happened('revision');
  expect(sent).toBeGreaterThan(0);
  expect(sent).toBeLessThan(4);
  await world.pressYesToRows(waiting.batchId, listPendingChoices(waiting));
  await waitUntilOver();
  expect(await readPrices(ids)).toEqual(wanted);
  expect(await world.happened('revision')).toBe(4);
});

import { afterEach, beforeEach, expect, test } from 'vitest';
import type { InputOf, RouteName } from '../../../src/contract/index.ts';
import type { Asker } from '../../../src/core/base/request.ts';
import type { ApprovalView } from '../../../src/core/storage/tables/approvalRecord.ts';
import { pairAsker } from '../../helpers/assistant.ts';
import { requestPrompt, performAs, createWrittenListing } from '../../helpers/approvals/decisions.ts';
import { waitUntil } from '../../helpers/testClock.ts';
import { startWorld, type World } from '../../helpers/world.ts';

let world: World;
let by: Asker;
beforeEach(async () => {
  world = await startWorld();
  by = pairAsker(world, 'Hasty');
});
afterEach(() => world.close());

const getApprovals = () => world.companion().approvals;
const readView = ({ approvalId }: ApprovalView) => getApprovals().readView(approvalId);
const askByAssistant = <N extends RouteName>(route: N, input: InputOf<N>) => requestPrompt(world, route, input, by);
const declineApproval = ({ approvalId, digest }: ApprovalView) =>
  getApprovals().decline(approvalId, digest, 'wrong_details');
const expectDeclined = <N extends RouteName>(route: N, input: InputOf<N>) =>
  expect(performAs(world, by, route, input)).rejects.toMatchObject({
    code: 'PERSON_DECLINED',
    declinedBecause: 'wrong_details',
  });
/** Starts a generation that needs no approval and makes the listing's pending prompt impossible. */
const startGeneration = async (listingId: string): Promise<void> => {
  const params = { listingId };
  const body = { intent: 'adapt_marketplace' as const, targetMarketplaceId: 'MKT_US' };
  const written = await performAs(world, by, 'generateListing', { params, body });
  const answer = written.state === 'done' ? written.answer : null;
  await world.practice.fault({ method: 'GET', path: '/listings/{listingId}', body: answer });
  await performAs(world, by, 'readListing', { params });
};

test('a decline is recorded even if its prompt was just superseded and has no successor', async () => {
  const params = { listingId: await createWrittenListing(world) };
  const asked = await askByAssistant('publishListing', { params });
  await startGeneration(params.listingId);
  await waitUntil(() => readView(asked).state === 'superseded', 'the end of the prompt');
  expect(declineApproval(asked)).toMatchObject({ approvalId: asked.approvalId, state: 'declined' });
  world.clock.advance(10_000);
  await performAs(world, by, 'readListing', { params });
  await expectDeclined('publishListing', { params });
  await world.stop();
  await world.begin();
  await expectDeclined('publishListing', { params });
});

test('a decline of a superseded prompt also declines its successor', async () => {
  const params = { listingId: await createWrittenListing(world) };
  const first = await askByAssistant('publishListing', { params });
  const second = await askByAssistant('publishListing', { params, body: { autoDelistOnSale: false } });
  expect(declineApproval(first)).toMatchObject({ approvalId: first.approvalId, state: 'declined' });
  expect(readView(second)).toMatchObject({ state: 'declined' });
  expect(getApprovals().listPending()).toEqual([]);
  await expectDeclined('publishListing', { params });
});

test('a decline of a withdrawn prompt is still recorded', async () => {
  const params = { listingId: await createWrittenListing(world) };
  const asked = await askByAssistant('publishListing', { params });
  getApprovals().withdraw(asked.approvalId);
  expect(declineApproval(asked).state).toBe('declined');
  await expectDeclined('publishListing', { params });
});

test('if a withdrawn prompt was requested again, a decline of the old prompt also declines the new prompt', async () => {
  const params = { listingId: await createWrittenListing(world) };
  const first = await askByAssistant('publishListing', { params });
  getApprovals().withdraw(first.approvalId);
  const second = await askByAssistant('publishListing', { params });
  expect(declineApproval(first).state).toBe('declined');
  expect(readView(second).state).toBe('declined');
  await expectDeclined('publishListing', { params });
});

test.each(['a decline of all rows', 'an unselected row'])(
  '%s is recorded as a decline even if the row was replaced by a single request',
  async (how) => {
    const ids = [await createWrittenListing(world), await createWrittenListing(world)];
    const [taken = '', other = ''] = ids;
    const { batches } = world.companion();
    const toPublish = (listingId: string) => ({ route: 'publishListing' as const, input: { params: { listingId } } });
    const [batch] = await batches.requestBatches(by, ids.map(toPublish));
    const batchId = batch?.batchId ?? '';
    const shown = batch?.rows.flatMap(({ approval }) => approval ?? []) ?? [];
    const next = await askByAssistant('publishListing', {
      params: { listingId: taken },
      body: { autoDelistOnSale: true },
    });
    if (how === 'a decline of all rows') batches.closeBatch(batchId, shown);
    else await world.pressYesToRows(batchId, shown.slice(1), shown.slice(0, 1));
    expect(readView(next).state).toBe('declined');
    await expect(performAs(world, by, 'publishListing', toPublish(taken).input)).rejects.toMatchObject({
      code: 'PERSON_DECLINED',
    });
    await world.until(() => batches.readBatch(batchId).state === 'over', 'the end of the batch');
    expect((await world.listing(other)).status).toBe(how === 'a decline of all rows' ? 'pending_review' : 'published');
  },
);

test('a decline of a batch also declines a row that was superseded just before', async () => {
  const ids = [await createWrittenListing(world), await createWrittenListing(world)];
  const [gone = ''] = ids;
  const { batches } = world.companion();
  const toPublish = (listingId: string) => ({ route: 'publishListing' as const, input: { params: { listingId } } });
  const [batch] = await batches.requestBatches(by, ids.map(toPublish));
  const shown = batch?.rows.flatMap(({ approval }) => approval ?? []) ?? [];
  await startGeneration(gone);
  await waitUntil(() => shown.some((one) => readView(one).state === 'superseded'), 'the end of the row');
  batches.closeBatch(batch?.batchId ?? '', shown);
  expect(shown.map((one) => readView(one).state)).toEqual(['declined', 'declined']);
  world.clock.advance(10_000);
  await performAs(world, by, 'readListing', { params: { listingId: gone } });
  await expect(performAs(world, by, 'publishListing', toPublish(gone).input)).rejects.toMatchObject({
    code: 'PERSON_DECLINED',
  });
});

test('a decline after the request was sent changes nothing', async () => {
  const params = { listingId: await createWrittenListing(world) };
  const asked = await askByAssistant('publishListing', { params });
  await world.approve(asked);
  expect(declineApproval(asked).state).toBe('done');
});

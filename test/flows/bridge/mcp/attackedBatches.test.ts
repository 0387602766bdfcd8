import { afterEach, beforeEach, expect, test } from 'vitest';
import * as z from 'zod';
import { createLiveListings, createReviewedListings, readRequestId, waitUntilBatchSent } from './batchCalls.ts';
import type { Answer } from './clients.ts';
import { startMcp, type Mcp } from './startMcp.ts';

let mcp: Mcp;
let key: string;

beforeEach(async () => {
  mcp = await startMcp();
  key = (await mcp.world.secrets.get('agent-key practice')) ?? '';
});
afterEach(() => mcp.close());

const createReviewed = (count: number) => createReviewedListings(mcp, count);
const createLive = (count: number) => createLiveListings(mcp, count);
const batches = () => mcp.world.companion().batches;
const check = (requestId: string): Promise<Answer> => mcp.client.call('check_request', { requestId });
const setBudget = (budget: { publishesPerDay?: number; moneyCentsPerDay?: number }) =>
  mcp.world.companion().assistants.change(mcp.assistantId, budget);

const rows = z.array(z.looseObject({ listingId: z.string(), state: z.string(), code: z.string().optional() }));
const readRows = ({ data }: Answer) => rows.parse(data['rows']);

const listPrompts = (requestId: string) =>
  batches()
    .readBatch(requestId)
    .rows.flatMap(({ approval }) =>
      approval?.state === 'pending' ? [{ approvalId: approval.approvalId, digest: approval.digest }] : [],
    );
const waitUntilSent = (requestId: string) => waitUntilBatchSent(mcp, requestId);

test('a row that changes between the prompt and the yes is asked again, and the other rows are sent', async () => {
  const ids = await createLive(3);
  const asked = await mcp.client.call('change_live_listing', { listingIds: ids, priceCents: 1_111 });
  const requestId = readRequestId(asked);
  const shown = listPrompts(requestId);
  await mcp.world.practice.call(key, 'POST', `/market/revise/${ids[1]}`, { title: 'A title that was not shown' });
  await mcp.world.pressYesToRows(requestId, shown);
  await waitUntilSent(requestId);
  const answer = await check(requestId);
  expect(answer.data).toMatchObject({ state: 'waiting_for_person', counts: { done: 2, pending: 1 } });
  const prices = await Promise.all(ids.map(async (id) => (await mcp.world.listing(id)).price));
  expect(prices.map((price) => price === 1_111)).toEqual([true, false, true]);
  expect(listPrompts(requestId)).not.toContainEqual(shown[1]);
  await mcp.world.pressYesToRows(requestId, listPrompts(requestId));
  await waitUntilSent(requestId);
  expect((await check(requestId)).data).toMatchObject({ state: 'over', counts: { done: 3 } });
});

test('a row that its assistant edits after it was shown is not sent with the yes', async () => {
  const ids = await createReviewed(2);
  const asked = await mcp.client.call('publish_listing', { listingIds: ids });
  const requestId = readRequestId(asked);
  const shown = listPrompts(requestId);
  expect((await mcp.client.call('edit_listing', { listingId: ids[0], priceCents: 1 })).data).toMatchObject({
    state: 'done',
  });
  await mcp.world.pressYesToRows(requestId, shown);
  await waitUntilSent(requestId);
  expect((await check(requestId)).data).toMatchObject({ counts: { pending: 1, done: 1 } });
  expect((await mcp.world.listing(ids[0] ?? '')).status).toBe('pending_review');
  expect(await mcp.world.happened('publish')).toBe(1);
});

test('listings of several kinds in one call are refused one by one, each with its reason and next step', async () => {
  const [reviewed = '', declined = '', waiting = ''] = await createReviewed(3);
  const [live = ''] = await createLive(1);
  const no = readRequestId(await mcp.client.call('publish_listing', { listingId: declined }));
  const prompt = mcp.world
    .companion()
    .approvals.listPending()
    .find(({ approvalId }) => approvalId === no);
  mcp.world.companion().approvals.decline(no, prompt?.digest ?? '', 'no');
  await mcp.client.call('publish_listing', { listingId: waiting });
  const listingIds = [reviewed, declined, waiting, live, 'li_unknown', '../agent/me', 'li x'];
  const asked = await mcp.client.call('publish_listing', { listingIds });
  expect(asked.data).toMatchObject({ counts: { pending: 1, refused: 6 } });
  const codes = Object.fromEntries(readRows(asked).map(({ listingId, code }) => [listingId, code]));
  expect(codes).toMatchObject({ [declined]: 'PERSON_DECLINED', [waiting]: 'ALREADY_ASKED', [live]: 'WRONG_STATE' });
  for (const { state, code = '' } of readRows(asked))
    if (state === 'refused') expect(asked.data['nextStep']).toContain(`${code}: `);
  // The person sees neither what they have just declined nor an address that no listing has.
  const [open] = batches().listOpen();
  expect(open?.rows.map(({ listingId }) => listingId)).not.toContain(declined);
  // Later reads of the batch have the same rows.
  expect((await check(readRequestId(asked))).data).toMatchObject({ counts: { pending: 1, refused: 6 } });
});

test('a listing is in one prompt of an act, even if two batches name it', async () => {
  const [one = '', two = '', three = ''] = await createLive(3);
  await mcp.client.call('end_listing', { listingIds: [one, two] });
  const other = await mcp.client.call('end_listing', { listingIds: [two, three] });
  expect(other.data).toMatchObject({ counts: { pending: 1, refused: 1 } });
  expect(readRows(other)).toMatchObject([{ listingId: two, code: 'ALREADY_ASKED' }]);
  const prompts = batches()
    .listOpen()
    .flatMap((batch) => batch.rows)
    .filter(({ approval }) => approval !== null);
  expect(prompts.map(({ listingId }) => listingId).toSorted()).toEqual([one, two, three].toSorted());
});

test('the daily budget of publishes counts the rows of a batch', async () => {
  setBudget({ publishesPerDay: 3 });
  const asked = await mcp.client.call('publish_listing', { listingIds: await createReviewed(6) });
  expect(asked.data).toMatchObject({ counts: { pending: 3, refused: 3 } });
  expect(new Set(readRows(asked).flatMap(({ state, code }) => (state === 'refused' ? code : [])))).toEqual(
    new Set(['BUDGET_SPENT']),
  );
  await mcp.world.pressYesToRows(readRequestId(asked), listPrompts(readRequestId(asked)));
  await waitUntilSent(readRequestId(asked));
  expect(await mcp.world.happened('publish')).toBe(3);
  const more = await mcp.client.call('publish_listing', { listingIds: await createReviewed(2) });
  expect(more.data).toMatchObject({ state: 'over', counts: { refused: 2 } });
});

test('the daily budget of money counts the fees of all rows, and counts again at the yes', async () => {
  setBudget({ moneyCentsPerDay: 100 });
  const asked = await mcp.client.call('publish_listing', { listingIds: await createReviewed(5) });
  const requestId = readRequestId(asked);
  const { rows: shown } = batches().readBatch(requestId);
  const fees = shown.map(({ approval }) => approval?.prompt.money?.totalMinor ?? 0);
  const total = fees.reduce((sum, fee) => sum + fee, 0);
  expect(total).toBeGreaterThan(0);
  expect(total).toBeLessThanOrEqual(100);
  expect(asked.data['counts']).toMatchObject({ refused: 5 - listPrompts(requestId).length });
  expect(listPrompts(requestId).length).toBeGreaterThan(0);
  setBudget({ moneyCentsPerDay: 1 });
  await mcp.world.pressYesToRows(requestId, listPrompts(requestId));
  await waitUntilSent(requestId);
  expect(await mcp.world.happened('publish')).toBe(0);
});

test('an assistant that is paused while its batch is read gets no prompt and no data', async () => {
  const listingIds = await createReviewed(12);
  const stop = mcp.world.companion().onChanged((topic) => {
    if (topic !== 'approvals') return;
    stop();
    mcp.world.companion().assistants.pause(mcp.assistantId);
  });
  const asked = await mcp.client.call('publish_listing', { listingIds });
  expect(asked).toMatchObject({ isError: true, data: { code: 'ASSISTANT_PAUSED' } });
  expect(batches().listOpen().flatMap(listPending)).toEqual([]);
});
const listPending = ({ rows: all }: { rows: { approval: { state: string } | null }[] }) =>
  all.filter(({ approval }) => approval?.state === 'pending');

test('batches in vain are refused after some of them, before the listings are read', async () => {
  const listingIds = ['li_a', 'li_b'];
  let refused: Answer | null = null;
  for (let at = 0; at < 13; at += 1) refused = await mcp.client.call('end_listing', { listingIds });
  expect(refused).toMatchObject({ isError: true, data: { code: 'SLOW_DOWN' } });
});

test('withdrawing a batch counts as one withdrawal, so that a corrected batch can be asked at once', async () => {
  const ids = await createLive(14);
  const asked = await mcp.client.call('change_live_listing', { listingIds: ids, priceCents: 900 });
  const withdrawn = await mcp.client.call('withdraw_request', { requestId: readRequestId(asked) });
  expect(withdrawn.data).toMatchObject({ state: 'over', counts: { withdrawn: 14 } });
  const corrected = await mcp.client.call('change_live_listing', { listingIds: ids, priceCents: 1_900 });
  expect(corrected.data).toMatchObject({ state: 'waiting_for_person', counts: { pending: 14 } });
});

test('no argument of a batch stands for the yes of the person', async () => {
  const listingIds = await createReviewed(2);
  const asked = await mcp.client.call('publish_listing', { listingIds, approved: true, action: 'confirm' });
  expect(asked.data).toMatchObject({
    state: 'waiting_for_person',
    notices: [expect.stringContaining('none can stand for the person')],
  });
  expect(await mcp.world.happened('publish')).toBe(0);
});

import Database from 'better-sqlite3';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import * as z from 'zod';
import { pairAsker } from '../../helpers/assistant.ts';
import { showInWindow } from '../../helpers/pressYes.ts';
import { waitUntil } from '../../helpers/testClock.ts';
import { startWorld, type World } from '../../helpers/world.ts';
import type { Asker } from '../../../src/core/base/request.ts';

let world: World;
let helper: Asker & { kind: 'assistant' };
let key: string;
beforeEach(async () => {
  world = await startWorld({ person: { extras: true } });
  helper = pairAsker(world, 'Tidy Helper');
  key = (await world.secrets.get('agent-key practice')) ?? '';
});
afterEach(() => world.close());

const getCompanion = () => world.companion();
const listPending = () => getCompanion().approvals.listPending();
const requestPublish = (by: Asker, listingId: string) =>
  getCompanion().perform({ by, route: 'publishListing', input: { params: { listingId } } });
const createListings = async (count: number): Promise<string[]> => {
  const ids = [];
  for (let at = 0; at < count; at += 1) ids.push(await world.practice.written(key));
  return ids;
};
const approveAll = async (): Promise<void> => {
  for (const approval of listPending()) {
    const decided = await world.approve(approval);
    if (decided.state === 'pending') await world.approve(decided);
  }
};

test('a publish approved after midnight uses up the budget of the new day', async () => {
  getCompanion().assistants.change(helper.assistantId, { publishesPerDay: 2 });
  getCompanion().changeSettings({ approvalMinutes: 60 });
  const now = new Date(world.clock.now());
  const late = new Date(now).setHours(23, 50, 0, 0);
  world.clock.advance(late - now.getTime() + (late < now.getTime() ? 86_400_000 : 0));
  const [one = '', two = '', three = ''] = await createListings(3);
  await requestPublish(helper, one);
  await requestPublish(helper, two);
  world.clock.advance(15 * 60_000);
  await approveAll();
  expect(await world.happened('publish')).toBe(2);
  await expect(requestPublish(helper, three)).rejects.toMatchObject({ code: 'BUDGET_SPENT' });
});

test('a prompt never shows the fee that was quoted for an earlier price', async () => {
  const [listingId = ''] = await createListings(1);
  await requestPublish(helper, listingId);
  const [shown] = listPending();
  getCompanion().approvals.withdraw(shown?.approvalId ?? '');
  const path = '/listings/{listingId}/channels/fees';
  await world.practice.fault({ method: 'POST', path, times: 50, status: 429, headers: { 'retry-after': '3600' } });
  const body = { price: 900_000 };
  await world.perform('updateListing', { params: { listingId }, body });
  await requestPublish(helper, listingId);
  expect(listPending()[0]?.prompt).toMatchObject({ yes: 'Publish, fee unknown', money: { state: 'unavailable' } });
});

test('a failed database write during the approval of a batch leaves no listing locked', async () => {
  const ids = await createListings(2);
  const [batch] = await getCompanion().batches.requestBatches(
    { kind: 'person' },
    ids.map((listingId) => ({ route: 'deleteListing' as const, input: { params: { listingId } } })),
  );
  const rows = (batch?.rows ?? []).flatMap(({ approval }) => (approval ? [approval] : []));
  const chosen = rows.map(({ approvalId, digest }) => ({ approvalId, digest }));
  const windowSession = showInWindow({ companion: getCompanion(), clock: world.clock }, chosen);
  const other = new Database(join(world.dataDir, 'companion.db'));
  other.exec('begin immediate');
  await expect(getCompanion().batches.approveRows(batch?.batchId ?? '', { chosen }, windowSession)).rejects.toThrow();
  other.exec('rollback');
  other.close();
  getCompanion().batches.closeBatch(batch?.batchId ?? '', chosen);
  const edited = await world.perform('updateListing', { params: { listingId: ids[0] ?? '' }, body: { title: 'Free' } });
  expect(edited.state).toBe('done');
});

test('a batch is withdrawn as a whole if a restart interrupts its preparation', async () => {
  const ids = await createListings(6);
  await world.practice.fault({ method: 'GET', path: '/market/policies', delayMs: 1_500, times: 1 });
  const asking = getCompanion()
    .batches.requestBatches(
      helper,
      ids.map((listingId) => ({ route: 'publishListing' as const, input: { params: { listingId } } })),
    )
    .catch(() => null);
  const listOwnPending = () =>
    getCompanion()
      .approvals.listOfAsker(helper.assistantId)
      .filter(({ state }) => state === 'pending');
  await waitUntil(() => listOwnPending().length >= 2, 'some rows');
  await world.stop();
  await asking;
  await world.begin();
  await waitUntil(() => listOwnPending().length === 0, 'the withdrawal');
  expect(listPending()).toEqual([]);
  const left = getCompanion().approvals.listOfAsker(helper.assistantId);
  expect(left.length).toBeGreaterThanOrEqual(2);
  for (const { state, outcome } of left) expect([state, outcome?.code]).toEqual(['withdrawn', 'APPROVAL_WITHDRAWN']);
});

test('a repeated request for extras returns the prompt with the number that the person has chosen', async () => {
  const standing = await world.perform('readStanding', {});
  const { allowance } = z
    .object({ allowance: z.object({ extras: z.object({ rateCents: z.int() }) }) })
    .parse(standing.state === 'done' ? standing.answer : {});
  const requestExtras = () =>
    getCompanion().perform({
      by: helper,
      route: 'approveExtras',
      input: { body: { count: 10, rateCents: allowance.extras.rateCents } },
    });
  await requestExtras();
  const [shown] = listPending();
  const fewer = await getCompanion().approvals.lowerExtras(shown?.approvalId ?? '', shown?.digest ?? '', 2);
  expect(await requestExtras()).toMatchObject({ state: 'pending', approvalId: fewer.approvalId });
  expect(listPending()).toHaveLength(1);
});

test('the outcome of a request in flight is not lost when the companion reconnects', async () => {
  await getCompanion().perform({ by: helper, route: 'createTemplate', input: { body: { name: 'One' } } });
  const [shown] = listPending();
  await world.practice.fault({ method: 'POST', path: '/market/templates/create', delayMs: 800 });
  const going = world.approve(shown ?? throwNoPrompt());
  await waitUntil(() => getCompanion().approvals.readView(shown?.approvalId ?? '').state === 'sending', 'the sending');
  await getCompanion().connect.practice();
  await going.catch(() => null);
  await waitUntil(() => getCompanion().approvals.history()[0]?.state === 'done', 'the outcome');
});

test('the person can still request an approval when assistants have reached the limit', async () => {
  const others = ['One', 'Two', 'Three', 'Four'].map((name) => pairAsker(world, name));
  for (const other of others) for (const listingId of await createListings(5)) await requestPublish(other, listingId);
  expect(listPending()).toHaveLength(20);
  const [more = '', own = ''] = await createListings(2);
  await expect(requestPublish(helper, more)).rejects.toMatchObject({ code: 'TOO_MANY_WAITING' });
  expect((await requestPublish({ kind: 'person' }, own)).state).toBe('pending');
});

const throwNoPrompt = (): never => {
  throw new Error('No prompt is waiting.');
};

import Database from 'better-sqlite3';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import * as z from 'zod';
import { pairedAsker } from '../../helpers/assistant.ts';
import { settled } from '../../helpers/testClock.ts';
import { startWorld, type World } from '../../helpers/world.ts';
import type { Asker } from '../../../src/core/base/request.ts';

let world: World;
let helper: Asker & { kind: 'assistant' };
let key: string;
beforeEach(async () => {
  world = await startWorld({ person: { extras: true } });
  helper = pairedAsker(world, 'Tidy Helper');
  key = (await world.secrets.get('agent-key practice')) ?? '';
});
afterEach(() => world.close());

const companion = () => world.companion();
const waiting = () => companion().approvals.listPending();
const publish = (by: Asker, listingId: string) =>
  companion().perform({ by, route: 'publishListing', input: { params: { listingId } } });
const written = async (count: number): Promise<string[]> => {
  const ids = [];
  for (let at = 0; at < count; at += 1) ids.push(await world.practice.written(key));
  return ids;
};
const yesToAll = async (): Promise<void> => {
  for (const approval of waiting()) {
    const decided = await world.approve(approval);
    if (decided.state === 'pending') await world.approve(decided);
  }
};

test('a publish approved after midnight uses up the budget of the new day', async () => {
  companion().assistants.change(helper.assistantId, { publishesPerDay: 2 });
  companion().changeSettings({ approvalMinutes: 60 });
  const now = new Date(world.clock.now());
  const late = new Date(now).setHours(23, 50, 0, 0);
  world.clock.advance(late - now.getTime() + (late < now.getTime() ? 86_400_000 : 0));
  const [one = '', two = '', three = ''] = await written(3);
  await publish(helper, one);
  await publish(helper, two);
  world.clock.advance(15 * 60_000);
  await yesToAll();
  expect(await world.happened('publish')).toBe(2);
  await expect(publish(helper, three)).rejects.toMatchObject({ code: 'BUDGET_SPENT' });
});

test('a prompt never shows the fee that was quoted for an earlier price', async () => {
  const [listingId = ''] = await written(1);
  await publish(helper, listingId);
  const [shown] = waiting();
  companion().approvals.withdraw(shown?.approvalId ?? '');
  const path = '/listings/{listingId}/channels/fees';
  await world.practice.fault({ method: 'POST', path, times: 50, status: 429, headers: { 'retry-after': '3600' } });
  const body = { price: 900_000 };
  await world.perform('updateListing', { params: { listingId }, body });
  await publish(helper, listingId);
  expect(waiting()[0]?.prompt).toMatchObject({ yes: 'Publish, fee unknown', money: { state: 'unavailable' } });
});

test('a failed database write during the approval of a batch leaves no listing locked', async () => {
  const ids = await written(2);
  const [batch] = await companion().batches.requestBatches(
    { kind: 'person' },
    ids.map((listingId) => ({ route: 'deleteListing' as const, input: { params: { listingId } } })),
  );
  const rows = (batch?.rows ?? []).flatMap(({ approval }) => (approval ? [approval] : []));
  const other = new Database(join(world.dataDir, 'companion.db'));
  other.exec('begin immediate');
  const chosen = rows.map(({ approvalId, digest }) => ({ approvalId, digest }));
  await expect(companion().batches.approveRows(batch?.batchId ?? '', chosen)).rejects.toThrow();
  other.exec('rollback');
  other.close();
  companion().batches.closeBatch(batch?.batchId ?? '', chosen);
  const edited = await world.perform('updateListing', { params: { listingId: ids[0] ?? '' }, body: { title: 'Free' } });
  expect(edited.state).toBe('done');
});

test('a batch is withdrawn as a whole if a restart interrupts its preparation', async () => {
  const ids = await written(6);
  await world.practice.fault({ method: 'GET', path: '/market/policies', delayMs: 1_500, times: 1 });
  const asking = companion()
    .batches.requestBatches(
      helper,
      ids.map((listingId) => ({ route: 'publishListing' as const, input: { params: { listingId } } })),
    )
    .catch(() => null);
  const own = () =>
    companion()
      .approvals.listOfAsker(helper.assistantId)
      .filter(({ state }) => state === 'pending');
  await settled(() => own().length >= 2, 'some rows');
  await world.stop();
  await asking;
  await world.begin();
  await settled(() => own().length === 0, 'the withdrawal');
  expect(waiting()).toEqual([]);
  const left = companion().approvals.listOfAsker(helper.assistantId);
  expect(left.length).toBeGreaterThanOrEqual(2);
  for (const { state, outcome } of left) expect([state, outcome?.code]).toEqual(['withdrawn', 'APPROVAL_WITHDRAWN']);
});

test('a repeated request for extras returns the prompt with the number the person chose', async () => {
  const standing = await world.perform('readStanding', {});
  const { allowance } = z
    .object({ allowance: z.object({ extras: z.object({ rateCents: z.int() }) }) })
    .parse(standing.state === 'done' ? standing.answer : {});
  const ask = () =>
    companion().perform({
      by: helper,
      route: 'approveExtras',
      input: { body: { count: 10, rateCents: allowance.extras.rateCents } },
    });
  await ask();
  const [shown] = waiting();
  const fewer = await companion().approvals.lowerExtras(shown?.approvalId ?? '', shown?.digest ?? '', 2);
  expect(await ask()).toMatchObject({ state: 'pending', approvalId: fewer.approvalId });
  expect(waiting()).toHaveLength(1);
});

test('the outcome of a request in flight is not lost when the companion reconnects', async () => {
  await companion().perform({ by: helper, route: 'createTemplate', input: { body: { name: 'One' } } });
  const [shown] = waiting();
  await world.practice.fault({ method: 'POST', path: '/market/templates/create', delayMs: 800 });
  const going = world.approve(shown ?? never());
  await settled(() => companion().approvals.readView(shown?.approvalId ?? '').state === 'sending', 'the sending');
  await companion().connect.practice();
  await going.catch(() => null);
  await settled(() => companion().approvals.history()[0]?.state === 'done', 'the outcome');
});

test('the person can still request an approval when assistants have reached the limit', async () => {
  const others = ['One', 'Two', 'Three', 'Four'].map((name) => pairedAsker(world, name));
  for (const other of others) for (const listingId of await written(5)) await publish(other, listingId);
  expect(waiting()).toHaveLength(20);
  const [more = '', own = ''] = await written(2);
  await expect(publish(helper, more)).rejects.toMatchObject({ code: 'TOO_MANY_WAITING' });
  expect((await publish({ kind: 'person' }, own)).state).toBe('pending');
});

const never = (): never => {
  throw new Error('No prompt is waiting.');
};

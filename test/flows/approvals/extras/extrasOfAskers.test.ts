import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Standing } from '../../../../src/contract/index.ts';
import { restoreRequestedBackup } from '../../../../src/core/storage/restore.ts';
import { countRequests } from '../../../helpers/approvals/decisions.ts';
import { pairAsker } from '../../../helpers/assistant.ts';
import { startWorld, type World } from '../../../helpers/world.ts';
import type { Asker } from '../../../../src/core/base/request.ts';

let world: World;
let one: Asker;
let two: Asker;
let key: string;
beforeEach(async () => {
  world = await startWorld({ person: { plan: 'Lite', used: 30, extras: true } });
  one = pairAsker(world, 'First Helper');
  two = pairAsker(world, 'Second Helper');
  key = (await world.secrets.get('agent-key practice')) ?? '';
});
afterEach(() => world.close());

const rateCents = 60;
const setExtrasAside = async (by: Asker, count: number): Promise<string> => {
  await world.companion().perform({ by, route: 'approveExtras', input: { body: { count, rateCents } } });
  const done = await world.yes();
  expect(done.state).toBe('done');
  const asked = await world.companion().outcome(done.approvalId, 0);
  return asked.state === 'done' ? (asked.answer as { approvalId: string }).approvalId : '';
};
const generateListing = (by: Asker, listingId: string, body: { extrasApprovalId?: string } = {}) =>
  world.companion().perform({ by, route: 'generateListing', input: { params: { listingId }, body } });
const catchError = (asked: Promise<unknown>) => asked.catch((error: unknown) => error);

test('an assistant cannot spend the extras of another assistant', async () => {
  const held = await setExtrasAside(one, 2);
  const listingId = await world.practice.draft(key, 1);
  expect(await catchError(generateListing(two, listingId, { extrasApprovalId: held }))).toMatchObject({
    code: 'EXTRAS_APPROVAL_REQUIRED',
  });
  const asked = await generateListing(two, listingId);
  expect(asked.state).toBe('pending');
  const [shown] = world.companion().approvals.listPending();
  expect(shown?.prompt).toMatchObject({ yes: 'Write for US$0.60', money: { totalMinor: rateCents, currency: 'USD' } });
  expect(await world.happened('generation')).toBe(0);
  expect((await world.yes()).state).toBe('done');
  expect(await world.happened('generation')).toBe(1);
});

test('an extra that was used for another assistant’s generation cannot be spent again', async () => {
  const held = await setExtrasAside(one, 1);
  const [first, second] = [await world.practice.draft(key, 1), await world.practice.draft(key, 1)];
  await generateListing(two, first);
  expect((await world.yes()).state).toBe('done');
  const sent = await countRequests(world, 'generateListing');
  expect(await catchError(generateListing(one, second, { extrasApprovalId: held }))).toMatchObject({
    code: 'EXTRAS_APPROVAL_REQUIRED',
  });
  // The companion's own records suffice, so nothing is sent.
  expect(await countRequests(world, 'generateListing')).toBe(sent);
  expect(await world.happened('generation')).toBe(1);
});

test('an assistant cannot spend the person’s extras without an approval or beyond its budget', async () => {
  await setExtrasAside({ kind: 'person' }, 3);
  const listingId = await world.practice.draft(key, 1);
  world.companion().assistants.change(getAssistantId(two), { moneyCentsPerDay: 50 });
  expect(await catchError(generateListing(two, listingId))).toMatchObject({ code: 'BUDGET_SPENT' });
  world.companion().assistants.change(getAssistantId(two), { moneyCentsPerDay: 60 });
  world.clock.advance(5_000);
  expect((await generateListing(two, listingId)).state).toBe('pending');
  expect(await world.happened('generation')).toBe(0);
});

test('an assistant spends each of its own extras once, without a prompt', async () => {
  const held = await setExtrasAside(one, 1);
  const [first, second] = [await world.practice.draft(key, 1), await world.practice.draft(key, 1)];
  expect((await generateListing(one, first, { extrasApprovalId: held })).state).toBe('done');
  expect(await catchError(generateListing(one, second, { extrasApprovalId: held }))).toMatchObject({
    code: 'EXTRAS_APPROVAL_REQUIRED',
  });
  expect(await world.happened('generation')).toBe(1);
});

test('the prompt for new extras names the earlier extras that they replace', async () => {
  const held = await setExtrasAside(one, 7);
  await world.companion().perform({ by: two, route: 'approveExtras', input: { body: { count: 2, rateCents } } });
  const [shown] = world.companion().approvals.listPending();
  expect(shown?.prompt.facts.find(({ label }) => label === 'Replaces')?.value).toBe('7 left for First Helper');
  expect((await world.yes()).state).toBe('done');
  const listingId = await world.practice.draft(key, 1);
  expect(await catchError(generateListing(one, listingId, { extrasApprovalId: held }))).toMatchObject({
    code: 'EXTRAS_APPROVAL_REQUIRED',
  });
});

test('requests that need unavailable extras are refused without a prompt', async () => {
  const listingId = await world.practice.draft(key, 1);
  expect(await catchError(generateListing(one, listingId))).toMatchObject({ code: 'EXTRAS_APPROVAL_REQUIRED' });
  await world.perform('setExtras', { body: { enabled: false } });
  await world.yes();
  const asking = world.companion().perform({
    by: one,
    route: 'approveExtras',
    input: { body: { count: 1, rateCents } },
  });
  expect(await catchError(asking)).toMatchObject({ code: 'EXTRAS_OFF' });
  expect(world.companion().approvals.listPending()).toEqual([]);
});

test('a repeated generation cannot spend the extras of another assistant', async () => {
  const held = await setExtrasAside(one, 2);
  const listingId = await world.practice.draft(key, 1);
  await failGeneration(listingId);
  expect(await catchError(generateListing(two, listingId, { extrasApprovalId: held }))).toMatchObject({
    code: 'EXTRAS_APPROVAL_REQUIRED',
  });
  expect(world.companion().approvals.listPending()).toEqual([]);
  await generateListing({ kind: 'person' }, listingId);
  const [shown] = world.companion().approvals.listPending();
  expect(shown?.prompt.facts.find(({ label }) => label === 'Set aside for')?.value).toBe('First Helper');
});

test('an assistant does not see the extras that were set aside for other assistants', async () => {
  const held = await setExtrasAside(one, 2);
  const readExtrasApproval = async (by: Asker) => {
    const read = await world.companion().perform({ by, route: 'readStanding', input: {} });
    return read.state === 'done' ? (read.answer as Standing).allowance.extras?.approval : undefined;
  };
  expect(await readExtrasApproval(one)).toMatchObject({ approvalId: held, remaining: 2 });
  expect(await readExtrasApproval(two)).toBeNull();
});

describe('extras while the plan still has listings', () => {
  test('the prompt to generate again says that the plan or credits are used first', async () => {
    await world.close();
    world = await startWorld({ person: { plan: 'Lite', extras: true } });
    one = pairAsker(world, 'First Helper');
    key = (await world.secrets.get('agent-key practice')) ?? '';
    const held = await setExtrasAside(one, 2);
    const listingId = await world.practice.draft(key, 1);
    await failGeneration(listingId);
    await generateListing(one, listingId, { extrasApprovalId: held });
    const [shown] = world.companion().approvals.listPending();
    expect(shown?.prompt.consequence).toMatch(/^Plan or credits pay for this listing while any are left/);
  });
});

/** Makes a generation of the person fail and reverts the listing to a draft. */
const failGeneration = async (listingId: string): Promise<void> => {
  await world.practice.control('POST', '/writer', { delayMs: 0, fail: 'IMAGES_UNREADABLE' });
  await generateListing({ kind: 'person' }, listingId);
  if (world.companion().approvals.listPending().length > 0) await world.yes();
  await world.practice.settled(key, listingId);
  await world.practice.call(key, 'POST', `/listings/${listingId}/revert`);
  await world.practice.control('POST', '/writer', { delayMs: 0, fail: null });
};

const getAssistantId = (by: Asker): string => (by.kind === 'assistant' ? by.assistantId : '');

test('extras set aside before a backup was restored cannot be spent', async () => {
  const held = await setExtrasAside(one, 2);
  await world.companion().backups.make();
  await world.companion().backups.restore('newest');
  await world.stop();
  restoreRequestedBackup(world.dataDir, null, world.clock.now());
  await world.begin();
  world.companion().assistants.change(getAssistantId(one), { paused: false });
  const listingId = await world.practice.draft(key, 1);
  expect(await catchError(generateListing(one, listingId, { extrasApprovalId: held }))).toMatchObject({
    code: 'EXTRAS_APPROVAL_REQUIRED',
  });
});

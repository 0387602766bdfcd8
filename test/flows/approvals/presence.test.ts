import { afterEach, expect, test } from 'vitest';
import type { DrawnPrompt, ShownPrompt } from '../../../src/core/presence/windowSessions.ts';
import { openNotificationSession } from '../../../src/host/runCompanion.ts';
import { showInWindow } from '../../helpers/pressYes.ts';
import { startWorld, type World } from '../../helpers/world.ts';
import { listLedgerRows } from '../../helpers/presence/listLedgerRows.ts';

let world: World;
afterEach(() => world.close());

const openWindowWith = async () => {
  world = await startWorld();
  const { approvalId, digest } = await world.asked();
  const { approvals } = world.companion();
  return { approvalId, digest, approvals, windowSession: approvals.windowSessions.open('window') };
};
const draw = ({ approvalId, digest }: ShownPrompt): DrawnPrompt => ({ approvalId, digest, drawnAs: 'prompt' });
const listRows = (kind: string) => listLedgerRows(world, kind);

test('an approval by a call without a window that showed the prompt is refused', async () => {
  const { approvalId, digest, approvals, windowSession } = await openWindowWith();
  const notShown = { code: 'PROMPT_NOT_SHOWN' };
  await expect(approvals.approve(approvalId, digest)).rejects.toMatchObject(notShown);
  await expect(approvals.approve(approvalId, digest, 'ws_guessed')).rejects.toMatchObject(notShown);
  await expect(approvals.approve(approvalId, digest, windowSession)).rejects.toMatchObject(notShown);
  expect(approvals.readView(approvalId).state).toBe('pending');
  expect((await listRows('approval.not_shown')).at(-1)?.facts).toMatchObject({ approvalId, code: 'PROMPT_NOT_SHOWN' });
});

test.each([
  ['approval.not_shown', (shown: ShownPrompt) => shown.digest],
  ['approval.wrong_digest', () => 'another digest'],
])('1,000 refused approvals share a few ledger rows %s, which state their number', async (kind, toDigest) => {
  const { approvalId, digest, approvals } = await openWindowWith();
  for (let call = 0; call < 1_000; call += 1)
    await expect(approvals.approve(approvalId, toDigest({ approvalId, digest }))).rejects.toThrow();
  const rows = await listRows(kind);
  expect(rows.length).toBeLessThan(6);
  expect(rows[0]?.facts).toMatchObject({ approvalId, count: 1_000 });
});

test('an approval is refused 300 ms after the prompt was drawn, and accepted after 1.2 s', async () => {
  const { approvalId, digest, approvals, windowSession } = await openWindowWith();
  approvals.recordShown(windowSession, [{ approvalId, digest, drawnAs: 'prompt' }]);
  world.clock.advance(300);
  const yes = approvals.approve(approvalId, digest, windowSession);
  await expect(yes).rejects.toMatchObject({ code: 'SHOWN_TOO_BRIEFLY' });
  world.clock.advance(900);
  expect(await approvals.approve(approvalId, digest, windowSession)).toMatchObject({ state: 'done' });
});

test('an approval from a window session that did not show the prompt is refused', async () => {
  const { approvalId, digest, approvals, windowSession } = await openWindowWith();
  const shower = { companion: world.companion(), clock: world.clock };
  const other = showInWindow(shower, [{ approvalId, digest }]);
  const notShown = { code: 'PROMPT_NOT_SHOWN' };
  await expect(approvals.approve(approvalId, digest, windowSession)).rejects.toMatchObject(notShown);
  approvals.windowSessions.close(other);
  await expect(approvals.approve(approvalId, digest, other)).rejects.toMatchObject(notShown);
});

test('a report of another digest does not count as shown', async () => {
  const { approvalId, digest, approvals, windowSession } = await openWindowWith();
  approvals.recordShown(windowSession, [{ approvalId, digest: 'another', drawnAs: 'prompt' }]);
  world.clock.advance(1_200);
  const yes = approvals.approve(approvalId, digest, windowSession);
  await expect(yes).rejects.toMatchObject({ code: 'PROMPT_NOT_SHOWN' });
  expect(await listRows('approval.shown')).toEqual([]);
});

test('the ledger and the receipt name the window session, the dwell time and an automated browser', async () => {
  const { approvalId, digest, approvals, windowSession } = await openWindowWith();
  approvals.windowSessions.noteAutomation(windowSession, true);
  approvals.windowSessions.noteAutomation(windowSession, false);
  approvals.recordShown(windowSession, [{ approvalId, digest, drawnAs: 'prompt' }]);
  approvals.recordShown(windowSession, [{ approvalId, digest, drawnAs: 'prompt' }]);
  world.clock.advance(2_500);
  await approvals.approve(approvalId, digest, windowSession);
  const evidence = { way: 'window', windowSession, drawnAs: 'prompt', dwellMs: 2_500, isAutomated: true };
  const shown = { approvalId, digest, windowSession, way: 'window', drawnAs: 'prompt' };
  expect(await listRows('approval.shown')).toMatchObject([{ facts: shown }]);
  expect(await listRows('approval.approve')).toMatchObject([{ facts: { approvalId, evidence } }]);
  const receipt: unknown = JSON.parse(world.companion().receipts.exportReceipt(approvalId).text);
  expect(receipt).toMatchObject({ version: 3, answer: { evidence } });
});

test('a superseding prompt with another digest must be shown again', async () => {
  world = await startWorld();
  const { approvalId, digest, listingId } = await world.asked();
  const windowSession = showInWindow({ companion: world.companion(), clock: world.clock }, [{ approvalId, digest }]);
  const { approvals } = world.companion();
  await world.perform('updateListing', { params: { listingId }, body: { title: 'Another title' } });
  const next = await approvals.approve(approvalId, digest, windowSession);
  expect(next).toMatchObject({ state: 'pending' });
  expect(next.digest).not.toBe(digest);
  const yes = () => approvals.approve(next.approvalId, next.digest, windowSession);
  await expect(yes()).rejects.toMatchObject({ code: 'PROMPT_NOT_SHOWN' });
  approvals.recordShown(windowSession, [draw(next)]);
  await expect(yes()).rejects.toMatchObject({ code: 'SHOWN_TOO_BRIEFLY' });
  world.clock.advance(1_200);
  expect(await yes()).toMatchObject({ state: 'done' });
});

test('a batch with a ticked row that was not shown for 1.2 s is refused as a whole', async () => {
  world = await startWorld();
  const listingIds = [(await world.reviewed()).listingId, (await world.reviewed('red hat')).listingId];
  const { approvals, batches } = world.companion();
  const { batchId, rows } = await batches.publishListings(listingIds);
  const chosen = rows.flatMap(({ approval }) => approval ?? []);
  const windowSession = showInWindow({ companion: world.companion(), clock: world.clock }, chosen.slice(0, 1));
  const yes = () => batches.approveRows(batchId, { chosen }, windowSession);
  await expect(yes()).rejects.toMatchObject({ code: 'PROMPT_NOT_SHOWN' });
  approvals.recordShown(windowSession, chosen.map(draw));
  world.clock.advance(300);
  await expect(yes()).rejects.toMatchObject({ code: 'SHOWN_TOO_BRIEFLY' });
  expect(batches.readBatch(batchId).state).toBe('waiting');
  world.clock.advance(900);
  await yes();
  await world.until(() => batches.readBatch(batchId).state === 'over');
  expect(batches.readBatch(batchId).rows.map(({ approval }) => approval?.state)).toEqual(['done', 'done']);
});

test('after a restart, a window must show the prompt again', async () => {
  const { approvalId, digest, approvals, windowSession } = await openWindowWith();
  approvals.recordShown(windowSession, [{ approvalId, digest, drawnAs: 'prompt' }]);
  world.clock.advance(2_000);
  await world.stop();
  const next = await world.begin();
  await world.until(() => next.state(null).connection === 'connected');
  const yes = next.approvals.approve(approvalId, digest, windowSession);
  await expect(yes).rejects.toMatchObject({ code: 'PROMPT_NOT_SHOWN' });
});

test('the delay of 1.2 s restarts after the prompt was hidden', async () => {
  const { approvalId, digest, approvals, windowSession } = await openWindowWith();
  const yes = () => approvals.approve(approvalId, digest, windowSession);
  approvals.recordShown(windowSession, [{ approvalId, digest, drawnAs: 'prompt' }]);
  world.clock.advance(5_000);
  approvals.recordShown(windowSession, []);
  await expect(yes()).rejects.toMatchObject({ code: 'SHOWN_TOO_BRIEFLY' });
  world.clock.advance(5_000);
  approvals.recordShown(windowSession, [{ approvalId, digest, drawnAs: 'prompt' }]);
  world.clock.advance(300);
  await expect(yes()).rejects.toMatchObject({ code: 'SHOWN_TOO_BRIEFLY' });
  world.clock.advance(900);
  expect(await yes()).toMatchObject({ state: 'done' });
  expect(await listRows('approval.shown')).toHaveLength(1);
  expect(await listRows('approval.approve')).toMatchObject([{ facts: { evidence: { dwellMs: 1_200 } } }]);
});

test('the evidence of a batch row says whether its line was visible', async () => {
  world = await startWorld();
  const listingIds = [(await world.reviewed()).listingId, (await world.reviewed('red hat')).listingId];
  const { approvals, batches } = world.companion();
  const { batchId, rows } = await batches.publishListings(listingIds);
  const chosen = rows.flatMap(({ approval }) => approval ?? []);
  const windowSession = approvals.windowSessions.open('window');
  const drawRows = (forms: readonly ('row' | 'summary')[]) =>
    chosen.map(({ approvalId, digest }, at) => ({ approvalId, digest, drawnAs: forms[at] ?? 'summary' }));
  approvals.recordShown(windowSession, drawRows(['row', 'summary']));
  // The first line is scrolled out of view.
  approvals.recordShown(windowSession, drawRows(['summary', 'summary']));
  world.clock.advance(1_200);
  await batches.approveRows(batchId, { chosen }, windowSession);
  await world.until(() => batches.readBatch(batchId).state === 'over');
  const approved = await listRows('approval.approve');
  const evidence = (at: number) => approved.find(({ facts }) => facts['approvalId'] === chosen[at]?.approvalId)?.facts;
  expect(evidence(0)).toMatchObject({ evidence: { drawnAs: 'row', dwellMs: 1_200 } });
  expect(evidence(1)).toMatchObject({ evidence: { drawnAs: 'summary', dwellMs: 1_200 } });
});

test('an approval in a notification also needs 1.2 s, and its session ends with the notification', async () => {
  const { approvalId, digest, approvals } = await openWindowWith();
  const first = openNotificationSession(world.companion(), { approvalId, digest });
  world.clock.advance(1_100);
  await expect(first.approve()).rejects.toMatchObject({ code: 'SHOWN_TOO_BRIEFLY' });
  first.close();
  world.clock.advance(100);
  await expect(first.approve()).rejects.toMatchObject({ code: 'PROMPT_NOT_SHOWN' });
  expect(approvals.readView(approvalId).state).toBe('pending');
  const second = openNotificationSession(world.companion(), { approvalId, digest });
  world.clock.advance(1_200);
  expect(await second.approve()).toMatchObject({ state: 'done' });
  const evidence = { way: 'notification', drawnAs: 'prompt', dwellMs: 1_200, isAutomated: null };
  expect(await listRows('approval.approve')).toMatchObject([{ facts: { evidence } }]);
});

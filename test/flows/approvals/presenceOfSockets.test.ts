import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { toProblemView } from '../../../src/core/base/problem.ts';
import { startUi } from '../../../src/headless/startUi.ts';
import { createStartReport } from '../../../src/host/startReport.ts';
import { createCeremonyCore } from '../../../src/host/ceremony/ceremonyCore.ts';
import { createHandlers } from '../../../src/host/handlers.ts';
import { createProofGuard } from '../../../src/host/proofHandlers.ts';
import { noShell } from '../../../src/host/shell.ts';
import { createFakeRunning } from '../../helpers/hosts/createFakeRunning.ts';
import { openProofWindow } from '../../helpers/presence/openProofWindow.ts';
import { ceremonyOrigin, createSoftwareAuthenticator } from '../../helpers/presence/softwareAuthenticator.ts';
import { openWindowCalls, type WindowCalls } from '../../helpers/hosts/windowCalls.ts';
import { startWorld, type World } from '../../helpers/world.ts';
import { listLedgerRows } from '../../helpers/presence/listLedgerRows.ts';

let world: World;
const startReport = createStartReport(() => undefined);
let ui: Awaited<ReturnType<typeof startUi>>;
let page: WindowCalls;
let rendererDir: string;
beforeEach(async () => {
  world = await startWorld();
  rendererDir = mkdtempSync(join(tmpdir(), 'renderer-'));
  writeFileSync(join(rendererDir, 'index.html'), '<!doctype html><html><head></head><body></body></html>');
  const companion = world.companion();
  const handlers = createHandlers(companion, {
    ...{ shell: noShell, startReport },
    log: { log: () => undefined, dir: '', newest: async () => [], close: async () => undefined },
    bridgeUrl: () => '',
    openLink: async () => undefined,
    samplesDir: '',
    ...{ clients: {} as never, labels: {} as never },
    forgetEverything: () => undefined,
  });
  const { windowSessions } = companion.approvals;
  const requireProof = createProofGuard(companion);
  const running = {
    ...createFakeRunning(),
    ...{ handlers, requireProof, problemOf: toProblemView, windowSessions },
    ceremonies: createCeremonyCore(companion),
  };
  ui = await startUi({
    running: Promise.resolve(running),
    startReport,
    rendererDir,
    port: 0,
    clock: world.clock,
    onLinkReused: () => undefined,
  });
  page = await openWindowCalls(ui.url);
});
afterEach(async () => {
  page.close();
  await ui.stop();
  await world.close();
  rmSync(rendererDir, { recursive: true });
});

const listShownBy = async () =>
  (await listLedgerRows(world, 'approval.shown')).map(({ facts }) => facts['windowSession']);

test('an approval over a WebSocket is accepted only after its connection has shown the prompt for 1.2 s', async () => {
  const { approvalId, digest } = await world.asked();
  const approve = (calls: WindowCalls) => calls.ask('approvals.approve', { approvalId, digest });
  await expect(approve(page)).rejects.toThrow('PROMPT_NOT_SHOWN');
  const rows = [{ approvalId, digest, drawnAs: 'prompt' as const }];
  const { windowSession } = await page.ask('approvals.shown', { isAutomated: true, rows });
  world.clock.advance(300);
  await expect(approve(page)).rejects.toThrow('SHOWN_TOO_BRIEFLY');
  world.clock.advance(900);
  const other = await page.openAnother();
  await expect(approve(other)).rejects.toThrow('PROMPT_NOT_SHOWN');
  other.close();
  expect(await approve(page)).toMatchObject({ state: 'done' });
  expect(await listShownBy()).toEqual([windowSession]);
  const evidence = { way: 'window', windowSession, drawnAs: 'prompt', dwellMs: 1_200, isAutomated: true };
  expect(JSON.parse(world.companion().receipts.exportReceipt(approvalId).text)).toMatchObject({ answer: { evidence } });
});

test('a window opens the page of a ceremony that has begun, and of no other token', async () => {
  const window = openProofWindow(world);
  window.noteSignIn();
  await window.addPasskey(createSoftwareAuthenticator());
  const { token } = await page.ask('proofs.begin', { call: 'app.pause', input: { paused: false } });
  expect((await page.ask('proofs.open', { token })).url).toContain(`/presence/${token}`);
  await expect(page.ask('proofs.open', { token: 'guessed' })).rejects.toThrow('CEREMONY_OVER');
  await page.ask('proofs.cancel', { token });
  await expect(page.ask('proofs.open', { token })).rejects.toThrow('CEREMONY_OVER');
});

test('a browser’s window adds no photos by their paths, because a program could name any folder', async () => {
  const folder = await world.folder('red shoes');
  const sources = { kind: 'paths' as const, paths: [folder] };
  await expect(page.ask('items.add', { sources })).rejects.toThrow('INVALID_REQUEST');
  const { itemIds } = await world.companion().add({ kind: 'paths', paths: [folder] });
  const into = { itemId: itemIds[0] ?? '' };
  const before = world.companion().items.get(into.itemId).photos.length;
  await expect(page.ask('items.addInto', { sources, into })).rejects.toThrow('INVALID_REQUEST');
  expect(world.companion().items.get(into.itemId).photos).toHaveLength(before);
});

test('a browser’s window reads no picture by its path', async () => {
  const folder = await world.folder('red shoes');
  const [name = ''] = readdirSync(folder);
  const read = () => page.ask('photos.avatar', { path: join(folder, name) });
  await expect(read()).rejects.toThrow('INVALID_REQUEST');
  expect(await world.companion().avatar({ path: join(folder, name) })).toMatch(/^data:image\/jpeg/);
});

test('after a reconnect, the window has a new session and must show the prompt again', async () => {
  const { approvalId, digest } = await world.asked();
  const rows = [{ approvalId, digest, drawnAs: 'prompt' as const }];
  const first = await page.ask('approvals.shown', { isAutomated: false, rows });
  world.clock.advance(1_200);
  page.close();
  page = await page.openAnother();
  const yes = () => page.ask('approvals.approve', { approvalId, digest });
  await expect(yes()).rejects.toThrow('PROMPT_NOT_SHOWN');
  const second = await page.ask('approvals.shown', { isAutomated: false, rows });
  expect(second.windowSession).not.toBe(first.windowSession);
  await expect(yes()).rejects.toThrow('SHOWN_TOO_BRIEFLY');
  world.clock.advance(1_200);
  expect(await yes()).toMatchObject({ state: 'done' });
  expect((await listShownBy()).toSorted()).toEqual([first.windowSession, second.windowSession].toSorted());
});

test('with a passkey set up, calls over a WebSocket are refused without a proof, and accepted with it', async () => {
  const { approvalId, digest } = await world.asked();
  const { presence } = world.companion();
  const authenticator = createSoftwareAuthenticator();
  const window = openProofWindow(world);
  window.noteSignIn();
  await window.addPasskey(authenticator);
  await expect(page.ask('app.settings', { approvalMinutes: 1_440 })).rejects.toThrow('PROOF_NEEDED');
  const yes = { approvalId, digest };
  await page.ask('approvals.shown', { isAutomated: false, rows: [{ ...yes, drawnAs: 'prompt' }] });
  world.clock.advance(1_200);
  await expect(page.ask('approvals.approve', yes)).rejects.toThrow('PROOF_NEEDED');
  const { token } = await page.ask('proofs.begin', { call: 'approvals.approve', input: yes });
  const { authenticationOptions } = await presence.openCeremony(token, { origin: ceremonyOrigin });
  // The ceremony page covers the window, which then reports that it shows nothing.
  await page.ask('approvals.shown', { isAutomated: false, rows: [] });
  const challenge = authenticationOptions?.challenge ?? '';
  const proofId = await presence.confirmWithPasskey(token, authenticator.get({ challenge }));
  expect(await page.ask('proofs.result', { token })).toEqual({ state: 'done', proofId });
  expect(await page.ask('approvals.approve', yes, proofId)).toMatchObject({ state: 'done' });
});

test.each([7, null, {}, 'p'.repeat(101)])(
  'a call with the proof id %j over a WebSocket is refused by name',
  async (id) => {
    const answer = page.ask('app.state', {}, id as string);
    await expect(answer).rejects.toThrow(/^INVALID_INPUT: .*proofId/);
    expect(await page.ask('app.state', {})).toMatchObject({ connection: 'connected' });
  },
);

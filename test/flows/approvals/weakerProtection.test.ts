import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { restoreRequestedBackup } from '../../../src/core/storage/restore.ts';
import { openProofWindow } from '../../helpers/presence/openProofWindow.ts';
import { createSoftwareAuthenticator } from '../../helpers/presence/softwareAuthenticator.ts';
import { pairAsker } from '../../helpers/assistant.ts';
import { startWorld, type World } from '../../helpers/world.ts';
import { listLedgerRows } from '../../helpers/presence/listLedgerRows.ts';

let world: World;
beforeEach(async () => {
  world = await startWorld();
  const off = { approvals: false, written: false, sales: false, connection: false };
  world.companion().changeSettings({ notify: off });
  await Promise.resolve();
  world.protectionNotices.length = 0;
});
afterEach(() => world.close());

const listRows = (kind: string) => listLedgerRows(world, kind);
/** Returns the titles of the notices that a change raises. */
const takeTitles = async (change: () => unknown): Promise<string[]> => {
  await change();
  await Promise.resolve();
  return world.protectionNotices.splice(0).map(({ title }) => title);
};

test('a pairing with folders raises one notification although all kinds of notifications are turned off', async () => {
  const { assistants } = world.companion();
  const { pairingId, pairingSecret } = assistants.requestPairing('Tidy Helper');
  const access = { scope: 'ask' as const, folders: [tmpdir()], publishesPerDay: null, moneyCentsPerDay: null };
  const titles = await takeTitles(() => {
    assistants.accept(pairingId, access);
    assistants.poll(pairingId, pairingSecret);
  });
  expect(titles).toEqual(['An assistant was let in: Tidy Helper']);
  expect(await listRows('assistant.paired')).toHaveLength(1);
});

test('wider rights, a higher budget and more folders each raise one notification, and narrower rights none', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'allowed-'));
  const { assistantId } = pairAsker(world, 'Tidy Helper');
  const { assistants } = world.companion();
  await takeTitles(() => assistants.change(assistantId, { scope: 'read', touches: 'own', publishesPerDay: 1 }));
  const wider = ['Tidy Helper got wider rights'];
  expect(await takeTitles(() => assistants.change(assistantId, { scope: 'ask' }))).toEqual(wider);
  expect(await takeTitles(() => assistants.change(assistantId, { touches: 'all' }))).toEqual(wider);
  expect(await takeTitles(() => assistants.change(assistantId, { publishesPerDay: 2 }))).toEqual(wider);
  expect(await takeTitles(() => assistants.change(assistantId, { publishesPerDay: null }))).toEqual(wider);
  const more = ['Tidy Helper may use photos of more folders'];
  expect(await takeTitles(() => assistants.change(assistantId, { folders: [folder] }))).toEqual(more);
  const narrower = { scope: 'read', touches: 'own', publishesPerDay: 0, folders: [], paused: true } as const;
  expect(await takeTitles(() => assistants.change(assistantId, { ...narrower, folders: [] }))).toEqual([]);
  expect((await listRows('assistant.changed')).map(({ facts }) => facts['widens'])).toContain('folders');
  rmSync(folder, { recursive: true });
});

test('turning off notifications and raising the fee limit each add a ledger row with a notification', async () => {
  const { changeSettings } = world.companion();
  changeSettings({ notify: { approvals: true, sales: true } });
  const turnOff = () => changeSettings({ notify: { approvals: false, sales: false } });
  expect(await takeTitles(turnOff)).toEqual(['Notifications were turned off']);
  expect((await listRows('settings.notifications_off'))[0]?.facts).toEqual({ off: ['approvals', 'sales'] });
  const raise = (minor: number | null) => () => changeSettings({ publishFromNotificationMinor: minor });
  const higher = ['A notification can now publish at a higher fee'];
  expect(await takeTitles(raise(100))).toEqual(higher);
  expect(await takeTitles(raise(200))).toEqual(higher);
  expect(await takeTitles(raise(50))).toEqual([]);
  expect(await takeTitles(raise(null))).toEqual([]);
  expect((await listRows('settings.ceiling_raised')).map(({ facts }) => facts)).toEqual([
    { before: 100, after: 200 },
    { before: null, after: 100 },
  ]);
});

test('an export of the history or of receipts adds a ledger row and a notification that names it', async () => {
  const { exports, receipts } = world.companion();
  const { approvalId } = await world.asked();
  await world.yes();
  await takeTitles(() => undefined);
  expect(await takeTitles(() => exports.exportHistory('csv'))).toEqual(['Your history was exported']);
  expect(await takeTitles(() => exports.exportReceipts())).toEqual(['Your receipts were exported']);
  expect(await takeTitles(() => receipts.exportReceipt(approvalId))).toEqual(['A receipt was exported']);
  expect(await listRows('history.exported')).toHaveLength(3);
});

test('a second window adds a ledger row and a notification, but a compact window or a new connection does not', async () => {
  const { windowSessions } = world.companion().approvals;
  let first = '';
  expect(await takeTitles(() => void (first = windowSessions.open('window')))).toEqual([]);
  expect(await takeTitles(() => windowSessions.open('compact'))).toEqual([]);
  expect(await takeTitles(() => windowSessions.open('notification'))).toEqual([]);
  windowSessions.close(first);
  world.clock.advance(60_000);
  expect(await takeTitles(() => windowSessions.open('window'))).toEqual([]);
  const opened = ['Another window of Listing Companion was opened'];
  expect(await takeTitles(() => windowSessions.open('window'))).toEqual(opened);
  expect(await listRows('window.opened')).toHaveLength(1);
  // A window that is the only one leaves a row too.
  expect(await listRows('window.opened_alone')).toHaveLength(2);
});

test('300 windows share a few ledger rows and notifications, which state their number', async () => {
  const { windowSessions } = world.companion().approvals;
  windowSessions.open('window');
  const titles = await takeTitles(async () => {
    for (let opened = 0; opened < 300; opened += 1) {
      windowSessions.open('window');
      await Promise.resolve();
    }
  });
  expect(titles.length).toBeLessThan(6);
  const counts = (await listRows('window.opened')).map(({ facts }) => facts['count'] ?? 1);
  expect([counts[0], counts.at(-1), counts.length]).toEqual([100, 1, titles.length]);
});

test('a watched folder, a longer time to answer and resumed work each add a row and a notification', async () => {
  const { changeSettings, pauseAll, assistants } = world.companion();
  expect(await takeTitles(() => changeSettings({ watchFolder: world.dataDir }))).toEqual(['A watched folder was set']);
  expect(await takeTitles(() => changeSettings({ watchFolder: world.dataDir }))).toEqual([]);
  expect(await takeTitles(() => changeSettings({ watchFolder: null }))).toEqual([]);
  const longer = ['Requests now wait longer for your answer'];
  expect(await takeTitles(() => changeSettings({ approvalMinutes: 60 }))).toEqual(longer);
  expect(await takeTitles(() => changeSettings({ approvalMinutes: 1 }))).toEqual([]);
  expect(await takeTitles(() => pauseAll(false))).toEqual([]);
  pauseAll(true);
  expect(await takeTitles(() => pauseAll(false))).toEqual(['All work was resumed']);
  const { assistantId } = pairAsker(world, 'Tidy Helper');
  await takeTitles(() => assistants.change(assistantId, { paused: true }));
  const resumed = ['An assistant was resumed: Tidy Helper'];
  expect(await takeTitles(() => assistants.change(assistantId, { paused: false }))).toEqual(resumed);
  const kinds = ['settings.watch_folder_set', 'settings.answer_time_raised', 'settings.answer_time_lowered'];
  const found = await Promise.all([...kinds, 'work.resumed', 'assistant.resumed'].map(listRows));
  expect(found.map(({ length }) => length)).toEqual([1, 1, 1, 1, 1]);
  expect((await listRows('settings.answer_time_lowered'))[0]?.facts).toEqual({ before: 60, after: 1 });
});

test('writing the settings of a client adds a ledger row and a notification', async () => {
  const { recordClientWritten } = world.companion();
  expect(await takeTitles(() => recordClientWritten('Claude Desktop'))).toEqual([
    'Listing Companion was written into the settings of Claude Desktop',
  ]);
  expect(await listRows('client.written')).toMatchObject([{ facts: { name: 'Claude Desktop' } }]);
});

test('a change that fails while it is stored raises no notification', async () => {
  const raise = () =>
    world.companion().changeSettings({ publishFromNotificationMinor: 100, watchFolder: world.dataDir });
  const db = new Database(join(world.dataDir, 'companion.db'));
  // The folder is stored after the row of the ceiling, in the same transaction.
  db.exec(`create trigger full before insert on settings when new.name <> 'settings'
    begin select raise(abort, 'the disk is full'); end`);
  expect(await takeTitles(() => expect(raise).toThrow('the disk is full'))).toEqual([]);
  expect(await listRows('settings.ceiling_raised')).toEqual([]);
  db.exec('drop trigger full');
  db.close();
  expect(await takeTitles(raise)).toEqual([
    'A watched folder was set',
    'A notification can now publish at a higher fee',
  ]);
});

test('a passkey that cannot be stored raises no notification', async () => {
  const window = openProofWindow(world);
  window.noteSignIn();
  const file = join(world.dataDir, 'person-proofs.json');
  mkdirSync(file);
  const authenticator = createSoftwareAuthenticator();
  const add = () => expect(window.addPasskey(authenticator)).rejects.toThrow();
  expect(await takeTitles(add)).toEqual([]);
  rmSync(file, { recursive: true });
  window.noteSignIn();
  expect(await takeTitles(() => window.addPasskey(authenticator))).toEqual(['A passkey was added']);
});

test('a restored backup raises one notification, and its acknowledgement another', async () => {
  const { backups } = world.companion();
  const made = await backups.make();
  world.companion().changeSettings({ publishFromNotificationMinor: 100 });
  await backups.restore(made?.name ?? '');
  await world.stop();
  restoreRequestedBackup(world.dataDir, null, world.clock.now());
  await takeTitles(() => undefined);
  expect(await takeTitles(() => world.begin())).toEqual(['A copy replaced your data']);
  expect(await listRows('ledger.restored')).toHaveLength(1);
  expect(await takeTitles(() => world.companion().acknowledgeLedger())).toEqual([
    'A warning about your history was acknowledged',
  ]);
  expect(await listRows('ledger.acknowledged')).toHaveLength(1);
  expect(await takeTitles(() => world.companion().acknowledgeLedger())).toEqual([]);
});

test('the first start with another service address adds a ledger row and a notification, but the next start does not', async () => {
  const other = { kind: 'remote', url: 'https://other.example' } as const;
  const restart = async (service?: typeof other): Promise<string[]> => {
    await world.stop();
    return takeTitles(() => world.begin(world.dataDir, service));
  };
  const changed = ['The companion was started with another service'];
  expect(await restart()).toEqual([]);
  expect(await restart(other)).toEqual(changed);
  expect(await restart(other)).toEqual([]);
  expect(await restart()).toEqual(changed);
  expect((await listRows('service.changed')).map(({ facts }) => facts)).toEqual([
    { before: other.url, service: 'practice' },
    { before: 'practice', service: other.url },
  ]);
});

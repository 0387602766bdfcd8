import { readdir, readFile, writeFile, cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, expect, test } from 'vitest';
import { createLedger, maxRowsInSteps } from '../../../src/core/approvals/ledger/ledger.ts';
import { isReceiptSigned, receiptShape, statementLine } from '../../../src/core/approvals/ledger/signedExports.ts';
import { createPrivateKeyText, openSigner } from '../../../src/core/approvals/ledger/signatures.ts';
import { verifyExportedFile } from '../../../src/core/approvals/verify/verifyFile.ts';
import { restoreRequestedBackup } from '../../../src/core/storage/restore.ts';
import { runCommand } from '../cli/command.ts';
import { pairAsker } from '../../helpers/assistant.ts';
import { waitUntil } from '../../helpers/testClock.ts';
import { readExport } from '../../helpers/approvals/readExport.ts';
import { startWorld, type World } from '../../helpers/world.ts';

let world: World;
afterEach(() => world.close());

const startWithKeychain = async (keychain: 'system' | 'memory' = 'system'): Promise<void> => {
  world = await startWorld({ keychain });
};
const publishOne = async (): Promise<string> => {
  const { approvalId } = await world.asked();
  await world.yes();
  return approvalId;
};
const searchHistory = () => world.companion().searchHistory.search({ q: '', limit: 200 });
const listKinds = async () => (await searchHistory()).rows.map(({ kind }) => kind);
const getAlarm = () => world.companion().state(null).ledgerAlarm;
const exportLedger = () => readExport(world, ({ exportHistory }) => exportHistory('jsonl'));
const exportReceipts = () => readExport(world, (exports) => exports.exportReceipts());
const verifyText = (text: string) => verifyExportedFile(Buffer.from(text), null);
const readHead = async () =>
  JSON.parse((await world.secrets.get('ledger-head')) ?? 'null') as { seq: number; hash: string };

/** Runs SQL on the database while the companion is stopped. */
const changeDatabase = async (sql: string): Promise<void> => {
  await world.stop();
  const db = new Database(join(world.dataDir, 'companion.db'));
  db.exec(`drop trigger if exists ledger_keeps; drop trigger if exists ledger_stays; ${sql}`);
  db.close();
  await world.begin();
};

test('after each settled approval, the keychain stores the length of the ledger', async () => {
  await startWithKeychain();
  await publishOne();
  const rows = (await searchHistory()).rows.length;
  await waitUntil(async () => (await readHead()).seq === rows, 'the head');
  await world.stop();
  await world.begin();
  expect(getAlarm()).toBeNull();
  expect((await searchHistory()).brokenAt).toBeNull();
});

test('a truncated ledger raises an alarm until the person acknowledges it', async () => {
  await startWithKeychain();
  await publishOne();
  await world.stop();
  const { seq } = await readHead();
  await changeDatabase(`delete from ledger where seq > ${seq - 2}`);
  expect(getAlarm()).toMatchObject({ kind: 'cut', rows: seq - 2, keptRows: seq });
  expect(world.logs.join('\n')).toContain('ledger check failed');

  // The alarm survives restarts, and the keychain still has the old length.
  await world.stop();
  await world.begin();
  expect(getAlarm()).toMatchObject({ kind: 'cut', keptRows: seq });
  expect((await readHead()).seq).toBe(seq);
  expect((await verifyText(await exportLedger())).findings).toMatchObject([{ code: 'ALARM' }]);

  world.companion().acknowledgeLedger();
  expect([getAlarm(), (await searchHistory()).alarm]).toEqual([null, null]);
  expect((await searchHistory()).rows[0]).toMatchObject({ kind: 'ledger.acknowledged', facts: { keptRows: seq } });
  await world.stop();
  await world.begin();
  expect(getAlarm()).toBeNull();
  expect(await verifyText(await exportLedger())).toMatchObject({
    whole: true,
    notes: [expect.stringContaining('2 rows were missing')],
  });
});

test('a fresh start after all data was deleted raises an alarm', async () => {
  await startWithKeychain();
  await publishOne();
  await world.stop();
  const { seq } = await readHead();
  for (const name of await readdir(world.dataDir)) await rm(join(world.dataDir, name), { recursive: true });
  await world.begin();
  expect(getAlarm()).toMatchObject({ kind: 'freshStart', rows: 0, keptRows: seq });
  await world.stop();
  await world.begin();
  expect(getAlarm()).toMatchObject({ kind: 'freshStart', keptRows: seq });

  world.companion().acknowledgeLedger();
  await world.stop();
  await world.begin();
  expect(getAlarm()).toBeNull();
  // The new ledger records the alarm.
  expect((await listKinds()).filter((kind) => kind !== 'ledger.key')).toEqual(['ledger.acknowledged', 'ledger.alarm']);
  const { notes } = await verifyText(await exportLedger());
  expect(notes.join(' ')).toContain(`there was no database, and an older history of ${seq} rows had existed`);
});

test('a database without its ledger raises the alarm of a truncated ledger', async () => {
  await startWithKeychain();
  await publishOne();
  await changeDatabase('delete from ledger');
  expect(getAlarm()).toMatchObject({ kind: 'cut', rows: 0 });
});

test('an acknowledged alarm is not raised again if the keychain did not store the acknowledgement', async () => {
  await startWithKeychain();
  await publishOne();
  await world.stop();
  const before = await readHead();
  await changeDatabase(`delete from ledger where seq = ${before.seq}`);
  world.companion().acknowledgeLedger();
  await world.stop();
  await world.secrets.set('ledger-head', JSON.stringify(before));
  await world.begin();
  expect(getAlarm()).toBeNull();
});

test('a rewritten ledger raises an alarm even if it is internally consistent', async () => {
  await startWithKeychain();
  await publishOne();
  await world.stop();
  const db = new Database(join(world.dataDir, 'companion.db'));
  const rows = [...createLedger(db).after(0)];
  db.exec('drop trigger ledger_stays; delete from ledger');
  const forged = createLedger(db, openSigner(createPrivateKeyText(), 'system'));
  for (const { at, kind, facts } of rows.filter(({ kind }) => kind !== 'ledger.key')) forged.append(at, kind, facts);
  expect([...forged.after(0)]).toHaveLength(rows.length);
  db.close();
  await world.begin();
  expect((await searchHistory()).brokenAt).toBeNull();
  expect(getAlarm()).toMatchObject({ kind: 'rewritten', row: rows.length });
});

test('rows appended with another key raise an alarm', async () => {
  await startWithKeychain();
  await publishOne();
  await world.stop();
  const { seq } = await readHead();
  const db = new Database(join(world.dataDir, 'companion.db'));
  createLedger(db, openSigner(createPrivateKeyText(), 'system')).append(1, 'approval.approve', {
    approvalId: 'ap_forged',
  });
  db.close();
  await world.begin();
  expect(getAlarm()).toMatchObject({ kind: 'otherKey', row: seq + 1 });
});

test('an edited row and an unsigned row each raise an alarm', async () => {
  await startWithKeychain();
  await publishOne();
  await changeDatabase(`update ledger set facts = '{"act":"something else"}' where seq = 3`);
  expect((await searchHistory()).brokenAt).toBe(3);
  await waitUntil(() => getAlarm()?.kind === 'changed', 'the alarm');
  world.companion().acknowledgeLedger();

  await changeDatabase(`update ledger set signature = null where seq = 4`);
  expect(getAlarm()).toBeNull();
  await world.close();

  await startWithKeychain();
  await publishOne();
  await changeDatabase(`update ledger set signature = null where seq = 4`);
  await waitUntil(() => getAlarm()?.kind === 'unsigned', 'the alarm');
  expect(getAlarm()).toMatchObject({ row: 4 });
});

test('a thread finds an unsigned row and an edited row of a long ledger', async () => {
  await startWithKeychain();
  await world.stop();
  const db = new Database(join(world.dataDir, 'companion.db'));
  const ledger = createLedger(db, openSigner((await world.secrets.get('ledger-key')) ?? '', 'system'));
  db.transaction(() => {
    for (let nth = 0; nth < maxRowsInSteps; nth += 1) ledger.append(nth, 'client.written', { nth });
  })();
  await world.secrets.set('ledger-head', JSON.stringify(ledger.end()));
  db.close();
  await changeDatabase(`update ledger set signature = null where seq = 1900;
    update ledger set kind = 'client.removed' where seq = 1950`);
  expect((await searchHistory()).brokenAt).toBeNull();
  await waitUntil(() => getAlarm(), 'the alarm');
  expect(getAlarm()).toMatchObject({ kind: 'unsigned', row: 1_900 });
  expect((await searchHistory()).brokenAt).toBe(1_950);
});

test('a restored backup is recorded in the ledger and raises an alarm', async () => {
  await startWithKeychain();
  await publishOne();
  await world.companion().backups.make();
  const [copy] = world.companion().backups.list();
  await world.perform('readStanding', {});
  const { assistantId } = pairAsker(world, 'Garage helper');
  world.companion().assistants.revoke(assistantId);
  await world.stop();
  const { seq } = await readHead();
  restoreRequestedBackup(world.dataDir, copy?.name ?? '', world.clock.now());
  await world.begin();
  const found = getAlarm();
  expect(found).toMatchObject({ kind: 'rolledBack', copy: copy?.name, keptRows: seq });
  expect(seq - (found?.rows ?? 0)).toBe(3);
  expect((await listKinds())[0]).toBe('ledger.restored');
  world.companion().acknowledgeLedger();
  await world.stop();
  await world.begin();
  expect(getAlarm()).toBeNull();
  expect((await listKinds()).filter((kind) => kind.startsWith('ledger.'))).toEqual([
    'ledger.acknowledged',
    'ledger.restored',
    'ledger.key',
  ]);
});

test('an older database that was copied back manually raises an alarm', async () => {
  await startWithKeychain();
  await world.stop();
  const file = join(world.dataDir, 'companion.db');
  await cp(file, `${file}.older`);
  await world.begin();
  await publishOne();
  await world.stop();
  await cp(`${file}.older`, file);
  for (const end of ['-wal', '-shm']) await rm(file + end, { force: true });
  await world.begin();
  expect(getAlarm()?.kind).toBe('cut');
});

test('a ledger that is ahead of the keychain after a crash raises no alarm', async () => {
  await startWithKeychain();
  await world.stop();
  const before = await readHead();
  await world.begin();
  await publishOne();
  await world.stop();
  await world.secrets.set('ledger-head', JSON.stringify(before));
  await world.begin();
  expect(getAlarm()).toBeNull();
  await waitUntil(async () => (await readHead()).seq > before.seq, 'the newer head');
});

test('a failing keychain does not block approvals and is logged once', async () => {
  await startWithKeychain();
  const { set } = world.secrets;
  world.secrets.set = async (name, value) => {
    if (name === 'ledger-head') throw new Error('locked');
    await set(name, value);
  };
  await publishOne();
  await publishOne();
  expect(world.logs.filter((line) => line.includes('ledger head could not be stored'))).toHaveLength(1);
});

test('a missing ledger key is replaced by a new key and raises an alarm', async () => {
  await startWithKeychain();
  await publishOne();
  await world.stop();
  await world.secrets.remove('ledger-key');
  await world.begin();
  expect(getAlarm()?.kind).toBe('newKey');
  expect((await verifyText(await exportLedger())).keys).toHaveLength(2);
});

test('without a system keychain, the exported ledger says that its key is used for one run only', async () => {
  await startWithKeychain('memory');
  await publishOne();
  expect((await searchHistory()).signing.keychain).toBe('memory');
  expect((await searchHistory()).signing.fingerprint).toMatch(/^[0-9a-f]{64}$/);
  expect((await verifyText(await exportLedger())).notes.join(' ')).toContain('for one run only');
});

test('the private key of the ledger appears in no file, log or response', async () => {
  await startWithKeychain();
  const approvalId = await publishOne();
  await world.companion().backups.make();
  const [copy] = world.companion().backups.list();
  const key = (await world.secrets.get('ledger-key')) ?? '';
  expect(key.length).toBeGreaterThan(40);
  const files = ['companion.db', 'companion.db-wal', `backups/${copy?.name}`];
  const texts = await Promise.all(files.map((file) => readFile(join(world.dataDir, file), 'latin1').catch(() => '')));
  const { receipts, state } = world.companion();
  const said = [
    await exportLedger(),
    receipts.exportReceipt(approvalId).text,
    await exportReceipts(),
    world.logs,
    state(null),
    await searchHistory(),
  ];
  expect(JSON.stringify([texts, said])).not.toContain(key);
});

/** Stores copies of an approval under new ids, without rows in the ledger. */
const copyApproval = async (approvalId: string, copies: number): Promise<void> => {
  const db = new Database(join(world.dataDir, 'companion.db'), { readonly: true });
  const names = db.prepare("select name from pragma_table_info('approvals')").pluck().all() as string[];
  db.close();
  const columns = names.filter((name) => name !== 'approval_id').join(', ');
  await changeDatabase(`with recursive numbers(at) as (select 1 union all select at + 1 from numbers where at < ${copies})
    insert into approvals (approval_id, ${columns})
    select '${approvalId}_' || at, ${columns} from approvals, numbers where approval_id = '${approvalId}'`);
};

test('each of hundreds of exported receipts has its own signature', async () => {
  await startWithKeychain();
  const approvalId = await publishOne();
  await copyApproval(approvalId, 450);
  const lines = (await exportReceipts()).trim().split('\n');
  const receipts = lines.slice(0, -1).map((line) => receiptShape.parse(JSON.parse(line)));
  expect(new Set(receipts.map((receipt) => receipt.approvalId)).size).toBe(451);
  expect(receipts.filter((receipt) => !isReceiptSigned(receipt))).toEqual([]);
  const { statement } = statementLine.parse(JSON.parse(lines.at(-1) ?? ''));
  expect(statement).toMatchObject({ of: 'receipts', receipts: 451 });
});

test('the command line can verify a receipt while the companion is not running', async () => {
  await startWithKeychain();
  const approvalId = await publishOne();
  const { text, name } = world.companion().receipts.exportReceipt(approvalId);
  expect(name).toBe(`receipt-${approvalId}.json`);
  expect(JSON.parse(text)).toMatchObject({
    approvalId,
    asker: { kind: 'person' },
    shown: { prompt: { target: { title: 'blue shoes' } } },
    answer: { state: 'done' },
    sent: { route: 'publishListing', first: [{ route: 'quoteFees' }] },
    result: { status: 200, body: { marketListingUrl: expect.stringContaining('http') as string } },
  });
  const all = await exportReceipts();
  const { fingerprint } = (await searchHistory()).signing;
  const history = await exportLedger();
  await world.stop();

  const verifyFile = async (content: string, ...more: string[]) => {
    const file = join(world.dataDir, 'taken out');
    await writeFile(file, content);
    return runCommand(world.dataDir, ['verify', file, ...more]);
  };
  const spaced = fingerprint.slice(0, 20).replaceAll(/(.{4})/g, '$1 ');
  expect(await verifyFile(text, '--key', spaced)).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^Whole: 1 receipt/) as string,
  });
  expect(await verifyFile(all)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('Compare it') as string,
  });
  expect((await verifyFile(history)).code).toBe(0);
  const changed = await verifyFile(text.replace('blue shoes', 'blue boots'));
  expect(changed).toMatchObject({ code: 1, stdout: expect.stringContaining('was changed') as string });
  expect((await verifyFile(history, '--key', '0'.repeat(20))).code).toBe(1);
  expect((await verifyFile(history, '--key', 'mine')).code).toBe(2);
  expect((await runCommand(world.dataDir, ['verify', join(world.dataDir, 'nowhere')])).code).toBe(2);
  const { stdout } = await verifyFile(history.split('\n').slice(1).join('\n'), '--json');
  expect(JSON.parse(stdout)).toMatchObject({ whole: false, kind: 'ledger' });
});

test('a pending approval has no receipt', async () => {
  await startWithKeychain();
  const { approvalId } = await world.asked();
  expect(() => world.companion().receipts.exportReceipt(approvalId)).toThrow(/not settled yet/);
  expect(() => world.companion().receipts.exportReceipt('ap_none')).toThrow(/no such approval/);
});

test('pairings, connections and changes to assistants are recorded in the ledger', async () => {
  await startWithKeychain();
  const { assistants, connect } = world.companion();
  const refused = assistants.requestPairing('Somebody');
  assistants.refuse(refused.pairingId);
  const { assistantId } = pairAsker(world, 'Garage helper');
  assistants.change(assistantId, { scope: 'read', publishesPerDay: 2, folders: [world.dataDir] });
  assistants.change(assistantId, { scope: 'read' });
  assistants.change(assistantId, { paused: true });
  assistants.change(assistantId, { paused: false });
  assistants.revoke(assistantId);
  await connect.forget();
  await connect.practice();
  const rows = (await searchHistory()).rows.toReversed();
  expect(rows.map(({ kind }) => kind)).toEqual([
    'ledger.key',
    'connection.made',
    'pairing.refused',
    'pairing.accepted',
    'assistant.paired',
    'assistant.changed',
    'assistant.paused',
    'assistant.resumed',
    'assistant.revoked',
    'connection.forgotten',
    'connection.made',
  ]);
  const changed = rows.find(({ kind }) => kind === 'assistant.changed');
  expect(changed?.facts).toMatchObject({
    name: 'Garage helper',
    after: { scope: 'read', publishesPerDay: 2, folders: 1 },
  });
  const text = JSON.stringify(rows);
  expect(text).not.toContain('@');
  expect(text).not.toContain(world.dataDir);
  expect(text).not.toContain((await world.secrets.get('agent-key practice')) ?? 'none');
});

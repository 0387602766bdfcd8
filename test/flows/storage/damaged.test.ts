import { closeSync, existsSync, openSync, readdirSync, statSync, writeSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { getBackupsDir } from '../../../src/core/storage/backupFiles.ts';
import { openRawDatabase } from '../../../src/core/storage/database.ts';
import { restoreRequestedBackup } from '../../../src/core/storage/restore.ts';
import { startDataThread } from '../../../src/host/dataThread/startDataThread.ts';
import { createPauseSwitch } from '../../../src/host/pauseSwitch.ts';
import { createProofGuard } from '../../../src/host/proofHandlers.ts';
import { openNotificationSession } from '../../../src/host/runCompanion.ts';
import type { Companion } from '../../../src/core/companion/createCompanion.ts';
import { callBridge } from '../../helpers/assistant.ts';
import { openDatabase } from '../../helpers/emptyDatabases.ts';
import { createFakeRunning } from '../../helpers/hosts/createFakeRunning.ts';
import { openProofWindow } from '../../helpers/presence/openProofWindow.ts';
import { listLedgerRows } from '../../helpers/presence/listLedgerRows.ts';
import { startWorld, type World } from '../../helpers/world.ts';
import { listAllItems } from '../../helpers/listAllItems.ts';

const dayMs = 24 * 3_600_000;

let world: World;
/** The checks of the database end after this. */
let checksEnd: Promise<void>;
const startThread: typeof startDataThread = (start, events) => {
  const thread = startDataThread(start, events);
  return start.task.kind === 'databaseCheck' ? { ...thread, ended: checksEnd.then(() => thread.ended) } : thread;
};
beforeEach(async () => {
  checksEnd = Promise.resolve();
  world = await startWorld({ startDataThread: startThread });
});
afterEach(() => world.close());

const getDatabasePath = () => join(world.dataDir, 'companion.db');
const listIntakeFiles = () =>
  readdirSync(world.dataDir)
    .filter((name) => name === 'intake')
    .flatMap((name) => readdirSync(join(world.dataDir, name)));
const listPutAside = () => readdirSync(join(world.dataDir, 'put-aside'));
const listBackups = () => world.companion().backups.list();

const every = { q: '', statuses: [], site: null, from: null, to: null, minCents: null, maxCents: null };
const listListings = () => world.companion().listings.search(every, { sort: 'newest', offset: 0, limit: 10 }).rows;

/** Overwrites parts of the database, as a failing disk does. */
const damageDatabase = (path = getDatabasePath()): void => {
  const opened = openSync(path, 'r+');
  for (let at = 4_096; at < statSync(path).size; at += 4_096)
    writeSync(opened, Buffer.alloc(2_048, 0x5a), 0, 2_048, at);
  closeSync(opened);
};

/** Stops the companion and leaves an empty log beside the database, as a power cut does. */
const cutPower = async (): Promise<void> => {
  await world.stop();
  await writeFile(`${getDatabasePath()}-wal`, '');
};

test('the database is backed up daily, and the newest seven backups are kept', async () => {
  await world.until(() => listBackups().length === 1, 'the first copy');
  const [first] = listBackups();
  world.clock.advance(dayMs / 2);
  for (let day = 0; day < 9; day += 1) {
    const newest = listBackups()[0]?.at ?? 0;
    world.clock.advance(dayMs);
    await world.until(() => (listBackups()[0]?.at ?? 0) > newest, 'the next copy');
  }
  expect(listBackups()).toHaveLength(7);
  expect(listBackups()).not.toContainEqual(first);
  expect(readdirSync(getBackupsDir(world.dataDir)).sort()).toEqual(
    listBackups()
      .map(({ name }) => name)
      .sort(),
  );
});

test('many backups of one day displace no backup of an earlier day', async () => {
  await world.until(() => listBackups().length === 1, 'the first copy');
  for (let day = 0; day < 3; day += 1) {
    const newest = listBackups()[0]?.at ?? 0;
    world.clock.advance(dayMs);
    await world.until(() => (listBackups()[0]?.at ?? 0) > newest, 'the next copy');
  }
  const before = listBackups();
  for (let made = 0; made < 20; made += 1) {
    world.clock.advance(1_000);
    await world.companion().backups.make();
  }
  const after = listBackups();
  for (const backup of before) expect(after).toContainEqual(backup);
  expect(after.length).toBeLessThanOrEqual(14);
});

/** Overwrites the first page of a table or of an index. */
const damageFirstPage = (name: string): void => {
  const db = openRawDatabase(getDatabasePath());
  const page = Number(db.prepare('select rootpage from sqlite_schema where name = ?').pluck().get(name));
  db.close();
  const opened = openSync(getDatabasePath(), 'r+');
  writeSync(opened, Buffer.alloc(2_048, 0x5a), 0, 2_048, (page - 1) * 4_096);
  closeSync(opened);
};

test.each(['photos', 'photos_by_item', 'ledger', 'listing_words_data'])(
  'one damaged page of %s is found after a power cut',
  async (name) => {
    await world.stop();
    damageFirstPage(name);
    await writeFile(`${getDatabasePath()}-wal`, '');
    const { db, repaired } = await openDatabase(world.dataDir, 0);
    db.close();
    expect(repaired).not.toBeNull();
  },
);

/** Makes the database so large that a thread checks it. */
const enlargeDatabase = (): void => {
  const db = openRawDatabase(getDatabasePath());
  db.exec(`insert into settings (name, value) values ('padding', hex(zeroblob(${33 * 2 ** 20})))`);
  db.close();
};

const cutLargePower = async (): Promise<void> => {
  await world.stop();
  enlargeDatabase();
  await cutPower();
};

/** Starts the companion. Its check of the database does not end before `endCheck` is called. */
const beginDuringCheck = async (): Promise<{ companion: Companion; endCheck: () => void }> => {
  const { promise, resolve: endCheck } = Promise.withResolvers<void>();
  checksEnd = promise;
  const started: Companion[] = [];
  void world.begin().then((companion) => started.push(companion));
  return { companion: await world.until(() => started[0] ?? null, 'the start'), endCheck };
};
const hasMark = (): boolean => existsSync(join(world.dataDir, 'companion.db.unchecked'));
const findReadOnlyCode = (companion: Companion): string | undefined => companion.state(null).readOnly?.code;

test('during a long check after a power cut, everything can be read, and writing is refused until the check ends', async () => {
  const { itemId } = await world.reviewed('blue shoes');
  await cutLargePower();
  const { companion, endCheck } = await beginDuringCheck();
  const bridge = await world.bridge();
  const guard = createProofGuard(companion);
  try {
    expect(findReadOnlyCode(companion)).toBe('DATA_CHECKING');
    companion.approvals.windowSessions.open('window');
    expect(listAllItems(companion).map((item) => item.itemId)).toEqual([itemId]);
    expect(() => guard('items.get', { itemId }, undefined)).not.toThrow();
    expect(() => guard('items.sheetRow', { itemId }, undefined)).not.toThrow();
    expect(() => guard('items.remove', { itemId }, undefined)).toThrow('data is being checked');
    // Nothing reaches the file, even past the guard.
    expect(() => companion.changeSettings({ tourSeen: true })).toThrow('readonly');
    const refused = await callBridge(bridge.url, 'GET', '/companion/items');
    expect(refused).toMatchObject({ status: 503, body: { code: 'DATA_CHECKING' }, headers: { 'retry-after': '2' } });

    endCheck();
    await world.until(() => findReadOnlyCode(companion) === undefined, 'the end of the check');
    companion.changeSettings({ tourSeen: true });
    expect(companion.state(null).settings.tourSeen).toBe(true);
    // A window that was opened during the check is recorded after it.
    expect(await listLedgerRows({ companion: () => companion }, 'window.opened_alone')).toHaveLength(1);
    expect((await callBridge(bridge.url, 'GET', '/companion/items')).status).toBe(401);
    expect(hasMark()).toBe(false);
  } finally {
    await bridge.stop();
  }
});

test('during a long check, the window shows how far it is', async () => {
  await cutLargePower();
  const { companion, endCheck } = await beginDuringCheck();
  const readProgress = () => companion.state(null).checkProgress;
  const { done, total } = await world.until(readProgress, 'the progress of the check');
  expect(done).toBeLessThan(total);
  endCheck();
  await world.until(() => findReadOnlyCode(companion) === undefined, 'the end of the check');
  expect(readProgress()).toBeNull();
});

test('during a long check, the tray and notifications say why they change nothing', async () => {
  await cutLargePower();
  const { companion, endCheck } = await beginDuringCheck();
  const refusals: string[] = [];
  const setPaused = createPauseSwitch({
    running: {
      ...createFakeRunning(),
      ...{ handlers: openProofWindow(world).handlers, requireProof: createProofGuard(companion) },
    },
    clock: world.clock,
    openCeremony: async () => undefined,
    explainLostProofs: () => undefined,
    explainRefusal: ({ code }) => void refusals.push(code),
  });
  await setPaused(true);
  expect(refusals).toEqual(['DATA_CHECKING']);
  const notification = openNotificationSession(companion, { approvalId: 'apr_any', digest: 'any' });
  await expect(notification.approve()).rejects.toMatchObject({ code: 'DATA_CHECKING' });
  endCheck();
  await world.until(() => findReadOnlyCode(companion) === undefined, 'the end of the check');
  await setPaused(true);
  expect([companion.state(null).paused, refusals.length]).toEqual([true, 1]);
});

test('photos that are dropped or opened during a long check are added after it, and none is lost', async () => {
  const folder = await world.folder('red shoes', 2);
  const [name = ''] = readdirSync(folder);
  await cutLargePower();
  const { companion, endCheck } = await beginDuringCheck();
  createProofGuard(companion)('items.add', { sources: { kind: 'paths', paths: [folder] } }, undefined);
  const opened = companion.add({ kind: 'paths', paths: [folder] });
  // The window sends the bytes in pieces, and the check ends in between.
  const bytes = new PassThrough();
  const received = companion.receivePhoto(bytes);
  await world.until(() => listIntakeFiles().length === 1, 'the upload');
  expect(listAllItems(companion)).toEqual([]);
  endCheck();
  const { itemIds } = await opened;
  bytes.end(await readFile(join(folder, name)));
  const files = [{ ...(await received), relativePath: `blue shoes/${name}` }];
  const dropped = await companion.add({ kind: 'uploads', files });
  expect(listAllItems(companion).map((item) => item.itemId)).toEqual(
    expect.arrayContaining([...itemIds, ...dropped.itemIds]),
  );
});

test('photos that are dropped during a check that finds damage are refused with the next step', async () => {
  const folder = await world.folder('red shoes', 2);
  await world.companion().backups.make();
  await world.stop();
  enlargeDatabase();
  damageFirstPage('ledger_by_time');
  await writeFile(`${getDatabasePath()}-wal`, '');
  const { companion, endCheck } = await beginDuringCheck();
  const opened = companion.add({ kind: 'paths', paths: [folder] });
  endCheck();
  await expect(opened).rejects.toMatchObject({ code: 'DATA_DAMAGED' });
});

test('a quit during the check makes the next start check again', async () => {
  await cutLargePower();
  const { companion, endCheck } = await beginDuringCheck();
  const stopping = world.stop();
  endCheck();
  await stopping;
  expect(companion.isStopped()).toBe(true);
  expect(hasMark()).toBe(true);
  damageDatabase();
  expect((await world.begin()).state(null).repaired).not.toBeNull();
  expect(hasMark()).toBe(false);
});

test('damage that a long check finds is repaired at the next start, and nothing is written before', async () => {
  const { itemId } = await world.reviewed('blue shoes');
  await world.companion().backups.make();
  await world.stop();
  enlargeDatabase();
  damageFirstPage('ledger_by_time');
  await writeFile(`${getDatabasePath()}-wal`, '');
  const { companion, endCheck } = await beginDuringCheck();
  endCheck();
  await world.until(() => findReadOnlyCode(companion) === 'DATA_DAMAGED', 'the result');
  expect(listAllItems(companion)).toHaveLength(1);
  expect(() => companion.changeSettings({ tourSeen: true })).toThrow('readonly');
  const next = await world.stop().then(() => world.begin());
  expect(next.state(null).repaired).toMatchObject({ from: listBackups()[0]?.at });
  expect(listAllItems(next).map((item) => item.itemId)).toEqual([itemId]);
  expect(listPutAside()).toHaveLength(1);
  expect(hasMark()).toBe(false);
});

test('a damaged database is replaced by the newest intact backup', async () => {
  const before = await world.reviewed('blue shoes');
  await world.companion().backups.make();
  const [copy] = listBackups();
  // The backup does not contain later work, but the service does.
  const after = await world.reviewed('red hat');
  await cutPower();
  damageDatabase();

  const companion = await world.begin();
  expect(companion.state(null)).toMatchObject({ connection: 'connected', repaired: { from: copy?.at } });
  expect(listAllItems(companion).map(({ itemId }) => itemId)).toEqual([before.itemId]);
  const listFoundIds = () => listListings().map(({ listingId }) => listingId);
  await world.until(() => listFoundIds().length === 2, 'the listings');
  expect(listFoundIds().sort()).toEqual([before.listingId, after.listingId].sort());
  expect(listPutAside()).toHaveLength(1);
  expect(world.logs.join('\n')).toContain('the database was damaged');
  companion.backups.repairSeen();
  expect(companion.state(null).repaired).toBeNull();
});

test('an item from an older backup reuses its draft instead of creating another draft', async () => {
  const { itemIds } = await world.companion().add({ kind: 'paths', paths: [await world.folder('green cup')] });
  await world.companion().backups.make();
  await world.item(itemIds[0] ?? '', 'review');
  await cutPower();
  damageDatabase();
  await world.begin();
  await world.item(itemIds[0] ?? '', 'review');
  expect([await world.happened('draft'), await world.happened('generation')]).toEqual([1, 1]);
});

test('a damaged backup is skipped, and an older backup is restored', async () => {
  await world.reviewed('blue shoes');
  await world.companion().backups.make();
  const [older] = listBackups();
  world.clock.advance(dayMs);
  await world.until(() => listBackups().length > 1 && listBackups()[0]?.name !== older?.name, 'a newer copy');
  damageDatabase(join(getBackupsDir(world.dataDir), listBackups()[0]?.name ?? ''));
  await cutPower();
  damageDatabase();
  const companion = await world.begin();
  expect(companion.state(null).repaired?.from).toBe(older?.at);
});

test('without a backup the companion starts with an empty database and reports the loss', async () => {
  const { listingId } = await world.reviewed('blue shoes');
  await world.companion().backups.make();
  await cutPower();
  await rm(getBackupsDir(world.dataDir), { recursive: true });
  damageDatabase();
  const companion = await world.begin();
  expect(companion.state(null).repaired).toMatchObject({ from: null });
  if (companion.state(null).connection !== 'connected') await companion.connect.practice();
  await world.until(() => listListings().length === 1, 'the listing');
  expect(listListings()[0]?.listingId).toBe(listingId);
  expect(listPutAside()).toHaveLength(1);
});

test('a backup chosen by the person is restored at the next start', async () => {
  const { itemId } = await world.reviewed('blue shoes');
  await world.companion().backups.make();
  const name = listBackups()[0]?.name ?? '';
  await world.companion().items.remove(itemId);
  await expect(world.companion().backups.restore('companion-2020-01-01T000000Z.db')).rejects.toThrow(
    /no complete backup/,
  );
  await world.companion().backups.restore(name);
  await world.stop();

  restoreRequestedBackup(world.dataDir, null, world.clock.now());
  const companion = await world.begin();
  expect(listAllItems(companion).map((item) => item.itemId)).toEqual([itemId]);
  expect(companion.state(null).repaired).toBeNull();
  expect(listPutAside()).toHaveLength(1);
  await world.stop();

  // The request is carried out only once.
  restoreRequestedBackup(world.dataDir, null, world.clock.now() + 1_000);
  expect(listPutAside()).toHaveLength(1);
});

test('a request to restore a missing backup fails only once', async () => {
  const { itemId } = await world.reviewed('blue shoes');
  await world.companion().backups.make();
  await world.companion().backups.restore('newest');
  await world.stop();
  await rm(getBackupsDir(world.dataDir), { recursive: true });
  expect(() => restoreRequestedBackup(world.dataDir, null, world.clock.now())).toThrow(/no complete backup/);
  restoreRequestedBackup(world.dataDir, null, world.clock.now());
  expect(listAllItems(await world.begin()).map((item) => item.itemId)).toEqual([itemId]);
});

test('several restores at the same time keep every replaced database', async () => {
  await world.companion().backups.make();
  await world.stop();
  for (let nth = 0; nth < 3; nth += 1) restoreRequestedBackup(world.dataDir, 'newest', world.clock.now());
  expect(listPutAside()).toHaveLength(3);
});

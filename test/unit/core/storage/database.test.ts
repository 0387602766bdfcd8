import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import * as z from 'zod';
import { toHttpStatus } from '../../../../src/bridge/bridgeProblem.ts';
import { toProblemView } from '../../../../src/core/base/problem.ts';
import {
  getBackupsDir,
  listBackupFiles,
  removeRestoreRequest,
  writeRestoreRequest,
} from '../../../../src/core/storage/backupFiles.ts';
import { createBackupNow } from '../../../../src/core/storage/backups.ts';
import { openMigratedDatabase } from '../../../../src/core/storage/database.ts';
import { migrations } from '../../../../src/core/storage/migrations/index.ts';
import { prepareDatabase } from '../../../../src/core/storage/restore.ts';
import { ignoreStages, type ReportStage } from '../../../../src/core/storage/startStages.ts';
import { createBegunCallsTable } from '../../../../src/core/storage/tables/begunCallsTable.ts';
import { applyMigrations } from '../../../helpers/applyMigrations.ts';
import { openDatabase } from '../../../helpers/emptyDatabases.ts';

const now = Date.parse('2026-03-01T12:00:00Z');
let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'database-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const catchError = (act: () => unknown): unknown => {
  try {
    act();
  } catch (error) {
    return error;
  }
  throw new Error('Nothing was thrown.');
};

test('a database is backed up before a newer version migrates it', async () => {
  const old = new Database(join(dir, 'companion.db'));
  applyMigrations(old, 2);
  old.exec("insert into settings (name, value) values ('mark', '1')");
  old.close();

  (await openDatabase(dir, now)).db.close();
  const [copy, ...others] = listBackupFiles(getBackupsDir(dir));
  expect([copy?.at, others.length]).toEqual([now, 0]);
  const kept = new Database(join(getBackupsDir(dir), copy?.name ?? ''), { readonly: true });
  expect(kept.pragma('user_version', { simple: true })).toBe(2);
  expect(kept.prepare("select value from settings where name = 'mark'").pluck().get()).toBe('1');
  kept.close();

  // Without a migration, no backup is made.
  (await openDatabase(dir, now + 1_000)).db.close();
  expect(listBackupFiles(getBackupsDir(dir))).toHaveLength(1);
});

test('an update that fails changes nothing, and the next one needs no second backup', () => {
  const file = join(dir, 'companion.db');
  const old = new Database(file);
  applyMigrations(old, migrations.length - 2);
  old.close();
  const readVersion = (): unknown => {
    const db = new Database(file, { readonly: true });
    try {
      return db.pragma('user_version', { simple: true });
    } finally {
      db.close();
    }
  };
  const update = (at: number, report: ReportStage = ignoreStages): void =>
    prepareDatabase({ dataDir: dir, now: at, preparation: { kind: 'update' } }, report);
  const failAtLastMigration: ReportStage = ({ name, progress }) => {
    if (name === 'update' && progress?.done === 1) throw new Error('The disk is full.');
  };
  for (const at of [now, now + 1_000]) {
    expect(() => update(at, failAtLastMigration)).toThrow('The disk is full.');
    expect([readVersion(), listBackupFiles(getBackupsDir(dir)).length]).toEqual([migrations.length - 2, 1]);
  }
  update(now + 2_000);
  expect([readVersion(), listBackupFiles(getBackupsDir(dir)).length]).toEqual([migrations.length, 1]);
});

test('an update backs up data that changed after the newest backup', () => {
  const file = join(dir, 'companion.db');
  const old = new Database(file);
  applyMigrations(old, migrations.length - 1);
  old.exec("insert into settings (name, value) values ('mark', '1')");
  createBackupNow(old, getBackupsDir(dir), now);
  old.exec("update settings set value = '2' where name = 'mark'");
  old.close();
  prepareDatabase({ dataDir: dir, now: now + 1_000, preparation: { kind: 'update' } }, ignoreStages);
  expect(listBackupFiles(getBackupsDir(dir)).map(({ at }) => at)).toEqual([now + 1_000, now]);
});

const schema = z.array(z.object({ name: z.string(), type: z.string() }));
const rowsIn = (db: Database.Database, table: string): Record<string, unknown>[] =>
  z.array(z.record(z.string(), z.unknown())).parse(db.prepare(`select * from "${table}"`).all());
const tablesOf = (db: Database.Database): string[] =>
  z
    .array(z.string())
    .parse(db.prepare("select name from pragma_table_list where type = 'table' and schema = 'main'").pluck().all())
    .filter((name) => !name.startsWith('sqlite_'));

/** Columns that allow only certain values. */
const special: Record<string, string> = { known: 'sent', by: '{"assistantId":"{}"}' };
/** Columns that migrations convert, for example the input of an approval, which became its subject. */
const reshaped: Record<string, string[]> = {
  approvals: ['input', 'bound', 'first', 'prompt', 'subject', 'listing_id', 'differences'],
  begun_calls: ['assistant_id', 'call', 'wish'],
  items: ['guessed', 'hold', 'section'],
};
const omitColumns = (row: Record<string, unknown>, names: readonly string[]) =>
  Object.fromEntries(Object.entries(row).filter(([name]) => !names.includes(name)));

/** Adds one row to each table; a JSON text or a number suits every column. */
const fillTables = (db: Database.Database): void => {
  for (const table of tablesOf(db)) {
    const columns = schema.parse(db.pragma(`table_info("${table}")`));
    const names = columns.map(({ name }) => `"${name}"`).join(', ');
    const values = columns.map(({ name, type }) => special[name] ?? (type.toLowerCase() === 'integer' ? 1 : '{}'));
    db.prepare(`insert into "${table}" (${names}) values (${values.map(() => '?').join(', ')})`).run(...values);
  }
};

const versions = migrations.map((_, index) => index + 1);
test.each(versions)('an update from version %i of the database keeps every row of every table', async (version) => {
  const old = new Database(join(dir, 'companion.db'));
  old.pragma('foreign_keys = off');
  applyMigrations(old, version);
  fillTables(old);
  const before = tablesOf(old).map((table) => [table, rowsIn(old, table)] as const);
  expect(before.length).toBeGreaterThan(10);
  old.close();

  const { db, repaired } = await openDatabase(dir, now);
  expect(repaired).toBeNull();
  expect(db.pragma('user_version', { simple: true })).toBe(migrations.length);
  for (const [table, rows] of before) {
    const kept = rows.map((row) => omitColumns(row, reshaped[table] ?? []));
    expect(rowsIn(db, table), table).toMatchObject(kept);
  }
  db.close();
});

test('a call that an assistant started before a migration is still found afterwards', async () => {
  const old = new Database(join(dir, 'companion.db'));
  applyMigrations(old, 19);
  const item = old.prepare(
    `insert into items (item_id, account, name, note, by, step, idempotency_key, created_at, updated_at, quantity)
     values (?, 'a', '', '', ?, 'photos', ?, 1, 1, 1)`,
  );
  item.run('it_1', JSON.stringify({ kind: 'assistant', assistantId: 'as_1', name: 'Helper' }), 'k1');
  old.exec(`insert into begun_calls values ('hashed', 'it_1', '[]', ${now})`);
  old.close();

  const { db } = await openDatabase(dir, now);
  const { find } = createBegunCallsTable(db);
  expect(find({ assistantId: 'as_1', key: 'hashed' }, 'a')).toEqual({
    ...{ itemId: 'it_1', left: [], wish: null, at: now },
    isDelivered: false,
  });
  expect(find({ assistantId: 'as_2', key: 'hashed' }, 'a')).toBeNull();
  db.close();
});

test('a database of a newer version is left unchanged', async () => {
  const later = new Database(join(dir, 'companion.db'));
  later.pragma(`user_version = ${migrations.length + 1}`);
  later.close();
  await expect(openDatabase(dir, now)).rejects.toMatchObject({ code: 'NEWER_DATABASE' });
  expect(listBackupFiles(getBackupsDir(dir))).toEqual([]);
});

test('a full disk gives a clear error and keeps the existing data', () => {
  const db = openMigratedDatabase(join(dir, 'companion.db'));
  db.pragma(`max_page_count = ${String(db.pragma('page_count', { simple: true }))}`);
  const put = db.prepare("insert into settings (name, value) values ('much', ?)");
  const error = catchError(() => put.run('x'.repeat(1_000_000)));
  expect(toProblemView(error).code).toBe('DISK_FULL');
  expect(toProblemView(error).sentence).toContain('Free some space');
  expect(toHttpStatus(error)).toBe(507);
  expect(db.prepare('select count(*) from settings').pluck().get()).toBe(0);
  expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
  db.close();
});

test('a file that is not a database is replaced by an empty database', async () => {
  writeFileSync(join(dir, 'companion.db'), 'This was a letter to a friend.'.repeat(500));
  const { db: made, repaired } = await openDatabase(dir, now);
  expect(repaired).toEqual({ at: now, from: null });
  // The new database records only that no backup existed and what to report to the person.
  expect(made.prepare('select name, value from settings').all()).toEqual([
    { name: 'restored from', value: '{"copy":null}' },
    { name: 'repaired', value: JSON.stringify(repaired) },
  ]);
  made.close();
});

test('new backups do not remove the backup that the next start restores', () => {
  const db = openMigratedDatabase(join(dir, 'companion.db'));
  const backupsDir = getBackupsDir(dir);
  const now = Date.UTC(2026, 10, 21, 9);
  const makeBackup = (nth: number): void => void createBackupNow(db, backupsDir, now + nth * 1_000);
  for (let nth = 0; nth < 7; nth += 1) makeBackup(nth);
  const second = listBackupFiles(backupsDir).at(-2)?.name ?? '';
  const isThere = (): boolean => listBackupFiles(backupsDir).some(({ name }) => name === second);
  writeRestoreRequest(dir, second);
  for (let nth = 7; nth < 20; nth += 1) makeBackup(nth);
  expect([isThere(), listBackupFiles(backupsDir).length]).toEqual([true, 9]);
  removeRestoreRequest(dir);
  makeBackup(20);
  expect([isThere(), listBackupFiles(backupsDir).length]).toEqual([false, 8]);
  db.close();
});

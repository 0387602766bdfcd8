import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { settingsShape } from '../../../../src/core/base/settings.ts';
import { listBackupFiles, getBackupsDir } from '../../../../src/core/storage/backupFiles.ts';
import { migrations } from '../../../../src/core/storage/migrations/index.ts';
import { restoreRequestedBackup } from '../../../../src/core/storage/restore.ts';
import { openDatabase } from '../../../helpers/emptyDatabases.ts';
import { createArrangementsTable } from '../../../../src/core/storage/tables/arrangementsTable.ts';
import { createItemsTable } from '../../../../src/core/storage/tables/itemsTable.ts';
import { applyMigrations } from '../../../helpers/applyMigrations.ts';

const account = 'practice#me';
const now = Date.parse('2026-03-01T12:00:00Z');
const version = migrations.findIndex((sql) => sql.includes('column review_reason'));
/** Every stored pair of `guessed` and `hold`, with the corresponding review reason. */
const former = [
  [0, null, null],
  [0, 'begun', 'reviewed'],
  [0, 'person', 'reviewed'],
  [1, null, 'grouped'],
  [1, 'person', 'grouped'],
  [1, 'begun', 'grouped'],
  [1, 'over_cap', 'overCap'],
  [1, 'unusable', 'unusable'],
  [2, null, 'arranged'],
  [2, 'begun', 'arranged'],
  [2, 'person', 'requested'],
  [2, 'over_cap', 'overCap'],
  [2, 'unusable', 'unusable'],
  [3, null, 'replacingPhotos'],
  [3, 'begun', 'replacingPhotos'],
  [3, 'person', 'replacingPhotos'],
  [3, 'over_cap', 'replacingPhotos'],
  [3, 'unusable', 'replacingPhotos'],
] as const;
const reasons = former.map(([, , reason]) => reason);
const idOf = (at: number): string => `it_${at}`;

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'review-reason-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

/** Creates a database of the former version with every kind of item, two undoable changes and a setting. */
const makeFormerDatabase = (file: string): void => {
  const old = new Database(file);
  applyMigrations(old, version);
  const add =
    old.prepare(`insert into items (item_id, account, name, by, step, idempotency_key, guessed, hold, created_at,
    updated_at) values (?, ?, 'thing', '{"kind":"person"}', 'arranging', ?, ?, ?, 0, 0)`);
  const addPhoto = old.prepare(
    "insert into photos (photo_id, item_id, position, name, source, state) values (?, ?, 0, 'a', 'a', 'ready')",
  );
  for (const [at, [guessed, hold]] of former.entries()) {
    add.run(idOf(at), account, idOf(at), guessed, hold);
    addPhoto.run(`ph_${at}`, idOf(at));
  }
  const items = old.prepare('select * from items order by rowid').all();
  old
    .prepare("insert into arrangements (account, label, at, before) values (?, 'merge', 0, ?)")
    .run(account, JSON.stringify({ items, photos: [], made: [] }));
  old
    .prepare("insert into arrangements (account, label, at, before) values ('other', 'order', 0, ?)")
    .run(JSON.stringify({ items: [], photos: [], made: ['it_x'] }));
  old
    .prepare("insert into settings (name, value) values ('settings', ?)")
    .run('{"holdDrops":true,"approvalMinutes":11}');
  old.close();
};

/** Opens the database and expects all values in the current form. */
const expectReviewReasons = async (): Promise<void> => {
  const { db } = await openDatabase(dir, now);
  const table = createItemsTable(db);
  const arrangements = createArrangementsTable(db);
  expect(former.map((_, at) => table.read(idOf(at))?.review_reason)).toEqual(reasons);

  const before = arrangements.last(account)?.before;
  expect(before?.items.map(({ review_reason: reason }) => reason)).toEqual(reasons);
  expect(arrangements.last('other')?.before).toEqual({ items: [], photos: [], shelf: [], made: ['it_x'] });
  for (const item of before?.items ?? []) {
    table.remove(item.item_id);
    table.putBack(item);
  }
  expect(former.map((_, at) => table.read(idOf(at))?.review_reason)).toEqual(reasons);

  const settings: unknown = db.prepare("select value from settings where name = 'settings'").pluck().get();
  expect(JSON.parse(String(settings))).toEqual({ deferDrops: true, approvalMinutes: 11 });
  expect(settingsShape.parse(JSON.parse(String(settings))).deferDrops).toBe(true);
  db.close();
};

test('a migration replaces every pair of `guessed` and `hold` by one review reason', async () => {
  makeFormerDatabase(join(dir, 'companion.db'));
  await expectReviewReasons();
});

test('a backup of the former version is migrated when it is restored', async () => {
  makeFormerDatabase(join(dir, 'companion.db'));
  const { db } = await openDatabase(dir, now);
  db.exec('delete from arrangements; delete from photos; delete from items; delete from settings');
  db.close();
  const [backup] = listBackupFiles(getBackupsDir(dir));
  restoreRequestedBackup(dir, backup?.name ?? '', now + 1_000);
  await expectReviewReasons();
});

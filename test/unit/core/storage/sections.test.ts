import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openMigratedDatabase } from '../../../../src/core/storage/database.ts';
import { migrations } from '../../../../src/core/storage/migrations/index.ts';
import { createArrangementsTable } from '../../../../src/core/storage/tables/arrangementsTable.ts';
import {
  chooseSection,
  getReviewReason,
  steps,
  storedReviewReasons,
  type ItemError,
} from '../../../../src/core/storage/tables/itemRecord.ts';
import { createItemsTable } from '../../../../src/core/storage/tables/itemsTable.ts';
import { applyMigrations } from '../../../helpers/applyMigrations.ts';

const account = 'practice#me';
const person = { kind: 'person' } as const;
const stopOf = (code: string): ItemError => ({ kind: 'failed', code, sentence: '', next: [] });
const stops = [null, stopOf('OFFLINE'), ...['ALLOWANCE_USED', 'WOULD_BE_EXTRA', 'USAGE_LIMIT'].map(stopOf)];
/** Every combination of the columns that determine a section. */
const states = steps.flatMap((step) =>
  stops.flatMap((stop) =>
    [null, ...storedReviewReasons].flatMap((review_reason) =>
      [null, 1].map((checked_at) => ({ step, stop, review_reason, checked_at })),
    ),
  ),
);
const idOf = (at: number): string => `it_${at}`;
const ids = states.map((_, at) => idOf(at));
const expected = states.map(({ step, stop, review_reason: reason, checked_at }) =>
  chooseSection({ step, stop, isDeferred: getReviewReason(reason) !== null, isChecked: checked_at !== null }),
);

let dir: string;
let file: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'sections-'));
  file = join(dir, 'companion.db');
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const newItem = (at: number) => ({
  ...{ item_id: idOf(at), account, name: 'thing', by: person, idempotency_key: idOf(at), created_at: 0 },
});

test('the section of an item is stored when the item is added, changed or restored', () => {
  const db = openMigratedDatabase(file);
  const table = createItemsTable(db);
  const arrangements = createArrangementsTable(db);
  const readSections = () => table.pages.summaries(account, ids).map(({ section }) => section);

  db.transaction(() => states.forEach((state, at) => table.add({ ...newItem(at), ...state }, [])))();
  expect(readSections()).toEqual(expected);

  const { items } = arrangements.look(ids);
  db.transaction(() => ids.forEach((id) => table.change(id, { step: 'photos', stop: null, review_reason: null }, 1)))();
  expect(new Set(readSections())).toEqual(new Set(['working']));
  db.transaction(() => states.forEach((state, at) => table.change(idOf(at), state, 2)))();
  expect(readSections()).toEqual(expected);

  db.transaction(() => {
    for (const { section: _section, ...item } of items) {
      table.remove(item.item_id);
      table.putBack(item);
    }
  })();
  expect(readSections()).toEqual(expected);
  db.close();
});

test('a migration stores the sections of existing items', () => {
  const old = new Database(file);
  const before = migrations.findIndex((sql) => sql.includes('column section'));
  applyMigrations(old, before);
  const add = old.prepare(`insert into items (item_id, account, name, by, step, stop, review_reason, checked_at,
    idempotency_key, created_at, updated_at) values (?, ?, 'thing', '{"kind":"person"}', ?, ?, ?, ?, ?, 0, 0)`);
  old.transaction(() => {
    for (const [at, { step, stop, review_reason: reason, checked_at }] of states.entries())
      add.run(idOf(at), account, step, stop && JSON.stringify(stop), reason, checked_at, idOf(at));
  })();
  old.close();
  const db = openMigratedDatabase(file);
  expect(
    createItemsTable(db)
      .pages.summaries(account, ids)
      .map(({ section }) => section),
  ).toEqual(expected);
  db.close();
});

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  createVolatileFields,
  createBoundSubject,
  listUnboundDifferences,
  type VolatileFields,
  type Difference,
} from '../../../../src/core/approvals/subject.ts';
import { listing } from '../../../../src/contract/index.ts';
import { createFieldMovesTable } from '../../../../src/core/storage/tables/fieldMovesTable.ts';
import { openMigratedDatabase, type Db } from '../../../../src/core/storage/database.ts';

let dir: string;
let db: Db;
let fields: VolatileFields;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'fields-'));
  db = openMigratedDatabase(join(dir, 'companion.db'));
  fields = createVolatileFields(createFieldMovesTable(db));
});
afterEach(() => {
  db.close();
  rmSync(dir, { recursive: true, force: true });
});

const account = 'practice#u1';
const createDifference = (field: string, before: unknown, after: unknown): Difference => ({
  path: ['listing', field],
  before,
  after,
});

test('a counter in a listing is treated as volatile after its second change', () => {
  expect(fields.noteDifferences(account, [createDifference('watchers', 3, 4)])).toEqual([]);
  expect(fields.listMoving(account)).toEqual(new Set());
  expect(fields.noteDifferences(account, [createDifference('watchers', 4, 6)])).toEqual(['watchers']);
  expect(fields.listMoving(account)).toEqual(new Set(['watchers']));
  expect(fields.listMoving('practice#u2')).toEqual(new Set());
});

test('a timestamp that keeps changing is volatile, but a text never is', () => {
  const [first, second] = ['2026-11-22T05:00:00.000Z', '2026-11-22T06:00:00.000Z'];
  for (let round = 0; round < 3; round += 1) {
    fields.noteDifferences(account, [createDifference('lastVisitAt', first, second)]);
    fields.noteDifferences(account, [createDifference('slogan', 'Buy', 'Sell')]);
  }
  expect(fields.listMoving(account)).toEqual(new Set(['lastVisitAt']));
});

test('a field of the interface or a field written by this machine is never volatile', () => {
  fields.noteWritten(account, { reserveCents: 100 });
  for (let round = 0; round < 3; round += 1) {
    fields.noteDifferences(account, [createDifference('price', 1, 2)]);
    fields.noteDifferences(account, [createDifference('reserveCents', 1, 2)]);
    // A change next to a changed bound field does not show that the field is volatile.
    fields.noteDifferences(account, [createDifference('watchers', 1, 2), createDifference('title', 'a', 'b')]);
  }
  expect(fields.listMoving(account)).toEqual(new Set());
});

test('a volatile field is bound to approvals again after this machine writes the field', () => {
  fields.noteDifferences(account, [createDifference('boost', 1, 2)]);
  fields.noteDifferences(account, [createDifference('boost', 2, 3)]);
  expect(fields.listMoving(account)).toEqual(new Set(['boost']));
  fields.noteWritten(account, { boost: 9 });
  expect(fields.listMoving(account)).toEqual(new Set());
});

test.each([
  'shippingCostCents',
  'buyerFee',
  'minOfferPrice',
  'totalMinor',
  'lotQuantity',
  'AMOUNT_CENTS',
  'surcharge',
  'stock',
  'taxAmount',
  'postage',
  'deposit',
  'qty_available',
  'dispatchDays',
])('a field named like money or a quantity is never volatile: %s', (field) => {
  for (let round = 0; round < 3; round += 1) fields.noteDifferences(account, [createDifference(field, 1, 2)]);
  expect(fields.listMoving(account)).toEqual(new Set());
});

const subjectWith = (fields: Record<string, unknown>) =>
  createBoundSubject(
    { route: 'publishListing', input: {}, account, askerId: 'person', key: 'print' },
    { listing: listing.parse({ listingId: 'li_1', status: 'pending_review', ...fields }) },
  );

const movedTwice = (field: string): ReadonlySet<string> => {
  const seen = (from: number) =>
    listUnboundDifferences(statsOf(field, from), statsOf(field, from + 1), fields.listMoving(account));
  fields.noteDifferences(account, seen(1));
  fields.noteDifferences(account, seen(2));
  return fields.listMoving(account);
};
const statsOf = (field: string, views: unknown, more: object = {}) => subjectWith({ [field]: { views, ...more } });
const pathsOf = (differences: readonly Difference[]): string[] => differences.map(({ path }) => path.join('.'));

test('a volatile counter does not make its sibling fields volatile', () => {
  const moving = movedTwice('stats');
  expect(moving).toEqual(new Set(['stats.views']));
  const before = statsOf('stats', 3, { carrier: 'The buyer pays', costCents: 499 });
  expect(
    listUnboundDifferences(before, statsOf('stats', 9, { carrier: 'The buyer pays', costCents: 499 }), moving),
  ).toEqual([]);
  const other = statsOf('stats', 9, { carrier: 'The seller pays', costCents: 999, note: { refund: '200 %' } });
  expect(pathsOf(listUnboundDifferences(before, other, moving)).toSorted()).toEqual([
    'listing.stats.carrier',
    'listing.stats.costCents',
    'listing.stats.note.refund',
  ]);
});

test('a volatile counter is compared again if it becomes a text, appears or disappears', () => {
  const moving = movedTwice('stats');
  const before = statsOf('stats', 3);
  expect(pathsOf(listUnboundDifferences(before, statsOf('stats', 'Two free copies'), moving))).toEqual([
    'listing.stats.views',
  ]);
  expect(pathsOf(listUnboundDifferences(before, subjectWith({}), moving))).toEqual(['listing.stats.views']);
  expect(pathsOf(listUnboundDifferences(subjectWith({}), before, moving))).toEqual(['listing.stats.views']);
});

test('the first appearance of a counter is not treated as a change', () => {
  expect(fields.noteDifferences(account, [createDifference('views', undefined, 1)])).toEqual([]);
  expect(fields.noteDifferences(account, [createDifference('views', 1, 2)])).toEqual([]);
  expect(fields.listMoving(account)).toEqual(new Set());
});

test('a written field is bound to approvals again together with all fields inside', () => {
  movedTwice('stats');
  movedTwice('statistics');
  fields.noteWritten(account, { stats: {} });
  expect(fields.listMoving(account)).toEqual(new Set(['statistics.views']));
});

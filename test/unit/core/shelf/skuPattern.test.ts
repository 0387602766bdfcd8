import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { skuPatternShape } from '../../../../src/core/base/shelfFields.ts';
import { createShelf } from '../../../../src/core/shelf/shelf.ts';
import {
  buildSkuFrame,
  formatSku,
  getSkuFrameKey,
  readSkuNumber,
  type SkuFrame,
} from '../../../../src/core/shelf/skuPattern.ts';
import { openMigratedDatabase, type Db } from '../../../../src/core/storage/database.ts';
import { createItemsTable } from '../../../../src/core/storage/tables/itemsTable.ts';
import { createListingsTable } from '../../../../src/core/storage/tables/listings/listingsTable.ts';
import { createSettingsTable } from '../../../../src/core/storage/tables/settingsTable.ts';

const at = new Date(2031, 6, 5).getTime();
const runs = 300;

const needFrame = (pattern: string, place: string | null): SkuFrame => {
  const frame = buildSkuFrame(pattern, { place, at });
  if (frame === null) throw new Error('The pattern needs a place.');
  return frame;
};

test.each([
  ['{place}-{n}', 'A04', 3, 'A04-3'],
  ['{YY}{MM}-{n:4}', null, 12, '3107-0012'],
  ['{place}{letter}', 'B1', 28, 'B1AB'],
  ['S/{place}/{n:2}x', '$&', 123, 'S/$&/123x'],
])('the pattern %s makes the SKU of a place and a number', (pattern, place, number, sku) => {
  expect(formatSku(needFrame(pattern, place), number)).toBe(sku);
});

test('a pattern has exactly one counter, and a pattern with a place needs one', () => {
  for (const pattern of ['{place}', '{n}{letter}', '{n:0}', '{what}-{n}', '{n', 'n', '', '{n}'.padEnd(51, 'x')])
    expect([pattern, skuPatternShape.safeParse(pattern).success]).toEqual([pattern, false]);
  for (const pattern of ['{n}', '{place}-{n:4}', '{YY}{MM}{letter}'])
    expect([pattern, skuPatternShape.safeParse(pattern).success]).toEqual([pattern, true]);
  expect(buildSkuFrame('{place}-{n}', { place: null, at })).toBeNull();
  expect(formatSku(needFrame('{place}-{n}', 'A'.repeat(49)), 1)).toBeNull();
});

test('each number makes another SKU, from which the number can be read', () => {
  const patterns = fc.constantFrom(
    '{place}-{n}',
    '{n:3}/{place}',
    '{place}{letter}',
    '{YY}{MM}-{n:4}',
    'x{letter}{MM}',
  );
  const places = fc.stringMatching(/^[A-Za-z][A-Za-z0-9 .-]{0,8}$/);
  fc.assert(
    fc.property(patterns, places, fc.integer({ min: 1, max: 400_000 }), (pattern, place, number) => {
      const frame = needFrame(pattern, place);
      const sku = formatSku(frame, number) ?? '';
      expect(readSkuNumber(frame, sku)).toBe(number);
      expect(readSkuNumber(frame, sku.toUpperCase())).toBe(number);
      expect(getSkuFrameKey(needFrame(pattern, place.toLowerCase()))).toBe(getSkuFrameKey(frame));
    }),
    { numRuns: runs },
  );
});

let dir: string;
let db: Db;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'shelf-'));
  db = openMigratedDatabase(join(dir, 'companion.db'));
  db.pragma('synchronous = off');
});
afterEach(() => {
  db.close();
  rmSync(dir, { recursive: true, force: true });
});

const openShelf = () => {
  const itemsTable = createItemsTable(db);
  const settings = createSettingsTable(db);
  const shelf = createShelf({
    ...{ table: itemsTable.shelf, itemsTable, listings: createListingsTable(db), settings },
    clock: { now: () => at, elapsedMs: () => 0, sleep: () => Promise.resolve() },
    changed: () => undefined,
    account: () => 'a',
    usualCurrency: () => 'EUR',
  });
  return { shelf, settings, itemsTable };
};

type Step =
  | { act: 'drop' }
  | { act: 'move'; item: number; place: string | null }
  | { act: 'type'; item: number; sku: string | null }
  | { act: 'remove'; item: number }
  | { act: 'pattern'; pattern: string }
  | { act: 'number'; items: number[] };

const item = fc.nat(30);
const place = fc.constantFrom('A0', 'A04', 'a04', 'A', 'A041', null);
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ act: fc.constant('drop' as const) }),
  fc.record({ act: fc.constant('move' as const), item, place }),
  fc.record({ act: fc.constant('type' as const), item, sku: fc.constantFrom('A04-2', 'a04-7', 'A041', 'A1', null) }),
  fc.record({ act: fc.constant('remove' as const), item }),
  fc.record({
    act: fc.constant('pattern' as const),
    pattern: fc.constantFrom('{place}-{n}', '{place}{n}', '{place}{letter}', '{YY}{MM}-{n:4}', '{place}-{n:3}'),
  }),
  fc.record({ act: fc.constant('number' as const), items: fc.array(item, { minLength: 1, maxLength: 4 }) }),
);

test('no sequence of drops, moves, typed SKUs and removals generates one SKU twice', () => {
  let run = 0;
  fc.assert(
    fc.property(fc.array(step, { minLength: 5, maxLength: 60 }), (steps) => {
      db.exec('delete from items; delete from shelf; delete from generated_skus; delete from shelf_edits');
      const { shelf, settings, itemsTable } = openShelf();
      const all: string[] = [];
      const generated = new Set<string>();
      const drop = (): void => {
        const item_id = `it_${++run}`;
        all.push(item_id);
        itemsTable.add(
          { item_id, account: 'a', name: item_id, by: { kind: 'person' }, idempotency_key: item_id, created_at: at },
          [],
        );
      };
      drop();
      const readSku = (itemId: string) => shelf.read({ itemId }).fields.sku;
      for (const one of steps) {
        const target = 'item' in one ? (all[one.item % all.length] ?? '') : '';
        if (one.act === 'drop') drop();
        if (one.act === 'move') shelf.change({ itemIds: [target] }, { place: one.place });
        if (one.act === 'type') shelf.change({ itemIds: [target] }, { sku: one.sku });
        if (one.act === 'pattern') settings.change({ skuPattern: one.pattern });
        if (one.act === 'remove' && all.length > 1) {
          itemsTable.remove(target);
          all.splice(all.indexOf(target), 1);
        }
        if (one.act !== 'number') continue;
        const itemIds = [...new Set(one.items.map((at) => all[at % all.length] ?? ''))];
        const before = new Map(itemIds.map((itemId) => [itemId, readSku(itemId)]));
        shelf.number({ itemIds });
        for (const itemId of itemIds) {
          const sku = readSku(itemId)?.toLowerCase() ?? null;
          if (sku === null || sku === before.get(itemId)?.toLowerCase()) continue;
          expect(generated).not.toContain(sku);
          generated.add(sku);
        }
      }
    }),
    { numRuns: runs },
  );
});

import { expect, test } from 'vitest';
import { createContactSheetChanges } from '../../../../src/core/items/arranging/contactSheetChanges.ts';
import type { ContactSheetOrder, ContactSheetOrderRow } from '../../../../src/core/storage/tables/itemRecord.ts';

const createRow = (itemId: string, ...photoIds: string[]): ContactSheetOrderRow => ({
  ...{ itemId, reviewReason: 'grouped', photoIds },
  unsureIds: photoIds.filter((photoId) => photoId.endsWith('?')),
});

const lamp = createRow('lamp', 'a', 'b?');
const clock = createRow('clock', 'c', 'd');
const vase = createRow('vase', 'b');
const order: ContactSheetOrder = { rows: [lamp, clock] };

test('after a change of one item, a window gets only its row, and the ids of the others in their order', () => {
  const { since } = createContactSheetChanges();
  const first = since(order, null);
  expect(first.rows).toEqual([lamp, clock]);
  expect(since(order, first.mark)).toEqual({ mark: first.mark, rows: ['lamp', 'clock'] });
  const split = since({ rows: [createRow('clock', 'c', 'd'), createRow('lamp', 'a'), vase] }, first.mark);
  expect(split.rows).toEqual(['clock', createRow('lamp', 'a'), vase]);
  expect(since({ rows: [clock, createRow('lamp', 'a')] }, split.mark).rows).toEqual(['clock', 'lamp']);
});

test('a window that missed changes gets all of them, and one with a mark of an earlier run gets all rows', () => {
  const { since } = createContactSheetChanges();
  const { mark } = since(order, null);
  since({ rows: [createRow('lamp', 'a'), clock] }, mark);
  const later: ContactSheetOrder = { rows: [createRow('lamp', 'a'), createRow('clock', 'c')] };
  expect(since(later, mark).rows).toEqual(later.rows);
  expect(createContactSheetChanges().since(later, mark).rows).toEqual(later.rows);
});

test('after the rows were released, a window with an earlier mark gets all rows', () => {
  const { since, release } = createContactSheetChanges();
  const { mark } = since(order, null);
  release();
  const read = since(order, mark);
  expect(read.rows).toEqual([lamp, clock]);
  expect(since(order, read.mark).rows).toEqual(['lamp', 'clock']);
});

import { expect, test } from 'vitest';
import {
  filterTickedRows,
  findNextWeakRow,
  findUntickedRows,
} from '../../../src/renderer/src/screens/approvals/batch/batchRows.ts';
import { makeBatch, markWeakRows } from '../../helpers/fakes/fakeBatch.ts';
import { createReadyItems } from '../../helpers/fakes/fakeReadyItems.ts';

const batch = markWeakRows(makeBatch(createReadyItems(8)));
const [third = '', sixth = ''] = [2, 5].map((at) => batch.rows[at]?.listingId ?? '');
const noChoices = new Map<string, boolean>();
const nothing: ReadonlySet<string> = new Set();

test('the weak rows of the person’s own batch are unticked, and those of an assistant are not', () => {
  expect([...findUntickedRows(batch, noChoices, nothing)]).toEqual([third, sixth]);
  const by = { kind: 'assistant', assistantId: 'ast_1', name: 'Garage helper' } as const;
  expect(findUntickedRows({ ...batch, by }, noChoices, nothing).size).toBe(0);
});

test('a weak row that the person ticked is included, and stays ticked in the next batch', () => {
  const off = findUntickedRows(batch, new Map([[third, true]]), nothing);
  expect([...off]).toEqual([sixth]);
  expect(filterTickedRows(batch.rows, off).map(({ listingId }) => listingId)).toContain(third);
  expect([...findUntickedRows(batch, noChoices, new Set([sixth]))]).toEqual([third]);
  expect([...findUntickedRows(batch, new Map([[sixth, false]]), new Set([third, sixth]))]).toEqual([sixth]);
});

test('the next weak row follows the current one, and the first follows the last', () => {
  const findNext = (from: string | null) => findNextWeakRow(batch.rows, from)?.listingId;
  expect([findNext(null), findNext(third), findNext(sixth)]).toEqual([third, sixth, third]);
  expect(findNext(batch.rows[3]?.listingId ?? '')).toBe(sixth);
  expect(findNextWeakRow(makeBatch(createReadyItems(8)).rows, null)).toBeNull();
});

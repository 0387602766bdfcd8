import { expect, test } from 'vitest';
import type { Money } from '../../src/renderer/src/api/types.ts';
import {
  endWords,
  inOrder,
  noticesOf,
  shownOf,
  standOf,
  tickedOf,
} from '../../src/renderer/src/screens/approvals/batch/batchRows.ts';
import { totalsOf, yesOf } from '../../src/renderer/src/screens/approvals/batch/totals.ts';
import { between } from '../../src/renderer/src/screens/items/select/useSelection.ts';
import { makeBatch, readyItems, stepBatch } from './fakeBatch.ts';

const money = (state: Money['state'], currency: string | null = null, totalMinor: number | null = null): Money => ({
  state,
  currency,
  totalMinor,
  lines: [],
  reason: null,
  quotedAt: 0,
});
const none: ReadonlySet<string> = new Set();
const yes = (...moneys: (Money | null)[]): string => yesOf(totalsOf(moneys));

test('currencies are never added up', () => {
  const totals = totalsOf([money('fee', 'USD', 35), money('fee', 'EUR', 20), money('fee', 'USD', 70)]);
  expect(totals.sums).toEqual([
    { currency: 'USD', totalMinor: 105, count: 2 },
    { currency: 'EUR', totalMinor: 20, count: 1 },
  ]);
  expect(totals).toMatchObject({ free: 0, unknown: 0, count: 3 });
});

test('the yes names the number and the money', () => {
  expect(yes()).toBe('Publish none');
  expect(yes(money('fee', 'USD', 35), money('fee', 'USD', 70))).toBe('Publish 2 for US$1.05');
  expect(yes(money('fee', 'USD', 35), money('fee', 'EUR', 20))).toBe('Publish 2 for US$0.35 + €0.20');
  expect(yes(money('free', 'EUR', 0), money('free', 'EUR', 0))).toBe('Publish 2 for free');
  expect(yes(money('fee', 'USD', 35), money('free'))).toBe('Publish 2 for US$0.35, 1 free');
  expect(yes(money('fee', 'USD', 35), money('unavailable'), null)).toBe('Publish 3 for US$0.35, 2 fees unknown');
  expect(yes(money('unavailable'))).toBe('Publish 1, fee unknown');
  expect(yes(money('free'), money('unavailable'))).toBe('Publish 2, 1 free, 1 fee unknown');
});

test('a fee without an amount or a currency counts as unknown, not as nothing', () => {
  expect(totalsOf([money('fee', 'USD', null), money('fee', null, 35)])).toMatchObject({ sums: [], unknown: 2 });
});

test('only lines that wait and are ticked are part of the yes', () => {
  const batch = makeBatch(readyItems(10));
  expect(tickedOf(batch.rows, none)).toHaveLength(9);
  expect(tickedOf(batch.rows, new Set(['lst_ready-0', 'lst_ready-2']))).toHaveLength(7);
  expect(noticesOf(tickedOf(batch.rows, none))).toHaveLength(1);
  expect(noticesOf(tickedOf(batch.rows.slice(0, 2), none))).toEqual([]);
});

test('what is shown differs as soon as one line does', () => {
  const batch = makeBatch(readyItems(3));
  const [first] = batch.rows;
  const other = batch.rows.map((row) =>
    row === first && row.approval ? { ...row, approval: { ...row.approval, digest: 'other' } } : row,
  );
  expect(shownOf({ ...batch, rows: other })).not.toBe(shownOf(batch));
  expect(shownOf({ ...batch, state: 'sending' })).toBe(shownOf(batch));
});

test('each line says where it stands until all is over', () => {
  const asked = makeBatch(readyItems(10));
  const off = new Set(['lst_ready-1']);
  let batch = {
    ...asked,
    state: 'sending' as (typeof asked)['state'],
    rows: asked.rows.map((row) =>
      row.approval && !off.has(row.listingId)
        ? { ...row, approval: { ...row.approval, state: 'approved' as const } }
        : row,
    ),
  };
  expect(batch.rows.map((row) => standOf(row, true, off)).slice(0, 2)).toEqual(['waiting', 'left']);
  for (let step = 0; step < 20; step += 1) batch = stepBatch(batch);
  expect(batch.state).toBe('over');
  expect(endWords(batch, off)).toBe('6 published, 2 not published, 2 to be asked again');
  expect(inOrder(batch, off).map((row) => standOf(row, false, off))).toEqual([
    'ask',
    'ask',
    'failed',
    'problem',
    ...Array.from({ length: 6 }, () => 'done'),
  ]);
});

test('a range goes either way and starts at the item itself when there is no first', () => {
  expect(between(['a', 'b', 'c', 'd'], 'b', 'd')).toEqual(['b', 'c', 'd']);
  expect(between(['a', 'b', 'c', 'd'], 'd', 'c')).toEqual(['c', 'd']);
  expect(between(['a', 'b'], null, 'b')).toEqual(['b']);
  expect(between(['a', 'b'], 'gone', 'b')).toEqual(['b']);
});

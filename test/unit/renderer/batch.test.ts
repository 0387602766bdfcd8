import { expect, test } from 'vitest';
import type { BatchView, Money } from '../../../src/renderer/src/api/call.ts';
import {
  formatBatchOutcome,
  orderBatchRows,
  listFeeNotices,
  getVisibleContentVersion,
  getBatchRowState,
  filterTickedRows,
  formatBatchActions,
  groupRowsByRoute,
  formatBatchHeading,
  formatGroupHeading,
  formatBatchCountdown,
  sumFeesByCurrency,
  sumRowFees,
  formatApproveLabel,
  type RowWithApproval,
} from '../../../src/renderer/src/screens/approvals/batch/batchRows.ts';
import { makeBatch, makeMixedBatch } from '../../helpers/fakes/fakeBatch.ts';
import { approveRows, stepBatch, takeBackRows } from '../../helpers/fakes/fakeBatchSteps.ts';
import { createReadyItems } from '../../helpers/fakes/fakeReadyItems.ts';

const createMoney = (
  state: Money['state'],
  currency: string | null = null,
  totalMinor: number | null = null,
): Money => ({
  state,
  currency,
  totalMinor,
  lines: [],
  reason: null,
  quotedAt: 0,
});
const none: ReadonlySet<string> = new Set();
const [anyRow] = filterTickedRows(makeBatch(createReadyItems(1)).rows, none);
const createPayingRow = (money: Money | null, route: RowWithApproval['route'] = 'publishListing'): RowWithApproval => {
  if (!anyRow) throw new Error('A batch of one has a row.');
  return { ...anyRow, route, approval: { ...anyRow.approval, route, prompt: { ...anyRow.approval.prompt, money } } };
};
const formatButton = (...moneys: (Money | null)[]): string =>
  formatApproveLabel(moneys.map((money) => createPayingRow(money)));

test('fees in different currencies are never added up', () => {
  const totals = sumFeesByCurrency([
    createMoney('fee', 'USD', 35),
    createMoney('fee', 'EUR', 20),
    createMoney('fee', 'USD', 70),
  ]);
  expect(totals.sums).toEqual([
    { currency: 'USD', totalMinor: 105, count: 2 },
    { currency: 'EUR', totalMinor: 20, count: 1 },
  ]);
  expect(totals).toMatchObject({ free: 0, unknown: 0, count: 3 });
});

test('the approve button of a batch shows the number of listings and the fees', () => {
  expect(formatButton()).toBe('Nothing ticked');
  expect(formatButton(createMoney('fee', 'USD', 35), createMoney('fee', 'USD', 70))).toBe('Publish 2 for US$1.05');
  expect(formatButton(createMoney('fee', 'USD', 35), createMoney('fee', 'EUR', 20))).toBe(
    'Publish 2 for US$0.35 + €0.20',
  );
  expect(formatButton(createMoney('free', 'EUR', 0), createMoney('free', 'EUR', 0))).toBe('Publish 2 for free');
  expect(formatButton(createMoney('fee', 'USD', 35), createMoney('free'))).toBe('Publish 2 for US$0.35, 1 free');
  expect(formatButton(createMoney('fee', 'USD', 35), createMoney('unavailable'), null)).toBe(
    'Publish 3 for US$0.35, fee unknown for 2',
  );
  expect(formatButton(createMoney('unavailable'))).toBe('Publish 1, fee unknown');
  expect(formatButton(createMoney('free'), createMoney('unavailable'))).toBe('Publish 2, 1 free, fee unknown for 1');
});

test('the approve button of a batch names every act, irreversible acts last', () => {
  const ends = [createPayingRow(null, 'endListing'), createPayingRow(null, 'endListing')];
  const fee = createPayingRow(createMoney('fee', 'USD', 35));
  expect(formatApproveLabel([...ends, createPayingRow(null, 'deleteListing')])).toBe('End 2, delete 1');
  expect(formatApproveLabel([...ends, fee, fee])).toBe('Publish 2 for US$0.70, end 2');
  expect(formatApproveLabel([createPayingRow(null, 'reviseListing'), ...ends])).toBe('Change 1, end 2');
  expect(formatApproveLabel([fee, fee, createPayingRow(null)])).toBe('Publish 3 for US$0.70, fee unknown for 1');
});

test('an act without its own button text is named as in its prompt', () => {
  const offers = createPayingRow(null, 'updateListing');
  const named = {
    ...offers,
    approval: { ...offers.approval, prompt: { ...offers.approval.prompt, act: 'Set Best Offer', says: {} } },
  };
  expect(formatApproveLabel([named, named])).toBe('Set Best Offer (2)');
});

test('rows of a batch are grouped by act, and the total includes all rows', () => {
  const { rows } = makeMixedBatch();
  expect(groupRowsByRoute(rows).map((group) => formatGroupHeading(group, rows))).toEqual([
    'Publish 4 listings',
    'Change 1 listing',
    'End 2 listings',
    'Delete 1 listing',
  ]);
  expect(formatBatchActions(groupRowsByRoute(rows))).toBe('Publish 4, change 1, end 2, delete 1');
  expect(sumRowFees(filterTickedRows(rows, none))).toEqual({
    sums: [
      { currency: 'USD', totalMinor: 35, count: 1 },
      { currency: 'EUR', totalMinor: 35, count: 1 },
    ],
    free: 5,
    unknown: 1,
    count: 8,
  });
});

test('all approved rows of a batch share one undo window', () => {
  const batch = makeMixedBatch();
  const ids = new Set(batch.rows.slice(5).flatMap(({ approval }) => approval?.approvalId ?? []));
  const held = approveRows(batch, ids, { holdMs: 5_000, confirmedBy: null });
  expect(held.state).toBe('held');
  expect(formatBatchCountdown(held, 4)).toBe('End 2, delete 1 in 4 s');
  expect(formatBatchOutcome(takeBackRows(held), none)).toBe('3 taken back, 5 to be asked again');
});

test('a fee without an amount or a currency is treated as unknown, not as free', () => {
  expect(sumFeesByCurrency([createMoney('fee', 'USD', null), createMoney('fee', null, 35)])).toMatchObject({
    sums: [],
    unknown: 2,
  });
});

test('only pending and ticked rows are included in the approval of a batch', () => {
  const batch = makeBatch(createReadyItems(10));
  expect(filterTickedRows(batch.rows, none)).toHaveLength(9);
  expect(filterTickedRows(batch.rows, new Set(['lst_ready-0', 'lst_ready-2']))).toHaveLength(7);
  expect(listFeeNotices(filterTickedRows(batch.rows, none))).toHaveLength(1);
  expect(listFeeNotices(filterTickedRows(batch.rows.slice(0, 2), none))).toEqual([]);
});

test('the heading and the button of a batch show the same number of ticked rows', () => {
  const batch = makeBatch(createReadyItems(10));
  const both = (off: ReadonlySet<string>) => [
    formatBatchHeading(batch, off),
    formatApproveLabel(filterTickedRows(batch.rows, off)),
  ];
  expect(both(none)).toEqual(['Publish 9 of 10', expect.stringMatching(/^Publish 9 for /)]);
  expect(both(new Set(['lst_ready-0', 'lst_ready-2']))).toEqual([
    'Publish 7 of 10',
    expect.stringMatching(/^Publish 7 for /),
  ]);
  expect(both(new Set(batch.rows.map(({ listingId }) => listingId)))).toEqual(['Publish 0 of 10', 'Nothing ticked']);
});

test('after approval, the heading of a batch shows how many rows were approved', () => {
  const batch = makeMixedBatch();
  const off = new Set(batch.rows.slice(0, 5).map(({ listingId }) => listingId));
  expect(formatBatchHeading(batch, off)).toBe('End 2, delete 1');
  const ids = new Set(batch.rows.slice(5).flatMap(({ approval }) => approval?.approvalId ?? []));
  expect(formatBatchHeading(approveRows(batch, ids, { holdMs: 5_000, confirmedBy: null }), off)).toBe(
    'End 2, delete 1',
  );
  expect(formatBatchHeading(batch, new Set(batch.rows.map(({ listingId }) => listingId)))).toBe('Publish 0 of 4');
});

test('a batch gets another version when the text of one of its rows changes', () => {
  const batch = makeBatch(createReadyItems(3));
  const [first] = batch.rows;
  const other = batch.rows.map((row) =>
    row === first && row.approval ? { ...row, approval: { ...row.approval, digest: 'other' } } : row,
  );
  expect(getVisibleContentVersion({ ...batch, rows: other })).not.toBe(getVisibleContentVersion(batch));
  expect(getVisibleContentVersion({ ...batch, state: 'sending' })).toBe(getVisibleContentVersion(batch));
});

test('each row of a batch shows its state until all rows have ended', () => {
  const asked = makeBatch(createReadyItems(10));
  const off = new Set(['lst_ready-1']);
  let batch: BatchView = {
    ...asked,
    state: 'sending',
    rows: asked.rows.map((row) =>
      row.approval && !off.has(row.listingId)
        ? { ...row, approval: { ...row.approval, state: 'approved' as const } }
        : row,
    ),
  };
  expect(batch.rows.map((row) => getBatchRowState(row, true, off)).slice(0, 2)).toEqual(['waiting', 'left']);
  for (let step = 0; step < 20; step += 1) batch = stepBatch(batch);
  expect(batch.state).toBe('over');
  expect(formatBatchOutcome(batch, off)).toBe('6 published, 2 not published, 2 to be asked again');
  expect(orderBatchRows(batch, batch.rows, off).map((row) => getBatchRowState(row, false, off))).toEqual([
    'ask',
    'ask',
    'failed',
    'problem',
    ...Array.from({ length: 6 }, () => 'done'),
  ]);
});

test('a refused row that appears done on the service is not counted as failed', () => {
  const row = createPayingRow(null, 'publishListing');
  const outcome = { sentence: 'Told.', code: 'REFUSED_YET_DONE', url: null };
  const rows: RowWithApproval[] = [{ ...row, approval: { ...row.approval, state: 'failed', outcome } }];
  const batch: BatchView = { ...makeBatch(createReadyItems(1)), state: 'over', rows };
  expect(formatBatchOutcome(batch, none)).toBe('1 not confirmed yet');
});

test('rows that could not be checked are counted separately from changed rows', () => {
  const ended = (code: string | null): RowWithApproval => {
    const row = createPayingRow(null, 'reviseListing');
    return { ...row, approval: { ...row.approval, state: 'done', outcome: { sentence: 'Told.', code, url: null } } };
  };
  const rows = [ended(null), ended('NOT_CHECKED'), ended(null)];
  const batch: BatchView = { ...makeBatch(createReadyItems(1)), state: 'over', rows };
  expect(formatBatchOutcome(batch, none)).toBe('2 changed, 1 could not be checked');
  expect(rows.map((row) => getBatchRowState(row, false, none))).toEqual(['done', 'unchecked', 'done']);
});

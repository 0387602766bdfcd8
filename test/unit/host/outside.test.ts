import { expect, test } from 'vitest';
import type { ApprovalView } from '../../../src/core/storage/tables/approvalRecord.ts';
import { toPlainLine } from '../../../src/host/noticeText.ts';
import { createHostTranslator } from '../../../src/host/hostTranslator.ts';
import type { BatchView } from '../../../src/core/approvals/batches.ts';
import { watchPendingApprovals } from '../../../src/host/watchCompanion.ts';
import { isOwnAddress, isOwnFrame } from '../../../src/main/appAddress.ts';
import { computeReviewBounds } from '../../../src/main/window/windowBounds.ts';
import { createMessage } from '../../../src/i18n/message.ts';
import { formatApprovalLabel, formatPendingCount } from '../../../src/main/tray/pendingApprovals.ts';
import { createFakeRunning } from '../../helpers/hosts/createFakeRunning.ts';

const own = 'app://companion/index.html#/approvals';

test('only the top frame of the app’s own page can call the companion', () => {
  expect(isOwnFrame({ url: own, parent: null })).toBe(true);
  expect(isOwnFrame({ url: own, parent: {} })).toBe(false);
  expect(isOwnFrame(null)).toBe(false);
  for (const url of [
    'app://companion.example/',
    'app://companionx/',
    'app://other/',
    'https://companion/',
    'about:blank',
    'data:text/html,app://companion/',
    'blob:app://companion/1',
    '',
  ]) {
    expect([url, isOwnFrame({ url, parent: null }), isOwnAddress(url)]).toEqual([url, false, false]);
  }
});

test('untrusted text becomes one line with visible control characters', () => {
  expect(toPlainLine('  a\n\tb  ', 20)).toBe('a b');
  expect(toPlainLine('free\u202egpj\u0007\u200b', 40)).toBe('free‹U+202E›gpj‹U+0007›‹U+200B›');
  expect(toPlainLine('fo\u034fx A\ufe0f', 40)).toBe('fo‹U+034F›x A‹U+FE0F›');
  const long = toPlainLine(`${'x'.repeat(500)} · US$5.00 · Publish for US$0.35`, 60);
  expect([...long]).toHaveLength(60);
  expect(long).toMatch(/^x+….*Publish for US\$0\.35$/);
  expect(toPlainLine('🙂'.repeat(30), 10)).toBe(`${'🙂'.repeat(6)}…${'🙂'.repeat(3)}`);
});

test('an ampersand is escaped in a tray menu item', () => {
  const target = { listingId: null, title: 'Salt & pepper\u202e', photoUrl: null, photos: [] };
  const translator = createHostTranslator(['de']);
  expect(formatApprovalLabel({ act: 'Publish on the US site', target, mainFact: null }, translator)).toBe(
    'Publish on the US site: Salt && pepper‹U+202E›',
  );
  expect(formatApprovalLabel({ act: 'Buy 3 extras', target: null, mainFact: null }, translator)).toBe('Buy 3 extras');
  expect([0, 1, 2].map((count) => formatPendingCount(count, translator.format))).toEqual([
    'Nothing is waiting for you',
    '1 request is waiting for you',
    '2 requests are waiting for you',
  ]);
});

test('a tray menu item with a long title still ends with the main fact', async () => {
  const translator = createHostTranslator(['de']);
  await translator.setLanguage('de');
  const target = { listingId: null, title: 'Fox '.repeat(40), photoUrl: null, photos: [] };
  const mainFact = createMessage('values.changes', {
    before: createMessage('values.amount', { amount: { minor: 999, currency: 'EUR' } }),
    after: createMessage('values.amount', { amount: { minor: 899, currency: 'EUR' } }),
  });
  const says = { act: createMessage('prompts.revise'), mainFact };
  const label = formatApprovalLabel({ act: 'Change', target, mainFact: '€9.99 → €8.99', says }, translator);
  expect(label.replaceAll('\u00a0', ' ')).toMatch(/^Das laufende Angebot ändern: Fox .*….* Fox · 9,99 € → 8,99 €$/);
  expect([...label]).toHaveLength(70);
});

const bounds = { x: 0, y: 0, width: 1920, height: 1080 };
const none = { x: 0, y: 0, width: 0, height: 0 };

test.each([
  ['a menu bar at the top', { x: 1500, y: 0, width: 24, height: 24 }, { ...bounds, y: 24, height: 1056 }, [1252, 32]],
  ['a task bar at the bottom', { x: 1700, y: 1045, width: 24, height: 24 }, { ...bounds, height: 1040 }, [1392, 272]],
  ['a task bar at the left', { x: 4, y: 1000, width: 24, height: 24 }, { ...bounds, x: 60, width: 1860 }, [68, 232]],
  ['a panel at the bottom, unknown tray position', none, { ...bounds, height: 1040 }, [1392, 272]],
  ['a panel at the top, unknown tray position', none, { ...bounds, y: 30, height: 1050 }, [1392, 38]],
  ['a second screen without a panel', none, { x: 0, y: 0, width: 1920, height: 1080 }, [1392, 8]],
])('the compact window opens near the tray or panel: %s', (_where, tray, workArea, [x, y]) => {
  expect(computeReviewBounds(tray, { bounds, workArea })).toEqual({ x, y, width: 520, height: 760 });
});

test('on a small screen, the compact window shrinks to fit', () => {
  const small = { x: 0, y: 0, width: 480, height: 600 };
  expect(computeReviewBounds(none, { bounds: small, workArea: small })).toEqual({
    x: 8,
    y: 8,
    width: 464,
    height: 584,
  });
});

const createApproval = (approvalId: string, placeSeq: number, state = 'pending') =>
  ({ approvalId, placeSeq, askedAt: -placeSeq, state }) as unknown as ApprovalView;
const createBatch = (batchId: string, ...approvalIds: string[]) =>
  ({
    batchId,
    state: 'waiting',
    rows: approvalIds.map((id) => ({ approval: createApproval(id, 1) })),
  }) as unknown as BatchView;
const waitForUpdates = () => new Promise((resolve) => setTimeout(resolve, 5));

/** Creates a companion with settable lists of approvals and batches. `reads` counts the reads of the approvals. */
const createListCompanion = () => {
  const running = createFakeRunning();
  const state = { list: [] as ApprovalView[] | null, batches: [] as BatchView[], reads: 0 };
  running.handlers['batch.list'] = async () => state.batches;
  running.handlers['approvals.list'] = async () => {
    state.reads += 1;
    if (state.list === null) throw new Error('closed');
    return state.list;
  };
  return { running, state };
};

test('pending approvals are reported at the start and after each change', async () => {
  const { running, state } = createListCompanion();
  const reports: string[][] = [];
  const stop = watchPendingApprovals(running, ({ approvals }) =>
    reports.push(approvals.map(({ approvalId }) => approvalId)),
  );
  await waitForUpdates();
  state.list = [createApproval('c', 1, 'sending'), createApproval('a', 2), createApproval('b', 3)];
  running.change('items');
  await waitForUpdates();
  running.change('approvals');
  await waitForUpdates();
  running.change('app');
  await waitForUpdates();
  expect(reports).toEqual([[], ['a', 'b']]);
  expect(state.reads).toBe(3);
  state.list = null;
  running.change('approvals');
  await waitForUpdates();
  expect(reports).toHaveLength(2);
  stop();
  state.list = [];
  running.change('approvals');
  await waitForUpdates();
  expect(reports).toHaveLength(2);
});

test('an outdated list of pending approvals is not reported', async () => {
  const { running, state } = createListCompanion();
  const reports: number[] = [];
  watchPendingApprovals(running, ({ approvals }) => reports.push(approvals.length));
  state.list = [createApproval('a', 1)];
  for (let change = 0; change < 5; change += 1) running.change('approvals');
  await waitForUpdates();
  expect(reports).toEqual([1]);
  expect(state.reads).toBe(2);
});

test('a batch that appears, shrinks or disappears is reported', async () => {
  const { running, state } = createListCompanion();
  const reports: string[][] = [];
  watchPendingApprovals(running, ({ batches }) =>
    reports.push(batches.flatMap(({ rows }) => rows.flatMap((row) => row.approval?.approvalId ?? []))),
  );
  await waitForUpdates();
  for (const batches of [[createBatch('ba', 'a', 'b')], [createBatch('ba', 'a')], [createBatch('ba', 'a')], []]) {
    state.batches = batches;
    running.change('approvals');
    await waitForUpdates();
  }
  expect(reports).toEqual([[], ['a', 'b'], ['a'], []]);
});

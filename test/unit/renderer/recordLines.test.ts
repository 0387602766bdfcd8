import { expect, test } from 'vitest';
import type { HistoryRow } from '../../../src/core/approvals/ledger/history.ts';
import { formatRecordRow } from '../../../src/renderer/src/screens/approvals/record/recordLines.ts';

const evidence = { way: 'window', windowSession: 'ws_1', drawnAs: 'prompt', dwellMs: 2_000, isAutomated: false };
const createRow = (facts: Record<string, unknown>, kind = 'approval.approve'): HistoryRow => ({
  ...{ seq: 1, at: 0, day: '', kind, facts, title: null, act: null, approval: null },
});

test.each([
  ['passkey', 'You said yes · Confirmed by fingerprint or key'],
  ['system', 'You said yes · Confirmed in the system’s dialog'],
  ['pin', 'You said yes · Confirmed by PIN'],
])('the history says how a yes was given: %s', (kind, words) => {
  expect(formatRecordRow(createRow({ evidence, proof: { proofId: 'pr_1', kind, hash: 'hash' } }))).toBe(words);
});

test('the history says that a yes was only a press of the button', () => {
  expect(formatRecordRow(createRow({ evidence }))).toBe('You said yes · Confirmed by pressing the button');
});

test('the history adds nothing to a yes of an older version, or to a no', () => {
  expect(formatRecordRow(createRow({}))).toBe('You said yes');
  expect(formatRecordRow(createRow({ evidence }, 'approval.decline'))).toBe('You declined');
});

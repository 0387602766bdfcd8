import { expect, onTestFinished, test, vi } from 'vitest';
import type { HistoryRow } from '../../../src/core/approvals/ledger/history.ts';
import { setLanguage } from '../../../src/renderer/src/i18n.ts';
import {
  findRecordOutcome,
  findRecordSubject,
  formatRecordRow,
  formatTitles,
} from '../../../src/renderer/src/screens/approvals/record/recordLines.ts';

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

type Approval = NonNullable<HistoryRow['approval']>;
const fee: Approval['money'] = {
  ...{ state: 'fee', currency: 'USD', totalMinor: 35, lines: [], reason: null, quotedAt: 0 },
};
const createApproval = (changes: Partial<Approval>): Approval => ({
  ...{ state: 'done', route: 'publishListing', by: { kind: 'person' }, outcome: null, money: fee },
  ...changes,
});
const uncheckedOutcome = { sentence: '', code: 'NOT_CHECKED', url: null };

test.each<[Partial<Approval>, string | null, object]>([
  [{}, null, { sign: 'yes', word: 'Published', amount: 'US$0.35', isPaid: true }],
  [{ route: 'endListing', money: null }, null, { sign: 'yes', word: 'Ended', amount: '' }],
  [{ route: 'updateUser', money: null }, null, { sign: 'yes', word: 'Done' }],
  [{ state: 'pending' }, null, { sign: 'waiting', word: 'Waiting for you', amount: 'US$0.35', isPaid: false }],
  [{ state: 'declined' }, null, { sign: 'no', word: 'You declined', amount: '' }],
  [{ state: 'failed' }, null, { sign: 'wrong', word: 'Refused by the service', amount: '' }],
  [{ state: 'unconfirmed' }, null, { sign: 'wrong', word: 'Not confirmed yet', amount: 'US$0.35', isPaid: false }],
  [{ outcome: uncheckedOutcome }, null, { sign: 'wrong', word: 'Could not be checked', isPaid: true }],
  [{}, 'approval.differs', { sign: 'wrong', word: 'Live differs', amount: 'US$0.35', isPaid: true }],
])(
  'the outcome of a request has a sign, a word, and an amount unless nothing was done: %o %s',
  (changes, kind, wanted) => {
    expect(findRecordOutcome(createApproval(changes), kind)).toMatchObject(wanted);
  },
);

test('the history says that a yes was only a press of the button', () => {
  expect(formatRecordRow(createRow({ evidence }))).toBe('You said yes · Confirmed by pressing the button');
});

test('the history adds no evidence to approvals of older versions or to declines', () => {
  expect(formatRecordRow(createRow({}))).toBe('You said yes');
  expect(formatRecordRow(createRow({ evidence }, 'approval.decline'))).toBe('You declined');
});

test.each([
  [{ call: 'app.pause' }, 'Not done, because it was not confirmed · Resume all work'],
  [{ count: 10 }, 'Not done, because it was not confirmed · Resume all work · at least 10 times within a minute'],
])('a refused call names its act, and repeats their number: %o', (facts, words) => {
  const about = [{ act: 'Resume all work', says: null, title: null }];
  expect(formatRecordRow({ ...createRow(facts, 'proof.missing'), about })).toBe(words);
});

test('a confirmation of several approvals names each with its listing', () => {
  const about = ['Red shoes', 'Blue shoes'].map((title) => ({ act: 'Publish on the US site', says: null, title }));
  const row = { ...createRow({}, 'proof.given'), about };
  const acts = 'Publish on the US site: Red shoes · Publish on the US site: Blue shoes';
  expect(findRecordSubject(row)).toBe(acts);
  expect(formatRecordRow(row)).toBe(`You confirmed by fingerprint, key or PIN · ${acts}`);
});

const resetLanguage = async () => {
  await setLanguage('en');
  vi.unstubAllGlobals();
};

test.each([
  ['en', '“Lamp · Chair”', "“Lamp” · “27' monitor · Chair”"],
  ['de', '„Lamp · Chair“', "„Lamp“ · „27' monitor · Chair“"],
  ['es', '«Lamp · Chair»', "«Lamp» · «27' monitor · Chair»"],
  ['fr', '«\u00a0Lamp · Chair\u00a0»', "«\u00a0Lamp\u00a0» · «\u00a027' monitor · Chair\u00a0»"],
  ['it', '“Lamp · Chair”', "“Lamp” · “27' monitor · Chair”"],
  ['nl', '“Lamp · Chair”', "“Lamp” · “27' monitor · Chair”"],
  ['pl', '„Lamp · Chair”', "„Lamp” · „27' monitor · Chair”"],
] as const)('a title with a dot never looks like two titles: %s', async (language, one, two) => {
  onTestFinished(resetLanguage);
  vi.stubGlobal('document', { documentElement: {} });
  await setLanguage(language);
  expect(formatTitles(['Lamp'])).toBe('Lamp');
  expect(formatTitles(['Lamp · Chair'])).toBe(one);
  expect(findRecordSubject({ ...createRow({}), title: 'Lamp · Chair' })).toBe(one);
  expect(formatTitles(['Lamp', '27” monitor · Chair'])).toBe(two);
  const about = [{ act: 'End', says: null, title: 'Lamp · Chair' }];
  expect(findRecordSubject({ ...createRow({}, 'proof.given'), about })).toBe(`End: ${one}`);
});

import { expect, test } from 'vitest';
import type { ApprovalView, Namespace, PromptFact } from '../../../src/core/storage/tables/approvalRecord.ts';
import {
  findNewestApproval,
  getUndoWindowAction,
  isInUndoWindow,
  formatApprovalState,
  findListingLocks,
  formatListingLock,
  formatSavedAfter,
  listPendingApprovals,
} from '../../../src/renderer/src/screens/approvals/approvalText.ts';
import { listCommonSentences } from '../../../src/renderer/src/screens/approvals/batch/batchRows.ts';
import { groupFactsByOrigin, findListingFact } from '../../../src/renderer/src/screens/approvals/PromptFacts.tsx';
import { formatBatchState, formatRecordRow } from '../../../src/renderer/src/screens/approvals/record/recordLines.ts';
import { countSecondsLeft } from '../../../src/renderer/src/components/text/RelativeTime.tsx';
import { approvalKinds, endApproval, publishApproval } from '../../helpers/fakes/fakeApprovals.ts';
import { makeAssistantBatch } from '../../helpers/fakes/fakeBatch.ts';

const createFact = (namespace: Namespace, key: string, value: string): PromptFact => ({
  namespace,
  key,
  label: key,
  value,
});

test('prompt facts with foreign names are grouped separately from the companion’s own facts', () => {
  const { prompt } = approvalKinds.masked();
  const groups = groupFactsByOrigin(prompt);
  expect(groups.map(({ namespace, raw }) => [namespace, raw])).toEqual([
    ['listing', false],
    ['defaults', false],
    ['specifics', true],
    ['policies', true],
    ['record', true],
  ]);
  expect(findListingFact(prompt.facts, 'price')?.value).toBe('US$34.99');
  expect(findListingFact([createFact('specifics', 'price', 'US$1.00')], 'price')).toBeUndefined();
});

test('every fact of a prompt is in exactly one group, except the title above the groups', () => {
  const { prompt } = publishApproval();
  const facts = [createFact('specifics', 'title', 'A box'), ...prompt.facts];
  const shown = groupFactsByOrigin({ ...prompt, facts }).flatMap((group) => group.facts);
  expect(shown).toHaveLength(facts.length - 1);
  expect(shown.some(({ namespace, key }) => namespace === 'listing' && key === 'title')).toBe(false);
  // Without a heading above the groups, the title is an ordinary fact.
  expect(groupFactsByOrigin({ facts, target: null }).flatMap((group) => group.facts)).toHaveLength(facts.length);
});

test.each<[ApprovalView['state'], string | null]>([
  ['pending', null],
  ['approved', 'Being ended'],
  ['sending', 'Being ended'],
  ['unconfirmed', 'Not known yet whether your yes went through'],
  ['done', null],
])('while the approval to end a listing is %s, the text about its lock is: %s', (state, words) => {
  const lock = findListingLocks([publishApproval(), endApproval({ state })]).get('lst_fox') ?? null;
  expect(lock && formatListingLock(lock)).toBe(words);
  expect(findListingLocks([endApproval({ state })]).has('lst_other')).toBe(false);
});

test('a queued edit shows when it will be saved', () => {
  expect(formatSavedAfter('publish')).toBe('Saved as soon as it is published');
  expect(formatSavedAfter('unknown')).toBe('Saved as soon as the listing is free again');
  expect(formatSavedAfter(null)).toBe('Saved as soon as the listing is free again');
});

test('an approval in its undo window is recognized, and its remaining seconds are rounded up', () => {
  const held = approvalKinds.held({ heldUntil: 10_000 });
  expect(isInUndoWindow(held)).toBe(true);
  expect(isInUndoWindow({ ...held, state: 'sending' })).toBe(false);
  expect([5_000, 4_999, 1, 0, -2_000].map(countSecondsLeft)).toEqual([5, 5, 1, 0, 0]);
  expect(
    (['endListing', 'deleteTemplate', 'revokeCurrentKey', 'updateUser'] as const).map(getUndoWindowAction),
  ).toEqual(['end', 'delete', 'disconnect', 'other']);
});

test('an approval that the person has withdrawn is shown as taken back', () => {
  const taken = endApproval({ state: 'withdrawn', outcome: { sentence: '', code: 'TAKEN_BACK', url: null } });
  expect(formatApprovalState(taken)).toBe('You took it back');
  expect(formatApprovalState({ ...taken, outcome: null })).toBe('You took it back');
  const ended = { sentence: 'Another account was connected.', code: 'ACCOUNT_CHANGED', url: null };
  expect(formatApprovalState({ ...taken, outcome: ended })).toBe('Withdrawn');
  expect(formatApprovalState({ ...publishApproval({ state: 'withdrawn', outcome: null }) })).toBe('Withdrawn');
  const row = { seq: 1, at: 1, day: '', kind: 'approval.withdraw', title: null, act: null, approval: null };
  expect(formatRecordRow({ ...row, facts: { by: 'person' } })).toBe('You took your question back, nothing was sent');
  expect(formatRecordRow({ ...row, facts: {} })).toBe('The assistant withdrew its question');
});

test('an outcome that could not be checked is not shown as done', () => {
  const outcome = { sentence: '', code: 'NOT_CHECKED', url: null };
  expect(formatApprovalState(endApproval({ state: 'done', outcome }))).toBe('Could not be checked');
  expect(formatApprovalState(endApproval({ state: 'done', outcome: { ...outcome, code: null } }))).toBe('Done');
});

test('a batch is listed once among the pending approvals, in the order of the requests', () => {
  const batch = { ...makeAssistantBatch(3), placeSeq: 2, askedAt: 2_000 };
  const rows = batch.rows.flatMap(({ approval }) => approval ?? []);
  const [first, last] = [
    publishApproval({ placeSeq: 1, askedAt: 5_000 }),
    // The clock was set back.
    endApproval({ placeSeq: 3, askedAt: 500 }),
  ];
  const over = { ...batch, batchId: 'bat_over', state: 'over' as const, rows: [] };
  expect(listPendingApprovals([last, ...rows, first], [batch, over]).map(({ id }) => id)).toEqual([
    first.approvalId,
    batch.batchId,
    last.approvalId,
  ]);
});

test('the consequence of a batch is worded in the plural', () => {
  const means = { key: 'prompts.publishMeans' } as const;
  const rows = makeAssistantBatch(3).rows.map((row) =>
    row.approval === null
      ? row
      : {
          ...row,
          approval: {
            ...row.approval,
            prompt: {
              ...row.approval.prompt,
              consequence: 'The listing goes live at once.',
              says: { consequence: means },
            },
          },
        },
  );
  expect(listCommonSentences(rows, 'consequence')).toEqual([
    'The listings go live at once, for everybody to see and buy.',
  ]);
  expect(listCommonSentences(rows.slice(0, 1), 'consequence')).toEqual(['The listing goes live at once.']);
  expect(listCommonSentences(rows, 'undo')).toHaveLength(1);
});

test('a batch without any success shows the reason instead of a count', () => {
  const ended = (state: ApprovalView['state'], by: ApprovalView['by'], from = 0) => {
    const batch = makeAssistantBatch(3);
    const rows = batch.rows.map(
      (row, at) =>
        row.approval && {
          ...row,
          approval: { ...row.approval, by, outcome: null, state: at < from ? ('done' as const) : state },
        },
    );
    return formatBatchState({ ...batch, state: 'over', rows: rows.filter((row) => row !== null) });
  };
  const { by } = makeAssistantBatch(3);
  expect(ended('withdrawn', { kind: 'person' })).toBe('You took it back');
  expect(ended('declined', by)).toBe('You declined');
  expect(ended('declined', by, 1)).toBe('1 published, 2 left out');
  expect(ended('done', by)).toBe('3 published');
});

test('the newest approval is chosen by its ledger position, not by the wall clock', () => {
  const before = { ...publishApproval({ placeSeq: 1, askedAt: 5_000 }), decidedAt: 6_000 };
  const after = { ...publishApproval({ placeSeq: 2, askedAt: 1_000 }), decidedAt: 2_000 };
  expect(findNewestApproval([before, after])).toBe(after);
  expect(findNewestApproval([])).toBeNull();
});

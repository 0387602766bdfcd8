import type { Guard } from './guard.ts';

const settle = 'src/core/approvals/settle.ts';
const later = ['test/flows/approvals/claimsLater.test.ts'];

/** What keeps the word of the service from being taken for the truth. */
export const claimGuards: readonly Guard[] = [
  {
    id: 'claim-read',
    keeps: 'An act that no reading shows is not done because the service says so.',
    file: settle,
    source: "if (verdict?.shows === 'done' || verdict?.shows === 'nothing') {",
    without: 'if (verdict) {',
    tests: ['test/flows/approvals/claims.test.ts'],
    only: 'answers done, and reading says not done',
  },
  {
    id: 'contradiction-told',
    keeps: 'A lasting contradiction is told as one.',
    file: settle,
    source:
      "if (isRead && !isContradicted(row)) moveApproval(context, row, 'contradict', { outcome: contradictedOutcome() });",
    without: '',
    tests: ['test/flows/approvals/claims.test.ts'],
    only: 'answers done, and reading says not done',
  },
  {
    id: 'claim-hidden',
    keeps: 'What the service claims is no answer for an assistant until the listing agrees.',
    file: 'src/bridge/assistantRecords.ts',
    source: 'row.answer && isFinal(row.state) ?',
    without: 'row.answer ?',
    tests: later,
    only: 'is no answer for its assistant before',
  },
];

import type { Guard } from './guard.ts';

const repeats = 'src/core/approvals/checks/repeats.ts';
const answered = ['test/flows/approvals/answeredNos.test.ts'];

/** What an assistant may ask again: after a no, and after it took its own prompt away. */
export const repeatGuards: readonly Guard[] = [
  {
    id: 'declined-stays-declined',
    keeps: 'A yes to another request leaves the no to what was declined.',
    file: repeats,
    source: ': !isLifted(one, key, history),',
    without: ': isOpen(one),',
    tests: answered,
    only: 'to another request leaves the no',
  },
  {
    id: 'details-answer-details',
    keeps: 'Only the no to the details is answered by another detail.',
    file: repeats,
    source: "(why === 'wrong_details' && isDetailChange(declined, facts))",
    without: 'isDetailChange(declined, facts)',
    tests: answered,
    only: 'is the only reason',
  },
];

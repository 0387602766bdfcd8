import type { Guard } from './guard.ts';

const repeats = 'src/core/approvals/checks/repeats.ts';
const answered = ['test/flows/approvals/answeredNos.test.ts'];
const late = ['test/flows/approvals/lateNos.test.ts'];
const limit = ['test/flows/approvals/promptLimit.test.ts'];
const batches = ['test/flows/approvals/batches/leftBatches.test.ts'];
const names = ['test/unit/core/assistants/assistantName.test.ts'];

/** What an assistant may ask again: after a no, and after it took its own prompt away. */
export const repeatGuards: readonly Guard[] = [
  {
    id: 'declined-stays-declined',
    keeps: 'A yes to another request leaves the no to what was declined.',
    file: repeats,
    source: ': !isDeclineLifted(earlier, key, history),',
    without: ': isDeclineOpen(earlier),',
    tests: answered,
    only: 'approving another request keeps',
  },
  {
    id: 'details-answer-details',
    keeps: 'Only the no to the details is answered by another detail.',
    file: repeats,
    source: "(why === 'wrong_details' && isDetailChange(declined, facts))",
    without: 'isDetailChange(declined, facts)',
    tests: answered,
    only: 'gave the details as its reason',
  },
  {
    id: 'late-no-counts',
    keeps: 'A no counts also where its prompt left in the same moment.',
    file: 'src/core/storage/tables/approvalRecord.ts',
    source: "  ...statesOfLateNo.flatMap((from) => listMovesFrom(from, { decline: 'declined' })),\n",
    without: '',
    tests: late,
    only: 'superseded without a successor',
  },
  {
    id: 'no-to-successor',
    keeps: 'A no to a superseded prompt is also a no to the one that took its place.',
    file: 'src/core/approvals/decide.ts',
    source: 'for (const later of [next, ...listLaterPrompts(context, row)])',
    without: 'for (const later of [] as ApprovalRow[])',
    tests: late,
    only: 'also declines its successor',
  },
  {
    id: 'no-to-asked-again',
    keeps: 'A no to a withdrawn prompt is also a no to the same that was asked since.',
    file: 'src/core/approvals/decide.ts',
    source: 'of [next, ...listLaterPrompts(context, row)]',
    without: 'of [next]',
    tests: late,
    only: 'that was requested again',
  },
  {
    id: 'no-back-to-declined',
    keeps: 'An assistant that changes its correction back to what was declined gets no prompt of it.',
    file: repeats,
    source: ' || isDeclineInForce(context, fresh, { key, history })',
    without: '',
    tests: limit,
    only: 'reverts its correction',
  },
  {
    id: 'own-drop-counts',
    keeps: 'A prompt that its assistant dropped by changing the listing counts as one that it took back.',
    file: repeats,
    source: '  if (row.changed_by_asker === 1) return true;\n',
    without: '',
    tests: limit,
    only: 'gets no third prompt',
  },
  {
    id: 'own-redraw-ends',
    keeps: 'A yes that meets a change of its assistant again and again ends the prompt.',
    file: 'src/core/approvals/request.ts',
    source: '    checkRedrawAllowed(context, row, fresh.subject);\n',
    without: '',
    tests: limit,
    only: 'edits the listing before each approval',
  },
  {
    id: 'redraw-of-others-free',
    keeps: 'Changes of the person and of the service are not held against an assistant.',
    file: repeats,
    source: 'ownWrites.agoMs(askerId, listingId) <= ages.ageMs(id, shownAt)',
    without: 'ownWrites.agoMs(askerId, listingId) <= Infinity',
    tests: limit,
    only: 'do not count towards the assistant’s limit',
  },
  {
    id: 'batches-taken-away',
    keeps: 'An assistant that takes batches away gets no third one.',
    file: 'src/core/approvals/batches.ts',
    source: '  context.approvals.checkBatches(by);\n',
    without: '',
    tests: batches,
    only: 'gets no third batch',
  },
  {
    id: 'no-name-of-ours',
    keeps: 'No assistant has a name that reads like a message of the companion.',
    file: 'src/core/assistants/assistantName.ts',
    source: '!containsCompanionName(name)',
    without: 'true',
    tests: names,
    only: 'reads like a message of the companion',
  },
];

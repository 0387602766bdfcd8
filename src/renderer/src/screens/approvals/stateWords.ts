import type { ApprovalView } from '../../api/types.ts';

type State = ApprovalView['state'];

/** Each state of an approval as the person reads it. */
export const stateWords: Readonly<Record<State, string>> = {
  pending: 'Waiting for you',
  approved: 'You said yes',
  sending: 'Being sent',
  done: 'Done',
  failed: 'Refused by the service',
  unconfirmed: 'Not confirmed yet',
  declined: 'You declined',
  expired: 'Time ran out',
  withdrawn: 'Withdrawn',
  superseded: 'Replaced',
};

export const isWaiting = (approval: Pick<ApprovalView, 'state'>): boolean => approval.state === 'pending';

/** In the middle of it: the yes is given, the answer is not here yet. */
export const isUnderway = (state: State): boolean => state === 'approved' || state === 'sending';

const settled: readonly State[] = ['done', 'failed', 'declined', 'expired', 'withdrawn', 'superseded'];

/** Nothing more can happen to it; the record has it. */
export const isOver = (approval: Pick<ApprovalView, 'state'>): boolean => settled.includes(approval.state);

/** Who asks: the name that an assistant gave itself, or the person. */
export const askerOf = (approval: Pick<ApprovalView, 'by'>): string =>
  approval.by.kind === 'person' ? 'You' : approval.by.name;

/** The waiting ones, first come first served. */
export const inLine = (approvals: readonly ApprovalView[]): ApprovalView[] =>
  approvals.filter(isWaiting).sort((a, b) => a.askedAt - b.askedAt);

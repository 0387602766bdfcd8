import type { ApprovalView } from '../../api/types.ts';
import { t } from '../../i18n/t.ts';

type State = ApprovalView['state'];

/** Each state of an approval as the person reads it. */
export const stateWords = (state: State): string => t(`approvals.state.${state}`);

export const isWaiting = (approval: Pick<ApprovalView, 'state'>): boolean => approval.state === 'pending';

/** In the middle of it: the yes is given, the answer is not here yet. */
export const isUnderway = (state: State): boolean => state === 'approved' || state === 'sending';

const settled: readonly State[] = ['done', 'failed', 'declined', 'expired', 'withdrawn', 'superseded'];

/** Nothing more can happen to it; the record has it. */
export const isOver = (approval: Pick<ApprovalView, 'state'>): boolean => settled.includes(approval.state);

/** Who asks: the name that an assistant gave itself, or the person. */
export const askerOf = (approval: Pick<ApprovalView, 'by'>): string =>
  approval.by.kind === 'person' ? t('approvals.you') : approval.by.name;

/** The waiting ones, first come first served. */
export const inLine = (approvals: readonly ApprovalView[]): ApprovalView[] =>
  approvals.filter(isWaiting).sort((a, b) => a.askedAt - b.askedAt);

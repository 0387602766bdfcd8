import type { ApprovalView } from '../../api/types.ts';
import { t } from '../../i18n/t.ts';

type State = ApprovalView['state'];

const isTakenBack = ({ state, outcome }: Pick<ApprovalView, 'state' | 'outcome'>): boolean =>
  state === 'withdrawn' && outcome?.code === 'TAKEN_BACK';

/** How an approval stands, as the person reads it. */
export const stateWords = (approval: Pick<ApprovalView, 'state' | 'outcome'>): string =>
  isTakenBack(approval) ? t('approvals.state.takenBack') : t(`approvals.state.${approval.state}`);

/** Whether it still waits for the answer of the person. */
export const isWaiting = (approval: Pick<ApprovalView, 'state'>): boolean => approval.state === 'pending';

/** In the middle of it: the yes is given, the answer is not here yet. */
export const isUnderway = (state: State): boolean => state === 'approved' || state === 'sending';

/** Whether the yes is given and can still be taken back. */
export const isHeld = ({ state, heldUntil }: Pick<ApprovalView, 'state' | 'heldUntil'>): boolean =>
  state === 'approved' && heldUntil !== null;

const settled: readonly State[] = ['done', 'failed', 'declined', 'expired', 'withdrawn', 'superseded'];

/** Nothing more can happen to it; the record has it. */
export const isOver = (approval: Pick<ApprovalView, 'state'>): boolean => settled.includes(approval.state);

/** Who asks: the name that an assistant gave itself, or the person. */
export const askerOf = ({ by }: Pick<ApprovalView, 'by'>): string =>
  by.kind === 'person' ? t('approvals.you') : by.name;

import type { ApprovalView, Prompt } from '../../api/types.ts';
import { t } from '../../i18n/t.ts';
import { translate } from '../../i18n/language.ts';

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

type Route = ApprovalView['route'];
/** What an approval is about, as far as the screens have words of their own for it. */
export type Act = 'publish' | 'change' | 'end' | 'delete' | 'other';

const acts: Partial<Record<Route, Act>> = {
  publishListing: 'publish',
  publishChannels: 'publish',
  reviseListing: 'change',
  reviseChannels: 'change',
  endListing: 'end',
  endChannels: 'end',
  deleteListing: 'delete',
};

/** What a route does, as far as the questions tell acts apart. */
export const actOf = (route: Route): Act => acts[route] ?? 'other';

const holds: Partial<Record<Route, 'delete' | 'disconnect'>> = {
  deleteTemplate: 'delete',
  disconnectMarket: 'disconnect',
  deleteConnection: 'disconnect',
  revokeCurrentKey: 'disconnect',
};

/** What happens when the seconds to take it back are over. */
export const holdOf = (route: Route): 'end' | 'delete' | 'disconnect' | 'other' => {
  const act = actOf(route);
  return act === 'end' || act === 'delete' ? act : (holds[route] ?? 'other');
};

/** Whether a route puts a listing on sale. */
export const isPublish = (route: Route): boolean => actOf(route) === 'publish';

type Part = 'act' | 'consequence' | 'undo' | 'yes' | 'feeNotice';

/** A sentence of a prompt in the language of the screens. */
export const asked = (prompt: Prompt, part: Part): string => translate(prompt.says?.[part], prompt[part] ?? '');

/** The title of the thing that a prompt is about. */
export const titleOf = ({ says, target }: Prompt): string => translate(says?.title, target?.title ?? '');

/** How many extras a prompt of `approveExtras` is about; null when it does not say. */
export const countIn = ({ act }: Pick<Prompt, 'act'>): number | null => {
  const found = /\b(\d{1,3})\b/.exec(act);
  return found ? Number(found[1]) : null;
};

import { actOf as contractActOf } from '../../../../contract/acts.ts';
import type { ApprovalView, BatchRow, Prompt, BatchView } from '../../api/call.ts';
import { t, translate } from '../../i18n.ts';

type State = ApprovalView['state'];

type Standing = Pick<ApprovalView, 'state' | 'outcome' | 'by'>;

/** Returns whether the listing contradicts the service's answer (success or refusal). */
export const isContradicted = (approval: Pick<ApprovalView, 'state' | 'outcome'> | null): boolean =>
  ['CONTRADICTED', 'REFUSED_YET_DONE'].includes(approval?.outcome?.code ?? '');

/** Returns whether the service reports success, but reading the listing back failed or does not show all changes. */
export const isUnchecked = ({ outcome }: Pick<ApprovalView, 'outcome'>): boolean => outcome?.code === 'NOT_CHECKED';

/** Tells whether the person took back their approval, withdrew their own request, or the asker withdrew it. */
const withdrawnText = ({ outcome, by }: Standing): string => {
  if (outcome?.code === 'TAKEN_BACK') return t('approvals.state.takenBack');
  // An approval that ended for another reason has an outcome that explains it.
  return t(by.kind === 'person' && outcome === null ? 'approvals.state.withdrawnOwn' : 'approvals.state.withdrawn');
};

/** Returns the state of an approval as text. */
export const stateText = (approval: Standing): string => {
  if (isContradicted(approval)) return t('approvals.state.contradicted');
  if (isUnchecked(approval)) return t('approvals.state.unchecked');
  return approval.state === 'withdrawn' ? withdrawnText(approval) : t(`approvals.state.${approval.state}`);
};

/** Returns whether the approval waits for the person's answer. */
export const isWaiting = (approval: Pick<ApprovalView, 'state'>): boolean => approval.state === 'pending';

/** Returns whether the request is approved and has no answer of the service yet. */
export const isUnderway = (state: State): boolean => state === 'approved' || state === 'sending';

/** Returns whether the approval is in its undo window. */
export const isHeld = ({ state, heldUntil }: Pick<ApprovalView, 'state' | 'heldUntil'>): boolean =>
  state === 'approved' && heldUntil !== null;

const settled: readonly State[] = ['done', 'failed', 'declined', 'expired', 'withdrawn', 'superseded'];

/** Returns whether the approval has reached a final state. */
export const isOver = (approval: Pick<ApprovalView, 'state'>): boolean => settled.includes(approval.state);

/** Returns the name of the asker. An assistant chooses its own name. */
export const askerOf = ({ by }: Pick<ApprovalView, 'by'>): string =>
  by.kind === 'person' ? t('approvals.you') : by.name;

/** Returns the origin of an assistant's name; null for the person. */
export const nameOriginOf = ({ by, quiet = false }: Pick<ApprovalView, 'by'> & { quiet?: boolean }): string | null =>
  by.kind === 'person' ? null : t(quiet ? 'approvals.cameAlong' : 'approvals.ownName');

type Route = ApprovalView['route'];
/** The acts for which the screens have texts. */
export type Act = 'publish' | 'change' | 'end' | 'delete' | 'other';

/** Returns the act of a route, as the texts of prompts distinguish them. */
export const actOf = (route: Route): Act => {
  const act = contractActOf(route);
  if (act === null || act === 'disconnect') return 'other';
  return act === 'revise' ? 'change' : act;
};

/** Returns the act that happens when the undo window ends. */
export const holdOf = (route: Route): 'end' | 'delete' | 'disconnect' | 'other' => {
  if (route === 'deleteTemplate') return 'delete';
  const act = contractActOf(route);
  return act === 'end' || act === 'delete' || act === 'disconnect' ? act : 'other';
};

/** Returns whether a route publishes a listing. */
export const isPublish = (route: Route): boolean => actOf(route) === 'publish';

type Part = 'act' | 'consequence' | 'undo' | 'yes' | 'feeNotice';

/** Returns a sentence of a prompt in the language of the window. */
export const promptText = (prompt: Prompt, part: Part): string => translate(prompt.says?.[part], prompt[part] ?? '');

/** Returns the main fact of a prompt for lists; null if the heading says it already. */
export const mainFactOf = ({ says, mainFact }: Prompt): string | null =>
  mainFact === null ? null : translate(says?.mainFact, mainFact);

export const titleOf = ({ says, target }: Prompt): string => translate(says?.title, target?.title ?? '');

export const rowTitle = ({ title, titleSays }: Pick<BatchRow, 'title' | 'titleSays'>): string =>
  translate(titleSays, title);

/** Reads the number of extras from the text of an `approveExtras` prompt; null if it has none. */
export const countIn = ({ act }: Pick<Prompt, 'act'>): number | null => {
  const found = /\b(\d{1,3})\b/.exec(act);
  return found ? Number(found[1]) : null;
};

/** Why a listing accepts no changes: the act in progress, or `unknown` if its outcome is unknown. */
export type Lock = Act | 'unknown';

const isLocking = (approval: ApprovalView): boolean =>
  isUnderway(approval.state) ||
  (approval.state === 'unconfirmed' && !isContradicted(approval) && !isUnchecked(approval));

export const lockIn = (approvals: readonly ApprovalView[], listingId: string): Lock | null => {
  const locking = approvals.find((one) => isLocking(one) && one.prompt.target?.listingId === listingId);
  if (!locking) return null;
  return locking.state === 'unconfirmed' ? 'unknown' : actOf(locking.route);
};

/** Returns the text of a lock: "Being published". */
export const lockText = (lock: Lock): string => t(`approvals.lock.${lock}`);

/** Returns when a queued edit will be saved: "Saved as soon as it is published". */
export const savedAfterText = (lock: Lock | 'edit' | null): string =>
  t(`approvals.savedAfter.${lock === null || lock === 'unknown' ? 'other' : lock}`);

/**
 * Returns the newest approval; null if there is none. Sorts by ledger position, which changes of the system clock do
 * not affect.
 */
export const newestOf = (approvals: readonly ApprovalView[]): ApprovalView | null =>
  [...approvals].sort((a, b) => b.placeSeq - a.placeSeq)[0] ?? null;

/** One approval or one batch that waits for the person's answer in one prompt. */
export type Question =
  { kind: 'one'; id: string; approval: ApprovalView } | { kind: 'batch'; id: string; batch: BatchView };

type Asked = { placeSeq: number; askedAt: number; by: ApprovalView['by'] };

/** Returns the time, the ledger position and the asker. */
export const askedOf = (question: Question): Asked => (question.kind === 'one' ? question.approval : question.batch);

/** Returns the ids of all approvals that belong to a batch; they are shown only in the prompt of their batch. */
export const idsInBatches = (batches: readonly BatchView[]): ReadonlySet<string> =>
  new Set(batches.flatMap(({ rows }) => rows.flatMap(({ approval }) => (approval ? [approval.approvalId] : []))));

/** Returns whether a batch waits for an answer. A waiting batch is shown even if all its rows failed. */
export const batchWaits = ({ state, rows }: BatchView): boolean =>
  state === 'waiting' || (state === 'over' && rows.some(({ approval }) => approval?.state === 'pending'));

/** Lists all pending approvals, oldest first; a batch counts once. */
export const questionsIn = (approvals: readonly ApprovalView[], batches: readonly BatchView[]): Question[] => {
  const together = idsInBatches(batches);
  const alone = approvals.filter((one) => isWaiting(one) && !together.has(one.approvalId));
  const questions: Question[] = [
    ...alone.map((approval) => ({ kind: 'one' as const, id: approval.approvalId, approval })),
    ...batches.filter(batchWaits).map((batch) => ({ kind: 'batch' as const, id: batch.batchId, batch })),
  ];
  return questions.sort((a, b) => askedOf(a).placeSeq - askedOf(b).placeSeq);
};

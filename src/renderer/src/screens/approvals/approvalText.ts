import { actOf as contractActOf } from '../../../../contract/acts.ts';
import type { ApprovalView, BatchRow, Prompt, BatchView } from '../../api/call.ts';
import { t, translate } from '../../i18n.ts';

type State = ApprovalView['state'];

type Standing = Pick<ApprovalView, 'state' | 'outcome' | 'by'>;

/** Whether the listing shows otherwise than the service says: that it is done, or that it was refused. */
export const isContradicted = (approval: Pick<ApprovalView, 'state' | 'outcome'> | null): boolean =>
  ['CONTRADICTED', 'REFUSED_YET_DONE'].includes(approval?.outcome?.code ?? '');

/** Whether the service says that it is done and reading does not show all of it, or could not be made. */
export const isUnchecked = ({ outcome }: Pick<ApprovalView, 'outcome'>): boolean => outcome?.code === 'NOT_CHECKED';

/** What was withdrawn: by the person, who took their yes or their own question back, or by somebody else. */
const withdrawnText = ({ outcome, by }: Standing): string => {
  if (outcome?.code === 'TAKEN_BACK') return t('approvals.state.takenBack');
  // One that ended for another reason says why.
  return t(by.kind === 'person' && outcome === null ? 'approvals.state.withdrawnOwn' : 'approvals.state.withdrawn');
};

/** How an approval stands, as the person reads it. */
export const stateText = (approval: Standing): string => {
  if (isContradicted(approval)) return t('approvals.state.contradicted');
  if (isUnchecked(approval)) return t('approvals.state.unchecked');
  return approval.state === 'withdrawn' ? withdrawnText(approval) : t(`approvals.state.${approval.state}`);
};

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

/** Where the name of an assistant comes from; null for the person. */
export const nameOriginOf = ({ by, quiet = false }: Pick<ApprovalView, 'by'> & { quiet?: boolean }): string | null =>
  by.kind === 'person' ? null : t(quiet ? 'approvals.cameAlong' : 'approvals.ownName');

type Route = ApprovalView['route'];
/** What an approval is about, as far as the screens have words of their own for it. */
export type Act = 'publish' | 'change' | 'end' | 'delete' | 'other';

/** What a route does, as far as the questions tell acts apart. */
export const actOf = (route: Route): Act => {
  const act = contractActOf(route);
  if (act === null || act === 'disconnect') return 'other';
  return act === 'revise' ? 'change' : act;
};

/** What happens when the seconds to take it back are over. */
export const holdOf = (route: Route): 'end' | 'delete' | 'disconnect' | 'other' => {
  if (route === 'deleteTemplate') return 'delete';
  const act = contractActOf(route);
  return act === 'end' || act === 'delete' || act === 'disconnect' ? act : 'other';
};

/** Whether a route puts a listing on sale. */
export const isPublish = (route: Route): boolean => actOf(route) === 'publish';

type Part = 'act' | 'consequence' | 'undo' | 'yes' | 'feeNotice';

/** A sentence of a prompt in the language of the screens. */
export const promptText = (prompt: Prompt, part: Part): string => translate(prompt.says?.[part], prompt[part] ?? '');

/** The main fact of a prompt, as lists show it; null where the heading tells it all. */
export const mainFactOf = ({ says, mainFact }: Prompt): string | null =>
  mainFact === null ? null : translate(says?.mainFact, mainFact);

/** The title of the thing that a prompt is about. */
export const titleOf = ({ says, target }: Prompt): string => translate(says?.title, target?.title ?? '');

/** The title of a row of a batch. */
export const rowTitle = ({ title, titleSays }: Pick<BatchRow, 'title' | 'titleSays'>): string =>
  translate(titleSays, title);

/** How many extras a prompt of `approveExtras` is about; null when it does not say. */
export const countIn = ({ act }: Pick<Prompt, 'act'>): number | null => {
  const found = /\b(\d{1,3})\b/.exec(act);
  return found ? Number(found[1]) : null;
};

/** What is going on with a listing that takes no changes just now: the act, or that nobody knows what became of it. */
export type Lock = Act | 'unknown';

const isLocking = (approval: ApprovalView): boolean =>
  isUnderway(approval.state) ||
  (approval.state === 'unconfirmed' && !isContradicted(approval) && !isUnchecked(approval));

/** The lock of a listing; null while it is free. */
export const lockIn = (approvals: readonly ApprovalView[], listingId: string): Lock | null => {
  const locking = approvals.find((one) => isLocking(one) && one.prompt.target?.listingId === listingId);
  if (!locking) return null;
  return locking.state === 'unconfirmed' ? 'unknown' : actOf(locking.route);
};

/** "Being published". */
export const lockText = (lock: Lock): string => t(`approvals.lock.${lock}`);

/** What becomes of an edit that waits for the listing, or for another edit of it: "Saved as soon as it is published". */
export const savedAfterText = (lock: Lock | 'edit' | null): string =>
  t(`approvals.savedAfter.${lock === null || lock === 'unknown' ? 'other' : lock}`);

/** The newest of these by its place in the ledger, which no wall clock that is set changes; null where there is none. */
export const newestOf = (approvals: readonly ApprovalView[]): ApprovalView | null =>
  [...approvals].sort((a, b) => b.placeSeq - a.placeSeq)[0] ?? null;

/** Something that the person is asked: one approval, or several in one prompt. */
export type Question =
  { kind: 'one'; id: string; approval: ApprovalView } | { kind: 'batch'; id: string; batch: BatchView };

type Asked = { placeSeq: number; askedAt: number; by: ApprovalView['by'] };

/** When it was asked, in which place, and who asks. */
export const askedOf = (question: Question): Asked => (question.kind === 'one' ? question.approval : question.batch);

/** The approvals of batches, which are asked by their batch alone. */
export const idsInBatches = (batches: readonly BatchView[]): ReadonlySet<string> =>
  new Set(batches.flatMap(({ rows }) => rows.flatMap(({ approval }) => (approval ? [approval.approvalId] : []))));

/** Whether a batch waits for an answer: one whose rows all fail has nothing to be said yes to, and still wants to be seen. */
export const batchWaits = ({ state, rows }: BatchView): boolean =>
  state === 'waiting' || (state === 'over' && rows.some(({ approval }) => approval?.state === 'pending'));

/** All that waits for an answer, first come first served; a batch counts once. */
export const questionsIn = (approvals: readonly ApprovalView[], batches: readonly BatchView[]): Question[] => {
  const together = idsInBatches(batches);
  const alone = approvals.filter((one) => isWaiting(one) && !together.has(one.approvalId));
  const questions: Question[] = [
    ...alone.map((approval) => ({ kind: 'one' as const, id: approval.approvalId, approval })),
    ...batches.filter(batchWaits).map((batch) => ({ kind: 'batch' as const, id: batch.batchId, batch })),
  ];
  return questions.sort((a, b) => askedOf(a).placeSeq - askedOf(b).placeSeq);
};

import { findRouteAct as contractActOf } from '../../../../contract/acts.ts';
import type { ApprovalView, BatchRow, Prompt, BatchView } from '../../api/call.ts';
import { t, translateMessage } from '../../i18n.ts';

type ApprovalState = ApprovalView['state'];

type ApprovalStanding = Pick<ApprovalView, 'state' | 'outcome' | 'by'>;

/** Returns whether the listing contradicts the service's answer (success or refusal). */
export const isContradictedByListing = (approval: Pick<ApprovalView, 'state' | 'outcome'> | null): boolean =>
  ['CONTRADICTED', 'REFUSED_YET_DONE'].includes(approval?.outcome?.code ?? '');

/** Returns whether the service reports success, but reading the listing back failed or does not show all changes. */
export const isSuccessUnchecked = ({ outcome }: Pick<ApprovalView, 'outcome'>): boolean =>
  outcome?.code === 'NOT_CHECKED';

/** Tells whether the person took back their approval, withdrew their own request, or the asker withdrew it. */
const formatWithdrawnState = ({ outcome, by }: ApprovalStanding): string => {
  if (outcome?.code === 'TAKEN_BACK') return t('approvals.state.takenBack');
  // An approval that ended for another reason has an outcome that explains it.
  return t(by.kind === 'person' && outcome === null ? 'approvals.state.withdrawnOwn' : 'approvals.state.withdrawn');
};

/** Returns the state of an approval as text. */
export const formatApprovalState = (approval: ApprovalStanding): string => {
  if (isContradictedByListing(approval)) return t('approvals.state.contradicted');
  if (isSuccessUnchecked(approval)) return t('approvals.state.unchecked');
  return approval.state === 'withdrawn' ? formatWithdrawnState(approval) : t(`approvals.state.${approval.state}`);
};

/** Returns whether the approval waits for the person's answer. */
export const isWaitingForPerson = (approval: Pick<ApprovalView, 'state'>): boolean => approval.state === 'pending';

/** Returns whether the request is approved and has no answer of the service yet. */
export const isRequestInFlight = (state: ApprovalState): boolean => state === 'approved' || state === 'sending';

/** Returns whether the approval is in its undo window. */
export const isInUndoWindow = ({ state, heldUntil }: Pick<ApprovalView, 'state' | 'heldUntil'>): boolean =>
  state === 'approved' && heldUntil !== null;

const settled: readonly ApprovalState[] = ['done', 'failed', 'declined', 'expired', 'withdrawn', 'superseded'];

/** Returns whether the approval has reached a final state. */
export const isApprovalSettled = (approval: Pick<ApprovalView, 'state'>): boolean => settled.includes(approval.state);

/** Returns the name of the asker. An assistant chooses its own name. */
export const formatAskerName = ({ by }: Pick<ApprovalView, 'by'>): string =>
  by.kind === 'person' ? t('approvals.you') : by.name;

/** Returns the origin of an assistant's name; null for the person. */
export const formatNameOrigin = ({
  by,
  quiet = false,
}: Pick<ApprovalView, 'by'> & { quiet?: boolean }): string | null =>
  by.kind === 'person' ? null : t(quiet ? 'approvals.cameAlong' : 'approvals.ownName');

type Route = ApprovalView['route'];
/** The acts for which the screens have texts. */
export type Act = 'publish' | 'change' | 'end' | 'delete' | 'other';

/** Returns the act of a route, as the texts of prompts distinguish them. */
export const readPromptAct = (route: Route): Act => {
  const act = contractActOf(route);
  if (act === null || act === 'disconnect') return 'other';
  return act === 'revise' ? 'change' : act;
};

/** Returns the act that happens when the undo window ends. */
export const readUndoWindowAct = (route: Route): 'end' | 'delete' | 'disconnect' | 'other' => {
  if (route === 'deleteTemplate') return 'delete';
  const act = contractActOf(route);
  return act === 'end' || act === 'delete' || act === 'disconnect' ? act : 'other';
};

/** Returns whether a route publishes a listing. */
export const isPublishRoute = (route: Route): boolean => readPromptAct(route) === 'publish';

type PromptPart = 'act' | 'consequence' | 'undo' | 'yes' | 'feeNotice';

/** Returns a sentence of a prompt in the language of the window. */
export const formatPromptPart = (prompt: Prompt, part: PromptPart): string =>
  translateMessage(prompt.says?.[part], prompt[part] ?? '');

/** Returns the main fact of a prompt for lists; null if the heading says it already. */
export const formatMainFact = ({ says, mainFact }: Prompt): string | null =>
  mainFact === null ? null : translateMessage(says?.mainFact, mainFact);

export const formatTargetTitle = ({ says, target }: Prompt): string =>
  translateMessage(says?.title, target?.title ?? '');

export const formatBatchRowTitle = ({ title, titleSays }: Pick<BatchRow, 'title' | 'titleSays'>): string =>
  translateMessage(titleSays, title);

/** Reads the number of extras from the text of an `approveExtras` prompt; null if it has none. */
export const parseExtrasCount = ({ act }: Pick<Prompt, 'act'>): number | null => {
  const found = /\b(\d{1,3})\b/.exec(act);
  return found ? Number(found[1]) : null;
};

/** Why a listing accepts no changes: the act in progress, or `unknown` if its outcome is unknown. */
export type ListingLock = Act | 'unknown';

const isLockingListing = (approval: ApprovalView): boolean =>
  isRequestInFlight(approval.state) ||
  (approval.state === 'unconfirmed' && !isContradictedByListing(approval) && !isSuccessUnchecked(approval));

export const findListingLock = (approvals: readonly ApprovalView[], listingId: string): ListingLock | null => {
  const locking = approvals.find(
    (candidate) => isLockingListing(candidate) && candidate.prompt.target?.listingId === listingId,
  );
  if (!locking) return null;
  return locking.state === 'unconfirmed' ? 'unknown' : readPromptAct(locking.route);
};

/** Returns the text of a lock: "Being published". */
export const formatListingLock = (lock: ListingLock): string => t(`approvals.lock.${lock}`);

/** Returns when a queued edit will be saved: "Saved as soon as it is published". */
export const formatSavedAfter = (lock: ListingLock | 'edit' | null): string =>
  t(`approvals.savedAfter.${lock === null || lock === 'unknown' ? 'other' : lock}`);

/**
 * Returns the newest approval, or null. Sorts by ledger position, which changes of the system clock do
 * not affect.
 */
export const findNewestApproval = (approvals: readonly ApprovalView[]): ApprovalView | null =>
  [...approvals].sort((a, b) => b.placeSeq - a.placeSeq)[0] ?? null;

/** One approval or one batch that waits for the person's answer in one prompt. */
export type PendingApproval =
  { kind: 'one'; id: string; approval: ApprovalView } | { kind: 'batch'; id: string; batch: BatchView };

type RequestOrigin = { placeSeq: number; askedAt: number; by: ApprovalView['by'] };

/** Returns the time, the ledger position and the asker. */
export const readRequestOrigin = (entry: PendingApproval): RequestOrigin =>
  entry.kind === 'one' ? entry.approval : entry.batch;

/** Returns the ids of all approvals that belong to a batch; they are shown only in the prompt of their batch. */
export const listBatchedApprovalIds = (batches: readonly BatchView[]): ReadonlySet<string> =>
  new Set(batches.flatMap(({ rows }) => rows.flatMap(({ approval }) => (approval ? [approval.approvalId] : []))));

/** Returns whether a batch waits for an answer. A waiting batch is shown even if all its rows failed. */
export const isBatchPending = ({ state, rows }: BatchView): boolean =>
  state === 'waiting' || (state === 'over' && rows.some(({ approval }) => approval?.state === 'pending'));

/** Lists all pending approvals, oldest first; a batch counts once. */
export const listPendingApprovals = (
  approvals: readonly ApprovalView[],
  batches: readonly BatchView[],
): PendingApproval[] => {
  const batchedIds = listBatchedApprovalIds(batches);
  const singleApprovals = approvals.filter(
    (candidate) => isWaitingForPerson(candidate) && !batchedIds.has(candidate.approvalId),
  );
  const pending: PendingApproval[] = [
    ...singleApprovals.map((approval) => ({ kind: 'one' as const, id: approval.approvalId, approval })),
    ...batches.filter(isBatchPending).map((batch) => ({ kind: 'batch' as const, id: batch.batchId, batch })),
  ];
  return pending.sort((a, b) => readRequestOrigin(a).placeSeq - readRequestOrigin(b).placeSeq);
};

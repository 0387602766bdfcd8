import { findRouteAct as contractActOf } from '../../../../contract/acts.ts';
import type { ApprovalView, BatchRow, Prompt, BatchView } from '../../api/call.ts';
import { t, translateMessage } from '../../i18n.ts';

type ApprovalState = ApprovalView['state'];

type ApprovalStanding = Pick<ApprovalView, 'state' | 'outcome' | 'by'>;

/** Returns whether the listing contradicts the service's answer, which can be a success or a refusal. */
export const isContradictedByListing = (approval: Pick<ApprovalView, 'state' | 'outcome'> | null): boolean =>
  ['CONTRADICTED', 'REFUSED_YET_DONE'].includes(approval?.outcome?.code ?? '');

/** Returns whether the service reports success, but the listing cannot be read or does not show all changes. */
export const isSuccessUnchecked = ({ outcome }: Pick<ApprovalView, 'outcome'>): boolean =>
  outcome?.code === 'NOT_CHECKED';

const formatWithdrawnState = ({ outcome, by }: ApprovalStanding): string => {
  if (outcome?.code === 'TAKEN_BACK') return t('approvals.state.takenBack');
  // A request that the person withdraws has no outcome.
  return t(by.kind === 'person' && outcome === null ? 'approvals.state.withdrawnOwn' : 'approvals.state.withdrawn');
};

export const formatApprovalState = (approval: ApprovalStanding): string => {
  if (isContradictedByListing(approval)) return t('approvals.state.contradicted');
  if (isSuccessUnchecked(approval)) return t('approvals.state.unchecked');
  return approval.state === 'withdrawn' ? formatWithdrawnState(approval) : t(`approvals.state.${approval.state}`);
};

export const isWaitingForPerson = (approval: Pick<ApprovalView, 'state'>): boolean => approval.state === 'pending';

export const isRequestInFlight = (state: ApprovalState): boolean => state === 'approved' || state === 'sending';

export const isInUndoWindow = ({ state, heldUntil }: Pick<ApprovalView, 'state' | 'heldUntil'>): boolean =>
  state === 'approved' && heldUntil !== null;

const settledStates: readonly ApprovalState[] = ['done', 'failed', 'declined', 'expired', 'withdrawn', 'superseded'];

export const isApprovalSettled = (approval: Pick<ApprovalView, 'state'>): boolean =>
  settledStates.includes(approval.state);

export const formatAskerName = ({ by }: Pick<ApprovalView, 'by'>): string =>
  by.kind === 'person' ? t('approvals.you') : by.name;

export const formatNameOrigin = ({
  by,
  quiet = false,
}: Pick<ApprovalView, 'by'> & { quiet?: boolean }): string | null =>
  by.kind === 'person' ? null : t(quiet ? 'approvals.cameAlong' : 'approvals.ownName');

type Route = ApprovalView['route'];
export type PromptAction = 'publish' | 'change' | 'end' | 'delete' | 'other';

export const getPromptAction = (route: Route): PromptAction => {
  const act = contractActOf(route);
  if (act === null || act === 'disconnect') return 'other';
  return act === 'revise' ? 'change' : act;
};

export const getUndoWindowAction = (route: Route): 'end' | 'delete' | 'disconnect' | 'other' => {
  if (route === 'deleteTemplate') return 'delete';
  const act = contractActOf(route);
  return act === 'end' || act === 'delete' || act === 'disconnect' ? act : 'other';
};

export const isPublishRoute = (route: Route): boolean => getPromptAction(route) === 'publish';

type PromptPart = 'act' | 'consequence' | 'undo' | 'yes' | 'feeNotice';

export const formatPromptPart = (prompt: Prompt, part: PromptPart): string =>
  translateMessage(prompt.says?.[part], prompt[part] ?? '');

/** Returns null if the heading of the prompt already contains the main fact. */
export const formatMainFact = ({ says, mainFact }: Prompt): string | null =>
  mainFact === null ? null : translateMessage(says?.mainFact, mainFact);

export const formatTargetTitle = ({ says, target }: Prompt): string =>
  translateMessage(says?.title, target?.title ?? '');

export const formatBatchRowTitle = ({ title, titleSays }: Pick<BatchRow, 'title' | 'titleSays'>): string =>
  translateMessage(titleSays, title);

/** Returns the number in the text of an `approveExtras` prompt; null if the text has no number. */
export const parseExtrasCount = ({ act }: Pick<Prompt, 'act'>): number | null => {
  const found = /\b(\d{1,3})\b/.exec(act);
  return found ? Number(found[1]) : null;
};

/** The action that locks a listing; `unknown` if the outcome of the action is unknown. */
export type ListingLock = PromptAction | 'unknown';

const isLockingListing = (approval: ApprovalView): boolean =>
  isRequestInFlight(approval.state) ||
  (approval.state === 'unconfirmed' && !isContradictedByListing(approval) && !isSuccessUnchecked(approval));

/** The locks by listing id. */
export type ListingLocks = ReadonlyMap<string, ListingLock>;

/** The first approval of a listing decides. */
export const findListingLocks = (approvals: readonly ApprovalView[]): ListingLocks => {
  const locks = new Map<string, ListingLock>();
  for (const { prompt, state, route } of approvals.filter(isLockingListing)) {
    const listingId = prompt.target?.listingId ?? null;
    if (listingId !== null && !locks.has(listingId))
      locks.set(listingId, state === 'unconfirmed' ? 'unknown' : getPromptAction(route));
  }
  return locks;
};

/** For example "Being published". */
export const formatListingLock = (lock: ListingLock): string => t(`approvals.lock.${lock}`);

/** For example "Saved as soon as it is published". */
export const formatSavedAfter = (lock: ListingLock | 'edit' | null): string =>
  t(`approvals.savedAfter.${lock === null || lock === 'unknown' ? 'other' : lock}`);

/** Sorts by ledger position, because the system clock can change. */
export const findNewestApproval = (approvals: readonly ApprovalView[]): ApprovalView | null =>
  [...approvals].sort((a, b) => b.placeSeq - a.placeSeq)[0] ?? null;

export type PendingApproval =
  { kind: 'one'; id: string; approval: ApprovalView } | { kind: 'batch'; id: string; batch: BatchView };

type RequestOrigin = { placeSeq: number; askedAt: number; by: ApprovalView['by'] };

export const getRequestOrigin = (entry: PendingApproval): RequestOrigin =>
  entry.kind === 'one' ? entry.approval : entry.batch;

/** These approvals are shown only in the prompt of their batch. */
export const listBatchedApprovalIds = (batches: readonly BatchView[]): ReadonlySet<string> =>
  new Set(batches.flatMap(({ rows }) => rows.flatMap(({ approval }) => (approval ? [approval.approvalId] : []))));

/** A waiting batch is pending even if all its rows failed. */
export const isBatchPending = ({ state, rows }: BatchView): boolean =>
  state === 'waiting' || (state === 'over' && rows.some(({ approval }) => approval?.state === 'pending'));

/** Returns the oldest entry first. A batch is a single entry. */
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
  return pending.sort((a, b) => getRequestOrigin(a).placeSeq - getRequestOrigin(b).placeSeq);
};

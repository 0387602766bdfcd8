import { type DeclineReason, type Problem, createProblem } from '../../base/problem.ts';
import { findListingId } from '../../base/json.ts';
import type { StoredAgeTracker } from '../../base/storedAges.ts';
import { toAskerId, type Asker } from '../../base/request.ts';
import type { Subject } from '../../storage/tables/approvalRecord.ts';
import type { ApprovalRow } from '../../storage/tables/approvalsTable.ts';
import type { ApprovalsContext, ApprovalRequest } from '../approvalsContext.ts';
import { createDecisionAgeKey, repeatWindowMs } from '../deadlines.ts';
import { isDetailChange, isMaterialChange, toPromptFacts, getStoredFacts, type PromptFacts } from './materialChange.ts';
import {
  coversChannel,
  doKeysOverlap,
  createPromptKey,
  listEquivalentRoutes,
  listSharedChannels,
  findRequestListingId,
  type PromptKey,
} from './promptKey.ts';

/** How often an assistant may change a prompt, or withdraw batches, within `repeatWindowMs`. */
const maxChanges = 2;
/** This is longer than the life of any prompt, so that the history contains everything that a decline depends on. */
const historyMs = 2 * 24 * 60 * 60_000;

const declineProblemCodes = {
  no: 'PERSON_DECLINED',
  wrong_details: 'PERSON_DECLINED.wrongDetails',
  not_asked_for: 'PERSON_DECLINED.notAskedFor',
} as const satisfies Record<DeclineReason, string>;

/** Uses elapsed time, so that a change of the wall clock neither ends nor extends a decline. */
const getDecisionAgeMs = (ages: StoredAgeTracker, row: ApprovalRow): number =>
  ages.ageMs(createDecisionAgeKey(row), row.decided_at ?? row.settled_at ?? row.shown_at);

const getRepeatWindowLeftS = (ageMs: number): number => Math.max(0, Math.ceil((repeatWindowMs - ageMs) / 1_000));

/** Returns how many seconds the decline stays in force; null if the approval was not declined. */
export const getDeclineLeftS = (ages: StoredAgeTracker, row: ApprovalRow): number | null =>
  row.state === 'declined' ? getRepeatWindowLeftS(getDecisionAgeMs(ages, row)) : null;

export const createDeclinedProblem = (ages: StoredAgeTracker, row: ApprovalRow): Problem => {
  const declinedBecause = row.declined_because ?? 'no';
  const retryAfterS = getDeclineLeftS(ages, row) ?? 0;
  return createProblem(declineProblemCodes[declinedBecause], {
    declinedBecause,
    ...(retryAfterS > 0 ? { retryAfterS } : {}),
  });
};

type EarlierApproval = {
  row: ApprovalRow;
  key: PromptKey;
  isChanged: boolean;
};

const wasApproved = ({ state, decided_at: decidedAt }: ApprovalRow): boolean =>
  decidedAt !== null && ['approved', 'sending', 'done', 'failed', 'unconfirmed'].includes(state);

const wasChangedByAsker = (row: ApprovalRow, rows: readonly ApprovalRow[]): boolean => {
  if (row.changed_by_asker === 1) return true;
  if (row.state === 'withdrawn') return row.outcome === null;
  const next = rows.find((later) => later.approval_id === row.superseded_by);
  return next !== undefined && next.request_digest !== row.request_digest;
};

/** Returns whether, after `row`, the person approved requests for every channel that `row` and `request` share. */
const wasApprovedSince = (
  { row, key }: EarlierApproval,
  request: PromptKey,
  history: readonly EarlierApproval[],
  counts: (later: ApprovalRow) => boolean = () => true,
): boolean => {
  const answeredSeq = row.answered_seq;
  if (answeredSeq === null) return false;
  const later = history.filter(
    (one) =>
      wasApproved(one.row) &&
      one.key.variant === key.variant &&
      (one.row.answered_seq ?? -Infinity) > answeredSeq &&
      counts(one.row),
  );
  const places = doKeysOverlap(key, request) ? listSharedChannels(key, request) : listSharedChannels(key, key);
  return places.every((place) => later.some((earlier) => coversChannel(earlier.key, place)));
};

const readAskerHistory = (
  { table, ages, account }: ApprovalsContext,
  { by, route, input }: Pick<ApprovalRequest, 'by' | 'route' | 'input'>,
  { act, target }: PromptKey,
): EarlierApproval[] => {
  const rows = table.ofRoutesSince(account(), toAskerId(by), {
    routes: listEquivalentRoutes(route),
    listingId: findRequestListingId(route, input),
    since: ages.earliestAt(historyMs),
  });
  return rows
    .map((row) => ({
      row,
      key: createPromptKey(row.route, row.subject.request.input),
      isChanged: wasChangedByAsker(row, rows),
    }))
    .filter((earlier) => earlier.key.act === act && earlier.key.target === target);
};

const readKnownFacts = (
  { listings, account }: ApprovalsContext,
  { route, input }: Pick<ApprovalRequest, 'route' | 'input'>,
  declined: PromptFacts,
): PromptFacts => {
  const listingId = findRequestListingId(route, input);
  const kept = listingId === null ? null : listings.read(account(), listingId);
  return { ...declined, route, input, listing: kept ?? declined.listing, photos: null };
};

const wasListingWrittenWithin = (
  { locks }: ApprovalsContext,
  { input }: Pick<ApprovalRequest, 'input'>,
  ms: number,
): boolean => {
  const listingId = findListingId(input);
  return listingId !== null && (locks.wroteAgoMs(listingId) ?? Infinity) <= ms;
};

/** If the person declined with "The details are wrong", a changed detail also counts as a correction. */
const correctsDecline = ({ declined_because: why }: ApprovalRow, declined: PromptFacts, facts: PromptFacts): boolean =>
  isMaterialChange(declined, facts) || (why === 'wrong_details' && isDetailChange(declined, facts));

/** Returns whether the request might differ from what was declined. The result is certain if `fresh` is given. */
const mayDifferFromDeclined = (
  context: ApprovalsContext,
  request: ApprovalRequest,
  declinedRow: ApprovalRow,
  fresh: Subject | null,
): boolean => {
  const declined = getStoredFacts(declinedRow.subject);
  if (declined === null) return true;
  if (fresh !== null) return correctsDecline(declinedRow, declined, toPromptFacts(fresh));
  return (
    wasListingWrittenWithin(context, request, context.ages.ageMs(declinedRow.approval_id, declinedRow.shown_at)) ||
    correctsDecline(declinedRow, declined, readKnownFacts(context, request, declined))
  );
};

/** Returns whether the person later approved what they had declined. */
const isDeclineLifted = (declined: EarlierApproval, key: PromptKey, history: readonly EarlierApproval[]): boolean => {
  const facts = getStoredFacts(declined.row.subject);
  return wasApprovedSince(declined, key, history, ({ subject }) => {
    const later = getStoredFacts(subject);
    return facts === null || later === null || !correctsDecline(declined.row, facts, later);
  });
};

/** Returns whether the assistant has already used its only correction of the declined request. */
const isCorrectionUsedUp = (declined: EarlierApproval, history: readonly EarlierApproval[]): boolean =>
  declined.row.is_correction === 1 ||
  history.some(
    ({ row, key }) => doKeysOverlap(key, declined.key) && row.asked_seq > (declined.row.answered_seq ?? Infinity),
  );

/** Throws PERSON_DECLINED if a decline applies. Returns whether the request corrects a declined request. */
const refuseDeclinedRequest = (
  context: ApprovalsContext,
  request: ApprovalRequest,
  { key, history, fresh }: { key: PromptKey; history: readonly EarlierApproval[]; fresh: Subject | null },
): boolean => {
  const { ages } = context;
  const declinesInForce = history.filter(
    (earlier) => doKeysOverlap(earlier.key, key) && (getDeclineLeftS(ages, earlier.row) ?? 0) > 0,
  );
  const isDeclineOpen = (earlier: EarlierApproval): boolean => !wasApprovedSince(earlier, key, history);
  const refusing = declinesInForce.findLast((earlier) =>
    mayDifferFromDeclined(context, request, earlier.row, fresh)
      ? isCorrectionUsedUp(earlier, history) && isDeclineOpen(earlier)
      : !isDeclineLifted(earlier, key, history),
  );
  if (refusing) throw createDeclinedProblem(ages, refusing.row);
  return declinesInForce.some(isDeclineOpen);
};

/** Includes changes of each prompt that shares a channel with this prompt, directly or through a third prompt. */
const collectPromptChanges = (key: PromptKey, changed: readonly EarlierApproval[]): readonly EarlierApproval[] => {
  const overlapping = changed.filter((earlier) => doKeysOverlap(earlier.key, key));
  const places = overlapping.some((earlier) => earlier.key.places === null)
    ? null
    : [...new Set([...(key.places ?? []), ...overlapping.flatMap((earlier) => earlier.key.places ?? [])])];
  const isWider = key.places !== null && places?.length !== key.places.length;
  return isWider ? collectPromptChanges({ ...key, places }, changed) : overlapping;
};

const getChangeWaitS = (agesMs: readonly number[]): number =>
  getRepeatWindowLeftS(agesMs.toSorted((a, b) => a - b)[maxChanges - 1] ?? Infinity);

const getPromptChangeWaitS = (
  { ages }: ApprovalsContext,
  key: PromptKey,
  history: readonly EarlierApproval[],
): number => {
  const changed = history.filter((earlier) => earlier.isChanged && !wasApprovedSince(earlier, key, history));
  return getChangeWaitS(collectPromptChanges(key, changed).map(({ row }) => getDecisionAgeMs(ages, row)));
};

const refuseTooManyChanges = (context: ApprovalsContext, key: PromptKey, history: readonly EarlierApproval[]): void => {
  const retryAfterS = getPromptChangeWaitS(context, key, history);
  if (retryAfterS > 0) throw createProblem('TOO_MANY_WAITING.changes', { retryAfterS });
};

/** Returns whether the assistant that requested the approval changed the listing after the prompt was shown. */
export const didAskerChangeListing = (
  { ownWrites, ages }: ApprovalsContext,
  { asker, asker_id: askerId, listing_id: listingId, approval_id: id, shown_at: shownAt }: ApprovalRow,
): boolean =>
  asker.kind === 'assistant' && listingId !== null && ownWrites.agoMs(askerId, listingId) <= ages.ageMs(id, shownAt);

/** Returns the rows that the assistant withdrew from a batch. If a row is pending or was answered, returns no rows. */
const listWithdrawnRows = (rows: readonly ApprovalRow[]): readonly ApprovalRow[] => {
  const isRowUnanswered = ({ state, decided_at: decidedAt }: ApprovalRow): boolean =>
    state !== 'pending' && (decidedAt === null || state === 'superseded');
  const isSupersededOutsideBatch = ({ superseded_by: next }: ApprovalRow): boolean =>
    next !== null && rows.every(({ approval_id: id }) => id !== next);
  return rows.every(isRowUnanswered)
    ? rows.filter((row) => isSupersededOutsideBatch(row) || wasChangedByAsker(row, rows))
    : [];
};

/** Throws TOO_MANY_WAITING if the assistant has withdrawn too many batches recently. */
export const refuseTooManyWithdrawals = ({ table, ages, account }: ApprovalsContext, by: Asker): void => {
  if (by.kind === 'person') return;
  const rows = table.ofBatchesSince(account(), toAskerId(by), ages.earliestAt(repeatWindowMs));
  const takenAway = [...Map.groupBy(rows, (row) => row.batch_id).values()].map(listWithdrawnRows);
  // The age of a withdrawn batch is the age of its latest withdrawal.
  const retryAfterS = getChangeWaitS(
    takenAway.map((own) => Math.min(...own.map((row) => getDecisionAgeMs(ages, row)))),
  );
  if (retryAfterS > 0) throw createProblem('TOO_MANY_WAITING.changes', { retryAfterS });
};

const isDeclineInForce = (
  { ages }: ApprovalsContext,
  subject: Subject,
  { key, history }: { key: PromptKey; history: readonly EarlierApproval[] },
): boolean =>
  history.some((earlier) => {
    const declined = getStoredFacts(earlier.row.subject);
    return (
      declined !== null &&
      doKeysOverlap(earlier.key, key) &&
      (getDeclineLeftS(ages, earlier.row) ?? 0) > 0 &&
      !correctsDecline(earlier.row, declined, toPromptFacts(subject)) &&
      !isDeclineLifted(earlier, key, history)
    );
  });

/** Throws APPROVAL_WITHDRAWN if the assistant changed the listing too often or the person declined the new values. */
export const refuseDisallowedReplacement = (context: ApprovalsContext, row: ApprovalRow, fresh: Subject): void => {
  if (!didAskerChangeListing(context, row)) return;
  const key = createPromptKey(row.route, row.subject.request.input);
  const history = readAskerHistory(context, { by: row.asker, route: row.route, input: row.subject.request.input }, key);
  if (getPromptChangeWaitS(context, key, history) > 0 || isDeclineInForce(context, fresh, { key, history }))
    throw createProblem('APPROVAL_WITHDRAWN.changes');
};

/** Returns the pending prompts of equivalent requests that the assistant made after `row`. */
export const listLaterPrompts = (context: ApprovalsContext, row: ApprovalRow): readonly ApprovalRow[] => {
  const key = createPromptKey(row.route, row.subject.request.input);
  return readAskerHistory(context, { by: row.asker, route: row.route, input: row.subject.request.input }, key)
    .filter(
      (earlier) =>
        earlier.row.state === 'pending' &&
        earlier.row.asked_seq > row.asked_seq &&
        earlier.key.variant === key.variant &&
        doKeysOverlap(earlier.key, key),
    )
    .map((earlier) => earlier.row);
};

export type RepeatCheck = {
  superseded: ApprovalRow[];
  isCorrection: boolean;
};

/** Throws if a decline is in force or the prompt changed too often. `fresh` is null before the first read. */
export const refuseRepeatedRequest = (
  context: ApprovalsContext,
  request: ApprovalRequest,
  fresh: Subject | null,
): RepeatCheck => {
  if (request.by.kind === 'person') return { superseded: [], isCorrection: false };
  const key = createPromptKey(request.route, request.input);
  const history = readAskerHistory(context, request, key);
  const isCorrection = refuseDeclinedRequest(context, request, { key, history, fresh });
  refuseTooManyChanges(context, key, history);
  const isSupersededPrompt = (earlier: EarlierApproval): boolean =>
    earlier.row.state === 'pending' && earlier.key.variant === key.variant && doKeysOverlap(earlier.key, key);
  return { superseded: history.filter(isSupersededPrompt).map(({ row }) => row), isCorrection };
};

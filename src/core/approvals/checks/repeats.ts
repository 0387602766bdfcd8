import { type DeclineReason, type Problem, createProblem } from '../../base/problem.ts';
import { readListingId } from '../../base/json.ts';
import type { StoredAges } from '../../base/storedAges.ts';
import { toAskerId, type Asker } from '../../base/request.ts';
import type { Subject } from '../../storage/tables/approvalRecord.ts';
import type { ApprovalRow } from '../../storage/tables/approvalsTable.ts';
import type { ApprovalsContext, ApprovalRequest } from '../approvalsContext.ts';
import { createDecisionAgeKey, repeatWindowMs } from '../deadlines.ts';
import {
  isDetailChange,
  isMaterialChange,
  toPromptFacts,
  readStoredFacts,
  type PromptFacts,
} from './materialChange.ts';
import {
  keyCoversPlace,
  doKeysOverlap,
  createPromptKey,
  listEquivalentRoutes,
  listSharedPlaces,
  readSubjectListing,
  type PromptKey,
} from './promptKey.ts';

/** How often an assistant may change a prompt, or withdraw batches, within `repeatWindowMs`. */
const maxChanges = 2;
/** Longer than the lifetime of any prompt, so that everything a decline depends on is read. */
const historyMs = 2 * 24 * 60 * 60_000;

const declineProblemCodes = {
  no: 'PERSON_DECLINED',
  wrong_details: 'PERSON_DECLINED.wrongDetails',
  not_asked_for: 'PERSON_DECLINED.notAskedFor',
} as const satisfies Record<DeclineReason, string>;

/**
 * Returns the time since it was answered or left. It uses elapsed time: changing the wall clock neither ends nor extends a
 * decline.
 */
const readDecisionAgeMs = (ages: StoredAges, row: ApprovalRow): number =>
  ages.ageMs(createDecisionAgeKey(row), row.decided_at ?? row.settled_at ?? row.shown_at);

const repeatWindowLeftS = (ageMs: number): number => Math.max(0, Math.ceil((repeatWindowMs - ageMs) / 1_000));

/** Returns how long the decline of this approval is still in force, in seconds; null if it was not declined. */
export const declineLeftS = (ages: StoredAges, row: ApprovalRow): number | null =>
  row.state === 'declined' ? repeatWindowLeftS(readDecisionAgeMs(ages, row)) : null;

export const createDeclinedProblem = (ages: StoredAges, row: ApprovalRow): Problem => {
  const declinedBecause = row.declined_because ?? 'no';
  const retryAfterS = declineLeftS(ages, row) ?? 0;
  return createProblem(declineProblemCodes[declinedBecause], {
    declinedBecause,
    ...(retryAfterS > 0 ? { retryAfterS } : {}),
  });
};

/** An earlier approval of the same asker about the same thing. */
type EarlierApproval = {
  row: ApprovalRow;
  key: PromptKey;
  /** The assistant withdrew it, superseded it with another request, or changed the listing it was about. */
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

/** Whether the person approved the same after this approval was answered or left, in every place that the request covers. */
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
  const places = doKeysOverlap(key, request) ? listSharedPlaces(key, request) : listSharedPlaces(key, key);
  return places.every((place) => later.some((earlier) => keyCoversPlace(earlier.key, place)));
};

/** Returns what this asker requested for the same act on the same thing, in any place. */
const readAskerHistory = (
  { table, ages, account }: ApprovalsContext,
  { by, route }: Pick<ApprovalRequest, 'by' | 'route'>,
  { act, target }: PromptKey,
): EarlierApproval[] => {
  const rows = table.ofRoutesSince(account(), toAskerId(by), listEquivalentRoutes(route), ages.earliestAt(historyMs));
  return rows
    .map((row) => ({
      row,
      key: createPromptKey(row.route, row.subject.request.input),
      isChanged: wasChangedByAsker(row, rows),
    }))
    .filter((earlier) => earlier.key.act === act && earlier.key.target === target);
};

/** Returns the facts of a request that are known without reading the service. */
const readKnownFacts = (
  { listings, account }: ApprovalsContext,
  { route, input }: Pick<ApprovalRequest, 'route' | 'input'>,
  declined: PromptFacts,
): PromptFacts => {
  const listingId = readSubjectListing(route, input);
  const kept = listingId === null ? null : listings.read(account(), listingId);
  return { ...declined, route, input, listing: kept ?? declined.listing, photos: null };
};

const wasWrittenWithin = (
  { locks }: ApprovalsContext,
  { input }: Pick<ApprovalRequest, 'input'>,
  ms: number,
): boolean => {
  const listingId = readListingId(input);
  return listingId !== null && (locks.wroteAgoMs(listingId) ?? Infinity) <= ms;
};

/** Whether these facts differ from the declined ones. "The details are wrong" is also answered by other details. */
const correctsDecline = ({ declined_because: why }: ApprovalRow, declined: PromptFacts, facts: PromptFacts): boolean =>
  isMaterialChange(declined, facts) || (why === 'wrong_details' && isDetailChange(declined, facts));

/** Whether the request may differ in a material fact from what was declined; with `fresh`, whether it does. */
const mayDifferFromDeclined = (
  context: ApprovalsContext,
  request: ApprovalRequest,
  declinedRow: ApprovalRow,
  fresh: Subject | null,
): boolean => {
  const declined = readStoredFacts(declinedRow.subject);
  if (declined === null) return true;
  if (fresh !== null) return correctsDecline(declinedRow, declined, toPromptFacts(fresh));
  return (
    wasWrittenWithin(context, request, context.ages.ageMs(declinedRow.approval_id, declinedRow.shown_at)) ||
    correctsDecline(declinedRow, declined, readKnownFacts(context, request, declined))
  );
};

/** Whether the person, after this decline, approved a request that does not differ from what they declined. */
const isDeclineLifted = (declined: EarlierApproval, key: PromptKey, history: readonly EarlierApproval[]): boolean => {
  const facts = readStoredFacts(declined.row.subject);
  return wasApprovedSince(declined, key, history, ({ subject }) => {
    const later = readStoredFacts(subject);
    return facts === null || later === null || !correctsDecline(declined.row, facts, later);
  });
};

/** Whether a decline was already followed by another request, or was itself the decline of a correction. */
const wasDeclineFollowedUp = (declined: EarlierApproval, history: readonly EarlierApproval[]): boolean =>
  declined.row.is_correction === 1 ||
  history.some(
    ({ row, key }) => doKeysOverlap(key, declined.key) && row.asked_seq > (declined.row.answered_seq ?? Infinity),
  );

/**
 * Throws PERSON_DECLINED if a decline in force refuses this request. A later approval of what was declined lifts the
 * decline for good; a later approval of another request lifts it only for requests that differ from what was declined.
 * Returns whether the request corrects a declined one.
 */
const checkDeclinesInForce = (
  context: ApprovalsContext,
  request: ApprovalRequest,
  { key, history, fresh }: { key: PromptKey; history: readonly EarlierApproval[]; fresh: Subject | null },
): boolean => {
  const { ages } = context;
  const declinesInForce = history.filter(
    (earlier) => doKeysOverlap(earlier.key, key) && (declineLeftS(ages, earlier.row) ?? 0) > 0,
  );
  const isDeclineOpen = (earlier: EarlierApproval): boolean => !wasApprovedSince(earlier, key, history);
  const refusing = declinesInForce.findLast((earlier) =>
    mayDifferFromDeclined(context, request, earlier.row, fresh)
      ? wasDeclineFollowedUp(earlier, history) && isDeclineOpen(earlier)
      : !isDeclineLifted(earlier, key, history),
  );
  if (refusing) throw createDeclinedProblem(ages, refusing.row);
  return declinesInForce.some(isDeclineOpen);
};

/** Returns the changes of a prompt, including changes of prompts that it is connected to by shared places. */
const collectPromptChanges = (key: PromptKey, changed: readonly EarlierApproval[]): readonly EarlierApproval[] => {
  const overlapping = changed.filter((earlier) => doKeysOverlap(earlier.key, key));
  const places = overlapping.some((earlier) => earlier.key.places === null)
    ? null
    : [...new Set([...(key.places ?? []), ...overlapping.flatMap((earlier) => earlier.key.places ?? [])])];
  const isWider = key.places !== null && places?.length !== key.places.length;
  return isWider ? collectPromptChanges({ ...key, places }, changed) : overlapping;
};

/** Returns the seconds until another change is allowed, given the ages of the past changes; 0 if it is allowed now. */
const changeLimitLeftS = (agesMs: readonly number[]): number =>
  repeatWindowLeftS(agesMs.toSorted((a, b) => a - b)[maxChanges - 1] ?? Infinity);

/** Returns the seconds until this prompt may be changed again; 0 if it may be changed now. */
const promptChangeLeftS = ({ ages }: ApprovalsContext, key: PromptKey, history: readonly EarlierApproval[]): number => {
  const changed = history.filter((earlier) => earlier.isChanged && !wasApprovedSince(earlier, key, history));
  return changeLimitLeftS(collectPromptChanges(key, changed).map(({ row }) => readDecisionAgeMs(ages, row)));
};

/** Throws TOO_MANY_WAITING if the assistant has used up its changes of this prompt, under any name. */
const checkChangeLimit = (context: ApprovalsContext, key: PromptKey, history: readonly EarlierApproval[]): void => {
  const retryAfterS = promptChangeLeftS(context, key, history);
  if (retryAfterS > 0) throw createProblem('TOO_MANY_WAITING.changes', { retryAfterS });
};

/** Whether the assistant changed the listing of this prompt since it was shown. Changes by others do not count. */
export const didAskerChangeListing = (
  { ownWrites, ages }: ApprovalsContext,
  { asker, asker_id: askerId, listing_id: listingId, approval_id: id, shown_at: shownAt }: ApprovalRow,
): boolean =>
  asker.kind === 'assistant' && listingId !== null && ownWrites.agoMs(askerId, listingId) <= ages.ageMs(id, shownAt);

/** Returns the rows that the asker withdrew from a batch that has no pending row and no answer; otherwise none. */
const listWithdrawnRows = (rows: readonly ApprovalRow[]): readonly ApprovalRow[] => {
  const isRowUnanswered = ({ state, decided_at: decidedAt }: ApprovalRow): boolean =>
    state !== 'pending' && (decidedAt === null || state === 'superseded');
  const isSupersededOutside = ({ superseded_by: next }: ApprovalRow): boolean =>
    next !== null && rows.every(({ approval_id: id }) => id !== next);
  return rows.every(isRowUnanswered)
    ? rows.filter((row) => isSupersededOutside(row) || wasChangedByAsker(row, rows))
    : [];
};

/** Throws TOO_MANY_WAITING if the assistant has withdrawn as many batches as allowed, about any listings. */
export const checkBatchWithdrawals = ({ table, ages, account }: ApprovalsContext, by: Asker): void => {
  if (by.kind === 'person') return;
  const rows = table.ofBatchesSince(account(), toAskerId(by), ages.earliestAt(repeatWindowMs));
  const takenAway = [...Map.groupBy(rows, (row) => row.batch_id).values()].map(listWithdrawnRows);
  // The withdrawal of its last row counts as the withdrawal of the batch.
  const retryAfterS = changeLimitLeftS(
    takenAway.map((own) => Math.min(...own.map((row) => readDecisionAgeMs(ages, row)))),
  );
  if (retryAfterS > 0) throw createProblem('TOO_MANY_WAITING.changes', { retryAfterS });
};

/** Whether the person declined exactly this recently and has not approved it since. */
const isDeclineInForce = (
  { ages }: ApprovalsContext,
  subject: Subject,
  { key, history }: { key: PromptKey; history: readonly EarlierApproval[] },
): boolean =>
  history.some((earlier) => {
    const declined = readStoredFacts(earlier.row.subject);
    return (
      declined !== null &&
      doKeysOverlap(earlier.key, key) &&
      (declineLeftS(ages, earlier.row) ?? 0) > 0 &&
      !correctsDecline(earlier.row, declined, toPromptFacts(subject)) &&
      !isDeclineLifted(earlier, key, history)
    );
  });

/** Throws if the assistant changed the listing of this prompt too often to redraw it, or changed it to what was declined. */
export const checkRedrawAllowed = (context: ApprovalsContext, row: ApprovalRow, fresh: Subject): void => {
  if (!didAskerChangeListing(context, row)) return;
  const key = createPromptKey(row.route, row.subject.request.input);
  const history = readAskerHistory(context, { by: row.asker, route: row.route }, key);
  if (promptChangeLeftS(context, key, history) > 0 || isDeclineInForce(context, fresh, { key, history }))
    throw createProblem('APPROVAL_WITHDRAWN.changes');
};

/** Returns the pending prompts about the same thing that the assistant requested after this one. */
export const listLaterPrompts = (context: ApprovalsContext, row: ApprovalRow): readonly ApprovalRow[] => {
  const key = createPromptKey(row.route, row.subject.request.input);
  return readAskerHistory(context, { by: row.asker, route: row.route }, key)
    .filter(
      (earlier) =>
        earlier.row.state === 'pending' &&
        earlier.row.asked_seq > row.asked_seq &&
        earlier.key.variant === key.variant &&
        doKeysOverlap(earlier.key, key),
    )
    .map((earlier) => earlier.row);
};

/** How a request relates to earlier requests of the same asker. */
export type RepeatCheck = {
  /** The pending prompts that it supersedes. */
  superseded: ApprovalRow[];
  isCorrection: boolean;
};

/**
 * Compares an assistant's request with its earlier requests about the same thing. Throws if a decline is in force or the
 * prompt was changed too often. Without `fresh` (before anything is read) it throws only what is already certain.
 */
export const checkRepeatedRequest = (
  context: ApprovalsContext,
  request: ApprovalRequest,
  fresh: Subject | null,
): RepeatCheck => {
  if (request.by.kind === 'person') return { superseded: [], isCorrection: false };
  const key = createPromptKey(request.route, request.input);
  const history = readAskerHistory(context, request, key);
  const isCorrection = checkDeclinesInForce(context, request, { key, history, fresh });
  checkChangeLimit(context, key, history);
  const isSupersededPrompt = (earlier: EarlierApproval): boolean =>
    earlier.row.state === 'pending' && earlier.key.variant === key.variant && doKeysOverlap(earlier.key, key);
  return { superseded: history.filter(isSupersededPrompt).map(({ row }) => row), isCorrection };
};

import { type DeclineReason, type Problem, problem } from '../../base/problem.ts';
import { listingIdOf } from '../../base/json.ts';
import type { StoredAges } from '../../base/storedAges.ts';
import { askerIdOf, type Asker } from '../../base/request.ts';
import type { Subject } from '../../storage/tables/approvalRecord.ts';
import type { ApprovalRow } from '../../storage/tables/approvalsTable.ts';
import type { ApprovalsContext, Ask } from '../approvalsContext.ts';
import { decisionOf, repeatWindowMs } from '../deadlines.ts';
import { isDetailChange, isMaterialChange, promptFactsOf, storedFactsOf, type PromptFacts } from './materialChange.ts';
import {
  coversPlace,
  overlapKeys,
  promptKeyOf,
  routesLike,
  sharedPlaces,
  subjectListingOf,
  type PromptKey,
} from './promptKey.ts';

/** How often an assistant may change a prompt, or withdraw batches, within `repeatWindowMs`. */
const maxChanges = 2;
/** Longer than the lifetime of any prompt, so that everything a decline depends on is read. */
const historyMs = 2 * 24 * 60 * 60_000;

const declinedTexts = {
  no: 'PERSON_DECLINED',
  wrong_details: 'PERSON_DECLINED.wrongDetails',
  not_asked_for: 'PERSON_DECLINED.notAskedFor',
} as const satisfies Record<DeclineReason, string>;

/**
 * Returns the time since it was answered or left. It uses elapsed time: changing the wall clock neither ends nor extends a
 * decline.
 */
const decidedAgeMs = (ages: StoredAges, row: ApprovalRow): number =>
  ages.ageMs(decisionOf(row), row.decided_at ?? row.settled_at ?? row.shown_at);

const windowLeftS = (ageMs: number): number => Math.max(0, Math.ceil((repeatWindowMs - ageMs) / 1_000));

/** Returns how long the decline of this approval is still in force, in seconds; null if it was not declined. */
export const declinedForS = (ages: StoredAges, row: ApprovalRow): number | null =>
  row.state === 'declined' ? windowLeftS(decidedAgeMs(ages, row)) : null;

export const declinedProblem = (ages: StoredAges, row: ApprovalRow): Problem => {
  const declinedBecause = row.declined_because ?? 'no';
  const retryAfterS = declinedForS(ages, row) ?? 0;
  return problem(declinedTexts[declinedBecause], { declinedBecause, ...(retryAfterS > 0 ? { retryAfterS } : {}) });
};

/** An earlier approval of the same asker about the same thing. */
type Earlier = {
  row: ApprovalRow;
  key: PromptKey;
  /** The assistant withdrew it, superseded it with another request, or changed the listing it was about. */
  isChanged: boolean;
};

const saidYes = ({ state, decided_at: decidedAt }: ApprovalRow): boolean =>
  decidedAt !== null && ['approved', 'sending', 'done', 'failed', 'unconfirmed'].includes(state);

const isChanged = (row: ApprovalRow, all: readonly ApprovalRow[]): boolean => {
  if (row.changed_by_asker === 1) return true;
  if (row.state === 'withdrawn') return row.outcome === null;
  const next = all.find((one) => one.approval_id === row.superseded_by);
  return next !== undefined && next.request_digest !== row.request_digest;
};

/** Whether the person approved the same after this approval was answered or left, in every place that the request covers. */
const isSettled = (
  { row, key }: Earlier,
  request: PromptKey,
  all: readonly Earlier[],
  counts: (later: ApprovalRow) => boolean = () => true,
): boolean => {
  const answeredSeq = row.answered_seq;
  if (answeredSeq === null) return false;
  const later = all.filter(
    (one) =>
      saidYes(one.row) &&
      one.key.variant === key.variant &&
      (one.row.answered_seq ?? -Infinity) > answeredSeq &&
      counts(one.row),
  );
  const places = overlapKeys(key, request) ? sharedPlaces(key, request) : sharedPlaces(key, key);
  return places.every((place) => later.some((one) => coversPlace(one.key, place)));
};

/** Returns what this asker requested for the same act on the same thing, in any place. */
const readHistory = (
  { table, ages, account }: ApprovalsContext,
  { by, route }: Pick<Ask, 'by' | 'route'>,
  { act, target }: PromptKey,
): Earlier[] => {
  const all = table.ofRoutesSince(account(), askerIdOf(by), routesLike(route), ages.earliestAt(historyMs));
  return all
    .map((row) => ({ row, key: promptKeyOf(row.route, row.subject.request.input), isChanged: isChanged(row, all) }))
    .filter((one) => one.key.act === act && one.key.target === target);
};

/** Returns the facts of a request that are known without reading the service. */
const knownFacts = (
  { listings, account }: ApprovalsContext,
  { route, input }: Pick<Ask, 'route' | 'input'>,
  declined: PromptFacts,
): PromptFacts => {
  const listingId = subjectListingOf(route, input);
  const kept = listingId === null ? null : listings.read(account(), listingId);
  return { ...declined, route, input, listing: kept ?? declined.listing, photos: null };
};

const isWrittenWithin = ({ locks }: ApprovalsContext, { input }: Pick<Ask, 'input'>, ms: number): boolean => {
  const listingId = listingIdOf(input);
  return listingId !== null && (locks.wroteAgoMs(listingId) ?? Infinity) <= ms;
};

/** Whether these facts differ from the declined ones. "The details are wrong" is also answered by other details. */
const isAnswer = ({ declined_because: why }: ApprovalRow, declined: PromptFacts, facts: PromptFacts): boolean =>
  isMaterialChange(declined, facts) || (why === 'wrong_details' && isDetailChange(declined, facts));

/** Whether the request may differ in a material fact from what was declined; with `fresh`, whether it does. */
const mayDiffer = (context: ApprovalsContext, request: Ask, row: ApprovalRow, fresh: Subject | null): boolean => {
  const declined = storedFactsOf(row.subject);
  if (declined === null) return true;
  if (fresh !== null) return isAnswer(row, declined, promptFactsOf(fresh));
  return (
    isWrittenWithin(context, request, context.ages.ageMs(row.approval_id, row.shown_at)) ||
    isAnswer(row, declined, knownFacts(context, request, declined))
  );
};

/** Whether the person, after this decline, approved a request that does not differ from what they declined. */
const isLifted = (declined: Earlier, key: PromptKey, history: readonly Earlier[]): boolean => {
  const facts = storedFactsOf(declined.row.subject);
  return isSettled(declined, key, history, ({ subject }) => {
    const later = storedFactsOf(subject);
    return facts === null || later === null || !isAnswer(declined.row, facts, later);
  });
};

/** Whether a decline was already followed by another request, or was itself the decline of a correction. */
const isFollowedUp = (declined: Earlier, history: readonly Earlier[]): boolean =>
  declined.row.is_correction === 1 ||
  history.some(
    ({ row, key }) => overlapKeys(key, declined.key) && row.asked_seq > (declined.row.answered_seq ?? Infinity),
  );

/**
 * Throws PERSON_DECLINED if a decline in force refuses this request. A later approval of what was declined lifts the
 * decline for good; a later approval of another request lifts it only for requests that differ from what was declined.
 * Returns whether the request corrects a declined one.
 */
const checkDeclined = (
  context: ApprovalsContext,
  request: Ask,
  { key, history, fresh }: { key: PromptKey; history: readonly Earlier[]; fresh: Subject | null },
): boolean => {
  const { ages } = context;
  const nos = history.filter((one) => overlapKeys(one.key, key) && (declinedForS(ages, one.row) ?? 0) > 0);
  const isOpen = (one: Earlier): boolean => !isSettled(one, key, history);
  const refusing = nos.findLast((one) =>
    mayDiffer(context, request, one.row, fresh)
      ? isFollowedUp(one, history) && isOpen(one)
      : !isLifted(one, key, history),
  );
  if (refusing) throw declinedProblem(ages, refusing.row);
  return nos.some(isOpen);
};

/** Returns the changes of a prompt, including changes of prompts that it is connected to by shared places. */
const changesOf = (key: PromptKey, changed: readonly Earlier[]): readonly Earlier[] => {
  const own = changed.filter((one) => overlapKeys(one.key, key));
  const places = own.some((one) => one.key.places === null)
    ? null
    : [...new Set([...(key.places ?? []), ...own.flatMap((one) => one.key.places ?? [])])];
  const isWider = key.places !== null && places?.length !== key.places.length;
  return isWider ? changesOf({ ...key, places }, changed) : own;
};

/** Returns the seconds until another change is allowed, given the ages of the past changes; 0 if it is allowed now. */
const limitLeftS = (agesMs: readonly number[]): number =>
  windowLeftS(agesMs.toSorted((a, b) => a - b)[maxChanges - 1] ?? Infinity);

/** Returns the seconds until this prompt may be changed again; 0 if it may be changed now. */
const changesLeftS = ({ ages }: ApprovalsContext, key: PromptKey, history: readonly Earlier[]): number => {
  const changed = history.filter((one) => one.isChanged && !isSettled(one, key, history));
  return limitLeftS(changesOf(key, changed).map(({ row }) => decidedAgeMs(ages, row)));
};

/** Throws TOO_MANY_WAITING if the assistant has used up its changes of this prompt, under any name. */
const checkChanges = (context: ApprovalsContext, key: PromptKey, history: readonly Earlier[]): void => {
  const retryAfterS = changesLeftS(context, key, history);
  if (retryAfterS > 0) throw problem('TOO_MANY_WAITING.changes', { retryAfterS });
};

/** Whether the assistant changed the listing of this prompt since it was shown. Changes by others do not count. */
export const isChangedByAsker = (
  { ownWrites, ages }: ApprovalsContext,
  { asker, asker_id: askerId, listing_id: listingId, approval_id: id, shown_at: shownAt }: ApprovalRow,
): boolean =>
  asker.kind === 'assistant' && listingId !== null && ownWrites.agoMs(askerId, listingId) <= ages.ageMs(id, shownAt);

/** Returns the rows that the asker withdrew from a batch that has no pending row and no answer; otherwise none. */
const takenAwayOf = (rows: readonly ApprovalRow[]): readonly ApprovalRow[] => {
  const isUnanswered = ({ state, decided_at: decidedAt }: ApprovalRow): boolean =>
    state !== 'pending' && (decidedAt === null || state === 'superseded');
  const isElsewhere = ({ superseded_by: next }: ApprovalRow): boolean =>
    next !== null && rows.every(({ approval_id: id }) => id !== next);
  return rows.every(isUnanswered) ? rows.filter((row) => isElsewhere(row) || isChanged(row, rows)) : [];
};

/** Throws TOO_MANY_WAITING if the assistant has withdrawn as many batches as allowed, about any listings. */
export const checkBatches = ({ table, ages, account }: ApprovalsContext, by: Asker): void => {
  if (by.kind === 'person') return;
  const rows = table.ofBatchesSince(account(), askerIdOf(by), ages.earliestAt(repeatWindowMs));
  const takenAway = [...Map.groupBy(rows, (row) => row.batch_id).values()].map(takenAwayOf);
  // The withdrawal of its last row counts as the withdrawal of the batch.
  const retryAfterS = limitLeftS(takenAway.map((own) => Math.min(...own.map((row) => decidedAgeMs(ages, row)))));
  if (retryAfterS > 0) throw problem('TOO_MANY_WAITING.changes', { retryAfterS });
};

/** Whether the person declined exactly this recently and has not approved it since. */
const isDeclinedNow = (
  { ages }: ApprovalsContext,
  subject: Subject,
  { key, history }: { key: PromptKey; history: readonly Earlier[] },
): boolean =>
  history.some((one) => {
    const declined = storedFactsOf(one.row.subject);
    return (
      declined !== null &&
      overlapKeys(one.key, key) &&
      (declinedForS(ages, one.row) ?? 0) > 0 &&
      !isAnswer(one.row, declined, promptFactsOf(subject)) &&
      !isLifted(one, key, history)
    );
  });

/** Throws if the assistant changed the listing of this prompt too often to redraw it, or changed it to what was declined. */
export const checkRedraw = (context: ApprovalsContext, row: ApprovalRow, fresh: Subject): void => {
  if (!isChangedByAsker(context, row)) return;
  const key = promptKeyOf(row.route, row.subject.request.input);
  const history = readHistory(context, { by: row.asker, route: row.route }, key);
  if (changesLeftS(context, key, history) > 0 || isDeclinedNow(context, fresh, { key, history }))
    throw problem('APPROVAL_WITHDRAWN.changes');
};

/** Returns the pending prompts about the same thing that the assistant requested after this one. */
export const laterPrompts = (context: ApprovalsContext, row: ApprovalRow): readonly ApprovalRow[] => {
  const key = promptKeyOf(row.route, row.subject.request.input);
  return readHistory(context, { by: row.asker, route: row.route }, key)
    .filter(
      (one) =>
        one.row.state === 'pending' &&
        one.row.asked_seq > row.asked_seq &&
        one.key.variant === key.variant &&
        overlapKeys(one.key, key),
    )
    .map((one) => one.row);
};

/** How a request relates to earlier requests of the same asker. */
export type Repeat = {
  /** The pending prompts that it supersedes. */
  leaving: ApprovalRow[];
  isCorrection: boolean;
};

/**
 * Compares an assistant's request with its earlier requests about the same thing. Throws if a decline is in force or the
 * prompt was changed too often. Without `fresh` (before anything is read) it throws only what is already certain.
 */
export const checkRepeat = (context: ApprovalsContext, request: Ask, fresh: Subject | null): Repeat => {
  if (request.by.kind === 'person') return { leaving: [], isCorrection: false };
  const key = promptKeyOf(request.route, request.input);
  const history = readHistory(context, request, key);
  const isCorrection = checkDeclined(context, request, { key, history, fresh });
  checkChanges(context, key, history);
  const isLeaving = (one: Earlier): boolean =>
    one.row.state === 'pending' && one.key.variant === key.variant && overlapKeys(one.key, key);
  return { leaving: history.filter(isLeaving).map(({ row }) => row), isCorrection };
};

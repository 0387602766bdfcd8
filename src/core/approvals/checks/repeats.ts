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

/** How often an assistant may change a prompt, or take batches away, within the time that a change counts. */
const maxChanges = 2;
/** Longer than any prompt waits, so that all that a no depends on is among what is read. */
const historyMs = 2 * 24 * 60 * 60_000;

const declinedTexts = {
  no: 'PERSON_DECLINED',
  wrong_details: 'PERSON_DECLINED.wrongDetails',
  not_asked_for: 'PERSON_DECLINED.notAskedFor',
} as const satisfies Record<DeclineReason, string>;

/** How long ago it was answered or left, by the elapsed time: a wall clock that is set neither frees a no nor prolongs it. */
const decidedAgeMs = (ages: StoredAges, row: ApprovalRow): number =>
  ages.ageMs(decisionOf(row), row.decided_at ?? row.settled_at ?? row.shown_at);

const windowLeftS = (ageMs: number): number => Math.max(0, Math.ceil((repeatWindowMs - ageMs) / 1_000));

/** How long the no to this approval still stands, in seconds; null where it was not declined. */
export const declinedForS = (ages: StoredAges, row: ApprovalRow): number | null =>
  row.state === 'declined' ? windowLeftS(decidedAgeMs(ages, row)) : null;

/** The person's no as the assistant that asked is told it. */
export const declinedProblem = (ages: StoredAges, row: ApprovalRow): Problem => {
  const declinedBecause = row.declined_because ?? 'no';
  const retryAfterS = declinedForS(ages, row) ?? 0;
  return problem(declinedTexts[declinedBecause], { declinedBecause, ...(retryAfterS > 0 ? { retryAfterS } : {}) });
};

/** An approval of the asker's about the same thing. */
type Earlier = {
  row: ApprovalRow;
  key: PromptKey;
  /** The assistant took it back, asked for something else in its place, or changed the listing that it was about. */
  isChanged: boolean;
};

/** Whether the person said yes to it, whatever came of that. */
const saidYes = ({ state, decided_at: decidedAt }: ApprovalRow): boolean =>
  decidedAt !== null && ['approved', 'sending', 'done', 'failed', 'unconfirmed'].includes(state);

const isChanged = (row: ApprovalRow, all: readonly ApprovalRow[]): boolean => {
  if (row.changed_by_asker === 1) return true;
  if (row.state === 'withdrawn') return row.outcome === null;
  const next = all.find((one) => one.approval_id === row.superseded_by);
  return next !== undefined && next.request_digest !== row.request_digest;
};

/** Whether the person said yes to the same after this one was answered or left, at every place that is asked for of it. */
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

/** What this asker asked for the same act on the same thing, at whichever places. */
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

/** What a request is about, as far as it is known without reading anything. */
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

/** Whether these facts answer the no. "The details are wrong" is also answered by other details. */
const isAnswer = ({ declined_because: why }: ApprovalRow, declined: PromptFacts, facts: PromptFacts): boolean =>
  isMaterialChange(declined, facts) || (why === 'wrong_details' && isDetailChange(declined, facts));

/** Whether the request may differ, in a fact that matters, from what was declined; with `fresh`, whether it does. */
const mayDiffer = (context: ApprovalsContext, request: Ask, row: ApprovalRow, fresh: Subject | null): boolean => {
  const declined = storedFactsOf(row.subject);
  if (declined === null) return true;
  if (fresh !== null) return isAnswer(row, declined, promptFactsOf(fresh));
  return (
    isWrittenWithin(context, request, context.ages.ageMs(row.approval_id, row.shown_at)) ||
    isAnswer(row, declined, knownFacts(context, request, declined))
  );
};

/** Whether the person said yes, after this no, to what does not differ from what they declined. */
const isLifted = (declined: Earlier, key: PromptKey, history: readonly Earlier[]): boolean => {
  const facts = storedFactsOf(declined.row.subject);
  return isSettled(declined, key, history, ({ subject }) => {
    const later = storedFactsOf(subject);
    return facts === null || later === null || !isAnswer(declined.row, facts, later);
  });
};

/** Whether a no has already been answered by another request, or was itself the no to such an answer. */
const isFollowedUp = (declined: Earlier, history: readonly Earlier[]): boolean =>
  declined.row.is_correction === 1 ||
  history.some(
    ({ row, key }) => overlapKeys(key, declined.key) && row.asked_seq > (declined.row.answered_seq ?? Infinity),
  );

/**
 * Throws PERSON_DECLINED if a no still stands that refuses this request. A later yes to what was declined lifts a no for
 * good; a later yes to another request lifts it only for requests that differ from what was declined.
 * Returns whether the request answers a no.
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

/** The changes of a prompt, and of those that it was changed from by way of other places. */
const changesOf = (key: PromptKey, changed: readonly Earlier[]): readonly Earlier[] => {
  const own = changed.filter((one) => overlapKeys(one.key, key));
  const places = own.some((one) => one.key.places === null)
    ? null
    : [...new Set([...(key.places ?? []), ...own.flatMap((one) => one.key.places ?? [])])];
  const isWider = key.places !== null && places?.length !== key.places.length;
  return isWider ? changesOf({ ...key, places }, changed) : own;
};

/** How long until one more change is allowed after those of these ages, in seconds; 0 where it is now. */
const limitLeftS = (agesMs: readonly number[]): number =>
  windowLeftS(agesMs.toSorted((a, b) => a - b)[maxChanges - 1] ?? Infinity);

/** How long until this prompt may be changed again, in seconds; 0 where it may be now. */
const changesLeftS = ({ ages }: ApprovalsContext, key: PromptKey, history: readonly Earlier[]): number => {
  const changed = history.filter((one) => one.isChanged && !isSettled(one, key, history));
  return limitLeftS(changesOf(key, changed).map(({ row }) => decidedAgeMs(ages, row)));
};

/** Throws TOO_MANY_WAITING where the assistant has changed this prompt as often as it may, under whichever name. */
const checkChanges = (context: ApprovalsContext, key: PromptKey, history: readonly Earlier[]): void => {
  const retryAfterS = changesLeftS(context, key, history);
  if (retryAfterS > 0) throw problem('TOO_MANY_WAITING.changes', { retryAfterS });
};

/** Whether the assistant changed the listing of this prompt since it was shown. What others changed besides counts for nothing. */
export const isChangedByAsker = (
  { ownWrites, ages }: ApprovalsContext,
  { asker, asker_id: askerId, listing_id: listingId, approval_id: id, shown_at: shownAt }: ApprovalRow,
): boolean =>
  asker.kind === 'assistant' && listingId !== null && ownWrites.agoMs(askerId, listingId) <= ages.ageMs(id, shownAt);

/** What the asker took away of a batch of which nothing waits and the person answered nothing; else nothing. */
const takenAwayOf = (rows: readonly ApprovalRow[]): readonly ApprovalRow[] => {
  const isUnanswered = ({ state, decided_at: decidedAt }: ApprovalRow): boolean =>
    state !== 'pending' && (decidedAt === null || state === 'superseded');
  const isElsewhere = ({ superseded_by: next }: ApprovalRow): boolean =>
    next !== null && rows.every(({ approval_id: id }) => id !== next);
  return rows.every(isUnanswered) ? rows.filter((row) => isElsewhere(row) || isChanged(row, rows)) : [];
};

/** Throws TOO_MANY_WAITING where the assistant took away as many batches as it may, whatever they were about. */
export const checkBatches = ({ table, ages, account }: ApprovalsContext, by: Asker): void => {
  if (by.kind === 'person') return;
  const rows = table.ofBatchesSince(account(), askerIdOf(by), ages.earliestAt(repeatWindowMs));
  const takenAway = [...Map.groupBy(rows, (row) => row.batch_id).values()].map(takenAwayOf);
  // The last row that was taken away took the batch away.
  const retryAfterS = limitLeftS(takenAway.map((own) => Math.min(...own.map((row) => decidedAgeMs(ages, row)))));
  if (retryAfterS > 0) throw problem('TOO_MANY_WAITING.changes', { retryAfterS });
};

/** Whether this is what the person declined a moment ago, and said no yes to since. */
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

/** Throws where the assistant changed the listing of this prompt too often to have it drawn again, or to what was declined. */
export const checkRedraw = (context: ApprovalsContext, row: ApprovalRow, fresh: Subject): void => {
  if (!isChangedByAsker(context, row)) return;
  const key = promptKeyOf(row.route, row.subject.request.input);
  const history = readHistory(context, { by: row.asker, route: row.route }, key);
  if (changesLeftS(context, key, history) > 0 || isDeclinedNow(context, fresh, { key, history }))
    throw problem('APPROVAL_WITHDRAWN.changes');
};

/** The prompts about the same thing that wait and that the assistant asked for after this one. */
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

/** What a request is to what the same asker asked before. */
export type Repeat = {
  /** The prompts that wait and that it takes the place of. */
  leaving: ApprovalRow[];
  /** Whether it corrects what the person declined. */
  isCorrection: boolean;
};

/**
 * Holds an assistant's request against what it asked about the same thing before. Throws where a no stands, and where it
 * changes its prompt too often. Without `fresh`, before anything is read, it throws what is certain already.
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

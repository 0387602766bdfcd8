import { type DeclineReason, type Problem, problem } from '../../base/problem.ts';
import { listingIdOf } from '../../base/json.ts';
import type { StoredAges } from '../../base/storedAges.ts';
import { askerIdOf } from '../../base/request.ts';
import type { Subject } from '../../storage/tables/approvalRecord.ts';
import type { ApprovalRow } from '../../storage/tables/approvalsTable.ts';
import type { ApprovalsContext, Ask } from '../approvalsContext.ts';
import { decisionOf } from '../deadlines.ts';
import { isMaterialChange, promptFactsOf, storedFactsOf, type PromptFacts } from './materialChange.ts';
import { overlapKeys, promptKeyOf, routesLike, type PromptKey } from './promptKey.ts';

/** How long a no stands, and how long an assistant's change of its own prompt is counted. */
const repeatWindowMs = 10 * 60_000;
/** How often an assistant may change a prompt, or take it back and ask again, within that time. */
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

/** An approval of the asker's about the same thing; `askedAgeMs` is how long ago it was asked for, however often it was drawn since. */
type Earlier = { row: ApprovalRow; key: PromptKey; askedAgeMs: number };

/** Whether the person said yes to it, whatever came of that. */
const saidYes = ({ state, decided_at: decidedAt }: ApprovalRow): boolean =>
  decidedAt !== null && ['approved', 'sending', 'done', 'failed', 'unconfirmed'].includes(state);

const askedAgeMs = (ages: StoredAges, row: ApprovalRow, all: readonly ApprovalRow[]): number => {
  const before = all.find((one) => one.superseded_by === row.approval_id && one.request_digest === row.request_digest);
  return before ? askedAgeMs(ages, before, all) : ages.ageMs(row.approval_id, row.shown_at);
};

/** What this asker asked about the same thing, oldest first, without what the person's later yes has settled. */
const readHistory = (
  { table, ages, account }: ApprovalsContext,
  { by, route }: Pick<Ask, 'by' | 'route'>,
  key: PromptKey,
): Earlier[] => {
  const all = table.ofRoutesSince(account(), askerIdOf(by), routesLike(route), ages.earliestAt(historyMs));
  const same = all
    .map((row) => ({
      row,
      key: promptKeyOf(row.route, row.subject.request.input),
      askedAgeMs: askedAgeMs(ages, row, all),
    }))
    .filter((one) => overlapKeys(one.key, key));
  return same.filter(
    (one, index) => !same.slice(index).some((later) => saidYes(later.row) && overlapKeys(later.key, one.key)),
  );
};

/** What a request is about, as far as it is known without reading anything. */
const knownFacts = (
  { listings, account }: ApprovalsContext,
  { route, input }: Pick<Ask, 'route' | 'input'>,
  declined: PromptFacts,
): PromptFacts => {
  const listingId = listingIdOf(input);
  const kept = listingId === null ? null : listings.read(account(), listingId);
  return { ...declined, route, input, listing: kept ?? declined.listing, photos: null };
};

const isWrittenWithin = ({ locks }: ApprovalsContext, { input }: Pick<Ask, 'input'>, ms: number): boolean => {
  const listingId = listingIdOf(input);
  return listingId !== null && (locks.wroteAgoMs(listingId) ?? Infinity) <= ms;
};

/** Whether the request may differ, in a fact that matters, from what was declined; with `fresh`, whether it does. */
const mayDiffer = (context: ApprovalsContext, request: Ask, row: ApprovalRow, fresh: Subject | null): boolean => {
  const declined = storedFactsOf(row.subject);
  if (declined === null) return true;
  if (fresh !== null) return isMaterialChange(declined, promptFactsOf(fresh));
  return (
    isWrittenWithin(context, request, context.ages.ageMs(row.approval_id, row.shown_at)) ||
    isMaterialChange(declined, knownFacts(context, request, declined))
  );
};

/** Whether a no has already been answered by another request, or was itself the no to such an answer. */
const isFollowedUp = (ages: StoredAges, declined: Earlier, index: number, history: readonly Earlier[]): boolean =>
  history.some((other, at) => {
    if (!overlapKeys(other.key, declined.key)) return false;
    if (at > index) return other.askedAgeMs <= decidedAgeMs(ages, declined.row);
    if (at === index || other.row.state !== 'declined') return false;
    const askedAfterMs = decidedAgeMs(ages, other.row) - declined.askedAgeMs;
    return askedAfterMs >= 0 && askedAfterMs < repeatWindowMs;
  });

/** Throws PERSON_DECLINED where a no still stands that this request does not answer, or that was answered once before. */
const checkDeclined = (
  context: ApprovalsContext,
  request: Ask,
  history: readonly Earlier[],
  fresh: Subject | null,
): void => {
  const { ages } = context;
  const refusing = history.findLast(
    (one, index) =>
      (declinedForS(ages, one.row) ?? 0) > 0 &&
      (isFollowedUp(ages, one, index, history) || !mayDiffer(context, request, one.row, fresh)),
  );
  if (refusing) throw declinedProblem(ages, refusing.row);
};

/** Whether the assistant took it back, or asked for something else in its place. */
const isChanged = ({ row }: Earlier, history: readonly Earlier[]): boolean => {
  if (row.state === 'withdrawn') return row.outcome === null;
  const next = history.find((one) => one.row.approval_id === row.superseded_by);
  return next !== undefined && next.row.request_digest !== row.request_digest;
};

/** Throws TOO_MANY_WAITING where the assistant has changed this prompt as often as it may. */
const checkChanges = ({ ages }: ApprovalsContext, history: readonly Earlier[]): void => {
  const changes = history.filter((one) => isChanged(one, history) && decidedAgeMs(ages, one.row) < repeatWindowMs);
  const [first] = changes.slice(-maxChanges);
  if (first === undefined || changes.length < maxChanges) return;
  throw problem('TOO_MANY_WAITING.changes', { retryAfterS: windowLeftS(decidedAgeMs(ages, first.row)) });
};

/**
 * Holds an assistant's request against what it asked about the same thing before. Answers the prompts that it takes the
 * place of; throws where a no stands, and where it changes its prompt too often. Without `fresh`, before anything is read,
 * it throws what is certain already.
 */
export const checkRepeat = (context: ApprovalsContext, request: Ask, fresh: Subject | null): ApprovalRow[] => {
  if (request.by.kind === 'person') return [];
  const key = promptKeyOf(request.route, request.input);
  const history = readHistory(context, request, key);
  checkDeclined(context, request, history, fresh);
  const same = history.filter((one) => one.key.variant === key.variant);
  checkChanges(context, same);
  return same.map(({ row }) => row).filter(({ state }) => state === 'pending');
};

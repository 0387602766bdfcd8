import { pickDeclaredPart, type RouteName, findRouteByName, limits } from '../../../contract/index.ts';
import { toCanonicalJson, readListingId, toRecordOrEmpty } from '../../base/json.ts';
import { findRouteFloor, type Floor, findMaxAgeMs } from './floors.ts';
import type { Clock } from '../../base/ports.ts';
import type { Pacing } from '../pacing/pacing.ts';
import { ServiceError } from '../serviceError.ts';
import { createBoundedMap, type BoundedMap } from '../../base/boundedMap.ts';
import { createProblem } from '../../base/problem.ts';

type CallInput = { params?: unknown; query?: unknown; headers?: unknown; body?: unknown };

/** A call as the limits count it. */
export type LimitedCall = {
  floor: Floor;
  /** Equal calls have the same key. */
  key: string;
  /** The key of the call without narrowing parameters; that answer serves as well. */
  wider: string;
  /** Whether all its parameters are in the contract; only then its answer may be cached. */
  isDeclared: boolean;
};

const judgedCalls = new WeakMap<object, { route: RouteName; call: LimitedCall }>();

const omitQueryFields = (query: unknown, names: readonly string[] = []): unknown =>
  query !== null && typeof query === 'object'
    ? Object.fromEntries(Object.entries(query).filter(([name]) => !names.includes(name)))
    : query;

const toLimitedCall = (route: RouteName, floor: Floor, input: CallInput): LimitedCall => {
  const { params, query, headers, body } = input;
  const declared = pickDeclaredPart(route, input);
  const given = toCanonicalJson([params, query ?? {}, body]);
  const named = toCanonicalJson([declared.params, declared.query, declared.body]);
  const isDeclared = floor.of === 'content' || given === named;
  // Another `Accept` header gives another answer.
  const { accept = '' } = toRecordOrEmpty(headers);
  const kind = typeof accept === 'string' ? accept : '';
  const key = `${route} ${kind} ${floor.of === 'content' ? given : floor.of === 'listing' ? toCanonicalJson(params) : named}`;
  const wider = `${route} ${kind} ${toCanonicalJson([declared.params, omitQueryFields(declared.query, floor.ignores), declared.body])}`;
  return { floor, key, wider, isDeclared };
};

/** Returns the call of a parsed request; null if the route has no floor. Memoised by the request object. */
export const findLimitedCall = (route: RouteName, input: object): LimitedCall | null => {
  const floor = findRouteFloor(route);
  if (floor === null) return null;
  const known = judgedCalls.get(input);
  if (known?.route === route) return known.call;
  const call = toLimitedCall(route, floor, input);
  judgedCalls.set(input, { route, call });
  return call;
};

/** The duration of a 429 without a time, in seconds. */
const untimedWaitS = 60;

/** `until` is by the elapsed time. */
type ActiveRefusal = { until: number; error: ServiceError };

/** Active 429 refusals. Until one ends, no request of the same budget is sent. */
export type ActiveRefusals = {
  /** Notes a 429 refusal of that route. */
  note: (route: RouteName, error: ServiceError) => void;
  /** Returns the active refusal for this route, with the remaining seconds, or null. */
  find: (route: RouteName) => ServiceError | null;
};

/** Returns the budget of a route; routes with the same budget share its refusals. */
const findSharedBudget = (route: RouteName): string => findRouteByName(route).quota ?? `route ${route}`;

/** Returns the refusal with the remaining time. */
const toCurrentRefusal = ({ code, message, says, body, status }: ServiceError, retryAfterS: number): ServiceError =>
  new ServiceError({
    code,
    sentence: message,
    says,
    body,
    status,
    effect: 'refused',
    retryAfterS,
    headers: { 'retry-after': String(retryAfterS) },
  });

export const createActiveRefusals = (
  clock: Clock,
  account: () => string | null,
  pacing: Pick<Pacing, 'retryAfterMs' | 'newBudgetsInMs'>,
): ActiveRefusals => {
  const active = new Map<string, ActiveRefusal>();
  const toRefusalKey = (route: RouteName): string => `${account()} ${findSharedBudget(route)}`;
  return {
    note: (route, error) => {
      const now = clock.elapsedMs();
      const named = error.retryAfterS === undefined ? null : now + pacing.retryAfterMs(error.retryAfterS);
      // The marketplace's daily limit is renewed at midnight, also if the answer names no time.
      const daily = named === null && findRouteByName(route).quota !== undefined ? now + pacing.newBudgetsInMs() : null;
      active.set(toRefusalKey(route), { until: named ?? daily ?? now + pacing.retryAfterMs(untimedWaitS), error });
    },
    find: (route) => {
      const found = active.get(toRefusalKey(route));
      const leftMs = (found?.until ?? -Infinity) - clock.elapsedMs();
      return found && leftMs > 0 ? toCurrentRefusal(found.error, Math.ceil(leftMs / 1_000)) : null;
    },
  };
};

const maxRemembered = 2_000;
const minuteMs = 60_000;
/** How many failed approval requests one assistant may make in a minute. Pending ones are limited elsewhere. */
const maxVainQuestions = 12;

/** `at` is by the elapsed time, like all times of these limits. */
type LastCall = { at: number; listingId: string | null; floor: Floor };

/** The dependencies of the limits. */
export type CallLimitsContext = {
  clock: Clock;
  account: () => string | null;
  /** Returns whether the person may be changing something on a page of the service. */
  isPageOpen: () => boolean;
  /** Returns the cached answer of a call, or undefined. */
  keptAnswer: (call: LimitedCall) => unknown;
};

/** The limits for assistants: the interval between equal calls, and calls per minute. */
export type CallLimits = {
  /**
   * Admits an assistant's call to the service. Throws `SLOW_DOWN` if an equal call was made recently or the route's
   * calls per minute are used up.
   */
  admit: (route: RouteName, input: object) => void;
  /**
   * Admits an assistant's approval request, which reads from the service. Throws `SLOW_DOWN` after many failed ones.
   */
  admitApprovalRequest: (assistantId: string) => void;
  /** Notes that an assistant's approval request was refused or withdrawn. */
  noteFailedRequest: (assistantId: string) => void;
  /** Notes a call of any asker. */
  noteSent: (call: LimitedCall, input: object) => void;
  noteFailed: (call: LimitedCall) => void;
  /** Forgets calls that may be repeated at once, as a write changed their answer. */
  forget: (isGone: (one: { floor: Floor; listingId: string | null }) => boolean) => void;
};

/** Creates call counters by name; each call counts for one minute. */
const createMinuteCounts = (clock: Clock) => {
  const counted = new Map<string, number[]>();
  const listRecentCalls = (name: string): number[] => {
    const now = clock.elapsedMs();
    return (counted.get(name) ?? []).filter((at) => now - at < minuteMs);
  };
  return {
    add: (name: string): void => void counted.set(name, [...listRecentCalls(name), clock.elapsedMs()]),
    /** Throws `SLOW_DOWN` if the count within a minute has reached the limit. */
    check: (name: string, most: number): void => {
      const all = listRecentCalls(name);
      if (all.length >= most) refuseCallUntil(clock, (all[0] ?? clock.elapsedMs()) + minuteMs);
    },
  };
};

/** Throws `SLOW_DOWN` until `at`, by the elapsed time. */
const refuseCallUntil = (clock: Clock, at: number): void => {
  const waitMs = at - clock.elapsedMs();
  if (waitMs > 0) throw createProblem('SLOW_DOWN', { retryAfterS: Math.ceil(waitMs / 1_000) });
};

/**
 * Returns whether the answer of a call is cached. An equal call then reaches the service only after a failure or a
 * write.
 */
export const isAnswerKeepable = (call: LimitedCall): boolean => call.isDeclared && !call.floor.once;
const isSpacedByFailures = (call: LimitedCall): boolean => isAnswerKeepable(call) && call.floor.of !== 'account';

export const createCallLimits = (context: CallLimitsContext): CallLimits => {
  const { clock, account } = context;
  const counts = createMinuteCounts(clock);
  const sent = createBoundedMap<string, LastCall>(maxRemembered);
  const failed: BoundedMap<string, number> = createBoundedMap(maxRemembered);
  const toAccountKey = ({ key }: LimitedCall): string => `${account()} ${key}`;
  const toSpacingKey = (call: LimitedCall): string =>
    call.floor.of === 'account' ? `${account()} ${call.key.split(' ')[0]}` : toAccountKey(call);

  // A cacheable call that misses the cache failed or was invalidated by a write; only after a failure it must wait.
  const findLastCallAt = (call: LimitedCall): number =>
    (isSpacedByFailures(call) ? failed.get(toAccountKey(call)) : sent.get(toSpacingKey(call))?.at) ?? -Infinity;
  /**
   * Returns the interval to the previous equal call. A cacheable call is sent again only after a failure, so its
   * interval is shorter.
   */
  const findSpacingMs = (route: RouteName, call: LimitedCall): number =>
    isSpacedByFailures(call)
      ? limits.pollMs.least
      : findMaxAgeMs(route, call.floor, context.keptAnswer(call), context.isPageOpen());
  const noteSent = (call: LimitedCall, input: object): void =>
    sent.set(toSpacingKey(call), { at: clock.elapsedMs(), listingId: readListingId(input), floor: call.floor });

  return {
    admit: (route, input) => {
      const call = findLimitedCall(route, input);
      if (!call) return;
      refuseCallUntil(clock, findLastCallAt(call) + findSpacingMs(route, call));
      counts.check(`${account()} ${route}`, call.floor.perMinute);
      counts.add(`${account()} ${route}`);
      noteSent(call, input);
    },
    admitApprovalRequest: (assistantId) => counts.check(`vain ${assistantId}`, maxVainQuestions),
    noteFailedRequest: (assistantId) => counts.add(`vain ${assistantId}`),
    noteSent,
    noteFailed: (call) => failed.set(toAccountKey(call), clock.elapsedMs()),
    forget: (isGone) => {
      // Calls with an effect keep their interval after any write.
      for (const [key, one] of [...sent.entries()]) if (!one.floor.once && isGone(one)) sent.delete(key);
    },
  };
};

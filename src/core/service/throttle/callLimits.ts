import { pickDeclaredInput, type RouteName, getRouteByName, limits } from '../../../contract/index.ts';
import { toCanonicalJson, findListingId, toRecordOrEmpty } from '../../base/json.ts';
import { findRouteFloor, type Floor, getMaxAgeMs } from './floors.ts';
import type { Clock } from '../../base/ports.ts';
import type { Pacing } from '../pacing/pacing.ts';
import { ServiceError } from '../serviceError.ts';
import { createBoundedMap, type BoundedMap } from '../../base/boundedMap.ts';
import { createProblem } from '../../base/problem.ts';

type CallInput = { params?: unknown; query?: unknown; headers?: unknown; body?: unknown };

export type LimitedCall = {
  floor: Floor;
  /** Equal calls have equal keys. */
  key: string;
  /**
   * The key of the wider call: the same call without the parameters that only narrow its answer. The answer of the
   * wider call also answers this call.
   */
  wider: string;
  /** Whether the contract declares all parameters of the call. If it does not, the answer must not be cached. */
  isDeclared: boolean;
};

const limitedCalls = new WeakMap<object, { route: RouteName; call: LimitedCall }>();

const omitQueryFields = (query: unknown, names: readonly string[] = []): unknown =>
  query !== null && typeof query === 'object'
    ? Object.fromEntries(Object.entries(query).filter(([name]) => !names.includes(name)))
    : query;

const toLimitedCall = (route: RouteName, floor: Floor, input: CallInput): LimitedCall => {
  const { params, query, headers, body } = input;
  const declared = pickDeclaredInput(route, input);
  const given = toCanonicalJson([params, query ?? {}, body]);
  const named = toCanonicalJson([declared.params, declared.query, declared.body]);
  const isDeclared = floor.of === 'content' || given === named;
  // A call with another `Accept` header gets another answer.
  const { accept = '' } = toRecordOrEmpty(headers);
  const kind = typeof accept === 'string' ? accept : '';
  const key = `${route} ${kind} ${floor.of === 'content' ? given : floor.of === 'listing' ? toCanonicalJson(params) : named}`;
  const wider = `${route} ${kind} ${toCanonicalJson([declared.params, omitQueryFields(declared.query, floor.ignores), declared.body])}`;
  return { floor, key, wider, isDeclared };
};

/** Returns null if the route has no floor. The result is stored for each input object and reused. */
export const findLimitedCall = (route: RouteName, input: object): LimitedCall | null => {
  const floor = findRouteFloor(route);
  if (floor === null) return null;
  const known = limitedCalls.get(input);
  if (known?.route === route) return known.call;
  const call = toLimitedCall(route, floor, input);
  limitedCalls.set(input, { route, call });
  return call;
};

/** The wait after a 429 that names no time. */
const untimedWaitS = 60;

/** `until` is in ms on the monotonic clock. */
type ActiveRefusal = { until: number; error: ServiceError };

/** The 429 refusals that still apply. While one applies, no request that counts against the same budget is sent. */
export type ActiveRefusalStore = {
  note: (route: RouteName, error: ServiceError) => void;
  /** Returns a copy of the active refusal with the remaining seconds, or null. */
  find: (route: RouteName) => ServiceError | null;
};

const getBudgetKey = (route: RouteName): string => getRouteByName(route).quota ?? `route ${route}`;

const createRefusalWithTimeLeft = (
  { code, message, says, body, status }: ServiceError,
  retryAfterS: number,
): ServiceError =>
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

export const createActiveRefusalStore = (
  clock: Clock,
  account: () => string | null,
  pacing: Pick<Pacing, 'retryAfterMs' | 'newBudgetsInMs'>,
): ActiveRefusalStore => {
  const active = new Map<string, ActiveRefusal>();
  const toRefusalKey = (route: RouteName): string => `${account()} ${getBudgetKey(route)}`;
  return {
    note: (route, error) => {
      const now = clock.elapsedMs();
      const named = error.retryAfterS === undefined ? null : now + pacing.retryAfterMs(error.retryAfterS);
      // A daily limit is renewed at midnight in the Pacific time zone, even if the answer names no time.
      const daily = named === null && getRouteByName(route).quota !== undefined ? now + pacing.newBudgetsInMs() : null;
      active.set(toRefusalKey(route), { until: named ?? daily ?? now + pacing.retryAfterMs(untimedWaitS), error });
    },
    find: (route) => {
      const found = active.get(toRefusalKey(route));
      const leftMs = (found?.until ?? -Infinity) - clock.elapsedMs();
      return found && leftMs > 0 ? createRefusalWithTimeLeft(found.error, Math.ceil(leftMs / 1_000)) : null;
    },
  };
};

const maxRemembered = 2_000;
const minuteMs = 60_000;
/** The limit for failed approval requests of one assistant in a minute. */
const maxFailedRequests = 12;

/** `at` is in ms on the monotonic clock. */
type LastCall = { at: number; listingId: string | null; floor: Floor };

export type CallLimitsContext = {
  clock: Clock;
  account: () => string | null;
  isPageOpen: () => boolean;
  keptAnswer: (call: LimitedCall) => unknown;
};

export type CallLimiter = {
  /** Throws `SLOW_DOWN` if an equal call was made recently or the calls per minute are used up. */
  admit: (route: RouteName, input: object) => void;
  /** Throws `SLOW_DOWN` after many failed approval requests. */
  admitApprovalRequest: (assistantId: string) => void;
  noteFailedRequest: (assistantId: string) => void;
  noteSent: (call: LimitedCall, input: object) => void;
  noteFailed: (call: LimitedCall) => void;
  /** Forgets calls whose answer a write has changed, so that they can be repeated at once. */
  forget: (isGone: (one: { floor: Floor; listingId: string | null }) => boolean) => void;
};

const createMinuteCounters = (clock: Clock) => {
  const counted = new Map<string, number[]>();
  const listRecentCallTimes = (name: string): number[] => {
    const now = clock.elapsedMs();
    return (counted.get(name) ?? []).filter((at) => now - at < minuteMs);
  };
  return {
    add: (name: string): void => void counted.set(name, [...listRecentCallTimes(name), clock.elapsedMs()]),
    check: (name: string, most: number): void => {
      const all = listRecentCallTimes(name);
      if (all.length >= most) refuseCallUntil(clock, (all[0] ?? clock.elapsedMs()) + minuteMs);
    },
  };
};

const refuseCallUntil = (clock: Clock, at: number): void => {
  const waitMs = at - clock.elapsedMs();
  if (waitMs > 0) throw createProblem('SLOW_DOWN', { retryAfterS: Math.ceil(waitMs / 1_000) });
};

/** Returns whether the answer of a call is cached. */
export const isAnswerCacheable = (call: LimitedCall): boolean => call.isDeclared && !call.floor.once;
const mustWaitOnlyAfterFailure = (call: LimitedCall): boolean => isAnswerCacheable(call) && call.floor.of !== 'account';

export const createCallLimiter = (context: CallLimitsContext): CallLimiter => {
  const { clock, account } = context;
  const counts = createMinuteCounters(clock);
  const sent = createBoundedMap<string, LastCall>(maxRemembered);
  const failed: BoundedMap<string, number> = createBoundedMap(maxRemembered);
  const toAccountKey = ({ key }: LimitedCall): string => `${account()} ${key}`;
  const getIntervalKey = (call: LimitedCall): string =>
    call.floor.of === 'account' ? `${account()} ${call.key.split(' ')[0]}` : toAccountKey(call);

  // A cacheable call is sent again only if it failed or a write changed its answer. It must wait only if it failed.
  const getLastCallAt = (call: LimitedCall): number =>
    (mustWaitOnlyAfterFailure(call) ? failed.get(toAccountKey(call)) : sent.get(getIntervalKey(call))?.at) ?? -Infinity;
  const getMinIntervalMs = (route: RouteName, call: LimitedCall): number =>
    mustWaitOnlyAfterFailure(call)
      ? limits.pollMs.least
      : getMaxAgeMs(route, call.floor, context.keptAnswer(call), context.isPageOpen());
  const noteSent = (call: LimitedCall, input: object): void =>
    sent.set(getIntervalKey(call), { at: clock.elapsedMs(), listingId: findListingId(input), floor: call.floor });

  return {
    admit: (route, input) => {
      const call = findLimitedCall(route, input);
      if (!call) return;
      refuseCallUntil(clock, getLastCallAt(call) + getMinIntervalMs(route, call));
      counts.check(`${account()} ${route}`, call.floor.perMinute);
      counts.add(`${account()} ${route}`);
      noteSent(call, input);
    },
    admitApprovalRequest: (assistantId) => counts.check(`vain ${assistantId}`, maxFailedRequests),
    noteFailedRequest: (assistantId) => counts.add(`vain ${assistantId}`),
    noteSent,
    noteFailed: (call) => failed.set(toAccountKey(call), clock.elapsedMs()),
    forget: (isGone) => {
      // A call with an effect is not repeated early, even after a write.
      for (const [key, one] of [...sent.entries()]) if (!one.floor.once && isGone(one)) sent.delete(key);
    },
  };
};

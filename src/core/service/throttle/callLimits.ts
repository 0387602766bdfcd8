import { declaredPart, type RouteName, routeOf, limits } from '../../../contract/index.ts';
import { canonical, listingIdOf, recordOf } from '../../base/json.ts';
import { floorOf, type Floor, maxAgeMs } from './floors.ts';
import type { Clock } from '../../base/ports.ts';
import type { Pacing } from '../pacing/pacing.ts';
import { ServiceError } from '../serviceError.ts';
import { createBoundedMap, type BoundedMap } from '../../base/boundedMap.ts';
import { problem } from '../../base/problem.ts';

type Input = { params?: unknown; query?: unknown; headers?: unknown; body?: unknown };

/** What a call is, as the interface's rules count calls. */
export type Call = {
  floor: Floor;
  /** Calls with the same one are the same call. */
  key: string;
  /** The same call without what it asks for less of: its answer serves as well. */
  wider: string;
  /** Whether it holds nothing but what the contract names: only then an answer can be kept for it. */
  isDeclared: boolean;
};

const judgedCalls = new WeakMap<object, { route: RouteName; call: Call }>();

const without = (query: unknown, names: readonly string[] = []): unknown =>
  query !== null && typeof query === 'object'
    ? Object.fromEntries(Object.entries(query).filter(([name]) => !names.includes(name)))
    : query;

const judged = (route: RouteName, floor: Floor, input: Input): Call => {
  const { params, query, headers, body } = input;
  const declared = declaredPart(route, input);
  const given = canonical([params, query ?? {}, body]);
  const named = canonical([declared.params, declared.query, declared.body]);
  const isDeclared = floor.of === 'content' || given === named;
  // The same in another kind of writing is another answer.
  const { accept = '' } = recordOf(headers);
  const kind = typeof accept === 'string' ? accept : '';
  const key = `${route} ${kind} ${floor.of === 'content' ? given : floor.of === 'listing' ? canonical(params) : named}`;
  const wider = `${route} ${kind} ${canonical([declared.params, without(declared.query, floor.ignores), declared.body])}`;
  return { floor, key, wider, isDeclared };
};

/** Which call a parsed request is; null where the route has no floor. The same object is judged once. */
export const callOf = (route: RouteName, input: object): Call | null => {
  const floor = floorOf(route);
  if (floor === null) return null;
  const known = judgedCalls.get(input);
  if (known?.route === route) return known.call;
  const call = judged(route, floor, input);
  judgedCalls.set(input, { route, call });
  return call;
};

/** How long a refusal stands that asks to wait and says no time, in seconds. */
const untimedWaitS = 60;

/** `until` is by the elapsed time. */
type Held = { until: number; error: ServiceError };

/** Refusals with status 429 that still stand: while one does, no request of the same budget is sent. */
export type HeldRefusals = {
  /** Notes a refusal of that route with status 429. */
  note: (route: RouteName, error: ServiceError) => void;
  /** The refusal that still holds for this request, with the seconds that are left; null when there is none. */
  find: (route: RouteName) => ServiceError | null;
};

/** Requests that share a budget of the service share its refusals. */
const budgetOf = (route: RouteName): string => routeOf(route).quota ?? `route ${route}`;

/** The same refusal, as if the service had given it now. */
const refusedFor = ({ code, message, says, body, status }: ServiceError, retryAfterS: number): ServiceError =>
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

export const createHeldRefusals = (
  clock: Clock,
  account: () => string | null,
  pacing: Pick<Pacing, 'retryAfterMs' | 'newBudgetsInMs'>,
): HeldRefusals => {
  const held = new Map<string, Held>();
  const keyOf = (route: RouteName): string => `${account()} ${budgetOf(route)}`;
  return {
    note: (route, error) => {
      const now = clock.elapsedMs();
      const named = error.retryAfterS === undefined ? null : now + pacing.retryAfterMs(error.retryAfterS);
      // The marketplace's own daily limit starts again at midnight, whatever the answer leaves out.
      const daily = named === null && routeOf(route).quota !== undefined ? now + pacing.newBudgetsInMs() : null;
      held.set(keyOf(route), { until: named ?? daily ?? now + pacing.retryAfterMs(untimedWaitS), error });
    },
    find: (route) => {
      const found = held.get(keyOf(route));
      const leftMs = (found?.until ?? -Infinity) - clock.elapsedMs();
      return found && leftMs > 0 ? refusedFor(found.error, Math.ceil(leftMs / 1_000)) : null;
    },
  };
};

const mostRemembered = 2_000;
const minuteMs = 60_000;
/** How many questions of one assistant may come to nothing within a minute; of others few can wait at a time. */
const mostVainQuestions = 12;

/** `at` is by the elapsed time, as all times of these limits are. */
type LastCall = { at: number; listingId: string | null; floor: Floor };

/** What the limits are told and know of calls. */
export type CallLimitsContext = {
  clock: Clock;
  account: () => string | null;
  /** Whether a page of the service's is open on which the person may change something. */
  isPageOpen: () => boolean;
  /** The answer that is kept for a call; undefined when there is none. */
  keptAnswer: (call: Call) => unknown;
};

/** How often assistants may have the service asked: the time between two calls that are the same, and calls a minute. */
export type CallLimits = {
  /**
   * Lets a call of an assistant's reach the service, or throws SLOW_DOWN: when its like was made a moment ago, or when
   * its route was called as often as it may be within a minute.
   */
  admit: (route: RouteName, input: object) => void;
  /** Lets an assistant ask the person, for which the service is read. Throws SLOW_DOWN after many that came to nothing. */
  admitQuestion: (assistantId: string) => void;
  /** Notes that a question of an assistant's came to nothing: it was refused, or taken back. */
  askedInVain: (assistantId: string) => void;
  /** Notes that a call was made, whoever made it. */
  noteSent: (call: Call, input: object) => void;
  noteFailed: (call: Call) => void;
  /** Forgets the calls that may be made again at once, as something was written since. */
  forget: (isGone: (one: { floor: Floor; listingId: string | null }) => boolean) => void;
};

/** Calls a minute, by a name; they count for a minute each. */
const createMinuteCounts = (clock: Clock) => {
  const counted = new Map<string, number[]>();
  const recent = (name: string): number[] => {
    const now = clock.elapsedMs();
    return (counted.get(name) ?? []).filter((at) => now - at < minuteMs);
  };
  return {
    add: (name: string): void => void counted.set(name, [...recent(name), clock.elapsedMs()]),
    /** Throws SLOW_DOWN when so many were counted within a minute. */
    check: (name: string, most: number): void => {
      const all = recent(name);
      if (all.length >= most) refuseUntil(clock, (all[0] ?? clock.elapsedMs()) + minuteMs);
    },
  };
};

/** Throws SLOW_DOWN until `at`, by the elapsed time. */
const refuseUntil = (clock: Clock, at: number): void => {
  const waitMs = at - clock.elapsedMs();
  if (waitMs > 0) throw problem('SLOW_DOWN', { retryAfterS: Math.ceil(waitMs / 1_000) });
};

/** Whether the answer of a call is kept: then the same call reaches the service only where the last one failed. */
export const isKeepable = (call: Call): boolean => call.isDeclared && !call.floor.once;
const isSpacedByFailures = (call: Call): boolean => isKeepable(call) && call.floor.of !== 'account';

export const createCallLimits = (context: CallLimitsContext): CallLimits => {
  const { clock, account } = context;
  const counts = createMinuteCounts(clock);
  const sent = createBoundedMap<string, LastCall>(mostRemembered);
  const failed: BoundedMap<string, number> = createBoundedMap(mostRemembered);
  const keyOf = ({ key }: Call): string => `${account()} ${key}`;
  const spacingKey = (call: Call): string =>
    call.floor.of === 'account' ? `${account()} ${call.key.split(' ')[0]}` : keyOf(call);

  // What can be kept is not there because it failed, or because something was written since: only the first has to wait.
  const lastCallAt = (call: Call): number =>
    (isSpacedByFailures(call) ? failed.get(keyOf(call)) : sent.get(spacingKey(call))?.at) ?? -Infinity;
  /** How long after the last call of its kind one may be made: one that can be answered from memory failed, and is tried again sooner. */
  const spacingMs = (route: RouteName, call: Call): number =>
    isSpacedByFailures(call)
      ? limits.pollMs.least
      : maxAgeMs(route, call.floor, context.keptAnswer(call), context.isPageOpen());
  const noteSent = (call: Call, input: object): void =>
    sent.set(spacingKey(call), { at: clock.elapsedMs(), listingId: listingIdOf(input), floor: call.floor });

  return {
    admit: (route, input) => {
      const call = callOf(route, input);
      if (!call) return;
      refuseUntil(clock, lastCallAt(call) + spacingMs(route, call));
      counts.check(`${account()} ${route}`, call.floor.perMinute);
      counts.add(`${account()} ${route}`);
      noteSent(call, input);
    },
    admitQuestion: (assistantId) => counts.check(`vain ${assistantId}`, mostVainQuestions),
    askedInVain: (assistantId) => counts.add(`vain ${assistantId}`),
    noteSent,
    noteFailed: (call) => failed.set(keyOf(call), clock.elapsedMs()),
    forget: (isGone) => {
      // What does something itself is spaced whatever was written.
      for (const [key, one] of [...sent.entries()]) if (!one.floor.once && isGone(one)) sent.delete(key);
    },
  };
};

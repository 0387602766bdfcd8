import { limits, type RouteName } from '../../../contract/index.ts';
import { createBoundedMap, type BoundedMap } from '../../base/boundedMap.ts';
import { listingIdOf } from '../../base/listingIdOf.ts';
import type { Clock } from '../../base/ports.ts';
import { problem } from '../../base/problem.ts';
import { callOf, type Call } from './callKey.ts';
import { standsMs, type Floor } from './floors.ts';

const mostRemembered = 2_000;
const minuteMs = 60_000;
/** How many questions of one assistant may come to nothing within a minute; of others few can wait at a time. */
const mostVainQuestions = 12;

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
    const now = clock.now();
    return (counted.get(name) ?? []).filter((at) => at <= now && now - at < minuteMs);
  };
  return {
    add: (name: string): void => void counted.set(name, [...recent(name), clock.now()]),
    /** Throws SLOW_DOWN when so many were counted within a minute. */
    check: (name: string, most: number): void => {
      const all = recent(name);
      if (all.length >= most) refuseUntil(clock, (all[0] ?? clock.now()) + minuteMs);
    },
  };
};

/** Throws SLOW_DOWN until `at`. */
const refuseUntil = (clock: Clock, at: number): void => {
  const waitMs = at - clock.now();
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

  const lastCallAt = (call: Call): number => {
    // What can be kept is not there because it failed, or because something was written since: only the first has to wait.
    const at = (isSpacedByFailures(call) ? failed.get(keyOf(call)) : sent.get(spacingKey(call))?.at) ?? -Infinity;
    // The clock was set back since.
    return at > clock.now() ? -Infinity : at;
  };
  /** How long after the last call of its kind one may be made: one that can be answered from memory failed, and is tried again sooner. */
  const spacingMs = (route: RouteName, call: Call): number =>
    isSpacedByFailures(call)
      ? limits.pollMs.least
      : standsMs(route, call.floor, context.keptAnswer(call), context.isPageOpen());
  const noteSent = (call: Call, input: object): void =>
    sent.set(spacingKey(call), { at: clock.now(), listingId: listingIdOf(input), floor: call.floor });

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
    noteFailed: (call) => failed.set(keyOf(call), clock.now()),
    forget: (isGone) => {
      // What does something itself is spaced whatever was written.
      for (const [key, one] of [...sent.entries()]) if (!one.floor.once && isGone(one)) sent.delete(key);
    },
  };
};

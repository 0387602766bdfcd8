import { limits } from '../../../contract/index.ts';
import type { Random } from '../../base/ports.ts';

let dayFormat: Intl.DateTimeFormat | null = null;

/**
 * Returns the date in the Pacific time zone. The format is created on first use, as that takes milliseconds of a
 * start.
 */
const formatPacificDay = (now: number): string => {
  dayFormat ??= new Intl.DateTimeFormat('en-CA', {
    timeZone: 'America/Los_Angeles',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  });
  return dayFormat.format(now);
};
const hourMs = 3_600_000;

/**
 * Returns the next midnight in the Pacific time zone after `now` (ms since 1970), when the marketplace's daily
 * limits are renewed. Searches by the hour, as some days have 23 or 25 hours.
 */
const findNextPacificMidnight = (now: number): number => {
  const today = formatPacificDay(now);
  let at = (Math.floor(now / hourMs) + 1) * hourMs;
  while (formatPacificDay(at) === today) at += hourMs;
  return at;
};

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/**
 * The delays of background work, shortest and longest, in ms. Each delay is drawn uniformly, so that companions that
 * started together drift apart. No caller waits for the `start…` delays.
 */
export const waits = {
  /** Between reads of the notifications, also without an open window: a sale is shown as a desktop notification. */
  notifications: [limits.notificationsPollMs, 75 * second],
  /** Between rounds that expire approvals and settle unknown outcomes. */
  upkeep: [30 * second, 45 * second],
  /** Between full syncs of the listings. */
  listings: [6 * hour, 7.5 * hour],
  betweenPages: [250, 500],
  /** Before another attempt to get a generation place. */
  writingPlace: [20 * second, 30 * second],
  /** Before another round with new upload slots, after a refusal. */
  uploadRound: [second, 2 * second],
  /** Reads after a lost answer: the request may still be in flight at the first one. */
  firstReading: [second, 1.5 * second],
  secondReading: [5 * second, 7 * second],
  lastReading: [10 * second, 15 * second],
  /** The first delay between later reads of an unconfirmed act; it doubles up to the maximum. */
  laterReading: [30 * second, 2 * minute],
  /** Before delayed calls continue, once the service has recovered. */
  release: [0, 2 * second],
  /** After midnight Pacific, when daily budgets are renewed. */
  newBudgets: [0, 15 * minute],
  /** All background work. */
  start: [0, 30 * second],
  startNotifications: [0, 90 * second],
  startStanding: [0, 10 * minute],
  startRoutes: [0, 10 * minute],
  startListings: [0, 15 * minute],
} as const satisfies Record<string, readonly [leastMs: number, maxMs: number]>;

export type Wait = keyof typeof waits;

/** Draws one of these delays, in ms. */
export const drawWaitMs = (wait: Wait, random: Random): number => {
  const [leastMs, maxMs] = waits[wait];
  return leastMs + random() * (maxMs - leastMs);
};

const pause = { leastMs: second, firstMs: 2 * second, maxMs: 5 * minute };

/**
 * Draws the pause after a number of consecutive failures, in ms: exponential backoff with jitter. A `random` of 0
 * gives the longest pause.
 */
export const drawPauseMs = (failures: number, random: Random, maxMs = pause.maxMs): number => {
  const longest = Math.min(maxMs, pause.firstMs * 2 ** Math.min(failures - 1, 20));
  return longest - random() * (longest - pause.leastMs);
};

/** The maximum jitter that is added to a Retry-After. */
const maxOnTopMs = 5 * minute;

/**
 * Draws the delay for a Retry-After, in ms: never less, and up to twice as much, as many clients may have received
 * the same value.
 */
export const drawRetryAfterMs = (retryAfterS: number, random: Random): number => {
  const asked = retryAfterS * second;
  return asked + random() * Math.min(Math.max(asked, second), maxOnTopMs);
};

/** A longer Retry-After is shown to the caller instead of waited for. */
const maxHiddenS = 5;

/** Draws the delay before a retry while a caller waits, in ms; null if the service asked for a longer wait. */
export const drawSecondTryMs = (retryAfterS: number | undefined, random: Random): number | null =>
  (retryAfterS ?? 0) > maxHiddenS ? null : drawRetryAfterMs(retryAfterS ?? 1, random);

/** Returns when daily budgets are renewed: some minutes after Pacific midnight. */
export const drawNewBudgetsAt = (now: number, random: Random): number =>
  findNextPacificMidnight(now) + drawWaitMs('newBudgets', random);

/** Returns when listings that were read at `doneAt` (null for never) are due again; `atStart` adds the start delay. */
export const drawListingsDueAt = (doneAt: number | null, now: number, atStart: boolean, random: Random): number => {
  if (doneAt === null) return now;
  // `doneAt` may be in the future if the clock was set back.
  return Math.max(
    Math.min(doneAt, now) + drawWaitMs('listings', random),
    now + (atStart ? drawWaitMs('startListings', random) : 0),
  );
};

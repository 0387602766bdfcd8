import { limits } from '../../../contract/index.ts';
import type { Random } from '../../base/ports.ts';

let dayFormat: Intl.DateTimeFormat | null = null;

/** Creating the format takes milliseconds, so the format is created on first use and not when the companion starts. */
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
 * The marketplace renews its daily limits at midnight in the Pacific time zone. Some days have 23 or 25 hours, so the
 * search goes hour by hour.
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

/** The shortest and longest delay of each kind of background work, in ms. */
export const delayRanges = {
  /** Notifications are read even without an open window, because a sale is shown on the desktop. */
  notifications: [limits.notificationsPollMs, 75 * second],
  upkeep: [30 * second, 45 * second],
  listings: [6 * hour, 7.5 * hour],
  betweenPages: [250, 500],
  /** The delay before the next attempt to get a generation place at the service. */
  writingPlace: [20 * second, 30 * second],
  /** The delay before new upload slots are requested, if an upload was refused. */
  uploadRound: [second, 2 * second],
  /** The delays before each read after a lost answer. At the first read, the request might still be in flight. */
  firstReading: [second, 1.5 * second],
  secondReading: [5 * second, 7 * second],
  lastReading: [10 * second, 15 * second],
  /** The delay before later reads of an unconfirmed act. It doubles from the first value up to the second value. */
  laterReading: [30 * second, 2 * minute],
  /** The delay before delayed calls continue, after the service recovers. */
  release: [0, 2 * second],
  /** The time between midnight in the Pacific time zone and the first use of a renewed daily budget. */
  newBudgets: [0, 15 * minute],
  /** The delays between the start of the companion and the first run of each kind of background work. */
  start: [0, 30 * second],
  startNotifications: [0, 90 * second],
  startStanding: [0, 10 * minute],
  startRoutes: [0, 10 * minute],
  startListings: [0, 15 * minute],
} as const satisfies Record<string, readonly [leastMs: number, maxMs: number]>;

export type DelayName = keyof typeof delayRanges;

/** Returns a random delay of this kind, in ms. */
export const getRandomDelayMs = (wait: DelayName, random: Random): number => {
  const [leastMs, maxMs] = delayRanges[wait];
  return leastMs + random() * (maxMs - leastMs);
};

const pause = { leastMs: second, firstMs: 2 * second, maxMs: 5 * minute };

/** Returns a random pause in ms that grows with each failure. If `random` returns 0, the pause is the longest. */
export const getRandomPauseMs = (failures: number, random: Random, maxMs = pause.maxMs): number => {
  const longest = Math.min(maxMs, pause.firstMs * 2 ** Math.min(failures - 1, 20));
  return longest - random() * (longest - pause.leastMs);
};

const maxOnTopMs = 5 * minute;

/**
 * Returns a delay in ms: the Retry-After plus a random time, because other clients might have received the same
 * Retry-After.
 */
export const getRandomRetryDelayMs = (retryAfterS: number, random: Random): number => {
  const asked = retryAfterS * second;
  return asked + random() * Math.min(Math.max(asked, second), maxOnTopMs);
};

/** If the Retry-After is longer than this, the caller gets the error at once. */
const maxHiddenS = 5;

/** Returns the delay before a retry while a caller waits, in ms; null if the service asked for a longer wait. */
export const getSecondTryDelayMs = (retryAfterS: number | undefined, random: Random): number | null =>
  (retryAfterS ?? 0) > maxHiddenS ? null : getRandomRetryDelayMs(retryAfterS ?? 1, random);

/** Returns when daily budgets are renewed, in ms since 1970. */
export const getBudgetRenewalAt = (now: number, random: Random): number =>
  findNextPacificMidnight(now) + getRandomDelayMs('newBudgets', random);

/** Returns when listings that were read at `doneAt` must be read again. `doneAt` is null if they were never read. */
export const getListingsDueAt = (doneAt: number | null, now: number, atStart: boolean, random: Random): number => {
  if (doneAt === null) return now;
  // If the clock was set back, `doneAt` can be in the future.
  return Math.max(
    Math.min(doneAt, now) + getRandomDelayMs('listings', random),
    now + (atStart ? getRandomDelayMs('startListings', random) : 0),
  );
};

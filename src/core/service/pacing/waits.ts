import { limits } from '../../../contract/index.ts';
import type { Random } from '../../base/ports.ts';

let dayFormat: Intl.DateTimeFormat | null = null;

/** The day in the Pacific time zone. Its format is made when it is first wanted: that takes milliseconds of a start. */
const pacificDay = (now: number): string => {
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
 * The next midnight in the Pacific time zone after `now` (ms since 1970), where the marketplace's daily limits start
 * again. Looked for hour by hour, as some days have 23 or 25 of them.
 */
const nextMidnightPacific = (now: number): number => {
  const today = pacificDay(now);
  let at = (Math.floor(now / hourMs) + 1) * hourMs;
  while (pacificDay(at) === today) at += hourMs;
  return at;
};

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/**
 * What the companion waits by itself, from the shortest to the longest, in ms. Each wait is drawn evenly between the two,
 * so that many companions that began together do not go on together. Nobody waits for what begins with `start`.
 */
export const waits = {
  /** From one reading of the notifications to the next. Also while nobody looks: a sale is told outside the window. */
  notifications: [limits.notificationsPollMs, 75 * second],
  /** From one round to the next: questions that expire, acts whose outcome is not known. */
  upkeep: [30 * second, 45 * second],
  /** From one reading of all listings to the next; changes come with what is done here. */
  listings: [6 * hour, 7.5 * hour],
  betweenPages: [250, 500],
  /** Until it is tried again whether another listing may be written. */
  writingPlace: [20 * second, 30 * second],
  /** Before another round with new upload slots, after a no. */
  uploadRound: [second, 2 * second],
  /** Readings after a lost answer: the request may still be on its way when the first one is made. */
  firstReading: [second, 1.5 * second],
  secondReading: [5 * second, 7 * second],
  lastReading: [10 * second, 15 * second],
  /** From the readings of an act to the next reading, where they tell nothing: as long again each time, up to the longest. */
  laterReading: [30 * second, 2 * minute],
  /** What waited for the service goes on, once it is known to be there. */
  release: [0, 2 * second],
  /** After midnight Pacific, when daily budgets start again. */
  newBudgets: [0, 15 * minute],
  /** Everything that goes on by itself. */
  start: [0, 30 * second],
  startNotifications: [0, 90 * second],
  startStanding: [0, 10 * minute],
  startRoutes: [0, 10 * minute],
  startListings: [0, 15 * minute],
} as const satisfies Record<string, readonly [leastMs: number, mostMs: number]>;

export type Wait = keyof typeof waits;

/** One of these waits, in ms. */
export const drawn = (wait: Wait, random: Random): number => {
  const [leastMs, mostMs] = waits[wait];
  return leastMs + random() * (mostMs - leastMs);
};

const pause = { leastMs: second, firstMs: 2 * second, mostMs: 5 * minute };

/**
 * The pause after so many failures in a row, in ms: drawn from all of a span that doubles, up to minutes. It is drawn from
 * the far end, so that a random that is always 0 gives the doubling itself.
 */
export const pauseMs = (failures: number, random: Random, mostMs = pause.mostMs): number => {
  const longest = Math.min(mostMs, pause.firstMs * 2 ** Math.min(failures - 1, 20));
  return longest - random() * (longest - pause.leastMs);
};

/** More than this is not put on top of what the service asked for. */
const mostOnTopMs = 5 * minute;

/** What a Retry-After comes to, in ms: never less, and up to as much again, as many may have been told the same. */
export const retryAfterMs = (retryAfterS: number, random: Random): number => {
  const asked = retryAfterS * second;
  return asked + random() * Math.min(Math.max(asked, second), mostOnTopMs);
};

/** A longer Retry-After is for the caller to show or to wait for, not for a hidden repeat. */
const mostHiddenS = 5;

/** How long a second try waits while somebody waits for the answer, in ms; null where the service asked for too long. */
export const secondTryMs = (retryAfterS: number | undefined, random: Random): number | null =>
  (retryAfterS ?? 0) > mostHiddenS ? null : retryAfterMs(retryAfterS ?? 1, random);

/** When daily budgets may be used again: some minutes after the midnight at which everybody's start again. */
export const newBudgetsAt = (now: number, random: Random): number =>
  nextMidnightPacific(now) + drawn('newBudgets', random);

/** When listings that were read at `doneAt` (null for never) are to be read again; `atStart` says that nobody waits for it. */
export const listingsDueAt = (doneAt: number | null, now: number, atStart: boolean, random: Random): number => {
  if (doneAt === null) return now;
  // A clock that was set back since makes it no longer ago than now.
  return Math.max(
    Math.min(doneAt, now) + drawn('listings', random),
    now + (atStart ? drawn('startListings', random) : 0),
  );
};

import type { Clock } from '../../base/ports.ts';
import type { StoredAges } from '../../base/storedAges.ts';
import { ServiceError } from '../serviceError.ts';
import type { Wait } from './waits.ts';

/** How long the service may still be processing a request without an answer. */
const silenceMs = 10 * 60_000;
/** The minimum wait in this run, as the clock may have been changed between two runs. */
const minSilenceMs = 3 * 60_000;

/** The delays before each read after a lost answer. Only the last read may conclude that nothing was done. */
export const readingWaits = ['firstReading', 'secondReading', 'lastReading'] as const satisfies readonly Wait[];
/** The delays after an answer: most services show the change at once, so the first read is immediate. */
export const claimReadingWaits = [null, 'secondReading', 'lastReading'] as const satisfies readonly (Wait | null)[];

/**
 * Requests without an answer, by names that the caller chooses. `sentAt` is the stored time of sending in ms since
 * 1970, if any.
 */
export type LostAnswers = {
  /** Notes that a request of that name is being sent. */
  sent: (name: string) => void;
  /** Returns whether the service can no longer be processing it. */
  isOver: (name: string, sentAt: number | null) => boolean;
  /**
   * Returns whether reads may conclude that it was not done. They may at once if the service was not silent in this
   * run.
   */
  isReadable: (name: string, sentAt: number | null) => boolean;
  /** Notes why there was no answer. */
  note: (name: string, error: unknown) => void;
  stop: () => void;
};

const toSendingAgeName = (name: string): string => `sending of ${name}`;

/** Returns the name of a listing's generation. */
export const toWritingName = (account: string, listingId: string): string => `writing ${account} ${listingId}`;

const isSilentFailure = (error: unknown): boolean =>
  error instanceof ServiceError && error.code === 'NO_ANSWER' && error.silent;

/**
 * Creates the list of requests without an answer. Requests of an earlier run count as well, as the end of that run
 * is unknown. Each is measured from its stored time of sending and ends by a timer, so that a clock change does not
 * end it.
 */
export const createLostAnswers = (clock: Clock, ages: StoredAges): LostAnswers => {
  const ended = new AbortController();
  const silences = new Map<string, { sentAt: number | null; over: boolean }>();
  const broken = new Set<string>();

  const startSilenceTimer = (name: string, sentAt: number | null) => {
    const silence = { sentAt, over: false };
    silences.set(name, silence);
    const passedMs = sentAt === null ? 0 : ages.ageMs(toSendingAgeName(name), sentAt);
    const leftMs = Math.min(silenceMs, Math.max(minSilenceMs, silenceMs - passedMs));
    const markSilenceOver = () => void (silence.over = true);
    clock.sleep(leftMs, ended.signal).then(markSilenceOver, () => undefined);
    return silence;
  };
  const isOver = (name: string, sentAt: number | null): boolean => {
    const known = silences.get(name);
    return (known?.sentAt === sentAt ? known : startSilenceTimer(name, sentAt)).over;
  };
  return {
    sent: (name) => ages.note(toSendingAgeName(name)),
    isOver,
    // Evaluate `isOver` first: it starts the timer even if the answer is already known.
    isReadable: (name, sentAt) => isOver(name, sentAt) || broken.has(name),
    note: (name, error) => {
      // After an error answer or a broken connection a few reads are conclusive; after silence the service may
      // still be processing.
      if (isSilentFailure(error)) broken.delete(name);
      else broken.add(name);
    },
    stop: () => ended.abort(),
  };
};

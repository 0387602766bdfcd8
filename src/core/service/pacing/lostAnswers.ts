import type { Clock } from '../../base/ports.ts';
import type { StoredAgeTracker } from '../../base/storedAges.ts';
import { ServiceError } from '../serviceError.ts';
import type { DelayName } from './waits.ts';

/** After a lost answer, the service might still process the request for this long. */
const silenceMs = 10 * 60_000;
/** A stored time can be wrong if the clock was changed between two runs, so each run waits at least this long. */
const minSilenceMs = 3 * 60_000;

/** The delays before each read after a lost answer. Only the last read can show that the request was not processed. */
export const delaysAfterLostAnswer = [
  'firstReading',
  'secondReading',
  'lastReading',
] as const satisfies readonly DelayName[];
/** The delays before each read after an answer. Most services show a change at once, so the first read has no delay. */
export const delaysAfterAnswer = [
  null,
  'secondReading',
  'lastReading',
] as const satisfies readonly (DelayName | null)[];

/**
 * Tracks requests whose answer was lost. The caller chooses a name for each request. `sentAt` is the stored time in ms
 * since 1970.
 */
export type LostAnswerTracker = {
  sent: (name: string) => void;
  /** Returns whether the service can no longer process the request. */
  isOver: (name: string, sentAt: number | null) => boolean;
  /** Returns whether a read can show that the request was not processed. */
  isReadable: (name: string, sentAt: number | null) => boolean;
  /** Records the error of a request whose answer was lost. */
  note: (name: string, error: unknown) => void;
  stop: () => void;
};

const getSendTimeKey = (name: string): string => `sending of ${name}`;

/** Returns the name of a listing's generation in `LostAnswerTracker`. */
export const getGenerationKey = (account: string, listingId: string): string => `writing ${account} ${listingId}`;

const isSilentFailure = (error: unknown): boolean =>
  error instanceof ServiceError && error.code === 'NO_ANSWER' && error.silent;

/**
 * Creates the tracker of requests whose answer was lost. Timers measure the time since each request, so a change of the
 * wall clock has no effect.
 */
export const createLostAnswerTracker = (clock: Clock, ages: StoredAgeTracker): LostAnswerTracker => {
  const ended = new AbortController();
  const silences = new Map<string, { sentAt: number | null; over: boolean }>();
  const broken = new Set<string>();

  const startSilenceTimer = (name: string, sentAt: number | null) => {
    const silence = { sentAt, over: false };
    silences.set(name, silence);
    const passedMs = sentAt === null ? 0 : ages.ageMs(getSendTimeKey(name), sentAt);
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
    sent: (name) => ages.note(getSendTimeKey(name)),
    isOver,
    // `isOver` must be the first operand, because it also starts the timer.
    isReadable: (name, sentAt) => isOver(name, sentAt) || broken.has(name),
    note: (name, error) => {
      // If the connection stayed silent, the service might still process the request. After an error or a broken
      // connection, it does not.
      if (isSilentFailure(error)) broken.delete(name);
      else broken.add(name);
    },
    stop: () => ended.abort(),
  };
};

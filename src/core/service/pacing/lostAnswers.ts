import type { Clock } from '../../base/ports.ts';
import type { StoredAges } from '../../base/storedAges.ts';
import { ServiceError } from '../serviceError.ts';
import type { Wait } from './waits.ts';

/** How long the service may still be at work on a request that it said nothing about. */
const silenceMs = 10 * 60_000;
/** How long it is waited for in this run at least: the clock may have been set between two runs. */
const leastSilenceMs = 3 * 60_000;

/** Waits before each reading after a lost answer. Only the last of several readings may say that nothing was done. */
export const readingWaits = ['firstReading', 'secondReading', 'lastReading'] as const satisfies readonly Wait[];
/** The same after an answer: most services show at once what they say, so that is read at once. */
export const claimReadingWaits = [null, 'secondReading', 'lastReading'] as const satisfies readonly (Wait | null)[];

/** Requests whose answers were lost, by names of the caller's. `sentAt` is the time that is on disk, in ms since 1970, where there is one. */
export type LostAnswers = {
  /** A request of that name leaves now. */
  sent: (name: string) => void;
  /** Whether it was waited for as long as the service may be at work on it. */
  isOver: (name: string, sentAt: number | null) => boolean;
  /** Whether readings may say that it was not done: they may at once where the service was not silent in this run. */
  isReadable: (name: string, sentAt: number | null) => boolean;
  /** Notes why there was no answer. */
  note: (name: string, error: unknown) => void;
  stop: () => void;
};

const sendingOf = (name: string): string => `sending of ${name}`;

/** The name of the writing of a listing. */
export const nameOfWriting = (account: string, listingId: string): string => `writing ${account} ${listingId}`;

const isSilence = (error: unknown): boolean =>
  error instanceof ServiceError && error.code === 'NO_ANSWER' && error.silent;

/**
 * Which requests had no answer. Those of an earlier run count as such as well: nobody knows how that run ended. Each is
 * measured from the sending that is on disk, and ends by a timer, so that a clock that is set meanwhile does not end it.
 */
export const createLostAnswers = (clock: Clock, ages: StoredAges): LostAnswers => {
  const ended = new AbortController();
  const silences = new Map<string, { sentAt: number | null; over: boolean }>();
  const broken = new Set<string>();

  const begin = (name: string, sentAt: number | null) => {
    const silence = { sentAt, over: false };
    silences.set(name, silence);
    const passedMs = sentAt === null ? 0 : ages.ageMs(sendingOf(name), sentAt);
    const leftMs = Math.min(silenceMs, Math.max(leastSilenceMs, silenceMs - passedMs));
    const end = () => void (silence.over = true);
    clock.sleep(leftMs, ended.signal).then(end, () => undefined);
    return silence;
  };
  const isOver = (name: string, sentAt: number | null): boolean => {
    const known = silences.get(name);
    return (known?.sentAt === sentAt ? known : begin(name, sentAt)).over;
  };
  return {
    sent: (name) => ages.note(sendingOf(name)),
    isOver,
    // The timer begins with the first question also where the answer is known without it.
    isReadable: (name, sentAt) => isOver(name, sentAt) || broken.has(name),
    note: (name, error) => {
      // Where something came back, or the connection broke, a few readings tell; what is only silent may go on there.
      if (isSilence(error)) broken.delete(name);
      else broken.add(name);
    },
    stop: () => ended.abort(),
  };
};

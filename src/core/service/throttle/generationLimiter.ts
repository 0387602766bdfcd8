import { type Listing, type Standing, limits } from '../../../contract/index.ts';
import type { Semaphore } from '../../base/semaphore.ts';
import type { Clock } from '../../base/ports.ts';
import { problem } from '../../base/problem.ts';

type Parts = {
  clock: Clock;
  /** The five places that the items of this machine share. */
  places: Semaphore;
  /** The listing as it is at the service; null when it is not there any more. */
  read: (listingId: string, signal: AbortSignal) => Promise<Listing | null>;
  standing: (signal: AbortSignal) => Promise<Standing>;
  /** How many items of this machine are being written on an extra. */
  itemsOnExtras: () => number;
};

const longestWaitMs = 45_000;
const usualWaitMs = 20_000;
const againAfterS = 20;
const afterTroubleMs = 30_000;

type Wish = { extra: boolean; waitMs: number; signal: AbortSignal | undefined };

export type GenerationLimiter = {
  /**
   * Runs a request for a writing in one of the five places, and keeps the place until the listing is written. Throws a
   * `Problem` of status 429 when no place was free in time, or when as many extras are in flight as were approved.
   */
  run: <T>(listingId: string, wish: Wish, request: () => Promise<T>) => Promise<T>;
  /** Takes up a listing that was being written before a restart. */
  resume: (listingId: string, extra: boolean) => void;
  stop: () => void;
};

/** Writings that assistants ask for themselves: at most five at a time with those of the items, extras within what was approved. */
export const createGenerationLimiter = ({ clock, places, read, standing, itemsOnExtras }: Parts): GenerationLimiter => {
  const ended = new AbortController();
  const going = new Map<string, { extra: boolean }>();

  /** Holds the place until the listing is written. Read by nobody else, it would be held for ever. */
  const watch = async (listingId: string, leave: () => void): Promise<void> => {
    try {
      while (!ended.signal.aborted) {
        await clock.sleep(limits.pollMs.usual, ended.signal);
        const now = await read(listingId, ended.signal).catch(() => 'unknown' as const);
        if (now === 'unknown') await clock.sleep(afterTroubleMs, ended.signal);
        else if (now?.status !== 'processing') return;
      }
    } catch {
      // Only a stop of the companion ends a sleep early.
    } finally {
      going.delete(listingId);
      leave();
    }
  };

  const takePlace = async (listingId: string, waitMs: number, signal: AbortSignal | undefined): Promise<() => void> => {
    const timeout = new AbortController();
    const abort = AbortSignal.any([timeout.signal, ended.signal, ...(signal ? [signal] : [])]);
    void clock.sleep(Math.min(waitMs > 0 ? waitMs : usualWaitMs, longestWaitMs), abort).then(
      () => timeout.abort(fiveAtATime()),
      () => undefined,
    );
    return places.take(listingId, abort).finally(() => timeout.abort());
  };

  const checkExtras = async (signal: AbortSignal | undefined): Promise<void> => {
    const { allowance } = await standing(signal ?? ended.signal);
    const remaining = allowance.extras?.approval?.remaining;
    if (remaining === undefined) return;
    const inFlight = itemsOnExtras() + [...going.values()].filter(({ extra }) => extra).length;
    if (inFlight >= remaining) throw extrasInFlight();
  };

  return {
    run: async (listingId, { extra, waitMs, signal }, request) => {
      const leave = await takePlace(listingId, waitMs, signal);
      try {
        if (extra) await checkExtras(signal);
        going.set(listingId, { extra });
        const answer = await request();
        void watch(listingId, leave);
        return answer;
      } catch (error) {
        going.delete(listingId);
        leave();
        throw error;
      }
    },
    resume: (listingId, extra) => {
      if (going.has(listingId)) return;
      going.set(listingId, { extra });
      void watch(listingId, places.keep());
    },
    stop: () => ended.abort(),
  };
};

const fiveAtATime = () =>
  problem('FIVE_AT_A_TIME', { retryAfterS: againAfterS, values: { most: limits.concurrentGenerations } });
const extrasInFlight = () => problem('EXTRAS_IN_FLIGHT', { retryAfterS: againAfterS });

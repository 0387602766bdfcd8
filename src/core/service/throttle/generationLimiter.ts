import { type Listing, type Standing, limits } from '../../../contract/index.ts';
import type { Semaphore } from '../../base/semaphore.ts';
import type { Clock } from '../../base/ports.ts';
import { problem } from '../../base/problem.ts';

type Parts = {
  clock: Clock;
  /** The five places that items and assistants share. */
  places: Semaphore;
  /** Reads the listing from the service; null if it no longer exists. */
  read: (listingId: string, signal: AbortSignal) => Promise<Listing | null>;
  standing: (signal: AbortSignal) => Promise<Standing>;
  /** Returns how many local items are being generated with an extra. */
  itemsOnExtras: () => number;
};

const longestWaitMs = 45_000;
const usualWaitMs = 20_000;
const againAfterS = 20;
const afterTroubleMs = 30_000;

type Wish = { extra: boolean; waitMs: number; signal: AbortSignal | undefined };

export type GenerationLimiter = {
  /**
   * Runs a generation request in one of the five places, and keeps the place until the listing is generated. Throws
   * a `Problem` of status 429 if no place became free, or if all approved extras are in use.
   */
  run: <T>(listingId: string, wish: Wish, request: () => Promise<T>) => Promise<T>;
  /** Restores the place of a generation that was in flight before a restart. */
  resume: (listingId: string, extra: boolean) => void;
  stop: () => void;
};

/**
 * Limits the generations of assistants: at most five at a time together with those of items, and extras within the
 * approved number.
 */
export const createGenerationLimiter = ({ clock, places, read, standing, itemsOnExtras }: Parts): GenerationLimiter => {
  const ended = new AbortController();
  const going = new Map<string, { extra: boolean }>();

  /**
   * Polls the listing and releases the place once it is generated. Without this poll the place would never be
   * released.
   */
  const watch = async (listingId: string, leave: () => void): Promise<void> => {
    try {
      while (!ended.signal.aborted) {
        await clock.sleep(limits.pollMs.usual, ended.signal);
        const now = await read(listingId, ended.signal).catch(() => 'unknown' as const);
        if (now === 'unknown') await clock.sleep(afterTroubleMs, ended.signal);
        else if (now?.status !== 'processing') return;
      }
    } catch {
      // Only stopping the companion aborts the sleep.
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

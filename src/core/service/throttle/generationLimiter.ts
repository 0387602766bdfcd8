import { type Listing, type Standing, limits } from '../../../contract/index.ts';
import type { Semaphore } from '../../base/semaphore.ts';
import type { Clock } from '../../base/ports.ts';
import { createProblem } from '../../base/problem.ts';

type Parts = {
  clock: Clock;
  /** The five places that items and assistants share. */
  writingSemaphore: Semaphore;
  read: (listingId: string, signal: AbortSignal) => Promise<Listing | null>;
  standing: (signal: AbortSignal) => Promise<Standing>;
  itemsOnExtras: () => number;
};

const maxWaitMs = 45_000;
const usualWaitMs = 20_000;
const againAfterS = 20;
const afterTroubleMs = 30_000;

type GenerationPlaceRequest = { extra: boolean; waitMs: number; signal: AbortSignal | undefined };

export type GenerationLimiter = {
  /**
   * Runs a generation request and keeps its place until the listing is generated. Throws `FIVE_AT_A_TIME`,
   * `EXTRAS_IN_FLIGHT`.
   */
  run: <T>(listingId: string, wish: GenerationPlaceRequest, request: () => Promise<T>) => Promise<T>;
  /** Occupies a place for a generation that was in flight before a restart. */
  resume: (listingId: string, extra: boolean) => void;
  stop: () => void;
};

/**
 * Creates the limiter for the generations of assistants. They share five places with items and stay within the approved
 * extras.
 */
export const createGenerationLimiter = (parts: Parts): GenerationLimiter => {
  const { clock, writingSemaphore, read, standing, itemsOnExtras } = parts;
  const ended = new AbortController();
  const inFlight = new Map<string, { extra: boolean }>();

  /** The assistant might never read the listing again, so poll it here. */
  const releaseWhenGenerated = async (listingId: string, leave: () => void): Promise<void> => {
    try {
      while (!ended.signal.aborted) {
        await clock.sleep(limits.pollMs.usual, ended.signal);
        const now = await read(listingId, ended.signal).catch(() => 'unknown' as const);
        if (now === 'unknown') await clock.sleep(afterTroubleMs, ended.signal);
        else if (now?.status !== 'processing') return;
      }
    } catch {
      // Only a stop of the companion aborts the sleep.
    } finally {
      inFlight.delete(listingId);
      leave();
    }
  };

  const acquirePlace = async (listingId: string, waitMs: number, signal?: AbortSignal): Promise<() => void> => {
    const timeout = new AbortController();
    const abort = AbortSignal.any([timeout.signal, ended.signal, ...(signal ? [signal] : [])]);
    void clock.sleep(Math.min(waitMs > 0 ? waitMs : usualWaitMs, maxWaitMs), abort).then(
      () => timeout.abort(createLimitProblem()),
      () => undefined,
    );
    return writingSemaphore.acquire(listingId, abort).finally(() => timeout.abort());
  };

  const requireExtrasLeft = async (signal: AbortSignal | undefined): Promise<void> => {
    const { allowance } = await standing(signal ?? ended.signal);
    const remaining = allowance.extras?.approval?.remaining;
    if (remaining === undefined) return;
    const usedExtras = itemsOnExtras() + [...inFlight.values()].filter(({ extra }) => extra).length;
    if (usedExtras >= remaining) throw createExtrasProblem();
  };

  return {
    run: async (listingId, { extra, waitMs, signal }, request) => {
      const leave = await acquirePlace(listingId, waitMs, signal);
      try {
        if (extra) await requireExtrasLeft(signal);
        inFlight.set(listingId, { extra });
        const answer = await request();
        void releaseWhenGenerated(listingId, leave);
        return answer;
      } catch (error) {
        inFlight.delete(listingId);
        leave();
        throw error;
      }
    },
    resume: (listingId, extra) => {
      if (inFlight.has(listingId)) return;
      inFlight.set(listingId, { extra });
      void releaseWhenGenerated(listingId, writingSemaphore.acquireUnconditionally());
    },
    stop: () => ended.abort(),
  };
};

const createLimitProblem = () =>
  createProblem('FIVE_AT_A_TIME', { retryAfterS: againAfterS, values: { most: limits.concurrentGenerations } });
const createExtrasProblem = () => createProblem('EXTRAS_IN_FLIGHT', { retryAfterS: againAfterS });

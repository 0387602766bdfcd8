import type { Clock } from './ports.ts';

export type PauseReason = 'person' | 'sleep';

export type Gate = {
  isPaused: (reason: PauseReason) => boolean;
  /** Steps in flight finish even if new steps are paused. */
  setPaused: (reason: PauseReason, on: boolean) => void;
  /** Resolves when there is no pause reason. Rejects with the signal's reason. */
  waitWhilePaused: (signal: AbortSignal) => Promise<void>;
  /** Sleeps for `ms`, but ends early when `nudge` is called or the signal is aborted. Never rejects. */
  sleepUntilNudge: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Ends all current sleeps. Called when the machine wakes or the network is back. */
  nudge: () => void;
};

export const createGate = (clock: Clock): Gate => {
  const reasons = new Set<PauseReason>();
  const waiting = new Set<() => void>();
  const sleeping = new Set<AbortController>();

  return {
    isPaused: (reason) => reasons.has(reason),
    setPaused: (reason, on) => {
      if (on) reasons.add(reason);
      else reasons.delete(reason);
      if (reasons.size > 0) return;
      for (const go of [...waiting]) go();
    },
    waitWhilePaused: async (signal) => {
      while (reasons.size > 0) {
        signal.throwIfAborted();
        const { promise, resolve } = Promise.withResolvers<void>();
        waiting.add(resolve);
        signal.addEventListener('abort', () => resolve(), { once: true });
        await promise;
        waiting.delete(resolve);
      }
      signal.throwIfAborted();
    },
    sleepUntilNudge: async (ms, signal) => {
      if (ms <= 0) return;
      const nudged = new AbortController();
      sleeping.add(nudged);
      await clock.sleep(ms, AbortSignal.any([signal, nudged.signal])).catch(() => undefined);
      sleeping.delete(nudged);
    },
    nudge: () => {
      for (const one of [...sleeping]) one.abort();
    },
  };
};

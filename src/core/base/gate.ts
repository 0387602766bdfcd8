import type { Clock } from './ports.ts';

/** Why nothing new is started: the person paused everything, or the machine is about to sleep. */
export type HoldReason = 'person' | 'sleep';

export type Gate = ReturnType<typeof createGate>;

/** What every step of every item passes before it starts, and where waits between tries can be cut short. */
export const createGate = (clock: Clock) => {
  const reasons = new Set<HoldReason>();
  const waiting = new Set<() => void>();
  const resting = new Set<AbortController>();

  return {
    isHeld: (reason: HoldReason): boolean => reasons.has(reason),
    /** Holds new steps back for a reason, or no longer for it. What is under way is finished. */
    hold: (reason: HoldReason, on: boolean): void => {
      if (on) reasons.add(reason);
      else reasons.delete(reason);
      if (reasons.size > 0) return;
      for (const go of [...waiting]) go();
    },
    /** Settles when nothing holds; rejects with the signal's reason. */
    pass: async (signal: AbortSignal): Promise<void> => {
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
    /** Waits for a time, or until `nudge`. Settles early when the signal is aborted. */
    rest: async (ms: number, signal: AbortSignal): Promise<void> => {
      if (ms <= 0) return;
      const nudged = new AbortController();
      resting.add(nudged);
      await clock.sleep(ms, AbortSignal.any([signal, nudged.signal])).catch(() => undefined);
      resting.delete(nudged);
    },
    /** Everything that rests goes on at once: the machine is awake, or the network is back. */
    nudge: (): void => {
      for (const one of [...resting]) one.abort();
    },
  };
};

import type { Clock } from './ports.ts';

/** Why nothing new is started: the person paused everything, or the machine is about to sleep. */
export type HoldReason = 'person' | 'sleep';

/** What every step of every item passes before it starts, and where waits between tries can be cut short. */
export type Gate = {
  isHeld: (reason: HoldReason) => boolean;
  /** Holds new steps back for a reason, or no longer for it. What is under way is finished. */
  hold: (reason: HoldReason, on: boolean) => void;
  /** Settles when nothing holds; rejects with the signal's reason. */
  pass: (signal: AbortSignal) => Promise<void>;
  /** Waits for a time in ms, or until `nudge`. Settles early when the signal is aborted. */
  rest: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Everything that rests goes on at once: the machine is awake, or the network is back. */
  nudge: () => void;
};

export const createGate = (clock: Clock): Gate => {
  const reasons = new Set<HoldReason>();
  const waiting = new Set<() => void>();
  const resting = new Set<AbortController>();

  return {
    isHeld: (reason) => reasons.has(reason),
    hold: (reason, on) => {
      if (on) reasons.add(reason);
      else reasons.delete(reason);
      if (reasons.size > 0) return;
      for (const go of [...waiting]) go();
    },
    pass: async (signal) => {
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
    rest: async (ms, signal) => {
      if (ms <= 0) return;
      const nudged = new AbortController();
      resting.add(nudged);
      await clock.sleep(ms, AbortSignal.any([signal, nudged.signal])).catch(() => undefined);
      resting.delete(nudged);
    },
    nudge: () => {
      for (const one of [...resting]) one.abort();
    },
  };
};

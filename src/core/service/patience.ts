import type { Clock } from '../ports.ts';

const beatMs = 15_000;
/** After so many beats without a byte nobody waits any longer: a minute at least. */
const beatsOfSilence = 5;

export type Patience = { wait: (giveUp: () => void) => { heard: () => void; over: () => void } };

/**
 * Gives up requests that hear nothing for a minute. One beat goes round for all of them: a request costs no timer of its
 * own, and a clock that jumps, or a machine that slept, is one beat and not hours of silence.
 */
export const createPatience = (clock: Clock): Patience => {
  const waiting = new Set<{ silentBeats: number; giveUp: () => void }>();
  let beating = false;

  const beat = async (): Promise<void> => {
    beating = true;
    while (waiting.size > 0) {
      await clock.sleep(beatMs);
      for (const one of waiting) {
        one.silentBeats += 1;
        if (one.silentBeats < beatsOfSilence) continue;
        waiting.delete(one);
        one.giveUp();
      }
    }
    beating = false;
  };

  return {
    wait: (giveUp) => {
      const one = { silentBeats: 0, giveUp };
      waiting.add(one);
      if (!beating) void beat();
      return { heard: () => void (one.silentBeats = 0), over: () => void waiting.delete(one) };
    },
  };
};

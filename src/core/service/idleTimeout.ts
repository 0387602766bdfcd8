import type { Clock } from '../base/ports.ts';

const beatMs = 15_000;
/** After so many beats without a byte nobody waits any longer: a minute at least. */
const beatsOfSilence = 5;
/** After so many beats an answer that began must be there, however steadily it comes: five minutes. */
const beatsOfAnswer = 20;

/** A request that is waited for. `begun`: its answer has begun. */
type Waited = { heard: () => void; begun: () => void; over: () => void };
export type IdleTimeout = { wait: (giveUp: () => void) => Waited };

/**
 * Gives up requests that hear nothing for a minute, and answers that do not end. One beat goes round for all of them: a request costs no timer of its
 * own, and a clock that jumps, or a machine that slept, is one beat and not hours of silence.
 */
export const createIdleTimeout = (clock: Clock): IdleTimeout => {
  const waiting = new Set<{ silentBeats: number; beatsLeft: number; giveUp: () => void }>();
  let beating = false;

  const beat = async (): Promise<void> => {
    beating = true;
    while (waiting.size > 0) {
      await clock.sleep(beatMs);
      for (const one of waiting) {
        one.silentBeats += 1;
        one.beatsLeft -= 1;
        if (one.silentBeats < beatsOfSilence && one.beatsLeft > 0) continue;
        waiting.delete(one);
        one.giveUp();
      }
    }
    beating = false;
  };

  return {
    wait: (giveUp) => {
      const one = { silentBeats: 0, beatsLeft: Infinity, giveUp };
      waiting.add(one);
      if (!beating) void beat();
      return {
        heard: () => void (one.silentBeats = 0),
        begun: () => void (one.beatsLeft = beatsOfAnswer),
        over: () => void waiting.delete(one),
      };
    },
  };
};

import type { Step } from '../storage/tables/itemRecord.ts';
import type { ItemsContext } from './itemsContext.ts';

export type RepeatPause = (step: Step, signal: AbortSignal) => Promise<void>;

/** A step that starts again after this time does not count as a repetition. */
const forgetRepeatsMs = 60_000;

/** Creates a function that delays a step if it started recently, even if the earlier run succeeded. */
export const createRepeatPause = ({
  clock,
  gate,
  pacing,
}: Pick<ItemsContext, 'clock' | 'gate' | 'pacing'>): RepeatPause => {
  const begun = new Map<Step, { atMs: number; repeats: number }>();
  return async (step, signal) => {
    const before = begun.get(step);
    const sinceMs = clock.elapsedMs() - (before?.atMs ?? -Infinity);
    const repeats = before && sinceMs < forgetRepeatsMs ? before.repeats + 1 : 0;
    if (repeats > 0) await gate.sleepUntilNudge(pacing.repeatMs(repeats) - sinceMs, signal);
    begun.set(step, { atMs: clock.elapsedMs(), repeats });
  };
};

import type { Step } from '../storage/tables/itemRecord.ts';
import type { ItemsContext } from './itemsContext.ts';

/** Delays the repetition of a step that has just started. */
export type RepeatPause = (step: Step, signal: AbortSignal) => Promise<void>;

/** A step that last started longer ago than this is not a repetition. */
const forgetRepeatsMs = 60_000;

/** Spaces repetitions of the same step of one item, independent of the result of the step. */
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

import type { Step } from '../storage/tables/itemRecord.ts';
import type { ItemsContext } from './itemsContext.ts';

/** Waits until a step may begin that has just begun before. */
export type RepeatPause = (step: Step, signal: AbortSignal) => Promise<void>;

/** What did not begin for so long is no repeat. */
const forgetRepeatsMs = 60_000;

/** Spaces the repeats of the steps of one item, whatever a step comes to. */
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
    if (repeats > 0) await gate.rest(pacing.repeatMs(repeats) - sinceMs, signal);
    begun.set(step, { atMs: clock.elapsedMs(), repeats });
  };
};

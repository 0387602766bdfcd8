import { setImmediate as immediate } from 'node:timers/promises';
import { createProblem, toProblemView } from '../base/problem.ts';
import { getRetryPauseMs, type ItemsContext } from './itemsContext.ts';
import type { ItemRow } from '../storage/tables/itemsTable.ts';
import type { Step } from '../storage/tables/itemRecord.ts';
import { automaticSteps } from './itemSteps.ts';
import { toItemError, findItemTrouble, type Trouble } from './itemState.ts';

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

export type ItemRunner = {
  start: (itemId: string) => void;
  startInTurn: (itemIds: readonly string[]) => Promise<void>;
  halt: (itemId: string) => Promise<void>;
  isOn: (itemId: string) => boolean;
  trouble: (itemId: string, step: Step) => Trouble | null;
  /** Notifies windows about running items after the service has gone down or returned. */
  turned: () => void;
  /** Allows items to run after `stop`. */
  open: () => void;
  /** Aborts all runs. No item can start until `open` is called. */
  stop: () => Promise<void>;
};

type ItemTroubles = Map<string, Trouble>;

type SharedRunState = { troubles: ItemTroubles; isCharged: boolean };

const isRunnableItem = (item: ItemRow | null): item is ItemRow =>
  item?.stop === null && automaticSteps[item.step] !== undefined;

const runStepWithSemaphores = async (
  context: ItemsContext,
  item: ItemRow,
  pauseRepeat: RepeatPause,
  signal: AbortSignal,
): Promise<void> => {
  const runStepWhenUnpaused = async (at: ItemRow): Promise<void> => {
    await pauseRepeat(at.step, signal);
    await context.gate.waitWhilePaused(signal);
    await automaticSteps[at.step]?.(context, at, signal);
  };
  if (item.step === 'photos') return runStepWhenUnpaused(item);
  if (item.step === 'draft' || item.step === 'upload') {
    const leave = await context.sendingSemaphore.acquire(item.item_id, signal);
    return runStepWhenUnpaused(item).finally(leave);
  }
  // An item keeps one place during the steps `line` and `writing`. After a restart, an item in step `writing` must get
  // its place even if none is free.
  const leave =
    item.step === 'writing'
      ? context.writingSemaphore.acquireUnconditionally()
      : await context.writingSemaphore.acquire(item.item_id, signal);
  try {
    for (
      let at: ItemRow | null = item;
      at && (at.step === 'line' || at.step === 'writing');
      at = context.table.read(at.item_id)
    ) {
      await runStepWhenUnpaused(at);
    }
  } finally {
    leave();
  }
};

const refreshRemainingAllowance = ({ fetchStanding, log }: ItemsContext, signal: AbortSignal): Promise<void> =>
  fetchStanding(signal).then(
    () => undefined,
    (error: unknown) => {
      if (!signal.aborted) log('warn', 'reading the allowance failed', { code: toProblemView(error).code });
    },
  );

const storeStopOrGetTrouble = (context: ItemsContext, item: ItemRow, error: unknown): Trouble | null => {
  const { table, clock, log } = context;
  const trouble = findItemTrouble(error);
  if (trouble !== null) return trouble;
  const stop = toItemError(error, item.listing_id);
  log('warn', 'an item stopped', { step: item.step, code: stop.code });
  try {
    table.change(item.item_id, { stop }, clock.now());
    if (item.drop_id !== null) context.groupDrop(item.drop_id);
    return null;
  } catch (unwritten) {
    const full = findItemTrouble(unwritten);
    if (full === null) throw unwritten;
    return full;
  }
};

const runItemSteps = async (
  context: ItemsContext,
  shared: SharedRunState,
  itemId: string,
  signal: AbortSignal,
): Promise<void> => {
  const { table } = context;
  const { troubles } = shared;
  const pauseRepeat = createRepeatPause(context);
  let failures = 0;
  for (let item = table.read(itemId); isRunnableItem(item); item = table.read(itemId)) {
    try {
      await runStepWithSemaphores(context, item, pauseRepeat, signal);
      shared.isCharged ||= item.step === 'line' || item.step === 'writing';
      failures = 0;
      troubles.delete(itemId);
    } catch (error) {
      if (signal.aborted) return;
      const trouble = storeStopOrGetTrouble(context, item, error);
      if (trouble === null) troubles.delete(itemId);
      else {
        troubles.set(itemId, trouble);
        context.notifyItemChanged(itemId);
        failures += 1;
        // If the service failed, the request queue already delays the retry, so no pause is needed here.
        if (!context.pacing.waitsForService(error))
          await context.gate.sleepUntilNudge(getRetryPauseMs(context, error, failures), signal);
      }
    }
    context.notifyItemChanged(itemId);
  }
  const { writingSemaphore, sendingSemaphore, preparing } = context;
  if (!shared.isCharged || !writingSemaphore.isIdle() || !sendingSemaphore.isIdle() || !preparing.isIdle()) return;
  shared.isCharged = false;
  await refreshRemainingAllowance(context, signal);
};

const awaitRunEnd = (run: Promise<void>, { log }: ItemsContext): Promise<boolean> =>
  run.then(
    () => true,
    (error: unknown) => {
      log('error', 'running an item failed', { reason: error instanceof Error ? error.name : 'unknown' });
      return false;
    },
  );

/** Creates the runner. Items can be started at once, without a call of `open`. */
export const createItemRunner = (context: ItemsContext): ItemRunner => {
  const { service, storage } = context.pacing;
  const runs = new Map<string, { abort: AbortController; done: Promise<void> }>();
  const troubles: ItemTroubles = new Map();
  const shared: SharedRunState = { troubles, isCharged: false };
  let closed = false;

  const start = (itemId: string): void => {
    // The item starts after all photos are added to it.
    if (closed || runs.has(itemId) || context.table.additions.isAddingTo(itemId)) return;
    const abort = new AbortController();
    const done = awaitRunEnd(runItemSteps(context, shared, itemId, abort.signal), context).then((ended) => {
      runs.delete(itemId);
      // If `start` was called just before the run ended, the call had no effect, so a runnable item starts again here.
      if (ended && !closed && !abort.signal.aborted && isRunnableItem(context.table.read(itemId))) start(itemId);
    });
    runs.set(itemId, { abort, done });
  };
  const halt = async (itemId: string): Promise<void> => {
    const run = runs.get(itemId);
    run?.abort.abort(createProblem('CANCELLED'));
    await run?.done;
  };

  return {
    start,
    startInTurn: async (itemIds) => {
      for (const itemId of itemIds) {
        if (closed) return;
        start(itemId);
        await immediate();
      }
    },
    halt,
    isOn: (itemId) => runs.has(itemId),
    trouble: (itemId, step) => {
      const known = troubles.get(itemId);
      if (known !== undefined) return known;
      return runs.has(itemId) && service.isDown() && step !== 'photos' ? 'service' : null;
    },
    turned: () => {
      const isThere = !service.isTroubled() && !storage.isTroubled();
      for (const itemId of runs.keys()) {
        if (isThere && troubles.get(itemId) === 'service') troubles.delete(itemId);
        context.notifyItemChanged(itemId);
      }
    },
    open: () => void (closed = false),
    stop: async () => {
      closed = true;
      await Promise.all([...runs.keys()].map(halt));
    },
  };
};

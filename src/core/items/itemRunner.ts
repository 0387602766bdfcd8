import { setImmediate as immediate } from 'node:timers/promises';
import { problem, problemView } from '../base/problem.ts';
import type { ItemsContext } from './itemsContext.ts';
import type { ItemRow } from '../storage/tables/itemsTable.ts';
import type { Step } from '../storage/tables/itemRecord.ts';
import { createRepeatPause, type RepeatPause } from './repeatPause.ts';
import { running } from './steps.ts';
import { itemErrorOf, troubleOf, type Trouble } from './itemState.ts';

/** Takes each item from step to step until it stops, waits for the person, or is done. */
export type ItemRunner = {
  /** Has an item go on, unless it does already. */
  start: (itemId: string) => void;
  /** Starts many items without holding up what else is going on. */
  startInTurn: (itemIds: readonly string[]) => Promise<void>;
  /** Ends what is under way for an item, and waits until it has. */
  halt: (itemId: string) => Promise<void>;
  isOn: (itemId: string) => boolean;
  /** Why a step of it is tried again. */
  trouble: (itemId: string, step: Step) => Trouble | null;
  /** Everything that goes on, or would if the service were there, is shown anew: it is down, or there again. */
  turned: () => void;
  /** From now on items go on again: after a start, and after somebody has connected anew. */
  open: () => void;
  /** Ends what is under way for every item, and starts nothing until `open`. */
  stop: () => Promise<void>;
};

/** What keeps items from going on for now, by their ids. */
type Troubles = Map<string, Trouble>;

/** What the runs share; `isCharged`: something was written since it was read what is left of the allowance. */
type Shared = { troubles: Troubles; isCharged: boolean };

const goesOn = (item: ItemRow | null): item is ItemRow => item?.stop === null && running[item.step] !== undefined;

/** Runs one step in the places it needs. */
const runStep = async (
  context: ItemsContext,
  item: ItemRow,
  pauseRepeat: RepeatPause,
  signal: AbortSignal,
): Promise<void> => {
  const run = async (at: ItemRow): Promise<void> => {
    await pauseRepeat(at.step, signal);
    await context.gate.pass(signal);
    await running[at.step]?.(context, at, signal);
  };
  if (item.step === 'photos') return run(item);
  if (item.step === 'draft' || item.step === 'upload') {
    const leave = await context.sendingPlaces.take(item.item_id, signal);
    return run(item).finally(leave);
  }
  // From the line to the end of the writing it is one stay in one place; after a restart it is resumed.
  const leave =
    item.step === 'writing' ? context.writingPlaces.keep() : await context.writingPlaces.take(item.item_id, signal);
  try {
    for (
      let at: ItemRow | null = item;
      at && (at.step === 'line' || at.step === 'writing');
      at = context.table.read(at.item_id)
    ) {
      await run(at);
    }
  } finally {
    leave();
  }
};

/**
 * What is left of the allowance after the last of some writings. Nobody reads it while another one is on its way there, if
 * only with its photos: then it is read after that one.
 */
const readWhatIsLeft = ({ standing, log }: ItemsContext, signal: AbortSignal): Promise<void> =>
  standing(signal).then(
    () => undefined,
    (error: unknown) => {
      if (!signal.aborted)
        log('warn', 'what is left of the allowance could not be read', { code: problemView(error).code });
    },
  );

/** What keeps an item from going on for now; null once it stands still, which is on disk. */
const settle = ({ table, clock, log }: ItemsContext, item: ItemRow, error: unknown): Trouble | null => {
  const trouble = troubleOf(error);
  if (trouble !== null) return trouble;
  const stop = itemErrorOf(error, item.listing_id);
  log('warn', 'an item stopped', { step: item.step, code: stop.code });
  try {
    table.change(item.item_id, { stop }, clock.now());
    return null;
  } catch (unwritten) {
    const full = troubleOf(unwritten);
    if (full === null) throw unwritten;
    return full;
  }
};

/** How long a step waits that failed on this machine: for the disk, or for a listing that is being decided. */
const restMs = ({ pacing }: ItemsContext, error: unknown, failures: number): number =>
  Math.max(pacing.localPauseMs(failures), (problemView(error).retryAfterS ?? 0) * 1_000);

/** Takes one item from step to step for as long as it goes on. */
const runItem = async (context: ItemsContext, shared: Shared, itemId: string, signal: AbortSignal): Promise<void> => {
  const { table } = context;
  const { troubles } = shared;
  const pauseRepeat = createRepeatPause(context);
  let failures = 0;
  for (let item = table.read(itemId); goesOn(item); item = table.read(itemId)) {
    try {
      await runStep(context, item, pauseRepeat, signal);
      shared.isCharged ||= item.step === 'line' || item.step === 'writing';
      failures = 0;
      troubles.delete(itemId);
    } catch (error) {
      if (signal.aborted) return;
      const trouble = settle(context, item, error);
      if (trouble === null) troubles.delete(itemId);
      else {
        troubles.set(itemId, trouble);
        context.touched(itemId);
        failures += 1;
        // Where the service failed, the next try waits on the way to it, with all others.
        if (!context.pacing.counts(error)) await context.gate.rest(restMs(context, error, failures), signal);
      }
    }
    context.touched(itemId);
  }
  const { writingPlaces, sendingPlaces, preparing } = context;
  if (!shared.isCharged || !writingPlaces.isEmpty() || !sendingPlaces.isEmpty() || !preparing.isIdle()) return;
  shared.isCharged = false;
  await readWhatIsLeft(context, signal);
};

/** Whether it came to an end by itself; what went wrong is logged. */
const endOf = (run: Promise<void>, { log }: ItemsContext): Promise<boolean> =>
  run.then(
    () => true,
    (error: unknown) => {
      log('error', 'an item could not be continued', { reason: error instanceof Error ? error.name : 'unknown' });
      return false;
    },
  );

/** A runner for the items of `context`; open from the start. */
export const createItemRunner = (context: ItemsContext): ItemRunner => {
  const { service, storage } = context.pacing;
  const runs = new Map<string, { abort: AbortController; done: Promise<void> }>();
  const troubles: Troubles = new Map();
  const shared: Shared = { troubles, isCharged: false };
  let closed = false;

  const start = (itemId: string): void => {
    if (closed || runs.has(itemId)) return;
    const abort = new AbortController();
    const done = endOf(runItem(context, shared, itemId, abort.signal), context).then((ended) => {
      runs.delete(itemId);
      // Whoever wanted it to go on just as it came to an end found it still running.
      if (ended && !closed && !abort.signal.aborted && goesOn(context.table.read(itemId))) start(itemId);
    });
    runs.set(itemId, { abort, done });
  };
  const halt = async (itemId: string): Promise<void> => {
    const run = runs.get(itemId);
    run?.abort.abort(problem('CANCELLED'));
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
        context.touched(itemId);
      }
    },
    open: () => void (closed = false),
    stop: async () => {
      closed = true;
      await Promise.all([...runs.keys()].map(halt));
    },
  };
};

import { setImmediate as immediate } from 'node:timers/promises';
import { problem, problemView } from '../base/problem.ts';
import type { ItemsContext } from './context.ts';
import type { ItemRow } from '../storage/tables/itemsTable.ts';
import type { Step } from '../storage/tables/itemRecord.ts';
import { running } from './steps.ts';
import { stopOf, troubleOf } from './itemErrors.ts';
import type { Trouble } from './itemText.ts';

/** Takes each item from step to step until it stops, waits for the person, or is done. */
export const createWalking = (context: ItemsContext) => {
  const { table, clock, pacing } = context;
  const walking = new Map<string, { abort: AbortController; done: Promise<void> }>();
  const troubles = new Map<string, Trouble>();
  let closed = false;

  /** Runs one step in the places it needs. */
  const runStep = async (item: ItemRow, signal: AbortSignal): Promise<void> => {
    const run = async (at: ItemRow): Promise<void> => {
      await context.gate.pass(signal);
      await running[at.step]?.(context, at, signal);
    };
    if (item.step === 'photos') return run(item);
    if (item.step === 'draft' || item.step === 'upload') {
      const leave = await context.sendingPlaces.take(item.item_id, signal);
      return run(item).finally(leave);
    }
    // From the line to the end of the writing it is one stay in one place; after a restart it is taken up again.
    const leave =
      item.step === 'writing' ? context.writingPlaces.keep() : await context.writingPlaces.take(item.item_id, signal);
    try {
      for (
        let at: ItemRow | null = item;
        at && (at.step === 'line' || at.step === 'writing');
        at = table.read(at.item_id)
      ) {
        await run(at);
      }
    } finally {
      leave();
    }
  };

  /** What keeps an item from going on for now; null once it stands still, which is on disk. */
  const settle = (item: ItemRow, error: unknown): Trouble | null => {
    const trouble = troubleOf(error);
    if (trouble !== null) return trouble;
    const stop = stopOf(error);
    context.log('warn', 'an item stopped', { step: item.step, code: stop.code });
    try {
      table.change(item.item_id, { stop }, clock.now());
      return null;
    } catch (unwritten) {
      const full = troubleOf(unwritten);
      if (full === null) throw unwritten;
      return full;
    }
  };

  const walk = async (itemId: string, signal: AbortSignal): Promise<void> => {
    let failures = 0;
    for (let item = table.read(itemId); goesOn(item); item = table.read(itemId)) {
      try {
        await runStep(item, signal);
        failures = 0;
        troubles.delete(itemId);
      } catch (error) {
        if (signal.aborted) return;
        const trouble = settle(item, error);
        if (trouble === null) troubles.delete(itemId);
        else {
          troubles.set(itemId, trouble);
          context.touched(itemId);
          failures += 1;
          // Where the service failed, the next try waits on the way to it, with all others.
          if (!pacing.counts(error)) await context.gate.rest(restMs(error, failures), signal);
        }
      }
      context.touched(itemId);
    }
  };

  /** How long a step waits that failed on this machine: for the disk, or for a listing that is being decided. */
  const restMs = (error: unknown, failures: number): number =>
    Math.max(pacing.localPauseMs(failures), (problemView(error).retryAfterS ?? 0) * 1_000);

  const goesOn = (item: ItemRow | null): item is ItemRow => item?.stop === null && running[item.step] !== undefined;

  const start = (itemId: string): void => {
    if (closed || walking.has(itemId)) return;
    const abort = new AbortController();
    const done = walk(itemId, abort.signal)
      .then(
        () => true,
        (error: unknown) => {
          context.log('error', 'an item could not be walked', {
            reason: error instanceof Error ? error.name : 'unknown',
          });
          return false;
        },
      )
      .then((ended) => {
        walking.delete(itemId);
        // Whoever wanted it to go on just as it came to an end found it still walking.
        if (ended && !closed && !abort.signal.aborted && goesOn(table.read(itemId))) start(itemId);
      });
    walking.set(itemId, { abort, done });
  };

  /** Starts many items without holding up what else is going on. */
  const startInTurn = async (itemIds: readonly string[]): Promise<void> => {
    for (const itemId of itemIds) {
      if (closed) return;
      start(itemId);
      await immediate();
    }
  };

  const halt = async (itemId: string): Promise<void> => {
    const walker = walking.get(itemId);
    walker?.abort.abort(problem('CANCELLED'));
    await walker?.done;
  };

  return {
    /** Has an item go on, unless it does already. */
    start,
    startInTurn,
    /** Ends what is under way for an item, and waits until it has. */
    halt,
    isOn: (itemId: string): boolean => walking.has(itemId),
    /** Why a step of it is tried again. */
    trouble: (itemId: string, step: Step): Trouble | null => {
      const known = troubles.get(itemId);
      if (known !== undefined) return known;
      return walking.has(itemId) && pacing.service.isDown() && step !== 'photos' ? 'service' : null;
    },
    /** Everything that goes on, or would if the service were there, is shown anew: it is down, or there again. */
    turned: (): void => {
      const isThere = !pacing.service.isTroubled() && !pacing.storage.isTroubled();
      for (const itemId of walking.keys()) {
        if (isThere && troubles.get(itemId) === 'service') troubles.delete(itemId);
        context.touched(itemId);
      }
    },
    /** From now on items go on again: after a start, and after somebody has connected anew. */
    open: (): void => void (closed = false),
    /** Ends what is under way for every item, and starts nothing until `open`. */
    stop: async (): Promise<void> => {
      closed = true;
      await Promise.all([...walking.keys()].map(halt));
    },
  };
};

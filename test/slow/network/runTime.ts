import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises';
import * as z from 'zod';
import type { TestPractice } from '../../helpers/practice.ts';
import type { TestClock } from '../../helpers/testClock.ts';
import type { Fault } from './faults.ts';

const quarterMs = 15_000;
const longestWaitMs = 10_000;
const left = z.array(z.object({ times: z.int() }));

/** Runs the clocks of the companion and the service while calls meet an ordered fault. */
export const runTime = (practice: TestPractice, clock: TestClock) => {
  /** Returns how often the fault was met; a used-up fault is no longer listed. */
  const countHits = async (times: number): Promise<number> => {
    const [waiting] = left.parse(await practice.control('GET', '/faults'));
    return times - (waiting?.times ?? 0);
  };
  const runFault = async (
    { companionMs, practiceMs }: NonNullable<Fault['runs']>,
    isOver: () => boolean,
  ): Promise<void> => {
    for (let ran = 0; ran < companionMs && !isOver(); ran += quarterMs) {
      clock.advance(quarterMs);
      await turn();
    }
    if (practiceMs) await practice.advance(practiceMs);
  };
  /** Ends a wait of a few seconds; longer waits do not belong to the call under test. */
  const endShortWait = (): void => {
    const next = clock.next();
    if (next !== null && next <= longestWaitMs) clock.advance(next);
  };
  /**
   * Advances the clock from wait to wait, or as the fault requires, until `isOver`. The fault's time runs once `others`
   * confirms, for the number of new hits, that nothing else is in flight.
   */
  const runUntil = async (
    isOver: () => boolean,
    { runs }: Pick<Fault, 'runs'>,
    times: number,
    others: (met: number) => boolean | Promise<boolean> = () => true,
  ): Promise<void> => {
    for (let met = 0; ;) {
      await wait(1);
      const now = runs ? await countHits(times) : 0;
      await turn();
      if (isOver()) return;
      if (now === met) endShortWait();
      else if (runs && (await others(now - met))) {
        await runFault(runs, isOver);
        met = now;
      }
    }
  };
  return { hits: countHits, until: runUntil };
};

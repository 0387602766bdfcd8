import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises';
import * as z from 'zod';
import type { TestPractice } from '../../helpers/practice.ts';
import type { TestClock } from '../../helpers/testClock.ts';
import type { Fault } from './faults.ts';

const quarterMs = 15_000;
const longestWaitMs = 10_000;
const left = z.array(z.object({ times: z.int() }));

/** Has the time of the companion, and that of the service, run while something meets a fault that was ordered so many times. */
export const runTime = (practice: TestPractice, clock: TestClock) => {
  /** How often the fault was met; one that is used up is gone from the list. */
  const hits = async (times: number): Promise<number> => {
    const [waiting] = left.parse(await practice.control('GET', '/faults'));
    return times - (waiting?.times ?? 0);
  };
  const run = async ({ companionMs, practiceMs }: NonNullable<Fault['runs']>, isOver: () => boolean): Promise<void> => {
    for (let ran = 0; ran < companionMs && !isOver(); ran += quarterMs) {
      clock.advance(quarterMs);
      await turn();
    }
    if (practiceMs) await practice.advance(practiceMs);
  };
  /** What waits for a few seconds waits no longer; what waits for longer has nothing to do with what is looked at. */
  const soon = (): void => {
    const next = clock.next();
    if (next !== null && next <= longestWaitMs) clock.advance(next);
  };
  /**
   * Lets real work go on, and time run from one that waits to the next, or as the fault has it, until it is over. For a
   * fault it runs once `others` says of so many that met it anew that nothing else is under way.
   */
  const until = async (
    isOver: () => boolean,
    { runs }: Pick<Fault, 'runs'>,
    times: number,
    others: (met: number) => boolean | Promise<boolean> = () => true,
  ): Promise<void> => {
    for (let met = 0; ;) {
      await wait(1);
      const now = runs ? await hits(times) : 0;
      await turn();
      if (isOver()) return;
      if (now === met) soon();
      else if (runs && (await others(now - met))) {
        await run(runs, isOver);
        met = now;
      }
    }
  };
  return { hits, until };
};

import * as z from 'zod';
import type { World } from '../world.ts';

const calls = z.record(z.string(), z.looseObject({ calls: z.int() }));

/** Counts all requests to the practice service of a world; `now` returns the world of the running test. */
export const countServiceCalls = (now: () => World) => {
  /** Returns how often a route was requested. */
  const asked = async (route: string): Promise<number> =>
    calls.parse(await now().practice.control('GET', '/calls'))[route]?.calls ?? 0;
  return {
    asked,
    /** Runs some calls and returns how often they reached the service. */
    reached: async (route: string, run: () => Promise<unknown>): Promise<number> => {
      const before = await asked(route);
      await run();
      return (await asked(route)) - before;
    },
  };
};

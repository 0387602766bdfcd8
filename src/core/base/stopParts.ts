import type { Clock, Log } from './ports.ts';
import { toProblemView } from './problem.ts';

/** A component that runs until it is stopped. A composite returns the names of its parts that did not stop. */
export type StoppablePart = {
  name: string;
  stop: () => Promise<readonly string[] | void> | void;
  /** Overrides the default time limit. */
  maxStopMs?: number;
};

type StopContext = { clock: Clock; log: Log };

/**
 * The default time limit. A part that exceeds it never stops, such as a decoder thread or a keychain dialog without
 * a person.
 */
const defaultMaxStopMs = 5_000;
/** Time limits of composites: the companion, and a host with everything it runs. */
export const maxStopTimes = { companion: 30_000, host: 60_000 } as const;

const timedOut = 'late';

/**
 * Stops one part; returns the names of the parts that did not stop. A part that throws counts as stopped and is
 * logged.
 */
const stopOnePart = async (
  { name, stop, maxStopMs: longestMs = defaultMaxStopMs }: StoppablePart,
  { clock, log }: StopContext,
) => {
  const over = new AbortController();
  const sleepUntilBound = async (): Promise<typeof timedOut> => {
    await clock.sleep(longestMs, over.signal).catch(() => undefined);
    return timedOut;
  };
  try {
    const left = await Promise.race([(async () => stop())(), sleepUntilBound()]);
    if (left !== timedOut) return left ?? [];
    log('error', 'a part did not stop', { part: name });
    return [name];
  } catch (error) {
    log('warn', 'stopping a part failed', { part: name, code: toProblemView(error).code });
    return [];
  } finally {
    over.abort();
  }
};

/**
 * Stops parts one after the other, even if earlier ones fail. A part that times out is abandoned as in a crash: its
 * data on disk is consistent and resumes at the next start. Returns the names of these parts.
 */
export const stopParts = async (parts: readonly StoppablePart[], stopping: StopContext): Promise<string[]> => {
  const left: string[] = [];
  for (const part of parts) left.push(...(await stopOnePart(part, stopping)));
  return left;
};

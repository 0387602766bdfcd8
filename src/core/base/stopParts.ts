import type { Clock, Log } from './ports.ts';
import { toProblemView } from './problem.ts';

/** `stop` can return the names of nested parts that did not stop. */
export type StoppablePart = {
  name: string;
  stop: () => Promise<readonly string[] | void> | void;
  maxStopMs?: number;
};

type StopContext = { clock: Clock; log: Log };

/** A part that takes longer than this to stop hangs and probably never stops. */
const defaultMaxStopMs = 5_000;
/** Time limits in ms for parts that stop other parts. */
export const maxCompositeStopMs = { companion: 30_000, host: 60_000 } as const;

const timedOut = 'late';

/** A part that throws counts as stopped. */
const stopOnePart = async (
  { name, stop, maxStopMs = defaultMaxStopMs }: StoppablePart,
  { clock, log }: StopContext,
) => {
  const over = new AbortController();
  const sleepUntilTimeout = async (): Promise<typeof timedOut> => {
    await clock.sleep(maxStopMs, over.signal).catch(() => undefined);
    return timedOut;
  };
  try {
    const left = await Promise.race([(async () => stop())(), sleepUntilTimeout()]);
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

/** Stops parts one after another. Returns the names of those that did not stop in time and keep running. */
export const stopParts = async (parts: readonly StoppablePart[], stopping: StopContext): Promise<string[]> => {
  const left: string[] = [];
  for (const part of parts) left.push(...(await stopOnePart(part, stopping)));
  return left;
};

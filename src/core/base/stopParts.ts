import type { Clock, Log } from './ports.ts';
import { problemView } from './problem.ts';

/** Something that runs until it is stopped. One that consists of others answers which of them have not stopped. */
export type Part = {
  name: string;
  stop: () => Promise<readonly string[] | void> | void;
  /** Only where the part itself has a bound, and a longer one. */
  longestMs?: number;
};

type Stopping = { clock: Clock; log: Log };

/** What has not stopped by then never does: a thread inside a decoder, a keychain that asks somebody who is not there. */
const longestStopMs = 5_000;
/** What consists of parts with a bound each, all of them together: the companion, and a host with everything it runs. */
export const longestStop = { companion: 30_000, host: 60_000 } as const;

const late = 'late';

/** The names of what is left of one part. A part that fails has stopped: badly, and that is logged. */
const stopOne = async ({ name, stop, longestMs = longestStopMs }: Part, { clock, log }: Stopping) => {
  const over = new AbortController();
  const bound = async (): Promise<typeof late> => {
    await clock.sleep(longestMs, over.signal).catch(() => undefined);
    return late;
  };
  try {
    const left = await Promise.race([(async () => stop())(), bound()]);
    if (left !== late) return left ?? [];
    log('error', 'a part did not stop', { part: name });
    return [name];
  } catch (error) {
    log('warn', 'a part did not stop as it should', { part: name, code: problemView(error).code });
    return [];
  } finally {
    over.abort();
  }
};

/**
 * Stops one part after the other, whatever becomes of those before. A part that does not answer is left as a crash would
 * leave it: what it has on disk is whole, and is resumed at the next start. Answers the names of those that are left.
 */
export const stopParts = async (parts: readonly Part[], stopping: Stopping): Promise<string[]> => {
  const left: string[] = [];
  for (const part of parts) left.push(...(await stopOne(part, stopping)));
  return left;
};

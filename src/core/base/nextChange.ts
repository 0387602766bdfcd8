import type { Clock, Topic } from './ports.ts';

type Parts = { clock: Clock; onChanged: (listener: (topic: Topic) => void) => () => void };

/** Resolves when something of this topic changes, or after `ms`. Rejects with the signal's reason when it is aborted. */
export const nextChange = async (
  { clock, onChanged }: Parts,
  topic: Topic,
  ms: number,
  signal?: AbortSignal,
): Promise<void> => {
  const over = new AbortController();
  const changed = Promise.withResolvers<void>();
  const stop = onChanged((one) => one === topic && changed.resolve());
  const ends = AbortSignal.any([over.signal, ...(signal ? [signal] : [])]);
  try {
    await Promise.race([changed.promise, clock.sleep(ms, ends)]);
  } finally {
    stop();
    over.abort();
  }
};

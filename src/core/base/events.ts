import type { Clock, Log, Topic } from './ports.ts';
import { problemView } from './problem.ts';

/** Changes by topic. They carry no data: whoever listens reads what it shows. */
export type Events = {
  changed: (topic: Topic) => void;
  /** Answers what ends the listening. */
  onChanged: (listener: (topic: Topic) => void) => () => void;
};

/** Who listens for changes. A listener that fails is logged, and keeps no other from hearing. */
export const createEvents = (log: Log): Events => {
  const listeners = new Set<(topic: Topic) => void>();
  return {
    changed: (topic) => {
      for (const listener of listeners) {
        try {
          listener(topic);
        } catch (error) {
          // Whoever changed something is not the one who failed, and the others want to hear of it, too.
          log('error', 'somebody could not be told of a change', { topic, code: problemView(error).code });
        }
      }
    },
    onChanged: (listener) => {
      listeners.add(listener);
      return (): void => void listeners.delete(listener);
    },
  };
};

/** Resolves when something of this topic changes, or after `ms`. Rejects with the signal's reason when it is aborted. */
export const nextChange = async (
  { clock, onChanged }: { clock: Clock; onChanged: Events['onChanged'] },
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

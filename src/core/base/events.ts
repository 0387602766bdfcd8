import type { Clock, Log, Topic } from './ports.ts';
import { toProblemView } from './problem.ts';

/** Change events by topic. They carry no data; a listener reads what it needs. */
export type Events = {
  changed: (topic: Topic) => void;
  /** Subscribes a listener; returns the unsubscribe function. */
  onChanged: (listener: (topic: Topic) => void) => () => void;
};

/** Creates the change events. A listener that throws is logged and does not affect the others. */
export const createEvents = (log: Log): Events => {
  const listeners = new Set<(topic: Topic) => void>();
  return {
    changed: (topic) => {
      for (const listener of listeners) {
        try {
          listener(topic);
        } catch (error) {
          // The caller of `changed` is not at fault, and the other listeners must still run.
          log('error', 'a change listener failed', { topic, code: toProblemView(error).code });
        }
      }
    },
    onChanged: (listener) => {
      listeners.add(listener);
      return (): void => void listeners.delete(listener);
    },
  };
};

/** Resolves on a change of this topic, or after `ms`. Rejects with the signal's reason. */
export const waitForChange = async (
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

import type { Clock, Log, Topic } from './ports.ts';
import { toProblemView } from './problem.ts';

export type EventBus = {
  changed: (topic: Topic) => void;
  onChanged: (listener: (topic: Topic) => void) => () => void;
};

/** Creates the bus of change events. If one listener throws, the next listener still runs. */
export const createEventBus = (log: Log): EventBus => {
  const listeners = new Set<(topic: Topic) => void>();
  return {
    changed: (topic) => {
      for (const listener of listeners) {
        try {
          listener(topic);
        } catch (error) {
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

/** Resolves when this topic changes, or after `ms`. Rejects with the signal's reason. */
export const waitForChange = async (
  { clock, onChanged }: { clock: Clock; onChanged: EventBus['onChanged'] },
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

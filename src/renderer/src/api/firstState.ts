import { answerIn, call, type AppState } from './call.ts';

// Code of screens is also imported where there is no window.
const asked = globalThis.window?.companionAsked;

/** The topics that changed before any listener was registered; the data may have been read before the change. */
const changed = asked?.changed ?? new Set<string>();
const stop = asked?.stop ?? globalThis.window?.companion?.onChanged((topic) => void changed.add(topic));

/** Returns the topics that changed since the page started; the caller must listen from here on. */
export const takeFirstChanges = (): string[] => {
  stop?.();
  const topics = [...changed];
  changed.clear();
  return topics;
};

const ask = () => call('app.state', {});

/** The first state, requested while the page is still loading, by the page itself if the host supports that. */
export const firstState = asked ? asked.state.then((reply) => answerIn('app.state', reply)) : ask();
// Avoids an unhandled rejection before the first reader awaits it.
firstState.catch(() => undefined);

let unread = true;

/** Returns the app state; the first call uses the early request. */
export const readState = (): Promise<AppState> => {
  if (!unread) return ask();
  unread = false;
  return firstState;
};

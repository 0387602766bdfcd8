import { readCallAnswer, callCore, type AppState } from './call.ts';

// Code of screens is also imported where there is no window.
const earlyRequest = globalThis.window?.companionAsked;

/** The topics that changed before any listener was registered; the data may have been read before the change. */
const changed = earlyRequest?.changed ?? new Set<string>();
const stopListening = earlyRequest?.stop ?? globalThis.window?.companion?.onChanged((topic) => void changed.add(topic));

/** Returns the topics that changed since the page started; the caller must listen from here on. */
export const takeFirstChanges = (): string[] => {
  stopListening?.();
  const topics = [...changed];
  changed.clear();
  return topics;
};

const requestAppState = () => callCore('app.state', {});

/** The first state, requested while the page is still loading, by the page itself if the host supports that. */
export const firstState = earlyRequest
  ? earlyRequest.state.then((reply) => readCallAnswer('app.state', reply))
  : requestAppState();
// Avoids an unhandled rejection before the first reader awaits it.
firstState.catch(() => undefined);

let isFirstRead = true;

/** Returns the app state; the first call uses the early request. */
export const readAppState = (): Promise<AppState> => {
  if (!isFirstRead) return requestAppState();
  isFirstRead = false;
  return firstState;
};

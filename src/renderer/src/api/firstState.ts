import { getCallAnswer, callCore, type AppState } from './call.ts';

// Node imports this module too, but Node has no window.
const earlyRequest = globalThis.window?.companionAsked;

/** The topics that changed before a listener was registered. The first data might be older than these changes. */
const changed = earlyRequest?.changed ?? new Set<string>();
const stopListening = earlyRequest?.stop ?? globalThis.window?.companion?.onChanged((topic) => void changed.add(topic));

/** Returns the topics that changed since the page started. The caller must listen to all later changes. */
export const takeFirstChanges = (): string[] => {
  stopListening?.();
  const topics = [...changed];
  changed.clear();
  return topics;
};

const requestAppState = () => callCore('app.state', {});

/** Some hosts let the page request the state before this module loads. */
export const firstState = earlyRequest
  ? earlyRequest.state.then((reply) => getCallAnswer('app.state', reply))
  : requestAppState();
// This handler only prevents an unhandled rejection before the first reader.
firstState.catch(() => undefined);

let isFirstRead = true;

export const readAppState = (): Promise<AppState> => {
  if (!isFirstRead) return requestAppState();
  isFirstRead = false;
  return firstState;
};

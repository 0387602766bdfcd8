import { callCore, type AppState } from './call.ts';

/** The topics that changed before a listener was registered. The first data might be older than these changes. */
const changed = new Set<string>();
// Node imports this module too, but Node has no window.
const stopListening = globalThis.window?.companion?.onChanged((topic) => void changed.add(topic));

/**
 * Returns the topics that changed since the page started, and stops collecting them. The caller must listen to later
 * changes.
 */
export const takeFirstChanges = (): string[] => {
  stopListening?.();
  const topics = [...changed];
  changed.clear();
  return topics;
};

const requestAppState = () => callCore('app.state', {});

/** The page requests the state while its other scripts load. */
export const firstState = requestAppState();
// This handler only prevents an unhandled rejection before the first reader.
firstState.catch(() => undefined);

/** Resolves if the companion starts and needs long for it. */
export const firstStage = new Promise<void>((resolve) => {
  const readStage = (): void =>
    void callCore('start.state', {}).then(
      (stage) => stage && resolve(),
      () => undefined,
    );
  readStage();
  const stop = globalThis.window?.companion?.onChanged((topic) => topic === 'start' && readStage());
  const stopReading = (): void => stop?.();
  void firstState.then(stopReading, stopReading);
});

let isFirstRead = true;

export const readAppState = (): Promise<AppState> => {
  if (!isFirstRead) return requestAppState();
  isFirstRead = false;
  return firstState;
};

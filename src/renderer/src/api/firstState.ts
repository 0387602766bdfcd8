import { answerIn, call, type AppState } from './call.ts';

// Rules of screens are also read where there is no window.
const asked = globalThis.window?.companionAsked;

/** What the core has said to have changed while nobody listened yet: it may have been read before that. */
const changed = asked?.changed ?? new Set<string>();
const stop = asked?.stop ?? globalThis.window?.companion?.onChanged((topic) => void changed.add(topic));

/** The topics of the changes since the page began; from here on the caller listens itself. */
export const takeFirstChanges = (): string[] => {
  stop?.();
  const topics = [...changed];
  changed.clear();
  return topics;
};

const ask = () => call('app.state', {});

/** Asked while the page is still being read, by the page itself where its host does so: the first screen waits for it. */
export const firstState = asked ? asked.state.then((reply) => answerIn('app.state', reply)) : ask();
// Whoever reads it hears of a failure; until somebody does, it is nobody's.
firstState.catch(() => undefined);

let unread = true;

/** The state of the companion; the first time, the one that was asked for at the start. */
export const readState = (): Promise<AppState> => {
  if (!unread) return ask();
  unread = false;
  return firstState;
};

import type { AskedEarly, CompanionWindow } from '../ipc/calls.ts';

type Asking = { companion?: CompanionWindow; companionAsked?: AskedEarly };

// The host sends this function to the page as source text, so it must not use anything from outside itself except
// types.

/** Requests the state and records changed topics before the scripts of the page are fetched. */
export const askEarly = (page: Asking): void => {
  const { companion } = page;
  if (companion === undefined) return;
  const changed = new Set<string>();
  const stop = companion.onChanged((topic) => void changed.add(topic));
  const state = companion.call('app.state', {});
  // The reader of the promise handles a failure; this only prevents an unhandled rejection before then.
  state.catch(() => undefined);
  page.companionAsked = { state, changed, stop };
};

/** The script that runs `prefetchState` in the page. */
export const askEarlyScript = `(${askEarly.toString()})(globalThis)`;

import type { PrefetchedState, CompanionWindow } from '../ipc/calls.ts';

type PrefetchPage = { companion?: CompanionWindow; companionAsked?: PrefetchedState };

// The host sends this function to the page as source text, so it must not use anything from outside itself except
// types.

/** Requests the state and records changed topics before the scripts of the page are fetched. */
export const prefetchState = (page: PrefetchPage): void => {
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
export const prefetchStateScript = `(${prefetchState.toString()})(globalThis)`;

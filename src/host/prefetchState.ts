import type { PrefetchedState, CompanionWindow } from '../ipc/calls.ts';

type PrefetchPage = { companion?: CompanionWindow; companionAsked?: PrefetchedState };

// The host sends the source text of this function to the page, so the function must use nothing from outside itself except types.

/** Requests the state before the page fetches its scripts. Topics that change before the window reads the state are recorded. */
export const prefetchState = (page: PrefetchPage): void => {
  const { companion } = page;
  if (companion === undefined) return;
  const changed = new Set<string>();
  const stop = companion.onChanged((topic) => void changed.add(topic));
  const state = companion.call('app.state', {});
  // The window handles a failure later, so this handler only prevents an unhandled rejection.
  state.catch(() => undefined);
  page.companionAsked = { state, changed, stop };
};

export const prefetchStateScript = `(${prefetchState.toString()})(globalThis)`;

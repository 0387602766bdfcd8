import type { PrefetchedState, CompanionWindow } from '../ipc/calls.ts';

type PrefetchPage = { companion?: CompanionWindow; companionAsked?: PrefetchedState };

// The host sends the source text of `prefetchState` to the page, so the function must use nothing from outside itself.

/** Requests the state before the page fetches its scripts, and records the topics that change in the meantime. */
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

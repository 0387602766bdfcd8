import type { AskedEarly, CompanionWindow } from '../ipc/calls.ts';

type Asking = { companion?: CompanionWindow; companionAsked?: AskedEarly };

// A page gets this function as text, so it uses nothing from outside of itself but types.

/** Asks for the state, and listens for what changes from then on, before the scripts of a page are fetched. */
export const askEarly = (page: Asking): void => {
  const { companion } = page;
  if (companion === undefined) return;
  const changed = new Set<string>();
  const stop = companion.onChanged((topic) => void changed.add(topic));
  const state = companion.call('app.state', {});
  // Whoever reads it hears of a failure; until somebody does, it is nobody's.
  state.catch(() => undefined);
  page.companionAsked = { state, changed, stop };
};

/** That function as a script of a page. */
export const askEarlyScript = `(${askEarly.toString()})(globalThis)`;

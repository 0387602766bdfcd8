import type { Said } from '../createNotices.ts';
import type { createWindowMemory } from './windowMemory.ts';

/** Says, once ever, that a closed window leaves the companion running. */
export const explainTray = (memory: ReturnType<typeof createWindowMemory>, say: (words: Said) => void): void => {
  // On a Mac, closing a window never ends an app.
  if (process.platform === 'darwin' || memory.now().trayExplained) return;
  memory.change({ trayExplained: true });
  say({
    title: 'Listing Companion keeps running',
    text: 'Items go on and assistants still reach it. Open or quit it beside the clock.',
  });
};

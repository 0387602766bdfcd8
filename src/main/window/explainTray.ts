import type { Say } from '../../host/words.ts';
import type { Shown } from '../createNotices.ts';
import type { WindowMemoryStore } from './windowMemory.ts';

/** Tells the person, once ever, that a closed window leaves the companion running, and how to open it again. */
export const explainTray = (
  windowState: WindowMemoryStore,
  show: (notice: Shown) => void,
  { say, isTrayShown }: { say: Say; isTrayShown: boolean },
): void => {
  // On a Mac, closing a window never ends an app.
  if (process.platform === 'darwin' || windowState.now().trayExplained) return;
  windowState.change({ trayExplained: true });
  show({ title: say('shell.trayTitle'), text: say(isTrayShown ? 'shell.trayText' : 'shell.noTrayText') });
};

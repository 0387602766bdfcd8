import { app, nativeImage, type BrowserWindow } from 'electron';
import type { WorkShown } from '../../host/watchWork.ts';
import type { Say } from '../../host/words.ts';
import { waitingLabel } from '../trayLabels.ts';
import { waitingPicture } from '../trayPicture.ts';

/** How many requests wait, on the dock or the launcher; on Windows as a small picture over the taskbar's, with words. */
export const showBadge = (count: number, window: BrowserWindow | null, say: Say): void => {
  app.setBadgeCount(count);
  if (process.platform !== 'win32' || window === null) return;
  window.setOverlayIcon(count > 0 ? nativeImage.createFromDataURL(waitingPicture) : null, waitingLabel(count, say));
};

/** How far everything on its way is, on the dock or the taskbar; gone when nothing runs. */
export const showProgress = ({ running, done, paused }: WorkShown, window: BrowserWindow | null): void =>
  window?.setProgressBar(running === 0 ? -1 : done, { mode: paused ? 'paused' : 'normal' });

import { BrowserWindow } from 'electron';
import type { Topic } from '../../core/base/ports.ts';

/** Tells all windows that data of this topic changed. */
export const announceTopic = (topic: Topic): void => {
  for (const { webContents } of BrowserWindow.getAllWindows())
    // A crashed page reads everything again after it is reloaded.
    if (!webContents.isCrashed()) webContents.send('companion:changed', topic);
};

import type { BrowserWindow } from 'electron';
import type { WindowMemoryStore } from './windowMemory.ts';

const quietMs = 400;

/** Keeps the bounds and the zoom of a window from now on, and gives it the zoom that it had. */
export const rememberWindow = (window: BrowserWindow, windowState: WindowMemoryStore): void => {
  let timer: NodeJS.Timeout | undefined;
  const keep = (): void => {
    clearTimeout(timer);
    if (window.isDestroyed()) return;
    windowState.change({
      bounds: window.getNormalBounds(),
      maximized: window.isMaximized(),
      zoom: window.webContents.getZoomLevel(),
    });
  };
  const keepSoon = (): void => {
    clearTimeout(timer);
    timer = setTimeout(keep, quietMs);
  };
  // A page that loads takes the zoom of its address, which is not the one of the window.
  window.webContents.on('did-finish-load', () => window.webContents.setZoomLevel(windowState.now().zoom));
  window.webContents.on('zoom-changed', (_event, direction) => {
    window.webContents.setZoomLevel(window.webContents.getZoomLevel() + (direction === 'in' ? 0.5 : -0.5));
    keepSoon();
  });
  window.on('resize', keepSoon);
  window.on('move', keepSoon);
  // The menu's zoom says nothing to anybody.
  window.on('blur', keep);
  window.on('close', keep);
};

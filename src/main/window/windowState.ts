import { readFileSync } from 'node:fs';
import * as z from 'zod';
import type { BrowserWindow } from 'electron';
import { systemDisk, type Disk } from '../../disk/disk.ts';
import { writeWholeSync } from '../../disk/writeWhole.ts';

const sideLength = z.int().min(200).max(20_000);
const coordinate = z.int().min(-100_000).max(100_000);

/** An invalid field gets its default value. */
const windowStateSchema = z.object({
  bounds: z.object({ x: coordinate, y: coordinate, width: sideLength, height: sideLength }).nullable().catch(null),
  maximized: z.boolean().catch(false),
  /** Electron's zoom level 0 means 100 %, and each step adds 20 %. */
  zoom: z.number().min(-4).max(6).catch(0),
  /** True after the companion has explained that it keeps running when the window closes. */
  trayExplained: z.boolean().catch(false),
});
export type WindowState = z.infer<typeof windowStateSchema>;

export type WindowStateStore = {
  now: () => WindowState;
  change: (changes: Partial<WindowState>) => void;
};

const readJsonFile = (path: string): unknown => {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return {};
  }
};

/** Never throws. If the file cannot be read, the state has its default values. */
export const createWindowStateStore = (path: string, disk: Disk = systemDisk): WindowStateStore => {
  const parsed = windowStateSchema.safeParse(readJsonFile(path));
  let now = parsed.success ? parsed.data : windowStateSchema.parse({});
  return {
    now: () => now,
    change: (changes) => {
      const next = { ...now, ...changes };
      if (JSON.stringify(next) === JSON.stringify(now)) return;
      now = next;
      try {
        writeWholeSync(path, JSON.stringify(now), { mode: 0o600, disk });
      } catch {
        // Ignore the error, for example of a full disk, because the file then keeps the previous state.
      }
    },
  };
};

const saveDelayMs = 400;

export const persistWindowState = (window: BrowserWindow, windowState: WindowStateStore): void => {
  let timer: NodeJS.Timeout | undefined;
  const saveWindowState = (): void => {
    clearTimeout(timer);
    if (window.isDestroyed()) return;
    windowState.change({
      bounds: window.getNormalBounds(),
      maximized: window.isMaximized(),
      zoom: window.webContents.getZoomLevel(),
    });
  };
  const scheduleStateSave = (): void => {
    clearTimeout(timer);
    timer = setTimeout(saveWindowState, saveDelayMs);
  };
  // Chromium stores one zoom level per address, so the zoom level of this window is set after each load.
  window.webContents.on('did-finish-load', () => window.webContents.setZoomLevel(windowState.now().zoom));
  window.webContents.on('zoom-changed', (_event, direction) => {
    window.webContents.setZoomLevel(window.webContents.getZoomLevel() + (direction === 'in' ? 0.5 : -0.5));
    scheduleStateSave();
  });
  window.on('resize', scheduleStateSave);
  window.on('move', scheduleStateSave);
  // The zoom commands of the menu emit no event, so the zoom level is saved on blur.
  window.on('blur', saveWindowState);
  window.on('close', saveWindowState);
};

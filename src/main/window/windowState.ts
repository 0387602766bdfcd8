import { readFileSync } from 'node:fs';
import * as z from 'zod';
import type { BrowserWindow } from 'electron';
import { systemDisk, type Disk } from '../../disk/disk.ts';
import { writeWholeSync } from '../../disk/writeWhole.ts';

const sideLength = z.int().min(200).max(20_000);
const coordinate = z.int().min(-100_000).max(100_000);

/** What the window was like when it was last seen. A field that cannot be used is as if it had never been kept. */
const windowStateSchema = z.object({
  bounds: z.object({ x: coordinate, y: coordinate, width: sideLength, height: sideLength }).nullable().catch(null),
  maximized: z.boolean().catch(false),
  /** Electron's zoom level: 0 is 100 %, each step a fifth more. */
  zoom: z.number().min(-4).max(6).catch(0),
  /** Whether the person has been told that a closed window leaves the companion running. */
  trayExplained: z.boolean().catch(false),
});
export type WindowState = z.infer<typeof windowStateSchema>;

export type WindowStateStore = {
  now: () => WindowState;
  /** Keeps the changes on the disk, if there are any. */
  change: (changes: Partial<WindowState>) => void;
};

const readJson = (path: string): unknown => {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return {};
  }
};

/** Keeps the window's place and looks in a small file. What cannot be read or written costs the memory, not the start. */
export const createWindowStateStore = (path: string, disk: Disk = systemDisk): WindowStateStore => {
  const parsed = windowStateSchema.safeParse(readJson(path));
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
        // A full disk: the window opens where it did before.
      }
    },
  };
};

const saveDelayMs = 400;

/** Keeps the bounds and the zoom of a window from now on, and gives it the zoom that it had. */
export const persistWindowState = (window: BrowserWindow, windowState: WindowStateStore): void => {
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
    timer = setTimeout(keep, saveDelayMs);
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

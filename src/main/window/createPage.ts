import type { WebPreferences, BrowserWindow } from 'electron';
import { join } from 'node:path';
import { appOrigin } from '../appAddress.ts';
import type { CrashLog } from '../system/crashLog.ts';
import { isCrashPage, crashPageAddress } from './crashPage.ts';

/** Returns the web preferences of every window: the one preload script, sandboxed, without Node. */
export const windowPreferences = (outDir: string): WebPreferences => ({
  preload: join(outDir, 'preload', 'index.cjs'),
  contextIsolation: true,
  sandbox: true,
  nodeIntegration: false,
  webSecurity: true,
  // Chromium would download the dictionaries.
  spellcheck: false,
});

const maxReloads = 3;
const withinMs = 60_000;

/** Returns a check for whether a crashed page may be reloaded: at most three times within a minute. */
export const createReloadLimit = (now: () => number): (() => boolean) => {
  let times: number[] = [];
  return () => {
    times = times.filter((at) => now() - at < withinMs);
    if (times.length >= maxReloads) return false;
    times.push(now());
    return true;
  };
};

type PageContext = {
  name: 'main' | 'review';
  address: string;
  /** Whether a crashed page may be reloaded; see `createReloadLimit`. */
  mayReload: () => boolean;
  crashes: CrashLog;
};

export type Page = {
  /** Navigates to a hash ("#/settings") within the loaded page, or reloads the page if it has crashed. */
  go: (hash: string) => void;
  /** Reloads a crashed page that was not reloaded at once. */
  wake: () => void;
};

const pageAddress = `${appOrigin}/index.html`;

/** Loads the page of a window, navigates it, and restores its address after a crash of its process. */
export const createPage = (window: BrowserWindow, { name, address, mayReload, crashes }: PageContext): Page => {
  const { webContents } = window;
  const process = `page of the ${name} window`;
  /** The address that is being loaded; null once it is loaded. */
  let wanted: string | null = address;
  let isGone = false;

  const load = (to: string): void => {
    wanted = to;
    // Rejects if the window is closed, which needs no handling, or if the page crashes, which is handled below.
    void window.loadURL(to).catch(() => undefined);
  };

  const bringBack = (): void => {
    isGone = false;
    if (window.isDestroyed()) return;
    const at = wanted ?? webContents.getURL();
    // The crash page itself has crashed; it is reloaded when the window is next shown.
    if (isCrashPage(at)) return;
    load(mayReload() ? at : crashPageAddress(at));
  };

  webContents.on('did-finish-load', () => (wanted = null));
  webContents.on('render-process-gone', (_event, details) => {
    crashes.note(process, details);
    isGone = true;
    // Chromium is still removing the crashed process.
    setImmediate(bringBack);
  });
  webContents.on('unresponsive', () => {
    crashes.note(process, { reason: 'unresponsive', exitCode: 0 });
    // The page has been unresponsive for 30 s; a reload would wait for it, too.
    webContents.forcefullyCrashRenderer();
  });
  load(address);

  return {
    go: (hash) => {
      const to = pageAddress + hash;
      wanted = to;
      if (isGone) return;
      if (webContents.isCrashed() || isCrashPage(webContents.getURL())) return load(to);
      // Never settles if the page crashes first; the pending address is loaded then.
      void webContents.executeJavaScript(`location.hash=${JSON.stringify(hash)};null`).then(
        () => {
          if (wanted === to) wanted = null;
        },
        () => !isGone && !window.isDestroyed() && load(to),
      );
    },
    wake: () => {
      if (!isGone && webContents.isCrashed()) load(wanted ?? webContents.getURL());
    },
  };
};

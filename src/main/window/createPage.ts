import type { WebPreferences, BrowserWindow } from 'electron';
import { join } from 'node:path';
import { appOrigin } from '../appAddress.ts';
import type { CrashLog } from '../system/crashLog.ts';
import { isCrashPageAddress, createCrashPageAddress } from './crashPage.ts';

/** Returns the web preferences of every window: the one preload script, sandboxed, without Node. */
export const createWindowPreferences = (outDir: string): WebPreferences => ({
  preload: join(outDir, 'preload', 'index.cjs'),
  contextIsolation: true,
  sandbox: true,
  nodeIntegration: false,
  webSecurity: true,
  // Chromium would download the dictionaries.
  spellcheck: false,
});

const maxReloadsInPeriod = 3;
const reloadPeriodMs = 60_000;

/** Returns a check for whether a crashed page may be reloaded: at most three times within a minute. */
export const createReloadLimit = (now: () => number): (() => boolean) => {
  let times: number[] = [];
  return () => {
    times = times.filter((at) => now() - at < reloadPeriodMs);
    if (times.length >= maxReloadsInPeriod) return false;
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
  let pendingAddress: string | null = address;
  let isGone = false;

  const loadAddress = (to: string): void => {
    pendingAddress = to;
    // Rejects if the window is closed, which needs no handling, or if the page crashes, which is handled below.
    void window.loadURL(to).catch(() => undefined);
  };

  const reloadAfterCrash = (): void => {
    isGone = false;
    if (window.isDestroyed()) return;
    const at = pendingAddress ?? webContents.getURL();
    // The crash page itself has crashed; it is reloaded when the window is next shown.
    if (isCrashPageAddress(at)) return;
    loadAddress(mayReload() ? at : createCrashPageAddress(at));
  };

  webContents.on('did-finish-load', () => (pendingAddress = null));
  webContents.on('render-process-gone', (_event, details) => {
    crashes.note(process, details);
    isGone = true;
    // Chromium is still removing the crashed process.
    setImmediate(reloadAfterCrash);
  });
  webContents.on('unresponsive', () => {
    crashes.note(process, { reason: 'unresponsive', exitCode: 0 });
    // The page has been unresponsive for 30 s; a reload would wait for it, too.
    webContents.forcefullyCrashRenderer();
  });
  loadAddress(address);

  return {
    go: (hash) => {
      const to = pageAddress + hash;
      pendingAddress = to;
      if (isGone) return;
      if (webContents.isCrashed() || isCrashPageAddress(webContents.getURL())) return loadAddress(to);
      // Never settles if the page crashes first; the pending address is loaded then.
      void webContents.executeJavaScript(`location.hash=${JSON.stringify(hash)};null`).then(
        () => {
          if (pendingAddress === to) pendingAddress = null;
        },
        () => !isGone && !window.isDestroyed() && loadAddress(to),
      );
    },
    wake: () => {
      if (!isGone && webContents.isCrashed()) loadAddress(pendingAddress ?? webContents.getURL());
    },
  };
};

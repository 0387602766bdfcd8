import type { WebPreferences, BrowserWindow } from 'electron';
import { join } from 'node:path';
import { appOrigin } from '../appAddress.ts';
import type { CrashLog } from '../system/crashLog.ts';
import { isCrashPageAddress, createCrashPageAddress } from './crashPage.ts';

export const createWindowPreferences = (outDir: string): WebPreferences => ({
  preload: join(outDir, 'preload', 'index.cjs'),
  contextIsolation: true,
  sandbox: true,
  nodeIntegration: false,
  webSecurity: true,
  // Spellcheck would make Chromium download dictionaries.
  spellcheck: false,
});

const maxReloadsInPeriod = 3;
const reloadPeriodMs = 60_000;

/** Returns a function that allows three reloads of a crashed page per minute. */
export const createReloadLimiter = (now: () => number): (() => boolean) => {
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
  mayReload: () => boolean;
  crashes: CrashLog;
};

export type Page = {
  /** Navigates the loaded page to a hash such as "#/settings". A crashed page is loaded again. */
  go: (hash: string) => void;
  wake: () => void;
};

const pageAddress = `${appOrigin}/index.html`;

export const createPage = (window: BrowserWindow, { name, address, mayReload, crashes }: PageContext): Page => {
  const { webContents } = window;
  const process = `page of the ${name} window`;
  /** Null after the address has been loaded. */
  let pendingAddress: string | null = address;
  let isGone = false;

  const loadAddress = (to: string): void => {
    pendingAddress = to;
    // Ignore a rejection: either the window has closed, or the page has crashed, and `render-process-gone` handles a
    // crash.
    void window.loadURL(to).catch(() => undefined);
  };

  const reloadAfterCrash = (): void => {
    isGone = false;
    if (window.isDestroyed()) return;
    const at = pendingAddress ?? webContents.getURL();
    // If the crash page itself has crashed, `wake` loads it again when the window is shown the next time.
    if (isCrashPageAddress(at)) return;
    loadAddress(mayReload() ? at : createCrashPageAddress(at));
  };

  webContents.on('did-finish-load', () => (pendingAddress = null));
  webContents.on('render-process-gone', (_event, details) => {
    crashes.note(process, details);
    isGone = true;
    // Reload after this event, because Chromium is still removing the crashed process.
    setImmediate(reloadAfterCrash);
  });
  webContents.on('unresponsive', () => {
    crashes.note(process, { reason: 'unresponsive', exitCode: 0 });
    // End the page, because a reload would wait for a page that has not responded for 30 s.
    webContents.forcefullyCrashRenderer();
  });
  loadAddress(address);

  return {
    go: (hash) => {
      const to = pageAddress + hash;
      pendingAddress = to;
      if (isGone) return;
      if (webContents.isCrashed() || isCrashPageAddress(webContents.getURL())) return loadAddress(to);
      // If the page crashes first, the promise never resolves, and `reloadAfterCrash` loads the pending address.
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

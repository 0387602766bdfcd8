import type { WebPreferences, BrowserWindow } from 'electron';
import { join } from 'node:path';
import { appOrigin } from '../appAddress.ts';
import type { CrashLog } from '../system/crashLog.ts';
import { isCrashPage, crashPageAddress } from './crashPage.ts';

/** What every window of the companion is: the one preload, in a sandbox, without Node. */
export const windowPreferences = (outDir: string): WebPreferences => ({
  preload: join(outDir, 'preload', 'index.cjs'),
  contextIsolation: true,
  sandbox: true,
  nodeIntegration: false,
  webSecurity: true,
  // Its dictionaries would come from afar.
  spellcheck: false,
});

const maxReloads = 3;
const withinMs = 60_000;

/** Answers whether a page that is gone may be loaded once more: three times within a minute, then no more. */
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
  /** Which window this is, for the log. */
  name: 'main' | 'review';
  /** Where it begins. */
  address: string;
  /** Whether a page that is gone may be loaded once more; see `createReloadLimit`. */
  mayReload: () => boolean;
  crashes: CrashLog;
};

export type Page = {
  /** Leads to a place ("#/settings"): within the page, so that nothing is loaded again, or by loading it anew. */
  go: (hash: string) => void;
  /** Loads a page that is gone and was left. */
  wake: () => void;
};

const pageAddress = `${appOrigin}/index.html`;

/** The page of a window: loaded, led to places in it, and brought back where it was when its process is gone. */
export const createPage = (window: BrowserWindow, { name, address, mayReload, crashes }: PageContext): Page => {
  const { webContents } = window;
  const process = `page of the ${name} window`;
  /** Where it is to be next, until it is there. */
  let wanted: string | null = address;
  let isGone = false;

  const load = (to: string): void => {
    wanted = to;
    // Rejects when the window is closed or its page crashes meanwhile; the one needs nothing, the other is seen below.
    void window.loadURL(to).catch(() => undefined);
  };

  const bringBack = (): void => {
    isGone = false;
    if (window.isDestroyed()) return;
    const at = wanted ?? webContents.getURL();
    // The page that says so has gone itself: it is left until somebody wants the window.
    if (isCrashPage(at)) return;
    load(mayReload() ? at : crashPageAddress(at));
  };

  webContents.on('did-finish-load', () => (wanted = null));
  webContents.on('render-process-gone', (_event, details) => {
    crashes.note(process, details);
    isGone = true;
    // Chromium is in the middle of taking the process away.
    setImmediate(bringBack);
  });
  webContents.on('unresponsive', () => {
    crashes.note(process, { reason: 'unresponsive', exitCode: 0 });
    // It has not answered for half a minute, and a reload would wait for it too.
    webContents.forcefullyCrashRenderer();
  });
  load(address);

  return {
    go: (hash) => {
      const to = pageAddress + hash;
      wanted = to;
      if (isGone) return;
      if (webContents.isCrashed() || isCrashPage(webContents.getURL())) return load(to);
      // Never settles when the page goes meanwhile; then it is loaded at the place that is wanted.
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

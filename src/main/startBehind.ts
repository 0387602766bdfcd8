import { app } from 'electron';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Notify } from '../core/base/ports.ts';
import { createLog, type HostLog } from '../host/createLog.ts';
import { keychainService, openKeychain } from '../host/keychain.ts';
import type { Options } from '../host/options.ts';
import { runCompanion, type Running } from '../host/runCompanion.ts';
import { createShell } from './createShell.ts';
import { openLink } from './openLink.ts';
import type { Crashes } from './system/createCrashes.ts';
import { electronUpdater, lazyUpdater } from './updates/electronUpdater.ts';
import { createUpdates, type Updates } from './updates/updates.ts';
import { updatesItself } from './updates/updatesItself.ts';

/** What runs behind the windows. `updates` is null in a copy that does not update itself. */
export type Behind = { running: Running; log: HostLog; updates: Updates | null };

type BehindContext = {
  /** Where the built bundles lie. */
  outDir: string;
  notify: Notify;
  /** Settles when the window has been drawn. */
  drawn: Promise<void>;
  crashes: Crashes;
};

/** Whether the app may end by itself: nothing runs, and no question waits or is on its way. */
const isIdle = async ({ handlers, work }: Running): Promise<boolean> =>
  work().running === 0 && (await handlers['approvals.list']({})).length === 0;

/**
 * Starts the companion with what this desktop gives it. The module is loaded while Chromium starts: it brings everything
 * heavy with it.
 */
export const startBehind = async (
  options: Options,
  { outDir, notify, drawn, crashes }: BehindContext,
): Promise<Behind> => {
  const inMain = (file: string): URL => pathToFileURL(join(outDir, 'main', file));
  const log = createLog(options);
  const { isPackaged: packaged } = app;
  const copy = { packaged, platform: process.platform, env: process.env, resourcesDir: process.resourcesPath };
  const updates = updatesItself(copy)
    ? createUpdates({ updater: lazyUpdater(electronUpdater), mayEnd: () => isIdle(running), log: log.log })
    : null;
  const running = await runCompanion(options, {
    secrets: await openKeychain({ kind: options.keychain, service: keychainService(options) }),
    notify,
    drawn,
    openLink,
    photoWorkerUrl: inMain('photoWorker.js'),
    writerWorkerUrl: inMain('writerWorker.js'),
    resourcesDir: app.isPackaged ? process.resourcesPath : join(app.getAppPath(), 'resources'),
    version: app.getVersion(),
    log,
    shell: createShell(updates, crashes),
  });
  return { running, log, updates };
};

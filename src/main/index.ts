import { app, dialog } from 'electron';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Notify } from '../core/ports.ts';
import { Problem } from '../core/problem.ts';
import { keychainService, openKeychain } from '../host/keychain.ts';
import { lineLog } from '../host/lineLog.ts';
import type { Options } from '../host/options.ts';
import { runCompanion, type Running } from '../host/runCompanion.ts';
import { watchWaiting } from '../host/watchWaiting.ts';
import { createNotices } from './createNotices.ts';
import { createTray } from './createTray.ts';
import { guardContents } from './guardContents.ts';
import { openLink } from './openLink.ts';
import { readCommandLine } from './readCommandLine.ts';
import { createReview } from './reviewWindow.ts';
import { registerAppScheme, serveAppProtocol } from './serveAppProtocol.ts';
import { serveWindowCalls } from './serveWindowCalls.ts';
import { stopBeforeQuit } from './stopBeforeQuit.ts';
import { windowShower } from './showWindow.ts';

const mainDir = import.meta.dirname;
const outDir = join(mainDir, '..');
const beside = (file: string): URL => pathToFileURL(join(mainDir, file));

const run = async (options: Options, notify: Notify): Promise<Running> =>
  runCompanion(options, {
    secrets: await openKeychain({ kind: options.keychain, service: keychainService(options) }),
    notify,
    openLink,
    photoWorkerUrl: beside('photoWorker.js'),
    writerWorkerUrl: beside('writerWorker.js'),
    resourcesDir: join(app.getAppPath(), 'resources'),
    version: app.getVersion(),
    log: lineLog,
  });

const start = async (options: Options): Promise<void> => {
  await app.whenReady();
  guardContents();
  const showWindow = windowShower(outDir);
  const review = createReview({ outDir, trayBounds: () => tray.bounds(), showWindow });
  const notices = createNotices({
    showWindow,
    review: review.open,
    approve: (approvalId, digest) => running.handlers['approvals.approve']({ approvalId, digest }),
  });
  const running: Running = await run(options, notices.notify);
  stopBeforeQuit(running.stop);
  serveAppProtocol(join(outDir, 'renderer'), running.photo);
  serveWindowCalls({ running, onAnswer: review.answered });
  const tray = createTray({ showWindow, review: review.open });
  watchWaiting(running, (waiting) => {
    review.keep(waiting);
    tray.show(waiting);
    notices.keep(waiting);
  });
  app.on('second-instance', () => showWindow());
  app.on('activate', () => showWindow());
  showWindow();
};

const fail = (error: unknown): void => {
  const sentence = error instanceof Problem ? error.message : String(error);
  console.error(sentence);
  dialog.showErrorBox('Listing Companion cannot start', sentence);
  app.exit(1);
};

const parsed = readCommandLine(process.argv, app.isPackaged);
if (!parsed.ok) {
  console.error(parsed.sentence);
  app.exit(2);
} else {
  const windowData = join(parsed.options.dataDir, 'window');
  mkdirSync(windowData, { recursive: true, mode: 0o700 });
  app.setPath('userData', windowData);
  registerAppScheme();
  // Closing the window leaves the companion in the tray, where assistants still reach it.
  app.on('window-all-closed', () => undefined);
  if (app.requestSingleInstanceLock()) start(parsed.options).catch(fail);
  else {
    console.error('Listing Companion is running on this data already; its window has been brought to the front.');
    app.exit(0);
  }
}

import { app } from 'electron';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { problemView } from '../core/problem.ts';
import { createLog, type HostLog } from '../host/createLog.ts';
import { keychainService, openKeychain } from '../host/keychain.ts';
import type { Options } from '../host/options.ts';
import { runCompanion, type HostParts, type Running } from '../host/runCompanion.ts';
import { watchWaiting } from '../host/watchWaiting.ts';
import { watchWork } from '../host/watchWork.ts';
import type { createArrivals } from './arriving/arrivals.ts';
import { createNotices } from './createNotices.ts';
import { createShell, isInstalled } from './createShell.ts';
import { createTray } from './createTray.ts';
import { guardContents } from './guardContents.ts';
import { menuActs } from './menu/menuActs.ts';
import { setMenu } from './menu/setMenu.ts';
import { openLink } from './openLink.ts';
import { createReview } from './reviewWindow.ts';
import { serveAppProtocol } from './serveAppProtocol.ts';
import { serveWindowCalls } from './serveWindowCalls.ts';
import { createMainWindow, type MainWindow } from './showWindow.ts';
import { stopBeforeQuit } from './stopBeforeQuit.ts';
import { followTheme } from './system/followTheme.ts';
import { watchMachine } from './system/watchMachine.ts';
import { askAboutUpdate } from './updates/askAboutUpdate.ts';
import { electronUpdater, lazyUpdater } from './updates/electronUpdater.ts';
import { createUpdates, type Updates } from './updates/updates.ts';
import { showBadge, showProgress } from './window/showCounts.ts';
import { createWindowMemory } from './window/windowMemory.ts';

const mainDir = import.meta.dirname;
const outDir = join(mainDir, '..');
const beside = (file: string): URL => pathToFileURL(join(mainDir, file));

type Notices = ReturnType<typeof createNotices>;
type Review = ReturnType<typeof createReview>;

const hostParts = async (options: Options, log: HostLog, updates: Updates | null, notices: Notices) =>
  ({
    secrets: await openKeychain({ kind: options.keychain, service: keychainService(options) }),
    notify: notices.notify,
    openLink,
    photoWorkerUrl: beside('photoWorker.js'),
    writerWorkerUrl: beside('writerWorker.js'),
    resourcesDir: app.isPackaged ? process.resourcesPath : join(app.getAppPath(), 'resources'),
    version: app.getVersion(),
    log,
    shell: createShell(updates),
  }) satisfies HostParts;

/** What is seen outside of the windows follows what waits and what runs. */
const showOutside = (running: Running, main: MainWindow, review: Review, notices: Notices, updates: Updates | null) => {
  const tray = createTray({
    showWindow: main.show,
    review: review.open,
    pause: (paused) => void running.handlers['app.pause']({ paused }),
  });
  watchWaiting(running, (waiting) => {
    review.keep(waiting);
    tray.showWaiting(waiting);
    notices.keep(waiting);
    showBadge(waiting.length, main.current());
    void updates?.look();
  });
  watchWork(running, (work) => {
    tray.showWork(work);
    showProgress(work, main.current());
    void updates?.look();
  });
  return tray;
};

/** Whether the app may end by itself: nothing runs, and no question waits or is on its way. */
const isIdle = async ({ handlers, work }: Running): Promise<boolean> =>
  work().running === 0 && (await handlers['approvals.list']({})).length === 0;

const explainTray = (memory: ReturnType<typeof createWindowMemory>, notices: Notices): void => {
  // On a Mac, closing a window never ends an app.
  if (process.platform === 'darwin' || memory.now().trayExplained) return;
  memory.change({ trayExplained: true });
  notices.say({
    title: 'Listing Companion keeps running',
    text: 'Items go on and assistants still reach it. Open or quit it beside the clock.',
  });
};

/** Starts the desktop app: its window at once, and what is behind it meanwhile. */
export const startDesktop = async (options: Options, arrivals: ReturnType<typeof createArrivals>): Promise<void> => {
  await app.whenReady();
  guardContents();
  const log = createLog(options);
  const starting = Promise.withResolvers<Running>();
  const started = starting.promise;
  started.catch(() => undefined);
  const memory = createWindowMemory(join(options.dataDir, 'window.json'));
  let quitting = false;
  app.on('before-quit', () => (quitting = true));
  const main = createMainWindow({ outDir, memory, onClosed: () => void (!quitting && explainTray(memory, notices)) });
  const review = createReview({ outDir, trayBounds: () => trayBounds(), showWindow: main.show });
  let trayBounds = () => ({ x: 0, y: 0, width: 0, height: 0 });
  const notices: Notices = createNotices({
    showWindow: main.show,
    review: review.open,
    approve: async (approvalId, digest) => (await started).handlers['approvals.approve']({ approvalId, digest }),
  });
  const add = async (paths: string[]): Promise<void> => {
    main.show('/');
    await (await started).handlers['items.add']({ sources: { kind: 'paths', paths } });
  };
  const updates = isInstalled()
    ? createUpdates({
        updater: lazyUpdater(electronUpdater),
        mayEnd: async () => isIdle(await started),
        log: log.log,
      })
    : null;

  serveAppProtocol(join(outDir, 'renderer'), async (ref) => (await started).photo(ref));
  serveWindowCalls({ running: started, onAnswer: review.answered });
  setMenu(
    main,
    menuActs({
      running: () => started,
      add,
      checkForUpdates: async () =>
        updates === null
          ? void (await (await started).handlers['app.update']({ act: 'check' }))
          : askAboutUpdate(updates),
    }),
  );
  app.on('activate', () => main.show());
  if (!options.hidden) main.show();

  const running = await runCompanion(options, await hostParts(options, log, updates, notices));
  stopBeforeQuit({ running, closed: log.close });
  const tray = showOutside(running, main, review, notices, updates);
  trayBounds = tray.bounds;
  followTheme(running);
  watchMachine(running);
  starting.resolve(running);
  arrivals.open({
    add,
    show: main.show,
    failed: (error) => notices.say({ title: 'Nothing was added', text: problemView(error).sentence }),
  });
};

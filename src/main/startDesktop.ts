import { app, net, powerMonitor, systemPreferences, type BrowserWindow, type Rectangle } from 'electron';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { systemClock } from '../core/base/clock.ts';
import { toProblemView } from '../core/base/problem.ts';
import type { Options } from '../host/options.ts';
import { killThisProcess } from '../host/processLifetime.ts';
import { createStartReport, type StartReport } from '../host/startReport.ts';
import { createHostTranslator, type HostTranslator } from '../host/hostTranslator.ts';
import type { OpenRequestQueue } from './openRequests/openRequests.ts';
import { createBatchPath } from './tray/pendingApprovals.ts';
import { createNotifications } from './createNotifications.ts';
import { guardContents, openExternalLink } from './guardContents.ts';
import { createMenuActions, setAppMenu } from './menu/setMenu.ts';
import { createReviewWindow } from './window/createReviewWindow.ts';
import { warmUpResponses, serveAppProtocol } from './serveAppProtocol.ts';
import { serveWindowCalls, type WindowCallHandler } from './serveWindowCalls.ts';
import { createMainWindow } from './window/createMainWindow.ts';
import type { Backend } from './startBackend.ts';
import { stopBeforeQuit } from './stopBeforeQuit.ts';
import { createSystemPrompt } from './ceremony/createSystemPrompt.ts';
import { announceTopic } from './window/announceTopic.ts';
import { restartApp } from './system/restartApp.ts';
import { createCrashLog, type CrashLog } from './system/crashLog.ts';
import { wasOpenedAtLogin } from './system/startAtLogin.ts';
import { isTrayShown, explainTrayOnce } from './tray/isTrayShown.ts';
import { watchMachine } from './system/watchMachine.ts';
import { createWindowStateStore } from './window/windowState.ts';
import { guideThroughUpdate } from './updates/guideThroughUpdate.ts';

const outDir = join(app.getAppPath(), 'out');

const unknownBounds: Rectangle = { x: 0, y: 0, width: 0, height: 0 };

const maxDrawWaitMs = 2_000;
/** The window needs this time after the first paint to show its content. */
const paintSettleMs = 300;

const waitUntilDrawn = async (window: BrowserWindow | null): Promise<void> => {
  if (window === null) return;
  const drawn = Promise.withResolvers<void>();
  window.once('ready-to-show', drawn.resolve);
  await Promise.race([drawn.promise, setTimeout(maxDrawWaitMs)]);
  await setTimeout(paintSettleMs);
};

type BackendPromises = {
  backend: Promise<Backend>;
  callHandler: Promise<WindowCallHandler>;
  crashes: CrashLog;
  startReport: StartReport;
};

const createFirstRunCheck = (backend: Promise<Backend>): (() => Promise<boolean>) => {
  let isFirstRun = (): Promise<boolean> => Promise.resolve(false);
  const useBackendState = ({ running }: Backend): void => {
    isFirstRun = async () => (await running.handlers['app.state']({})).connection === 'none';
  };
  // Ignore a rejection, because a failed start shows an error message and ends the app elsewhere.
  void backend.then(useBackendState, () => undefined);
  return () => isFirstRun();
};

const createDesktopWindows = (
  options: Options,
  translator: HostTranslator,
  { backend, callHandler, crashes, startReport }: BackendPromises,
) => {
  const { format } = translator;
  const windowState = createWindowStateStore(join(options.dataDir, 'window.json'));
  const tray = { bounds: () => unknownBounds, isShown: true };
  let quitting = false;
  app.on('before-quit', () => (quitting = true));
  const main = createMainWindow({
    outDir,
    windowState,
    crashes,
    onClosed: () => quitting || explainTrayOnce(windowState, notices.show, { format, isTrayShown: tray.isShown }),
  });
  const review = createReviewWindow({
    outDir,
    trayBounds: () => tray.bounds(),
    showWindow: main.show,
    format,
    crashes,
  });
  const notices = createNotifications({
    showWindow: main.show,
    review: review.open,
    reviewBatch: (batchId) => main.show(createBatchPath(batchId)),
    showPrompt: async (prompt) => (await backend).running.showInNotification(prompt),
    translator,
  });
  serveAppProtocol({
    rendererDir: join(outDir, 'renderer'),
    photo: async (ref) => (await backend).running.photo(ref),
    exportedFile: async (exportId) => (await backend).running.exportedFile(exportId),
    isFirstRun: createFirstRunCheck(backend),
    translator,
  });
  serveWindowCalls(callHandler, startReport);
  app.on('activate', () => main.show());
  if (!options.hidden && !wasOpenedAtLogin()) main.show();
  return { main, review, notices, tray, translator, drawn: waitUntilDrawn(main.current()) };
};
type Windows = ReturnType<typeof createDesktopWindows>;

/** Loads the backend in steps, so that Chromium can open the window between two steps. */
const loadAndStartBackend = async (
  options: Options,
  windows: Promise<Windows>,
  { crashes, startReport }: Pick<BackendPromises, 'crashes' | 'startReport'>,
) => {
  const { startBackend } = await import('./startBackend.ts');
  const backend = await startBackend(options, {
    outDir,
    ...{ crashes, startReport },
    notify: (notice) => void windows.then(({ notices }) => notices.notify(notice)),
    showWindow: () => void windows.then(({ main }) => main.show()),
    drawn: windows.then(({ drawn }) => drawn),
    texts: windows.then(({ translator }) => translator),
    systemPrompt: createSystemPrompt({
      ...{ platform: process.platform, preferences: systemPreferences },
      translator: windows.then(({ translator }) => translator),
    }),
  });
  const [{ createWindowCallHandler }, { followCompanion }, { createCeremonyOpener }] = await Promise.all([
    import('./windowCallHandler.ts'),
    import('./followCompanion.ts'),
    import('./ceremony/createCeremonyOpener.ts'),
  ]);
  const ceremonies = createCeremonyOpener({
    running: backend.running,
    rendererDir: join(outDir, 'renderer'),
    platform: process.platform,
    openInBrowser: openExternalLink,
  });
  return { backend, ceremonies, createWindowCallHandler, followCompanion };
};

const createUpdateCheck =
  (started: Promise<Backend>, { format }: HostTranslator) =>
  async (): Promise<void> => {
    const { updates, running } = await started;
    // The handler throws because this copy cannot update itself.
    if (updates === null) await running.handlers['app.update']({ act: 'check' });
    else await guideThroughUpdate(updates, format);
  };

const createDesktopPauseSwitch =
  (backendStart: ReturnType<typeof loadAndStartBackend>, { main, notices, translator }: Windows) =>
  async (paused: boolean): Promise<void> => {
    const { backend, ceremonies } = await backendStart;
    // Loaded on demand, because the window opens before the code that serves calls is loaded.
    const { createPauseSwitch } = await import('../host/pauseSwitch.ts');
    const setPaused = createPauseSwitch({
      running: backend.running,
      clock: systemClock,
      openCeremony: (token) => ceremonies.open(null, token),
      explainLostProofs: () => {
        const { format } = translator;
        notices.show({ title: format('notices.proofsLost'), text: format('notices.proofsLostText') });
        main.show('/settings');
      },
      explainRefusal: notices.showProblem,
    });
    await setPaused(paused);
  };

export const startDesktop = async (options: Options, openRequests: OpenRequestQueue): Promise<void> => {
  const windows = Promise.withResolvers<Windows>();
  const started = Promise.withResolvers<Backend>();
  const callHandler = Promise.withResolvers<WindowCallHandler>();
  const crashes = createCrashLog(started.promise.then(({ log }) => log.log));
  const startReport = createStartReport(restartApp);
  startReport.onChanged(() => announceTopic('start'));
  // A thread that prepares the data cannot be stopped at once, and killing it loses nothing.
  app.on('will-quit', () => startReport.read() && killThisProcess());
  const backendStart = loadAndStartBackend(options, windows.promise, { crashes, startReport });
  // This handler only prevents an unhandled rejection. The error is thrown again when `backendStart` is awaited.
  backendStart.catch(() => undefined);
  await app.whenReady();
  guardContents(async (url) => (await started.promise).running.handlers['app.open']({ url }));
  const translator = createHostTranslator([app.getLocale()]);
  await translator.setLanguage('system');
  const opened = createDesktopWindows(options, translator, {
    backend: started.promise,
    callHandler: callHandler.promise,
    ...{ crashes, startReport },
  });
  windows.resolve(opened);
  // Warm up while Chromium creates the page, because Chromium requests the file of the page only afterwards.
  await warmUpResponses();
  const { main, review, notices, tray, drawn } = opened;
  const add = async (paths: string[]): Promise<void> => {
    main.show('/');
    await (await started.promise).running.handlers['items.add']({ sources: { kind: 'paths', paths } });
  };
  const setPaused = createDesktopPauseSwitch(backendStart, opened);
  const handleMenuAction = createMenuActions({
    running: async () => (await started.promise).running,
    add,
    checkForUpdates: createUpdateCheck(started.promise, translator),
    setPaused,
    translator,
  });
  setAppMenu(main, translator, handleMenuAction);
  // A second start shows the window at once, also while a long start of a hidden app runs.
  openRequests.deliverTo({
    add,
    show: main.show,
    failed: (error) => {
      const { says, sentence } = toProblemView(error);
      notices.show({ title: translator.format('shell.nothingAdded'), text: translator.translate(says, sentence) });
    },
  });

  const { backend, ceremonies, createWindowCallHandler, followCompanion } = await backendStart;
  const { running, log } = backend;
  started.resolve(backend);
  callHandler.resolve(
    createWindowCallHandler({
      running,
      openCeremony: ceremonies.open,
      onAnswer: review.noteAnswer,
      isCompact: review.isShowing,
    }),
  );
  stopBeforeQuit({ running, ceremonies, log, format: translator.format });
  Object.assign(tray, { bounds: followCompanion(backend, { main, review, notices, translator, setPaused }).bounds });
  void drawn.then(() => isTrayShown()).then((isShown) => Object.assign(tray, { isShown }));
  translator.follow(running);
  watchMachine(running, { net, powerMonitor });
};

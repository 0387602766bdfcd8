import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import type * as bridging from '../bridge/startBridge.ts';
import type * as core from '../core/companion/createCompanion.ts';
import type { Companion } from '../core/companion/createCompanion.ts';
import type { ExportedFile } from '../core/companion/dataTasks/fileExports.ts';
import type { FoundPhoto, PhotoRef } from '../core/companion/openPhotos.ts';
import { systemClock } from '../core/base/clock.ts';
import type { Notify, Secrets, Topic } from '../core/base/ports.ts';
import type { StartProcess } from '../isolated/processClient.ts';
import { lockDataFolder } from '../core/storage/folderLock.ts';
import { restoreAtStart } from '../core/companion/dataTasks/prepareData.ts';
import { maxCompositeStopMs, stopParts, type StoppablePart } from '../core/base/stopParts.ts';
import { findDiskProblem, createProblem, type ProblemView } from '../core/base/problem.ts';
import type { CallHandlers } from '../ipc/calls.ts';
import type { RunningWork } from '../core/storage/runningItems.ts';
import type { HostLog } from './createLog.ts';
import { collectGarbage, keepHeapSmall } from './heapMemory.ts';
import { forgetDataIfRequested, storeForgetRequest } from './data/forgetting.ts';
import { createCeremonyCore, type CeremonyCore } from './ceremony/ceremonyCore.ts';
import { createLabelPrinter } from './labels/labelPrinter.ts';
import { noShell, type Shell } from './shell.ts';
import type { SystemPrompt } from '../core/presence/presenceContext.ts';
import type { ShownPrompt } from '../core/presence/windowSessions.ts';
import type { RequireProof } from '../ipc/serveCalls.ts';
import type { createClientHandlers } from './clients/clientConnections.ts';
import type { StartCommand } from './clients/startCommand.ts';
import type * as handling from './handlers.ts';
import type { StartReport } from './startReport.ts';
import { startDataThread } from './dataThread/startDataThread.ts';
import type { Options } from './options.ts';
import type { PracticeTexts } from './practice/practiceAssistant.ts';
import { trackPendingCalls, logUnhandledRejections, createProblemReporter } from './processLifetime.ts';
import type { ApprovalView } from '../core/storage/tables/approvalRecord.ts';

/** Only the notification itself can use its window session to approve. */
export type NotificationSession = { approve: () => Promise<ApprovalView>; close: () => void };

/**
 * Opens a window session of its own for a notification that shows this whole prompt from now on. A notification has no
 * ceremony, so if a proof is set up, its yes leaves the approval pending, and the window asks.
 */
export const openNotificationSession = (
  { approvals, presence, dataCheck }: Pick<Companion, 'approvals' | 'presence' | 'dataCheck'>,
  { approvalId, digest }: ShownPrompt,
): NotificationSession => {
  const windowSession = approvals.windowSessions.open('notification');
  approvals.recordShown(windowSession, [{ approvalId, digest, drawnAs: 'prompt' }]);
  return {
    approve: async () => {
      const problem = dataCheck.findProblem();
      if (problem) throw problem;
      return presence.readState().isSetUp
        ? approvals.readView(approvalId)
        : approvals.approve(approvalId, digest, windowSession);
    },
    close: () => approvals.windowSessions.close(windowSession),
  };
};

export type HostParts = {
  secrets: Secrets;
  forgetSecrets: () => Promise<void>;
  /** Ends the app after all parts have stopped. */
  quit: () => void;
  notify: Notify;
  openLink: (url: string) => Promise<void>;
  startKitchen: StartProcess;
  startReader: StartProcess;
  resourcesDir: string;
  texts: PracticeTexts;
  version: string;
  start: StartCommand;
  /** What a long start does, which the windows show. */
  startReport: StartReport;
  bundleFile: string;
  log: HostLog;
  /** Resolves after the first window is drawn. Undefined if the host does not wait for a window. */
  drawn?: Promise<void>;
  showWindow?: () => void;
  /** Undefined if the host has no desktop integration. */
  shell?: Shell;
  /** Undefined if the operating system has none, or only for a desktop app. */
  systemPrompt?: SystemPrompt | undefined;
};

export type { PhotoRef };

export type RunningCompanion = {
  handlers: CallHandlers;
  problemOf: (error: unknown, call: string) => ProblemView;
  onChanged: (listener: (topic: Topic) => void) => () => void;
  photo: (ref: PhotoRef) => Promise<FoundPhoto | null>;
  /** Returns a file that an export has made; null if it is gone. */
  exportedFile: (exportId: string) => ExportedFile | null;
  receivePhoto: (bytes: Readable) => Promise<{ uploadId: string }>;
  work: () => RunningWork;
  seen: () => void;
  requireProof: RequireProof;
  ceremonies: CeremonyCore;
  windowSessions: Pick<Companion['approvals']['windowSessions'], 'open' | 'close'>;
  showInNotification: (prompt: ShownPrompt) => NotificationSession;
  sleep: () => void;
  wake: () => void;
  bridgeUrl: string;
  serviceUrl: string;
  /** Returns the names of the parts that did not stop. If there are any, the host must kill the process. */
  stop: () => Promise<readonly string[]>;
};

/** Loads the handlers with the first call, because the parsers for settings files would slow down the start. */
const createLazyClientHandlers = (
  companion: Companion,
  place: Options,
  host: HostParts,
  bridgeUrl: () => string,
): ReturnType<typeof createClientHandlers> => {
  const loadClientHandlers = async () =>
    (await import('./clients/clientConnections.ts')).createClientHandlers({
      ...{ companion, bridgeUrl, place, start: host.start },
      bundle: { file: host.bundleFile, version: host.version },
    });
  let loaded: ReturnType<typeof loadClientHandlers> | undefined;
  const getClientHandlers = () => (loaded ??= loadClientHandlers());
  return {
    'clients.snippets': async (input) => (await getClientHandlers())['clients.snippets'](input),
    'clients.bundle': async (input) => (await getClientHandlers())['clients.bundle'](input),
    'clients.list': async (input) => (await getClientHandlers())['clients.list'](input),
    'clients.plan': async (input) => (await getClientHandlers())['clients.plan'](input),
    'clients.connect': async (input) => (await getClientHandlers())['clients.connect'](input),
    'clients.disconnect': async (input) => (await getClientHandlers())['clients.disconnect'](input),
  };
};

/** Waits until pending events have been handled. Loading all modules at once would delay the window. */
const loadInNextTurn = async <T>(load: () => Promise<T>): Promise<T> => {
  await setImmediate();
  return load();
};

const loadAndCreateCompanion = async (...given: Parameters<typeof core.createCompanion>): Promise<Companion> =>
  (await loadInNextTurn(() => import('../core/companion/createCompanion.ts'))).createCompanion(...given);

const loadAndStartBridge = async (...given: Parameters<typeof bridging.startBridge>) =>
  (await loadInNextTurn(() => import('../bridge/startBridge.ts'))).startBridge(...given);

const loadAndCreateHandlers = async (
  ...given: Parameters<typeof handling.createHandlers>
): Promise<Pick<RunningCompanion, 'handlers' | 'requireProof'>> => {
  const [{ createHandlers }, { createProofGuard }] = await loadInNextTurn(() =>
    Promise.all([import('./handlers.ts'), import('./proofHandlers.ts')]),
  );
  return { handlers: createHandlers(...given), requireProof: createProofGuard(given[0]) };
};

const isWriterConfigured = (): boolean => Object.keys(process.env).some((name) => name.startsWith('PRACTICE_WRITER_'));

const openPracticeIfChosen = async (options: Options, host: HostParts) => {
  if (options.service !== 'practice') return null;
  const dataDir = join(options.dataDir, 'practice');
  const { openPracticeListener } = await import('./practice/practiceListener.ts');
  return openPracticeListener({
    dataDir,
    open: async (port) => (await import('./practice/embedPractice.ts')).embedPractice(dataDir, port, host),
    isOpen: isWriterConfigured(),
    log: host.log.log,
  });
};

/** Forgets the data now if the person requested it, and checks for a request once more before the lock is released. */
const lockAndPrepareDataFolder = async (
  options: Options,
  host: HostParts,
  partsToStop: StoppablePart[],
): Promise<void> => {
  const unlock = lockDataFolder(options.dataDir);
  partsToStop.unshift({ name: 'data folder lock', stop: unlock });
  const forgetDataOnRequest = async (): Promise<void> => {
    await forgetDataIfRequested(options, host.forgetSecrets);
  };
  await forgetDataOnRequest();
  partsToStop.unshift({ name: 'requested data removal', stop: forgetDataOnRequest });
};

/** The command line cannot ask for a proof. Throws RESTORE_IN_WINDOW. */
const refuseRestoreWithProof = async ({ restore, dataDir }: Options, secrets: Secrets): Promise<void> => {
  if (restore === null) return;
  const { isProofKnown } = await import('../core/companion/proofMark.ts');
  if (await isProofKnown(dataDir, secrets)) throw createProblem('RESTORE_IN_WINDOW');
};

const restoreBackupOnRequest = async (
  options: Options,
  { startReport: { report } }: HostParts,
  secrets: Secrets,
): Promise<void> => {
  await refuseRestoreWithProof(options, secrets);
  const context = { dataDir: options.dataDir, startDataThread, clock: systemClock, reportStart: report };
  await restoreAtStart(context, options.restore);
};

/** The window must receive its answer before the app quits. */
const forgetAndQuit = ({ dataDir }: Options, { secrets, quit }: HostParts): void => {
  if (secrets.problem !== undefined) throw createProblem('FORGET_NEEDS_KEYCHAIN');
  storeForgetRequest(dataDir);
  setImmediate().then(quit, quit);
};

/** Resolves when the window is drawn and the data can be written. */
const awaitDraw = ({ dataCheck }: Companion, { drawn }: HostParts): Promise<void> => dataCheck.passed.then(() => drawn);

const startAllParts = async (options: Options, host: HostParts): Promise<RunningCompanion> => {
  // Only this user can read the files that this process creates, in any folder.
  process.umask(0o077);
  const undo = logUnhandledRejections(host.log.log);
  /** Parts stop in this order. A part that starts later is added at the front. */
  const partsToStop: StoppablePart[] = [{ name: 'unhandled rejection listener', stop: undo }];
  const secrets = trackPendingCalls(host.secrets);
  let stopping: Promise<string[]> | null = null;
  const stop = (): Promise<string[]> =>
    (stopping ??= stopParts(partsToStop, { clock: systemClock, log: host.log.log }));
  try {
    await lockAndPrepareDataFolder(options, host, partsToStop);
    await restoreBackupOnRequest(options, host, secrets);
    const practice = await openPracticeIfChosen(options, host);
    partsToStop.unshift({ name: 'keychain', stop: secrets.answered }, ...(practice ? [practice.part] : []));
    const companion = await loadAndCreateCompanion(
      {
        ...{ dataDir: options.dataDir, reportStart: host.startReport.report },
        ...{ version: host.version, systemPrompt: host.systemPrompt },
        service: practice
          ? { kind: 'practice', url: practice.url }
          : { kind: 'remote', url: options.service.replace(/\/+$/, '') },
        ...{ startPhotoProcess: host.startKitchen, startDataThread, collectGarbage },
        practicePerson: practice ? practice.person : null,
      },
      { clock: systemClock, random: Math.random, secrets, notify: host.notify, log: host.log.log },
    );
    partsToStop.unshift({ name: 'companion', stop: companion.stop, maxStopMs: maxCompositeStopMs.companion });
    const bridge = await loadAndStartBridge({
      ...{ companion, version: host.version, showWindow: host.showWindow, log: host.log.log },
      ...{ dataDir: options.dataDir, port: options.bridgePort },
    });
    partsToStop.unshift({ name: 'bridge', stop: bridge.stop });
    await companion.start(host.drawn).then(keepHeapSmall);
    if (practice) partsToStop.unshift(practice.createBackgroundPart(companion, bridge.url, awaitDraw(companion, host)));
    const bridgeUrl = (): string => bridge.url;
    const labels = createLabelPrinter();
    partsToStop.unshift({ name: 'labels', stop: labels.stop });
    const served = await loadAndCreateHandlers(companion, {
      ...{ bridgeUrl, openLink: host.openLink, shell: host.shell ?? noShell, log: host.log },
      ...{ samplesDir: join(host.resourcesDir, 'samples'), labels, startReport: host.startReport },
      clients: createLazyClientHandlers(companion, options, host, bridgeUrl),
      forgetEverything: () => forgetAndQuit(options, host),
    });
    return {
      windowSessions: companion.approvals.windowSessions,
      showInNotification: (prompt) => openNotificationSession(companion, prompt),
      ...{ ...served, problemOf: createProblemReporter(host.log.log), ceremonies: createCeremonyCore(companion) },
      ...{ onChanged: companion.onChanged, photo: companion.photo, exportedFile: companion.exports.find },
      ...{ receivePhoto: companion.receivePhoto, work: companion.work },
      ...{ seen: companion.seen, sleep: companion.sleep, wake: companion.wake },
      bridgeUrl: bridge.url,
      serviceUrl: practice?.url ?? options.service,
      stop,
    };
  } catch (error) {
    await stop();
    throw findDiskProblem(error) ?? error;
  }
};

/** Throws a `Problem` if the data folder is locked or unwritable, the disk is full, or a port is taken. */
export const runCompanion = (options: Options, host: HostParts): Promise<RunningCompanion> =>
  startAllParts(options, host).finally(host.startReport.finish);

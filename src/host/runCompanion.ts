import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import type * as bridging from '../bridge/startBridge.ts';
import type * as core from '../core/companion/createCompanion.ts';
import type { Companion } from '../core/companion/createCompanion.ts';
import type { FoundPhoto, PhotoRef } from '../core/companion/openPhotos.ts';
import { systemClock } from '../core/base/clock.ts';
import type { Notify, Secrets, Topic } from '../core/base/ports.ts';
import type { StartProcess } from '../isolated/processClient.ts';
import { lockFolder } from '../core/storage/folderLock.ts';
import { restoreRequested } from '../core/storage/restore.ts';
import { longestStop, stopParts, type Part } from '../core/base/stopParts.ts';
import { diskProblem, problem, type ProblemView } from '../core/base/problem.ts';
import type { Handlers } from '../ipc/calls.ts';
import type { Work } from '../core/storage/tables/itemQueries.ts';
import type { HostLog } from './createLog.ts';
import { forgetIfRequested, requestForgetting } from './forgetting.ts';
import { noShell, type Shell } from './shell.ts';
import type { clientHandlers } from './clients/clientConnections.ts';
import type { StartCommand } from './clients/startCommand.ts';
import type * as handling from './handlers.ts';
import type { Options } from './options.ts';
import type { PracticeTexts } from './practice/practiceAssistant.ts';
import { trackPendingCalls, logUnhandledRejections, viewAndLog } from './processLifetime.ts';
import { keepHeapSmall } from './smallHeap.ts';

/** What Electron or the headless host provides. */
export type HostParts = {
  secrets: Secrets;
  forgetSecrets: () => Promise<void>;
  /** Ends the app after an orderly stop. */
  quit: () => void;
  notify: Notify;
  openLink: (url: string) => Promise<void>;
  startKitchen: StartProcess;
  /** Starts the process that reads photos for the writer of the practice service. */
  startReader: StartProcess;
  resourcesDir: string;
  /** The texts that the host shows outside its windows. The practice assistant uses them too. */
  texts: PracticeTexts;
  version: string;
  /** The command that starts this copy's command line. */
  start: StartCommand;
  bundleFile: string;
  log: HostLog;
  /** Settles when the first window is drawn; absent if the host does not wait for one. */
  drawn?: Promise<void>;
  /** Brings the companion's window forward; absent if the window is in a browser. */
  showWindow?: () => void;
  /** Absent if the host has no desktop integration. */
  shell?: Shell;
};

export type { PhotoRef };

/** A running companion as a host serves it to its windows. */
export type Running = {
  handlers: Handlers;
  problemOf: (error: unknown, call: string) => ProblemView;
  onChanged: (listener: (topic: Topic) => void) => () => void;
  photo: (ref: PhotoRef) => Promise<FoundPhoto | null>;
  receivePhoto: (bytes: Readable) => Promise<{ uploadId: string }>;
  /** Returns the work in progress. */
  work: () => Work;
  /** Records a call from a window as a sign that the person is present. */
  seen: () => void;
  sleep: () => void;
  wake: () => void;
  bridgeUrl: string;
  serviceUrl: string;
  /** Returns the names of the parts that did not stop. If there are any, the process must be killed. */
  stop: () => Promise<readonly string[]>;
};

/** Loads these handlers with the first call, because the parsers of four formats would slow down the start. */
const handlersOfClients = (
  companion: Companion,
  place: Options,
  host: HostParts,
  bridgeUrl: () => string,
): ReturnType<typeof clientHandlers> => {
  const load = async () =>
    (await import('./clients/clientConnections.ts')).clientHandlers({
      ...{ companion, bridgeUrl, place, start: host.start },
      bundle: { file: host.bundleFile, version: host.version },
    });
  let loaded: ReturnType<typeof load> | undefined;
  const clients = () => (loaded ??= load());
  return {
    'clients.snippets': async (input) => (await clients())['clients.snippets'](input),
    'clients.bundle': async (input) => (await clients())['clients.bundle'](input),
    'clients.list': async (input) => (await clients())['clients.list'](input),
    'clients.plan': async (input) => (await clients())['clients.plan'](input),
    'clients.connect': async (input) => (await clients())['clients.connect'](input),
    'clients.disconnect': async (input) => (await clients())['clients.disconnect'](input),
  };
};

/**
 * Loads a module in a later turn of the event loop, after pending events. Loading all modules in one turn would delay
 * opening the window.
 */
const next = async <T>(load: () => Promise<T>): Promise<T> => {
  await setImmediate();
  return load();
};

const createCompanion = async (...given: Parameters<typeof core.createCompanion>): Promise<Companion> =>
  (await next(() => import('../core/companion/createCompanion.ts'))).createCompanion(...given);

const startBridge = async (...given: Parameters<typeof bridging.startBridge>) =>
  (await next(() => import('../bridge/startBridge.ts'))).startBridge(...given);

const createHandlers = async (...given: Parameters<typeof handling.createHandlers>): Promise<Handlers> =>
  (await next(() => import('./handlers.ts'))).createHandlers(...given);

/** Whether the environment selects a writer. Then the start fails if the writer cannot be used. */
const asksForWriter = (): boolean => Object.keys(process.env).some((name) => name.startsWith('PRACTICE_WRITER_'));

/**
 * Opens the listener of the practice service if the companion uses it. The service itself is loaded when it is first
 * used.
 */
const openPractice = async (options: Options, host: HostParts) => {
  if (options.service !== 'practice') return null;
  const dataDir = join(options.dataDir, 'practice');
  const { openPracticeDoor } = await import('./practice/practiceDoor.ts');
  return openPracticeDoor({
    dataDir,
    open: async (port) => (await import('./practice/embedPractice.ts')).embedPractice(dataDir, port, host),
    isOpen: asksForWriter(),
    log: host.log.log,
  });
};

/**
 * Locks the data folder for this process. Forgets its data if the person requested it, both now and before the lock is
 * released.
 */
const takeFolder = async (options: Options, host: HostParts, ending: Part[]): Promise<void> => {
  const unlock = lockFolder(options.dataDir);
  ending.unshift({ name: 'data folder lock', stop: unlock });
  const forget = async (): Promise<void> => {
    await forgetIfRequested(options, host.forgetSecrets);
  };
  await forget();
  ending.unshift({ name: 'requested data removal', stop: forget });
};

/** Requests that everything is forgotten after the app has stopped, and quits once the window has its answer. */
const forgetAndQuit = ({ dataDir }: Options, { secrets, quit }: HostParts): void => {
  if (secrets.problem !== undefined) throw problem('FORGET_NEEDS_KEYCHAIN');
  requestForgetting(dataDir);
  setImmediate().then(quit, quit);
};

/**
 * Starts everything behind the windows: the practice service if it is used, the core, and the bridge. Throws a
 * `Problem` with a sentence for the person: a folder that is locked or unwritable, a full disk, a taken port.
 */
export const runCompanion = async (options: Options, host: HostParts): Promise<Running> => {
  // From here on, new files are readable only by this user, wherever the folder is.
  process.umask(0o077);
  const undo = logUnhandledRejections(host.log.log);
  /** Stopped from first to last; parts that started later are added at the front. */
  const ending: Part[] = [{ name: 'unhandled rejection listener', stop: undo }];
  const secrets = trackPendingCalls(host.secrets);
  let stopping: Promise<string[]> | null = null;
  const stop = (): Promise<string[]> => (stopping ??= stopParts(ending, { clock: systemClock, log: host.log.log }));
  try {
    // Lock the folder before anything in it changes.
    await takeFolder(options, host, ending);
    restoreRequested(options.dataDir, options.restore, systemClock.now());
    const practice = await openPractice(options, host);
    ending.unshift({ name: 'keychain', stop: secrets.answered }, ...(practice ? [practice.part] : []));
    const companion = await createCompanion(
      {
        dataDir: options.dataDir,
        version: host.version,
        service: practice
          ? { kind: 'practice', url: practice.url }
          : { kind: 'remote', url: options.service.replace(/\/+$/, '') },
        startKitchen: host.startKitchen,
        practicePerson: practice ? practice.person : null,
      },
      { clock: systemClock, random: Math.random, secrets, notify: host.notify, log: host.log.log },
    );
    ending.unshift({ name: 'companion', stop: companion.stop, longestMs: longestStop.companion });
    const bridge = await startBridge({
      ...{ companion, version: host.version, showWindow: host.showWindow, log: host.log.log },
      dataDir: options.dataDir,
      port: options.bridgePort,
    });
    ending.unshift({ name: 'bridge', stop: bridge.stop });
    await companion.start(host.drawn).then(keepHeapSmall);
    if (practice) ending.unshift(practice.around(companion, bridge.url, host.drawn));
    const bridgeUrl = (): string => bridge.url;
    const handlers = await createHandlers(companion, {
      bridgeUrl,
      openLink: host.openLink,
      shell: host.shell ?? noShell,
      log: host.log,
      samplesDir: join(host.resourcesDir, 'samples'),
      clients: handlersOfClients(companion, options, host, bridgeUrl),
      forgetEverything: () => forgetAndQuit(options, host),
    });
    return {
      ...{ handlers, problemOf: viewAndLog(host.log.log), onChanged: companion.onChanged, photo: companion.photo },
      receivePhoto: companion.receivePhoto,
      work: companion.work,
      seen: companion.seen,
      sleep: companion.sleep,
      wake: companion.wake,
      bridgeUrl: bridge.url,
      serviceUrl: practice?.url ?? options.service,
      stop,
    };
  } catch (error) {
    await stop();
    throw diskProblem(error) ?? error;
  }
};

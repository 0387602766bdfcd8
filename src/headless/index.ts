import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { systemClock } from '../core/base/clock.ts';
import type { Notify, Secrets } from '../core/base/ports.ts';
import { Problem, createProblem } from '../core/base/problem.ts';
import { maxCompositeStopMs, stopParts, type StoppablePart } from '../core/base/stopParts.ts';
import { codeFiles } from '../host/codeFiles.ts';
import { clearKeychainSecrets, getKeychainServiceName, openKeychain } from '../host/keychain.ts';
import { createLog, type HostLog } from '../host/createLog.ts';
import { killThisProcess, endSignals, hasPendingSystemCalls } from '../host/processLifetime.ts';
import { openFileInBrowser, getLinkFolder, createLinkOpener, openWindow, removeStaleLinks } from './openWindow.ts';
import { createKitchenStarter, createReaderStarter } from '../host/kitchen.ts';
import { moveRoamingData, formatUnprotectedFolderWarning } from '../host/data/dataFolder.ts';
import { parseHostOptions, type Options } from '../host/options.ts';
import { toNoticeText, toPlainLine } from '../host/noticeText.ts';
import { runCompanion, type HostParts } from '../host/runCompanion.ts';
import { createHostTranslator, getSessionLanguage } from '../host/hostTranslator.ts';
import { createStartReport } from '../host/startReport.ts';
import { createDesktopNotifier } from './desktopNotifier.ts';
import { startUi, type Ui, type WindowPlace } from './startUi.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const rendererDir = join(root, 'out', 'renderer');

const showOnDesktop = createDesktopNotifier();
const texts = createHostTranslator([getSessionLanguage(process.env, Intl.DateTimeFormat().resolvedOptions().locale)]);
const notify: Notify = (notice) => {
  const title = texts.translate(notice.says?.title, notice.title);
  console.error(`For you: ${toPlainLine(title, 120)}`);
  showOnDesktop(toNoticeText(texts, notice));
};

const notifyLinkReused = (): void => {
  const [title, text] = [texts.format('shell.linkTriedAgain'), texts.format('shell.linkTriedAgainText')];
  console.error(text);
  showOnDesktop(toNoticeText(texts, { title, text }));
};

const folder = getLinkFolder(homedir());
const links = createLinkOpener(() => ({
  folder,
  clock: systemClock,
  heading: texts.format('shell.linkOpening'),
  language: texts.language(),
  open: openFileInBrowser,
}));

type HostContext = { secrets: Secrets; log: HostLog; restart: () => void };

const createHostParts = (options: Options, { secrets, log, restart }: HostContext): HostParts => ({
  secrets,
  forgetSecrets: () => clearKeychainSecrets(options),
  quit: () => void process.emit('SIGTERM', 'SIGTERM'),
  notify,
  openLink: links.open,
  startKitchen: createKitchenStarter(),
  startReader: createReaderStarter(),
  resourcesDir: join(root, 'resources'),
  texts: Promise.resolve(texts),
  bundleFile: join(root, 'out', 'listing-companion.mcpb'),
  start: { program: process.execPath, args: [fileURLToPath(codeFiles.commandLine)] },
  startReport: createStartReport(restart),
  version: z.object({ version: z.string() }).parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')))
    .version,
  log,
});

/**
 * A supervisor can signal the whole process group, and the launcher passes its signal on as well. Only a signal after this
 * time is a second request to end.
 */
const sameRequestMs = 1_000;

/** The first signal stops all parts. A second request kills the process. */
const stopOnSignal = (listParts: () => readonly StoppablePart[], log: HostLog): void => {
  let stoppingSinceMs: number | null = null;
  const stopAndExit = async (): Promise<void> => {
    const parts = [...listParts(), { name: 'log', stop: log.close }];
    const unstopped = await stopParts(parts, { clock: systemClock, log: log.log });
    if (unstopped.length > 0 || (await hasPendingSystemCalls(systemClock))) killThisProcess();
    process.exit(0);
  };
  const handleEndSignal = (signal: NodeJS.Signals): void => {
    const nowMs = systemClock.elapsedMs();
    if (stoppingSinceMs === null) {
      stoppingSinceMs = nowMs;
      return void stopAndExit();
    }
    // A closing terminal can send SIGHUP several times, so a repeated SIGHUP must not kill the process.
    if (signal !== 'SIGHUP' && nowMs - stoppingSinceMs > sameRequestMs) killThisProcess();
  };
  for (const signal of endSignals) process.on(signal, handleEndSignal);
};

/** Opens a window at most once. Without a browser, a long start prints its link. */
const createWindowOpener = ({ open: mayOpen }: Options, ui: Ui) => {
  let opening: ReturnType<typeof openWindow> | null = null;
  const printLink = (): void => console.error(texts.format('shell.windowNotShown', { link: ui.url }));
  const open = async (): Promise<void> => {
    if (!mayOpen) return;
    // A link works once, so the browser gets a link of its own and the printed link stays valid.
    opening ??= openWindow({
      link: ui.newLink(),
      folder,
      clock: systemClock,
      heading: texts.format('shell.windowOpening'),
      label: texts.format('shell.open'),
      language: texts.language(),
      open: openFileInBrowser,
      notShown: printLink,
    });
    await opening;
  };
  let isLong = false;
  return {
    open,
    openDuringStart: (): void => {
      if (isLong) return;
      isLong = true;
      if (mayOpen) void open();
      else printLink();
    },
    stop: async (): Promise<void> => (await opening)?.stop(),
  };
};

type StartedHost = {
  parts: StoppablePart[];
  place: WindowPlace;
  addresses: { ui: string; bridge: string; service: string };
  openWindow: () => Promise<void>;
};

/** `place` is that of the windows before a restart. */
const startHost = async (options: Options, context: HostContext, place?: WindowPlace): Promise<StartedHost> => {
  const hostParts = createHostParts(options, context);
  const { startReport } = hostParts;
  const starting = runCompanion(options, hostParts);
  // The failure is thrown below.
  starting.catch(() => undefined);
  await removeStaleLinks(folder, systemClock.now());
  const ui = await startUi({
    ...{ running: starting, startReport, rendererDir, port: options.uiPort, place },
    clock: systemClock,
    onLinkReused: notifyLinkReused,
  }).catch(async (error: unknown) => {
    await (await starting).stop();
    throw error;
  });
  const window = createWindowOpener(options, ui);
  if (place === undefined) {
    startReport.onChanged(window.openDuringStart);
    if (startReport.read()) window.openDuringStart();
  }
  const running = await starting.catch(async (error: unknown) => {
    await ui.stop();
    throw error;
  });
  texts.follow(running);
  const parts: StoppablePart[] = [
    { name: 'page that opens the window', stop: window.stop },
    { name: 'pages that open links', stop: links.stop },
    { name: 'window', stop: ui.stop },
    { name: 'everything behind the window', stop: running.stop, maxStopMs: maxCompositeStopMs.host },
  ];
  const addresses = { ui: ui.url, bridge: running.bridgeUrl, service: running.serviceUrl };
  return { parts, place: ui.place, addresses, openWindow: window.open };
};

const printAddresses = ({ addresses }: StartedHost): void => console.log(JSON.stringify(addresses));

const endAfterFailure = (error: unknown): never => {
  console.error(error instanceof Problem ? error.message : error);
  process.exit(1);
};

const startHeadlessHost = async (options: Options): Promise<void> => {
  if (!existsSync(join(rendererDir, 'index.html'))) {
    throw createProblem('NOT_BUILT');
  }
  const warning = formatUnprotectedFolderWarning(options);
  if (warning !== null) console.error(warning);
  const log = createLog(options);
  const secrets = await openKeychain({ kind: options.keychain, service: getKeychainServiceName(options) });
  let host: StartedHost | null = null;
  const restartHost = async (): Promise<void> => {
    // The window must receive its answer before its connection ends.
    await setImmediate();
    if (host === null) return;
    const { parts, place } = host;
    host = null;
    const unstopped = await stopParts(parts, { clock: systemClock, log: log.log });
    if (unstopped.length > 0) killThisProcess();
    host = await startHost({ ...options, restore: null }, context, place);
    printAddresses(host);
  };
  const context: HostContext = { secrets, log, restart: () => void restartHost().catch(endAfterFailure) };
  host = await startHost(options, context);
  // From the moment the addresses are known, a signal must stop the host cleanly.
  stopOnSignal(() => host?.parts ?? [], log);
  printAddresses(host);
  await host.openWindow();
};

const parsed = parseHostOptions(process.argv.slice(2));
if (!parsed.ok) {
  console.error(parsed.sentence);
  process.exit(2);
}
try {
  await startHeadlessHost(moveRoamingData(parsed.options));
} catch (error) {
  endAfterFailure(error);
}

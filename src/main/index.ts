import { app, dialog } from 'electron';
import { createReadStream, createWriteStream, mkdtempSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { systemClock } from '../core/base/clock.ts';
import { Problem } from '../core/base/problem.ts';
import { discardTreeSync } from '../disk/changeFiles.ts';
import { moveRoamingData, formatUnprotectedFolderWarning } from '../host/data/dataFolder.ts';
import type { Options } from '../host/options.ts';
import {
  parseSecondInstanceRequest,
  parseOpenRequest,
  createOpenRequestQueue,
  type OpenRequest,
  type OpenRequestQueue,
  linkScheme,
  needsRequestFile,
  writeOpenRequestFile,
  removeStaleRequestFiles,
  resolveOpenRequest,
} from './openRequests/openRequests.ts';
import { parseCliCommand, parseElectronCommandLine, type AppSwitches } from './commandLine.ts';
import { registerAppScheme } from './appScheme.ts';
import { startCrashReporter } from './system/crashLog.ts';
import { chooseUserModelId } from './installedCopy.ts';

/** On Windows, a GUI program has no standard streams, but its parent's streams exist under their descriptor numbers. */
const reopenStandardStreams = (): void => {
  if (process.platform !== 'win32') return;
  const defineStream = (name: 'stdin' | 'stdout' | 'stderr', stream: object): void =>
    void Object.defineProperty(process, name, { value: stream, configurable: true });
  defineStream('stdin', createReadStream('', { fd: 0 }));
  defineStream('stdout', createWriteStream('', { fd: 1 }));
  defineStream('stderr', createWriteStream('', { fd: 2 }));
};

/** Chromium gets a temporary data folder, so that a running companion is not disturbed. */
const runCliCommand = async (words: readonly string[]): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), 'listing-companion-command-'));
  app.setPath('userData', folder);
  app.dock?.hide();
  reopenStandardStreams();
  const [{ runCli }, { createPhotoProcessStarters }] = await Promise.all([
    import('../cli/runCli.ts'),
    import('./photoProcesses.ts'),
  ]);
  const { stdout, stderr, env } = process;
  const code = await runCli([...words], {
    stdout,
    stderr,
    env,
    startKitchen: createPhotoProcessStarters(join(app.getAppPath(), 'out')).startKitchen,
  });
  const removeCommandFolder = (): void => discardTreeSync(folder);
  removeCommandFolder();
  // Chromium can write to the folder until it exits. An app that exits before it is ready never emits `quit`.
  process.once('exit', removeCommandFolder);
  app.exit(code);
};

const showStartupError = async (error: unknown): Promise<void> => {
  const sentence = error instanceof Problem ? error.message : String(error);
  console.error(sentence);
  const { createHostTranslator } = await import('../host/hostTranslator.ts');
  const translator = createHostTranslator([app.getLocale()]);
  await translator.setLanguage('system');
  const says = error instanceof Problem ? error.says : undefined;
  dialog.showErrorBox(translator.format('shell.cannotStart'), translator.translate(says, sentence));
  app.exit(1);
};

const listenForOpenRequests = (openRequests: OpenRequestQueue): void => {
  app.on('second-instance', (_event, _argv, _folder, data) => openRequests.receive(parseSecondInstanceRequest(data)));
  app.on('open-file', (event, path) => {
    event.preventDefault();
    openRequests.receive({ paths: [path], link: null });
  });
  app.on('open-url', (event, link) => {
    event.preventDefault();
    openRequests.receive({ paths: [], link });
  });
};

const relaunchWithFile = ({ dataDir }: Options, before: readonly string[], openRequest: OpenRequest): boolean => {
  try {
    // The program inside an AppImage disappears when the process ends, so the AppImage file itself is started.
    const { APPIMAGE: execPath } = process.env;
    app.relaunch({ args: [...before, writeOpenRequestFile(dataDir, openRequest)], ...(execPath ? { execPath } : {}) });
    return true;
  } catch {
    return false;
  }
};

/** Chromium starts after this file has run, so everything else is loaded in the next turn of the event loop. */
const loadAndStartDesktop = async (options: Options, openRequests: OpenRequestQueue): Promise<void> => {
  await setImmediate();
  const { startDesktop } = await import('./startDesktop.ts');
  await startDesktop(options, openRequests);
};

/**
 * Makes V8 collect garbage early in windows, which saves tens of megabytes. `--optimize-for-size` saves as much, but its
 * collections block a frame for twice as long.
 */
const keepWindowHeapsSmall = (): void =>
  app.commandLine.appendSwitch('js-flags', '--heap-growing-percent=30 --max-semi-space-size=2');

const startMainInstance = (options: Options, given: readonly string[], before: readonly string[]): void => {
  const openRequest = parseOpenRequest(given, process.cwd());
  if (needsRequestFile(given) && relaunchWithFile(options, before, openRequest)) return app.exit(0);

  const windowData = join(options.dataDir, 'window');
  mkdirSync(windowData, { recursive: true, mode: 0o700 });
  app.setPath('userData', windowData);
  const warning = formatUnprotectedFolderWarning(options);
  if (warning !== null) console.error(warning);
  startCrashReporter(options.dataDir);
  registerAppScheme();
  if (process.platform === 'win32')
    app.setAppUserModelId(chooseUserModelId({ packaged: app.isPackaged, program: process.execPath }));
  // The companion must keep running after its window closes, so that assistants can reach it.
  app.on('window-all-closed', () => undefined);
  if (!app.requestSingleInstanceLock({ arrival: openRequest })) {
    console.error('Listing Companion is running on this data already; its window has been brought to the front.');
    return app.exit(0);
  }
  keepWindowHeapsSmall();
  // Electron adds the link after "--", so that no part of the link is parsed as a switch.
  if (app.isPackaged) app.setAsDefaultProtocolClient(linkScheme, process.execPath, ['--']);
  removeStaleRequestFiles(options.dataDir, systemClock.now());
  const openRequests = createOpenRequestQueue((request) => resolveOpenRequest(options.dataDir, request));
  listenForOpenRequests(openRequests);
  if (given.length > 0) openRequests.receive(openRequest);
  loadAndStartDesktop(options, openRequests).catch((error: unknown) => void showStartupError(error));
};

const startFromCommandLine = (switches: AppSwitches): void => {
  const { parsed, given, before } = parseElectronCommandLine(process.argv, switches);
  if (parsed.ok) return startMainInstance(moveRoamingData(parsed.options), given, before);
  console.error(parsed.sentence);
  app.exit(2);
};

const switches: AppSwitches = {
  packaged: app.isPackaged,
  hasSwitch: (name) => app.commandLine.hasSwitch(name),
};
const command = parseCliCommand(process.argv, switches);
if (command === null) startFromCommandLine(switches);
else if (typeof command === 'string') {
  console.error(command);
  app.exit(2);
} else void runCliCommand(command);

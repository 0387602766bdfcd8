import { app, dialog } from 'electron';
import { createReadStream, createWriteStream, mkdtempSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { systemClock } from '../core/base/clock.ts';
import { Problem } from '../core/base/problem.ts';
import { discardFolderSync } from '../disk/changeFiles.ts';
import { moveRoamingData, readableFolderWarning } from '../host/dataFolder.ts';
import type { Options } from '../host/options.ts';
import {
  openRequestOfSecondInstance,
  openRequestOf,
  createOpenRequests,
  type OpenRequest,
  type OpenRequests,
  linkScheme,
  needsFile,
  writeOpenRequestFile,
  removeStaleFiles,
  resolveOpenRequest,
} from './openRequests/openRequests.ts';
import { readCommand, readCommandLine, type AppSwitches } from './commandLine.ts';
import { registerAppScheme } from './appScheme.ts';
import { keepCrashDumps } from './system/crashLog.ts';
import { userModelId } from './installedCopy.ts';

/** A program with windows has streams that end at once on Windows; what its starter gave it is behind the numbers still. */
const openStreams = (): void => {
  if (process.platform !== 'win32') return;
  const give = (name: 'stdin' | 'stdout' | 'stderr', stream: object): void =>
    void Object.defineProperty(process, name, { value: stream, configurable: true });
  give('stdin', createReadStream('', { fd: 0 }));
  give('stdout', createWriteStream('', { fd: 1 }));
  give('stderr', createWriteStream('', { fd: 2 }));
};

/**
 * Runs a command of the command line in this process, without a window, and ends the process with its exit code. A companion that runs
 * beside it is not disturbed: Chromium's own data goes to a folder that is removed again.
 */
const runCommand = async (words: readonly string[]): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), 'listing-companion-command-'));
  app.setPath('userData', folder);
  app.dock?.hide();
  openStreams();
  const [{ runCli }, { photoProcesses }] = await Promise.all([
    import('../cli/runCli.ts'),
    import('./photoProcesses.ts'),
  ]);
  const { stdout, stderr, env } = process;
  const code = await runCli([...words], {
    stdout,
    stderr,
    env,
    startKitchen: photoProcesses(join(app.getAppPath(), 'out')).startKitchen,
  });
  const removeFolder = (): void => discardFolderSync(folder);
  removeFolder();
  // Chromium may write to it until the app has ended; an app that ends before it was ready says nothing of its end.
  process.once('exit', removeFolder);
  app.exit(code);
};

const fail = async (error: unknown): Promise<void> => {
  const sentence = error instanceof Problem ? error.message : String(error);
  console.error(sentence);
  const { createHostTranslator } = await import('../host/hostTranslator.ts');
  const translator = createHostTranslator([app.getLocale()]);
  await translator.setLanguage('system');
  const says = error instanceof Problem ? error.says : undefined;
  dialog.showErrorBox(translator.format('shell.cannotStart'), translator.translate(says, sentence));
  app.exit(1);
};

/** Everything by which folders, photos and links reach an app from outside. */
const listenForOpenRequests = (openRequests: OpenRequests): void => {
  app.on('second-instance', (_event, _argv, _folder, data) => openRequests.receive(openRequestOfSecondInstance(data)));
  app.on('open-file', (event, path) => {
    event.preventDefault();
    openRequests.receive({ paths: [path], link: null });
  });
  app.on('open-url', (event, link) => {
    event.preventDefault();
    openRequests.receive({ paths: [], link });
  });
};

/** Starts the app anew with the name of a file in the place of what was given; false where there is no room for one. */
const relaunchWithFile = ({ dataDir }: Options, before: readonly string[], openRequest: OpenRequest): boolean => {
  try {
    // The program of an AppImage is gone with the process that runs from it.
    const { APPIMAGE: execPath } = process.env;
    app.relaunch({ args: [...before, writeOpenRequestFile(dataDir, openRequest)], ...(execPath ? { execPath } : {}) });
    return true;
  } catch {
    return false;
  }
};

/** Loads and starts everything once this turn has ended: Chromium begins to start then, and waits for nothing but this file. */
const open = async (options: Options, openRequests: OpenRequests): Promise<void> => {
  await setImmediate();
  const { startDesktop } = await import('./startDesktop.ts');
  await startDesktop(options, openRequests);
};

/** Windows take garbage away soon, and give back to the system what it leaves: V8 would wait for tens of megabytes of it. */
const keepWindowsSmall = (): void => app.commandLine.appendSwitch('js-flags', '--optimize-for-size');

const start = (options: Options, given: readonly string[], before: readonly string[]): void => {
  const openRequest = openRequestOf(given, process.cwd());
  if (needsFile(given) && relaunchWithFile(options, before, openRequest)) return app.exit(0);

  const windowData = join(options.dataDir, 'window');
  mkdirSync(windowData, { recursive: true, mode: 0o700 });
  app.setPath('userData', windowData);
  const warning = readableFolderWarning(options);
  if (warning !== null) console.error(warning);
  keepCrashDumps(options.dataDir);
  registerAppScheme();
  if (process.platform === 'win32')
    app.setAppUserModelId(userModelId({ packaged: app.isPackaged, program: process.execPath }));
  // Closing the window leaves the companion in the tray, where assistants still reach it.
  app.on('window-all-closed', () => undefined);
  if (!app.requestSingleInstanceLock({ arrival: openRequest })) {
    console.error('Listing Companion is running on this data already; its window has been brought to the front.');
    return app.exit(0);
  }
  keepWindowsSmall();
  // Behind "--" nothing of a link can be read as a flag.
  if (app.isPackaged) app.setAsDefaultProtocolClient(linkScheme, process.execPath, ['--']);
  removeStaleFiles(options.dataDir, systemClock.now());
  const openRequests = createOpenRequests((request) => resolveOpenRequest(options.dataDir, request));
  listenForOpenRequests(openRequests);
  if (given.length > 0) openRequests.receive(openRequest);
  open(options, openRequests).catch((error: unknown) => void fail(error));
};

const startApp = (switches: AppSwitches): void => {
  const { parsed, given, before } = readCommandLine(process.argv, switches);
  if (parsed.ok) return start(moveRoamingData(parsed.options), given, before);
  console.error(parsed.sentence);
  app.exit(2);
};

const switches: AppSwitches = {
  packaged: app.isPackaged,
  hasSwitch: (name) => app.commandLine.hasSwitch(name),
};
const command = readCommand(process.argv, switches);
if (command === null) startApp(switches);
else if (typeof command === 'string') {
  console.error(command);
  app.exit(2);
} else void runCommand(command);

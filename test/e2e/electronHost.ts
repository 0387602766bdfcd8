import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { _electron, type ElectronApplication, type Page } from 'playwright';
import * as z from 'zod';
import { testFlags } from '../helpers/hosts/startHeadless.ts';
import { findChromium } from './findChromium.ts';
import type { Host } from './host.ts';
import { describeProcesses } from './describeProcesses.ts';
import { pressAsLongAsAHand } from './handSpeed.ts';

const root = join(import.meta.dirname, '..', '..');
const electronDir = join(root, 'node_modules', 'electron');
const pathFile = join(electronDir, 'path.txt');
/** Longer than the time limits of all parts of the app for stopping together. */
const maxQuitMs = 60_000;
/** Chromium's sandbox refuses to run as root. */
const asRoot = process.platform === 'linux' && process.getuid?.() === 0 ? ['--no-sandbox'] : [];
const standinPath = join(root, 'test', 'electron-standin', 'dist', 'electron');

/** Returns Electron's own binary if it is installed, else the stand-in on Linux, else null. */
export const findElectron = (): { path: string; runs: string } | null => {
  const own = existsSync(pathFile) ? join(electronDir, 'dist', readFileSync(pathFile, 'utf8').trim()) : null;
  if (own !== null && existsSync(own)) return { path: own, runs: 'Electron' };
  return process.platform === 'linux' ? { path: standinPath, runs: 'the stand-in for Electron' } : null;
};

/** Drags a folder from the disk into the middle of the window, like a file manager. */
const dragFolder = async (page: Page, path: string): Promise<void> => {
  const session = await page.context().newCDPSession(page);
  const { x, y } = await page.evaluate(() => ({ x: innerWidth / 2, y: innerHeight / 2 }));
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    await session.send('Input.dispatchDragEvent', {
      type,
      x,
      y,
      data: { items: [], files: [path], dragOperationsMask: 1 },
    });
  }
  await session.detach();
};

const discovery = z.object({ url: z.url() });

/** The bridge starts after the window. */
const readBridgeUrl = async (dataDir: string): Promise<string> => {
  const path = join(dataDir, 'bridge.json');
  for (let left = 300; left > 0 && !existsSync(path); left -= 1) await wait(100);
  return discovery.parse(JSON.parse(readFileSync(path, 'utf8'))).url;
};

type LaunchChanges = {
  args?: readonly string[];
  env?: Record<string, string>;
  /** The app's folder, if it is not this project. */
  appDir?: string;
};

const buildLaunchOptions = (
  executablePath: string,
  dataDir: string,
  { args = [], env = {}, appDir = root }: LaunchChanges = {},
) => ({
  executablePath,
  args: [...asRoot, appDir, ...testFlags(dataDir), ...args],
  cwd: root,
  env: { ...process.env, STANDIN_NODE: process.execPath, STANDIN_CHROMIUM: findChromium(), ...env },
});

const dataDirs = new WeakMap<Host, string>();

/** Starts the app a second time on a host's data and returns how that start ended. */
export const startAgain = async (host: Host, ...given: string[]) => {
  const path = findElectron()?.path ?? '';
  const { executablePath, args, ...options } = buildLaunchOptions(path, dataDirs.get(host) ?? '', { args: given });
  const child = spawn(executablePath, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'], timeout: 30_000 });
  const [stdout, stderr] = [text(child.stdout), text(child.stderr)];
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stdout: await stdout, stderr: await stderr };
};

/** Quits the app and confirms the question about unfinished work. */
export const quitApp = async (app: ElectronApplication): Promise<void> => {
  const main = app.process();
  const ending = (async () => {
    await app.evaluate(({ app: own, dialog }) => {
      dialog.showMessageBox = () => Promise.resolve({ response: 0, checkboxChecked: false });
      // The debugger can interrupt running code, even a query; `setImmediate` quits between tasks, like a person's
      // click.
      const quitNow = own.quit.bind(own);
      own.quit = () => void setImmediate(quitNow);
    });
    await app.close();
  })();
  const outcome = await Promise.race([ending, wait(maxQuitMs, 'late' as const, { ref: false })]);
  if (outcome !== 'late') return;
  ending.catch(() => undefined);
  const left = describeProcesses(main.pid ?? 0);
  for (const { pid } of left) process.kill(pid, 'SIGKILL');
  throw new Error(`The app had not ended after ${maxQuitMs} ms:\n${left.map(({ line }) => line).join('\n')}`);
};

/** Starts the app in Electron or the stand-in without waiting for its window. */
export const launchDesktop = async (dataDir: string, more: LaunchChanges = {}): Promise<ElectronApplication> => {
  const found = findElectron();
  if (found === null) throw new Error('Electron is not installed here.');
  return _electron.launch(buildLaunchOptions(found.path, dataDir, more));
};

export type ElectronHost = Host & {
  app: ElectronApplication;
  /** Returns the end of the app's terminal output, and its exit status if it has exited. */
  readOutput: () => string;
};

/** Records the app's terminal output, so that a failed test can show why the app ended. */
const recordOutput = (app: ElectronApplication): (() => string) => {
  let said = '';
  const note = (text: string): void => void (said = (said + text).slice(-4_000));
  const main = app.process();
  main.stderr?.on('data', (bytes: Buffer) => note(bytes.toString()));
  main.once('exit', (code, signal) => note(`\nEnded with ${String(code ?? signal)}.\n`));
  return () => said;
};

/** Starts the built app in Electron or in the stand-in. */
export const openInElectron = async (dataDir: string, more: LaunchChanges = {}): Promise<ElectronHost> => {
  const app = await launchDesktop(dataDir, more);
  const said = recordOutput(app);
  const page = pressAsLongAsAHand(await app.firstWindow());
  // Animations would be rendered while a test waits.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const host: ElectronHost = {
    kind: 'electron',
    runs: findElectron()?.runs ?? '',
    app,
    readOutput: said,
    page,
    bridgeUrl: () => readBridgeUrl(dataDir),
    dropFolder: (path) => dragFolder(page, path),
    stop: () => quitApp(app),
  };
  dataDirs.set(host, dataDir);
  return host;
};

import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { _electron, type ElectronApplication, type Page } from 'playwright';
import { findFullBrowser } from '../test/e2e/findChromium.ts';
import { findElectron, launchDesktop, quitApp } from '../test/e2e/electronHost.ts';
import { call } from './hosts.ts';
import { compareEach, type Compared } from './compare.ts';

// Gains of single changes, measured on two cores, alternately with the version before:
// - The main entry without zod and the code of the windows: 20 ms less processor time before Chromium starts.
// - Dialogs and the open item loaded later: first scripts 587 → 496 kB (first run), 787 → 675 kB (connected).
// - Both changes together, and files passed to Chromium as bytes: 1.62 → 1.46 times an empty window for a first run,
//   1.77 → 1.62 times for a connected person. The bytes save no time on Electron.
// - Processor time until the companion runs in the browser host with practice data, median of pairs: 5 % more if the
//   practice service is loaded before the companion (20 pairs; 10 % on a busy machine), 3 % more if all schemas are built
//   at once (50 pairs; 6 % on a busy machine).
// - Number and plural formats created on first use: `--help` 169 → 143 ms of processor time, 72 → 66 MB (20 pairs).
// - Little gain from a request for the state before the page's scripts: 1.6 % of a connected start (20 pairs), 0.5 % of a
//   reload.
// - No English sentences of the core in the first script: 543 → 498 kB.
// - The practice service started behind its listener, seven runs: ratios 1.26 to 1.34 (once 1.53) and 1.36 to 1.47 (once
//   1.60).
// - No gain from a young generation that grows faster. Little gain from shorter names in the main process: 3 of 20 ms of
//   compilation.

/** Single starts differ by a third, and medians of nine starts by a tenth. */
const rounds = 20;

const helloMain = `import { app, BrowserWindow } from 'electron';

void app.whenReady().then(() => {
  const window = new BrowserWindow({ width: 1240, height: 820, show: false });
  window.once('ready-to-show', () => window.show());
  void window.loadURL(new URL('index.html', import.meta.url).href);
});
`;

const helloWorld = (folder: string): string => {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'hello', type: 'module', main: 'main.js' }));
  writeFileSync(join(folder, 'main.js'), helloMain);
  writeFileSync(join(folder, 'index.html'), '<!doctype html><title>Hello</title><h1>Hello</h1><button>Go</button>');
  return folder;
};

const browser = { STANDIN_CHROMIUM: findFullBrowser() };
const env = { ...process.env, STANDIN_NODE: process.execPath, ...browser };
const launchApp = (dataDir: string): Promise<ElectronApplication> => launchDesktop(dataDir, { env: browser });

const untilInteractive = async (app: ElectronApplication): Promise<Page> => {
  const page = await app.firstWindow();
  // Polls in every frame. A locator polls at growing intervals, which would distort the measurement.
  await page.waitForFunction(() => document.querySelector('h1') !== null && document.querySelector('button') !== null);
  return page;
};

const windowAfter = async (start: () => Promise<ElectronApplication>): Promise<number> => {
  const from = performance.now();
  const app = await start();
  await untilInteractive(app);
  const took = performance.now() - from;
  await quitApp(app);
  return took;
};

const connect = async (dataDir: string): Promise<void> => {
  const app = await launchApp(dataDir);
  await call(await untilInteractive(app), 'connect.practice');
  await quitApp(app);
};

const bridgeAfter = async (dataDir: string): Promise<number> => {
  const discovery = join(dataDir, 'bridge.json');
  rmSync(discovery, { force: true });
  const from = performance.now();
  const starting = launchApp(dataDir);
  for (;;) {
    const url = existsSync(discovery) ? (JSON.parse(readFileSync(discovery, 'utf8')) as { url: string }).url : null;
    if (url !== null && (await fetch(new URL('/health', url)).catch(() => null))?.ok) break;
    await wait(5);
  }
  const took = performance.now() - from;
  const app = await starting;
  await untilInteractive(app);
  await quitApp(app);
  return took;
};

/**
 * Compares the time from process start to a usable window, and to an answering bridge, with a minimal app on the same
 * runtime. Goals: 1.45 and 1.5 times the minimal app.
 */
export const benchStartUp = async (): Promise<Compared[]> => {
  const runtime = findElectron();
  if (runtime === null) throw new Error('Electron is not installed here.');
  const folder = mkdtempSync(join(tmpdir(), 'bench-start-'));
  const hello = helloWorld(join(folder, 'hello'));
  const [first, connected] = [join(folder, 'first run'), join(folder, 'connected')];
  const asRoot = process.platform === 'linux' && process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const args = [...asRoot, hello, `--user-data-dir=${join(folder, 'hello data')}`];
  const startHello = () => _electron.launch({ executablePath: runtime.path, args, env });
  const names = { unit: 'ms', peer: `hello world on ${runtime.runs}` };
  const untilWindow = (dataDir: string) => () => windowAfter(() => launchApp(dataDir));
  try {
    // The first start creates folders, so it is not measured.
    await windowAfter(startHello);
    await windowAfter(() => launchApp(first));
    await connect(connected);
    return await compareEach(
      [
        { ...names, what: 'start to a usable window', run: untilWindow(first) },
        { ...names, what: 'start to the items of a connected person', run: untilWindow(connected) },
        { ...names, what: 'start to an answering bridge', run: () => bridgeAfter(connected) },
      ],
      () => windowAfter(startHello),
      rounds,
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

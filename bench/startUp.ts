import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { _electron, type ElectronApplication, type Page } from 'playwright';
import { wholeChromiumPath } from '../test/e2e/chromiumPath.ts';
import { electronPath, launch, quit } from '../test/e2e/electronHost.ts';
import { call } from './hosts.ts';
import { compareEach, type Compared } from './compare.ts';

/** A start is short, and single ones differ by a third: medians of nine did so by a tenth. */
const rounds = 20;

const helloMain = `import { app, BrowserWindow } from 'electron';

// Gains of single parts, each measured in turn with the version before, on two cores:
// - The entry without zod and the windows' code: 20 ms of processor time before Chromium starts.
// - Dialogs and the open item loaded later: first scripts of 587 → 496 kB (first run), 787 → 675 kB (connected).
// - Both, with files handed to Chromium as bytes, which is no gain on Electron: 1.62 → 1.46 times an empty window for a
//   first run, 1.77 → 1.62 for a connected person.
// - Processor time of the browser's host until the companion runs, with practice data, medians of pairs in turn: the practice
//   service loaded before the companion is 5 % more (20 pairs; 10 % on a busy machine), all schemas built at once 3 % more
//   (50 pairs; 6 % on a busy machine).
// - Number and plural formats on first use: \`--help\` 169 → 143 ms of processor time, 72 → 66 MB (20 pairs).
// - Little gain: the state requested before the scripts of the page: 1.6 % of a connected start (20 pairs), 0.5 % of a reload.
// - No English sentences of the core in the first script: 543 → 498 kB.
// - With the practice service behind its listener, seven runs: 1.26 to 1.34 (once 1.53) and 1.36 to 1.47 (once 1.60).
// - No gain: a faster growing young generation. Little gain: shorter names in the main process (3 of 20 ms of compiling).
void app.whenReady().then(() => {
  const window = new BrowserWindow({ width: 1240, height: 820, show: false });
  window.once('ready-to-show', () => window.show());
  void window.loadURL(new URL('index.html', import.meta.url).href);
});
`;

/** The smallest app there is: one window with one heading. */
const helloWorld = (folder: string): string => {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'hello', type: 'module', main: 'main.js' }));
  writeFileSync(join(folder, 'main.js'), helloMain);
  writeFileSync(join(folder, 'index.html'), '<!doctype html><title>Hello</title><h1>Hello</h1><button>Go</button>');
  return folder;
};

const browser = { STANDIN_CHROMIUM: wholeChromiumPath() };
const env = { ...process.env, STANDIN_NODE: process.execPath, ...browser };
const launchApp = (dataDir: string): Promise<ElectronApplication> => launch(dataDir, { env: browser });

const untilInteractive = async (app: ElectronApplication): Promise<Page> => {
  const page = await app.firstWindow();
  // Looked at with every frame: a locator looks again after ever longer pauses, which would be measured with it.
  await page.waitForFunction(() => document.querySelector('h1') !== null && document.querySelector('button') !== null);
  return page;
};

/** Milliseconds from the start of the process to a window that can be used. */
const windowAfter = async (start: () => Promise<ElectronApplication>): Promise<number> => {
  const from = performance.now();
  const app = await start();
  await untilInteractive(app);
  const took = performance.now() - from;
  await quit(app);
  return took;
};

/** Connects a first run with the practice service, and quits. */
const connect = async (dataDir: string): Promise<void> => {
  const app = await launchApp(dataDir);
  await call(await untilInteractive(app), 'connect.practice');
  await quit(app);
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
  await quit(app);
  return took;
};

/**
 * The time from the start of the process to a usable window and to an answering bridge, against a window with one heading
 * on the same runtime, all of them in turn: whatever keeps the machine busy meets them alike. Goals: 1.45 and 1.5 times.
 */
export const benchStartUp = async (): Promise<Compared[]> => {
  const runtime = electronPath();
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
    // The first start of each makes its folders.
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

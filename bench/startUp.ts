import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { _electron, type ElectronApplication, type Page } from 'playwright';
import sharp from 'sharp';
import { wholeChromiumPath } from '../test/e2e/chromiumPath.ts';
import { electronPath, launch } from '../test/e2e/electronHost.ts';
import { compare, type Compared } from './compare.ts';

/** `npm run bench -- startUp --photos=1000` prepares as many; the default is quick. */
const photos = Number(process.argv.find((word) => word.startsWith('--photos='))?.slice(9) ?? 40);
const photosInFolder = 10;
/** A start is short, and single ones differ by a third. */
const rounds = 9;
const mostMsAPhoto = 10_000;
const megabytes = (bytes: number): number => bytes / 1024 / 1024;

const helloMain = `import { app, BrowserWindow } from 'electron';
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
  await app.close();
  return took;
};

/** Connects a first run with the practice service, and quits. */
const connect = async (dataDir: string): Promise<void> => {
  const app = await launchApp(dataDir);
  await call(await untilInteractive(app), 'connect.practice');
  await app.close();
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
  await app.close();
  return took;
};

/** How many threads the main process has; where the system does not tell, none. */
const threadsOf = (app: ElectronApplication): number => {
  const tasks = `/proc/${app.process().pid}/task`;
  return existsSync(tasks) ? readdirSync(tasks).length : 0;
};

const rssOf = async (app: ElectronApplication): Promise<number> => {
  await wait(3_000);
  return megabytes(await app.evaluate(() => process.memoryUsage().rss));
};

/** One of the pictures of an item, each unlike the others: what looks alike would be put aside. */
const drawPicture = async (at: number): Promise<Buffer> => {
  const noise = { type: 'gaussian' as const, mean: 128, sigma: 40 };
  const thing = {
    width: 400 + 150 * at,
    height: 1_900 - 120 * at,
    channels: 3 as const,
    background: `hsl(${at * 71}, 70%, 40%)`,
  };
  const create = { width: 3_024, height: 2_268, channels: 3 as const, background: '#888', noise };
  const input = await sharp({ create: thing }).png().toBuffer();
  return sharp({ create })
    .blur(3)
    .composite([{ input, left: 100 * at, top: 40 * at }])
    .jpeg({ quality: 88 })
    .toBuffer();
};

const drawPhotos = async (folder: string): Promise<string[]> => {
  const pictures = await Promise.all(Array.from({ length: photosInFolder }, (_, at) => drawPicture(at)));
  const folders = Array.from({ length: Math.ceil(photos / photosInFolder) }, (_, at) => join(folder, `thing ${at}`));
  for (const [at, one] of folders.entries()) {
    mkdirSync(one, { recursive: true });
    for (let index = 0; index < Math.min(photosInFolder, photos - at * photosInFolder); index += 1) {
      // A byte behind the end makes each photo one of its own.
      writeFileSync(
        join(one, `IMG_${index}.jpg`),
        Buffer.concat([pictures[index] ?? Buffer.of(), Buffer.from(`${at} ${index}`)]),
      );
    }
  }
  return folders;
};

type Listed = { rows: { step: string; progress: { done: number; total: number } | null }[] };

const call = (page: Page, name: string, input: unknown = {}): Promise<unknown> =>
  page.evaluate(
    async ([asked, given]) => {
      const { companion } = window as unknown as {
        companion: { call: (name: string, input: unknown) => Promise<{ value: unknown }> };
      };
      return (await companion.call(asked as string, given)).value;
    },
    [name, input],
  );

/** Megabytes of the main process when nothing has happened, and when it rests again after many photos. */
const memory = async (folder: string): Promise<Compared> => {
  const app = await launchApp(join(folder, 'memory'));
  const page = await untilInteractive(app);
  await call(page, 'connect.practice');
  // The practice service's writer lives in this process, too, and is not what is measured: no draft comes about.
  const { service } = (await call(page, 'app.state')) as { service: { url: string } };
  await fetch(new URL('/practice/faults', service.url), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ method: 'POST', path: '/listings', times: 10_000, status: 503 }),
  });
  const idle = await rssOf(app);
  const threads = threadsOf(app);
  await call(page, 'items.add', { sources: { kind: 'paths', paths: await drawPhotos(join(folder, 'photos')) } });
  const until = performance.now() + photos * mostMsAPhoto;
  for (let left = photos; left > 0; await wait(1_000)) {
    const { rows } = (await call(page, 'items.list', { limit: 200 })) as Listed;
    left = rows.reduce((sum, { step, progress }) => {
      return sum + (step === 'photos' && progress ? progress.total - progress.done : 0);
    }, 0);
    if (performance.now() > until) throw new Error(`${left} photos were not prepared in time.`);
  }
  await call(page, 'app.pause', { paused: true });
  // Second looks go on behind the scenes; threads without work end fifteen seconds later, and V8 takes its time as well.
  while (threadsOf(app) > threads) await wait(1_000);
  await wait(30_000);
  const after = await rssOf(app);
  await app.evaluate(({ dialog }) => {
    dialog.showMessageBox = () => Promise.resolve({ response: 0, checkboxChecked: false });
  });
  await app.close();
  const what = `memory of the main process after ${photos} photos`;
  return { what, unit: 'MB', ours: after, peer: 'idle', theirs: idle, ratio: after / idle };
};

/**
 * The time from the start of the process to a usable window and to an answering bridge, against a window with one heading
 * on the same runtime, and the memory that many photos leave behind. Goals: 1.5 times, and 1.2 times idle.
 */
export const benchStartUp = async (): Promise<Compared[]> => {
  const runtime = electronPath();
  if (runtime === null) throw new Error('Electron is not installed here.');
  const folder = mkdtempSync(join(tmpdir(), 'bench-start-'));
  const hello = helloWorld(join(folder, 'hello'));
  const dataDir = join(folder, 'data');
  const asRoot = process.platform === 'linux' && process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const args = [...asRoot, hello, `--user-data-dir=${join(folder, 'hello data')}`];
  const startHello = () => _electron.launch({ executablePath: runtime.path, args, env });
  const peer = `hello world on ${runtime.runs}`;
  try {
    // The first start of each makes its folders.
    await windowAfter(startHello);
    await windowAfter(() => launchApp(dataDir));
    return [
      await compare(
        { what: 'start to a usable window', unit: 'ms', peer },
        () => windowAfter(() => launchApp(dataDir)),
        () => windowAfter(startHello),
        rounds,
      ),
      await (async () => {
        await connect(dataDir);
        return compare(
          { what: 'start to the items of a connected person', unit: 'ms', peer },
          () => windowAfter(() => launchApp(dataDir)),
          () => windowAfter(startHello),
          rounds,
        );
      })(),
      await compare(
        { what: 'start to an answering bridge', unit: 'ms', peer },
        () => bridgeAfter(dataDir),
        () => windowAfter(startHello),
        rounds,
      ),
      await memory(folder),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { chromium, type Page } from 'playwright';
import sharp from 'sharp';
import { openInBrowserHost } from '../test/e2e/browserHost.ts';
import { chromiumPath } from '../test/e2e/chromiumPath.ts';
import { openInElectron, type ElectronHost } from '../test/e2e/electronHost.ts';
import { descendants } from '../test/helpers/hosts/descendants.ts';
import { against, compare, type Compared } from './compare.ts';

// Gains of single parts, on two cores:
// - Settings of the heaps: 412 → 187 MB after four minutes, of two runs side by side (V8's heap: 12 MB of it). In a soak of
//   an hour 197 MB at minute 10 and 200 at the end; another run without them went from 489 to 549 MB.
// - Schemas of rows made once: 35 of 119 MB of garbage for 100 photos.
// - Pictures of rows on a canvas (9 kB instead of 0.3 MB each): 46 MB after 1,000 photos (all processes 1.46 → 1.14 times the memory before the first).

/** `npm run bench -- hosts --photos=1000` leaves so many behind; the default is quick. */
const photos = Number(process.argv.find((word) => word.startsWith('--photos='))?.slice(9) ?? 100);
const photosInFolder = 10;
const foldersRated = 4;
const maxMsAPhoto = 10_000;
/** V8 takes its time. */
const restMs = 30_000;
/** Barcodes are read from the photos once all are prepared, and fifteen seconds later the process that does it ends. */
const maxMsUntilEnded = 600_000;

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

const drawPhotos = async (folder: string, folderCount: number): Promise<string[]> => {
  const pictures = await Promise.all(Array.from({ length: photosInFolder }, (_, at) => drawPicture(at)));
  const folders = Array.from({ length: folderCount }, (_, at) => join(folder, `thing ${at}`));
  for (const [at, one] of folders.entries()) {
    mkdirSync(one, { recursive: true });
    for (let index = 0; index < photosInFolder; index += 1) {
      // A byte behind the end makes each photo one of its own.
      writeFileSync(
        join(one, `IMG_${index}.jpg`),
        Buffer.concat([pictures[index] ?? Buffer.of(), Buffer.from(`${folder} ${at} ${index}`)]),
      );
    }
  }
  return folders;
};

type Listed = { rows: { step: string; progress: { done: number; total: number } | null }[] };

/** Calls the companion as its window does. */
export const call = (page: Page, name: string, input: unknown = {}): Promise<unknown> =>
  page.evaluate(
    async ([asked, given]) => {
      const { companion } = window as unknown as {
        companion: { call: (name: string, input: unknown) => Promise<{ value: unknown }> };
      };
      return (await companion.call(asked as string, given)).value;
    },
    [name, input],
  );

/** Connects with the practice service, which then takes no listing: its writer is not what is measured. */
const connect = async (page: Page): Promise<void> => {
  await page.waitForFunction(() => document.querySelector('h1') !== null);
  await call(page, 'connect.practice');
  const { service } = (await call(page, 'app.state')) as { service: { url: string } };
  await fetch(new URL('/practice/faults', service.url), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ method: 'POST', path: '/listings', times: 10_000, status: 503 }),
  });
};

/** Photos of dropped folders that are not prepared; all of those that have not been found yet. */
const countLeft = async (page: Page, itemCount: number): Promise<number> => {
  const { rows } = (await call(page, 'items.list', { limit: 200 })) as Listed;
  const toFind = (itemCount - rows.length) * photosInFolder;
  return rows.reduce(
    (sum, { step, progress }) => {
      return sum + (step === 'photos' && progress ? progress.total - progress.done : 0);
    },
    Math.max(0, toFind),
  );
};

/** Photos a second from the drop of folders until all are prepared. */
const ratePrepared = async (page: Page, folder: string, folderCount: number): Promise<number> => {
  const paths = await drawPhotos(folder, folderCount);
  const count = folderCount * photosInFolder;
  const { rows: before } = (await call(page, 'items.list', { limit: 200 })) as Listed;
  const from = performance.now();
  await call(page, 'items.add', { sources: { kind: 'paths', paths } });
  for (let left = count; left > 0; await wait(50)) {
    left = await countLeft(page, before.length + folderCount);
    if (performance.now() - from > count * maxMsAPhoto) throw new Error(`${left} photos were not prepared in time.`);
  }
  return count / ((performance.now() - from) / 1_000);
};

/** Megabytes of a process, with its share of what it has together with others; none of one that has ended. */
const megabytesOf = (pid: number): number => {
  try {
    return Number(/^Pss:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
};

/** Waits until an app has no more processes than that. */
const fewProcesses = async (pid: number, count: number): Promise<void> => {
  const from = performance.now();
  while (descendants(pid).length > count) {
    if (performance.now() - from > maxMsUntilEnded) throw new Error('The process for photos did not end.');
    await wait(1_000);
  }
};

/** Megabytes of the main process, and of all processes of the app, once it rests. */
const memoryOf = async ({ app }: ElectronHost): Promise<{ main: number; all: number }> => {
  await wait(restMs);
  const pid = app.process().pid ?? 0;
  const main = megabytesOf(pid);
  return { main, all: descendants(pid).reduce((sum, one) => sum + megabytesOf(one), main) };
};

const benchMemory = async (host: ElectronHost, folder: string): Promise<Compared[]> => {
  const before = await memoryOf(host);
  const pid = host.app.process().pid ?? 0;
  const processes = descendants(pid).length;
  const few = photosInFolder * 10;
  for (let at = 0; at * few < photos; at += 1) await ratePrepared(host.page, join(folder, `many ${at}`), 10);
  await call(host.page, 'app.pause', { paused: true });
  await fewProcesses(pid, processes);
  const after = await memoryOf(host);
  const what = (whose: string): string => `memory of ${whose} after ${photos} photos`;
  return [
    against(what('the main process'), 'MB', after.main, 'before the first', before.main),
    against(what('all processes'), 'MB', after.all, 'before the first', before.all),
  ];
};

/**
 * The same photos dropped on the desktop app and on the browser's host, and the memory that many of them leave behind in
 * the desktop app. Goals: 0.95 of the browser's rate, 1.1 and 1.15 times the memory before.
 */
export const benchHosts = async (): Promise<Compared[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'bench-hosts-'));
  const browser = await chromium.launch({ executablePath: chromiumPath() });
  const [desktop, plain] = [
    await openInElectron(join(folder, 'desktop data')),
    await openInBrowserHost(join(folder, 'browser data'), browser),
  ];
  try {
    await connect(desktop.page);
    await connect(plain.page);
    const memory = await benchMemory(desktop, folder);
    await call(desktop.page, 'app.pause', { paused: false });
    let round = 0;
    const rated = (page: Page, name: string) => () => {
      round += 1;
      return ratePrepared(page, join(folder, `${name} ${round}`), foldersRated);
    };
    const names = { what: 'photos prepared in the desktop app', unit: 'photos/s', peer: "in the browser's host" };
    return [await compare(names, rated(desktop.page, 'desktop'), rated(plain.page, 'browser')), ...memory];
  } finally {
    await desktop.stop();
    await plain.stop();
    await browser.close();
    rmSync(folder, { recursive: true, force: true });
  }
};

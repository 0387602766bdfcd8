import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { chromium, type Page } from 'playwright';
import sharp from 'sharp';
import * as z from 'zod';
import { openInBrowserHost } from '../test/e2e/browserHost.ts';
import { findChromium } from '../test/e2e/findChromium.ts';
import { callInWindow } from '../test/e2e/practiceControl.ts';
import { openInElectron, type ElectronHost } from '../test/e2e/electronHost.ts';
import { listDescendants } from '../test/helpers/hosts/listDescendants.ts';
import { against, compare, type Compared } from './compare.ts';

// Gains of single changes, measured on two cores:
// - Heap settings: 412 → 187 MB after four minutes, measured in two parallel runs. In a soak test of one hour, 197 MB at
//   minute 10 and 200 MB at the end. Another run without the settings grew from 489 to 549 MB.
// - Row schemas created once: 35 of 119 MB less garbage for 100 photos.
// - Row pictures on a canvas (9 kB instead of 0.3 MB each): 46 MB less after 1,000 photos. All processes used 1.14 times
//   instead of 1.46 times the memory before the first photo.

/** The number of photos before the second memory reading. Set with `npm run bench -- hosts --photos=1000`. */
const photos = Number(process.argv.find((word) => word.startsWith('--photos='))?.slice(9) ?? 100);
const photosInFolder = 10;
const foldersRated = 4;
const maxMsAPhoto = 10_000;
/** V8 returns memory to the system with a delay. */
const restMs = 30_000;
/** The photo process reads barcodes after the preparation, and ends after 15 s without work. */
const maxMsUntilEnded = 600_000;

/** Draws a picture that is unlike all others, because similar photos would be set aside as duplicates. */
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
      // Extra bytes after the end of the JPEG give each file different content.
      writeFileSync(
        join(one, `IMG_${index}.jpg`),
        Buffer.concat([pictures[index] ?? Buffer.of(), Buffer.from(`${folder} ${at} ${index}`)]),
      );
    }
  }
  return folders;
};

type Listed = { rows: { step: string; progress: { done: number; total: number } | null }[] };

const reply = z.object({ value: z.unknown() });

export const call = async (page: Page, name: string, input: unknown = {}): Promise<unknown> =>
  reply.parse(await callInWindow(page, name, input)).value;

/** Connects with practice data. A fault then refuses all drafts, so that no listing is generated during the measurement. */
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

/** Counts unprepared photos, including those of folders that have no item yet. */
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

/** Returns the proportional set size of a process in MB, or 0 if the process has ended. */
const megabytesOf = (pid: number): number => {
  try {
    return Number(/^Pss:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
};

const fewProcesses = async (pid: number, count: number): Promise<void> => {
  const from = performance.now();
  while (listDescendants(pid).length > count) {
    if (performance.now() - from > maxMsUntilEnded) throw new Error('The process for photos did not end.');
    await wait(1_000);
  }
};

/** Returns the memory of a process and all its descendants. */
export const readMemoryMb = (pid: number): number =>
  [pid, ...listDescendants(pid)].reduce((sum, one) => sum + megabytesOf(one), 0);

const memoryOf = async ({ app }: ElectronHost): Promise<{ main: number; all: number }> => {
  await wait(restMs);
  const pid = app.process().pid ?? 0;
  return { main: megabytesOf(pid), all: readMemoryMb(pid) };
};

const benchMemory = async (host: ElectronHost, folder: string): Promise<Compared[]> => {
  const before = await memoryOf(host);
  const pid = host.app.process().pid ?? 0;
  const processes = listDescendants(pid).length;
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
 * Compares photo preparation in the desktop app and in the browser host, and measures the memory that the desktop app
 * retains. Goals: 0.95 times the rate of the browser host, and 1.1 and 1.15 times the memory before.
 */
export const benchHosts = async (): Promise<Compared[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'bench-hosts-'));
  const browser = await chromium.launch({ executablePath: findChromium() });
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

import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { getPriority } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { createWeightedSemaphore } from '../../../../src/isolated/weightedSemaphore.ts';
import { getFixtureFolder } from '../../../helpers/photos/getFixtureFolder.ts';
import { listMetadata, expectPrepared, startWorkers, createTempDir } from '../../../helpers/photos/photoWorld.ts';
import { listDescendants } from '../../../helpers/hosts/listDescendants.ts';
import { kitchenCode } from '../../../helpers/photos/startKitchen.ts';

/** The requested long edge that marks a photo for the test thread. */
const marked = 666;

/** Writes a thread that dies on the marked photo this many times and otherwise works like the real thread. */
const writeMortalThread = async (times: number): Promise<{ url: URL; dir: string }> => {
  const dir = await createTempDir();
  const path = join(dir, 'mortalThread.mjs');
  await writeFile(
    path,
    `import { parentPort, threadId } from 'node:worker_threads';
     parentPort.on('message', ({ job }) => {
       if (job?.longEdgePx === ${marked} && threadId <= ${times}) process.exit(7);
     });
     await import(${JSON.stringify(kitchenCode.thread.href)});`,
  );
  return { url: pathToFileURL(path), dir };
};

describe('the photo queue', () => {
  test('drops aborted photos at once and continues with the other photos', async () => {
    const dir = await getFixtureFolder();
    const { workers, outDir } = await startWorkers({ size: 1, ownKitchen: true });
    const source = join(dir, 'good/large.jpg');
    const abort = new AbortController();
    const cancelled = [1500, 1501, 1502].map((longEdgePx) =>
      workers.prepare({ source, outDir, longEdgePx }, abort.signal),
    );
    const kept = workers.prepare({ source, outDir, longEdgePx: 900 });
    const outcomes = Promise.allSettled(cancelled);
    setTimeout(() => abort.abort(), 30);
    expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(expectPrepared(await kept).width).toBe(900);
    await expect(workers.prepare({ source, outDir }, abort.signal)).rejects.toThrow(/abort/i);
    expect((await readdir(outDir)).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  test('prefers thumbnails but does not delay a photo until all thumbnails are done', async () => {
    const photo = await readFile(join(await getFixtureFolder(), 'good', 'photo.jpg'));
    const { workers, outDir } = await startWorkers({ size: 1, ownKitchen: true });
    const dir = await createTempDir();
    const sources = Array.from({ length: 42 }, (_, nth) => join(dir, `${nth}.jpg`));
    for (const source of sources) await writeFile(source, photo);
    const [own = '', ...others] = sources;
    const thumbnail = (source: string) => workers.thumbnail({ source, outDir }).then(noted('thumbnail'));
    const order: string[] = [];
    const noted = (name: string) => () => void order.push(name);
    const all = [
      ...others.slice(0, 6).map(thumbnail),
      workers.prepare({ source: own, outDir }).then(noted('photo')),
      ...others.slice(6).map(thumbnail),
    ];
    await Promise.all(all);
    expect(order.indexOf('photo')).toBeGreaterThan(5);
    expect(order.indexOf('photo')).toBeLessThan(25);
  });

  test('replaces a dead worker and retries its photo', async () => {
    const dir = await getFixtureFolder();
    const { workers, outDir } = await startWorkers({ size: 1, thread: await writeMortalThread(1) });
    expectPrepared(await workers.prepare({ source: join(dir, 'good/large.jpg'), outDir, longEdgePx: marked }));
  });

  test('refuses a photo that crashes its worker twice without affecting other photos', async () => {
    const dir = await getFixtureFolder();
    const { workers, outDir } = await startWorkers({ size: 1, thread: await writeMortalThread(2) });
    const [bad, good] = await Promise.all([
      workers.prepare({ source: join(dir, 'good/large.jpg'), outDir, longEdgePx: marked }),
      workers.prepare({ source: join(dir, 'good/photo.jpg'), outDir }),
    ]);
    expect(bad).toMatchObject({ ok: false, code: 'WORKER_DIED' });
    expectPrepared(good);
  });

  test('rejects queued photos when the workers are closed', async () => {
    const dir = await getFixtureFolder();
    const { workers, outDir } = await startWorkers({ size: 1, ownKitchen: true });
    const waiting = Promise.allSettled(
      [700, 701].map((longEdgePx) => workers.prepare({ source: join(dir, 'good/large.jpg'), outDir, longEdgePx })),
    );
    await workers.close();
    expect((await waiting).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await expect(workers.prepare({ source: 'x', outDir })).rejects.toThrow('closed');
  });

  test('starts jobs in order within a weight limit, and an oversized job alone', () => {
    const room = createWeightedSemaphore(100);
    const inside: string[] = [];
    const enter = (name: string, amount: number) => room.ask(amount, () => inside.push(name));
    const first = enter('first', 60);
    const second = enter('second', 40);
    const huge = enter('huge', 500);
    const small = enter('small', 10);
    expect(inside).toEqual(['first', 'second']);
    first.leave();
    first.leave();
    expect(inside).toEqual(['first', 'second']);
    second.leave();
    expect(inside).toEqual(['first', 'second', 'huge']);
    huge.leave();
    expect(inside).toEqual(['first', 'second', 'huge', 'small']);
    small.leave();
  });

  test('does not keep the process alive while the photo process is idle', async () => {
    const dir = await getFixtureFolder();
    const outDir = await createTempDir();
    const source = (path: string): string => JSON.stringify(new URL(`../../../../${path}`, import.meta.url).href);
    const script = `import { createPhotoWorkers } from ${source('src/core/photos/photoWorkers.ts')};
      import { startKitchen } from ${source('test/helpers/photos/startKitchen.ts')};
      const workers = createPhotoWorkers({ startKitchen });
      const photo = await workers.prepare(${JSON.stringify({ source: join(dir, 'good/photo.jpg'), outDir })});
      console.log(photo.ok);`;
    const run = promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], { timeout: 20_000 });
    expect((await run).stdout.trim()).toBe('true');
  });
});

describe.skipIf(process.platform !== 'linux')('photo workers on Linux', () => {
  test('lower only the priority of photo preparation', async () => {
    const dir = await getFixtureFolder();
    const { workers, outDir } = await startWorkers({ size: 1, ownKitchen: true });
    const ownNice = getPriority();
    await workers.prepare({ source: join(dir, 'good/photo.jpg'), outDir });
    const tasks = listDescendants(process.pid).flatMap((pid) =>
      readdirSync(`/proc/${pid}/task`).map((task) => `/proc/${pid}/task/${task}/stat`),
    );
    const niceIn = (stat: string): number => Number(readFileSync(stat, 'utf8').split(') ')[1]?.split(' ')[16]);
    expect(tasks.map(niceIn)).toEqual(tasks.map(() => 10));
    expect(tasks.length).toBeGreaterThan(5);
    expect(niceIn('/proc/self/stat')).toBe(ownNice);
  });

  test.skipIf(!existsSync('/proc/self/autogroup'))(
    'also give way to programs that were started in another session',
    async () => {
      const dir = await getFixtureFolder();
      const { workers, outDir } = await startWorkers({ size: 1, ownKitchen: true });
      const own = readFileSync('/proc/self/autogroup', 'utf8');
      await workers.prepare({ source: join(dir, 'good/photo.jpg'), outDir });
      const readSessions = () =>
        listDescendants(process.pid).map((pid) => readFileSync(`/proc/${pid}/autogroup`, 'utf8'));
      await expect.poll(() => readSessions().filter((session) => !session.endsWith('nice 10\n'))).toEqual([]);
      expect(readSessions().length).toBeGreaterThan(0);
      expect(readFileSync('/proc/self/autogroup', 'utf8')).toBe(own);
    },
  );
});

describe('photo thumbnails', () => {
  test('are small, upright and without metadata', async () => {
    const dir = await getFixtureFolder();
    const { workers, outDir } = await startWorkers();
    for (const name of ['orientation-6.jpg', 'large.jpg', 'photo.webp', 'photo.avif']) {
      const seen = await workers.thumbnail({ source: join(dir, 'good', name), outDir });
      const facts = await sharp(seen?.thumbPath).metadata();
      expect([name, facts.width, facts.height]).toEqual([name, 320, 240]);
      expect(await listMetadata(seen?.thumbPath ?? '')).toEqual([]);
    }
    for (const name of ['text.jpg', 'empty.jpg', 'gone.jpg']) {
      expect(await workers.thumbnail({ source: join(dir, 'bad', name), outDir })).toBeNull();
    }
  });
});

describe('the WebAssembly image library', () => {
  test('prepares photos of the same size as the native library', async () => {
    const dir = await getFixtureFolder();
    const { workers, outDir } = await startWorkers({ forceWasm: true, size: 1 });
    for (const name of ['orientation-6.jpg', 'photo.png', 'photo.webp']) {
      expect(expectPrepared(await workers.prepare({ source: join(dir, 'good', name), outDir }))).toMatchObject({
        width: 400,
        height: 300,
      });
    }
  });
});

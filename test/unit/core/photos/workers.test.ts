import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { createWeightedSemaphore } from '../../../../src/core/photos/photoThread.ts';
import { fixtures } from '../../../helpers/photos/fixtures.ts';
import { metadataIn, ready, startWorkers, tempDir, workerUrl } from '../../../helpers/photos/photoWorld.ts';

/** Writes a worker that dies on the photos whose name fits, as often as told, and is the real one otherwise. */
const mortalWorker = async (times: number): Promise<URL> => {
  const dir = await tempDir();
  const path = join(dir, 'mortalWorker.mjs');
  await writeFile(
    path,
    `import { parentPort } from 'node:worker_threads';
     import { existsSync, writeFileSync } from 'node:fs';
     parentPort.on('message', ({ source = '' }) => {
       if (!source.includes('large')) return;
       for (let i = 0; i < ${times}; i++) {
         const grave = ${JSON.stringify(dir)} + '/' + i;
         if (existsSync(grave)) continue;
         writeFileSync(grave, '');
         process.exit(7);
       }
     });
     await import(${JSON.stringify(workerUrl.href)});`,
  );
  return pathToFileURL(path);
};

describe('the line', () => {
  test('a cancelled photo leaves at once, whether it waits or is in work; the rest goes on', async () => {
    const dir = await fixtures();
    const { workers, outDir } = await startWorkers({ size: 1 });
    const source = join(dir, 'good/large.jpg');
    const abort = new AbortController();
    const cancelled = [1500, 1501, 1502].map((longEdgePx) =>
      workers.prepare({ source, outDir, longEdgePx }, abort.signal),
    );
    const kept = workers.prepare({ source, outDir, longEdgePx: 900 });
    const outcomes = Promise.allSettled(cancelled);
    setTimeout(() => abort.abort(), 30);
    expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(ready(await kept).width).toBe(900);
    await expect(workers.prepare({ source, outDir }, abort.signal)).rejects.toThrow(/abort/i);
    expect((await readdir(outDir)).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  test('glances go first, but a photo is not kept waiting by all of them', async () => {
    const source = join(await fixtures(), 'good', 'photo.jpg');
    const { workers, outDir } = await startWorkers({ size: 1 });
    const order: string[] = [];
    const noted = (name: string) => () => void order.push(name);
    const all = [
      workers.thumbnail({ source, outDir }).then(noted('glance')),
      workers.prepare({ source, outDir }).then(noted('photo')),
      ...Array.from({ length: 30 }, () => workers.thumbnail({ source, outDir }).then(noted('glance'))),
    ];
    await Promise.all(all);
    expect(order.indexOf('photo')).toBeGreaterThan(3);
    expect(order.indexOf('photo')).toBeLessThan(15);
  });

  test('a worker that dies is replaced and its photo tried once more', async () => {
    const dir = await fixtures();
    const { workers, outDir } = await startWorkers({ size: 1, url: await mortalWorker(1) });
    ready(await workers.prepare({ source: join(dir, 'good/large.jpg'), outDir }));
  });

  test('a photo that ends its worker twice is refused, and others are not harmed', async () => {
    const dir = await fixtures();
    const { workers, outDir } = await startWorkers({ size: 1, url: await mortalWorker(2) });
    const [bad, good] = await Promise.all([
      workers.prepare({ source: join(dir, 'good/large.jpg'), outDir }),
      workers.prepare({ source: join(dir, 'good/photo.jpg'), outDir }),
    ]);
    expect(bad).toMatchObject({ ok: false, code: 'WORKER_DIED' });
    ready(good);
  });

  test('closing rejects what waits and ends the threads', async () => {
    const dir = await fixtures();
    const { workers, outDir } = await startWorkers({ size: 1 });
    const waiting = Promise.allSettled(
      [700, 701].map((longEdgePx) => workers.prepare({ source: join(dir, 'good/large.jpg'), outDir, longEdgePx })),
    );
    await workers.close();
    expect((await waiting).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await expect(workers.prepare({ source: 'x', outDir })).rejects.toThrow('closed');
  });

  test('the room lets in what fits, in order, and the largest alone', () => {
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

  test('idle threads do not keep the process alive', async () => {
    const dir = await fixtures();
    const outDir = await tempDir();
    const script = `import { createPhotoWorkers } from ${JSON.stringify(new URL('../workers.ts', workerUrl).href)};
      const workers = createPhotoWorkers({ workerUrl: new URL(${JSON.stringify(workerUrl.href)}) });
      const photo = await workers.prepare(${JSON.stringify({ source: join(dir, 'good/photo.jpg'), outDir })});
      console.log(photo.ok);`;
    const run = promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], { timeout: 20_000 });
    expect((await run).stdout.trim()).toBe('true');
  });
});

describe.skipIf(process.platform !== 'linux')('on Linux', () => {
  test('photos are prepared at low priority, and the rest of the process is not', async () => {
    const dir = await fixtures();
    const { workers, outDir } = await startWorkers({ size: 1 });
    await workers.prepare({ source: join(dir, 'good/photo.jpg'), outDir });
    const niceOf = (task: string): number =>
      Number(readFileSync(`/proc/self/task/${task}/stat`, 'utf8').split(') ')[1]?.split(' ')[16]);
    const decoding = readdirSync('/proc/self/task').filter((task) =>
      readFileSync(`/proc/self/task/${task}/comm`, 'utf8').startsWith('libuv-worker'),
    );
    expect(decoding.map(niceOf)).toEqual(decoding.map(() => 10));
    expect(decoding.length).toBeGreaterThan(0);
    expect(niceOf(String(process.pid))).toBe(0);
  });
});

describe('a glance', () => {
  test('gives a small picture without metadata, upright, and nothing for what is no photo', async () => {
    const dir = await fixtures();
    const { workers, outDir } = await startWorkers();
    for (const name of ['orientation-6.jpg', 'large.jpg', 'photo.webp', 'photo.avif']) {
      const seen = await workers.thumbnail({ source: join(dir, 'good', name), outDir });
      const facts = await sharp(seen?.thumbPath).metadata();
      expect([name, facts.width, facts.height]).toEqual([name, 320, 240]);
      expect(await metadataIn(seen?.thumbPath ?? '')).toEqual([]);
    }
    for (const name of ['text.jpg', 'empty.jpg', 'gone.jpg']) {
      expect(await workers.thumbnail({ source: join(dir, 'bad', name), outDir })).toBeNull();
    }
  });
});

describe('the WebAssembly build', () => {
  test('prepares the same photos', async () => {
    const dir = await fixtures();
    const { workers, outDir } = await startWorkers({ forceWasm: true, size: 1 });
    for (const name of ['orientation-6.jpg', 'photo.png', 'photo.webp']) {
      expect(ready(await workers.prepare({ source: join(dir, 'good', name), outDir }))).toMatchObject({
        width: 400,
        height: 300,
      });
    }
  });

  const libs = ['glib', 'gobject', 'gio'].map((name) => `/usr/lib/x86_64-linux-gnu/lib${name}-2.0.so.0`);
  const absent = libs.filter((lib) => !existsSync(lib));
  if (absent.length > 0) console.log(`The check against the system's GLib is skipped: ${absent.join(', ')} not found.`);

  test.skipIf(absent.length > 0)(
    'does not meet the GLib that Electron has loaded on Linux; native sharp does',
    async () => {
      const dir = await fixtures();
      const stderr = async (forceWasm: boolean): Promise<string> => {
        const outDir = await tempDir();
        const script = `import { createPhotoWorkers } from ${JSON.stringify(new URL('../workers.ts', workerUrl).href)};
        const workers = createPhotoWorkers({ workerUrl: new URL(${JSON.stringify(workerUrl.href)}), forceWasm: ${forceWasm} });
        for (const name of ['photo.jpg', 'photo.avif', 'photo.tif']) {
          const photo = await workers.prepare({ source: ${JSON.stringify(join(dir, 'good'))} + '/' + name, outDir: ${JSON.stringify(outDir)} });
          console.error('ok', photo.ok);
        }`;
        const env = { ...process.env, LD_PRELOAD: libs.join(' ') };
        const run = promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
          env,
          timeout: 30_000,
        });
        return (await run.catch((error: unknown) => ({ stderr: String((error as { stderr?: unknown }).stderr) })))
          .stderr;
      };
      expect(await stderr(false)).toContain('GLib-GObject-CRITICAL');
      const wasm = await stderr(true);
      expect(wasm).not.toContain('CRITICAL');
      expect(wasm.match(/ok true/g)).toHaveLength(3);
    },
  );
});

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { createPhotoWorkers } from '../src/core/photos/workers.ts';
import { compare, type Compared } from './compare.ts';

const photos = 12;
const [width, height] = [4032, 3024];

/** Photos as a phone makes them: 12 megapixels, noise and detail, tagged Display P3. */
const phonePhotos = async (folder: string): Promise<string[]> => {
  const noise = await sharp({
    create: { width, height, channels: 3, background: '#888', noise: { type: 'gaussian', mean: 128, sigma: 40 } },
  })
    .png()
    .toBuffer();
  const paths = Array.from({ length: photos }, (_, index) => join(folder, `IMG_${index}.jpg`));
  for (const [index, path] of paths.entries()) {
    const tint = { r: 120 + index * 8, g: 160, b: 200 - index * 8 };
    const bytes = await sharp(noise).blur(3).tint(tint).withIccProfile('p3').jpeg({ quality: 90 }).toBuffer();
    await writeFile(path, bytes);
  }
  return paths;
};

/** The obvious way with the same library: upright, shrunk, sRGB, JPEG, a thumbnail beside it, two at a time. */
const obvious = async (paths: string[], outDir: string): Promise<void> => {
  const line = [...paths];
  const work = async () => {
    for (let path = line.shift(); path !== undefined; path = line.shift()) {
      const upright = sharp(path).autoOrient();
      const out = join(outDir, `${line.length}-${Math.random()}`);
      await upright.clone().resize(1600, 1600, { fit: 'inside' }).jpeg({ quality: 82 }).toFile(`${out}.jpg`);
      await upright.clone().resize(320, 320, { fit: 'inside' }).jpeg({ quality: 82 }).toFile(`${out}.thumb.jpg`);
    }
  };
  await Promise.all([work(), work()]);
};

/** Photos a second from phone JPEGs to upload-ready ones, against the obvious chain of the same library. */
export const benchPhotos = async (): Promise<Compared> => {
  const folder = await mkdtemp(join(tmpdir(), 'bench-photos-'));
  const paths = await phonePhotos(folder);
  const workers = createPhotoWorkers({ workerUrl: new URL('../src/core/photos/worker.ts', import.meta.url), size: 2 });
  const perSecond = async (run: (outDir: string) => Promise<unknown>): Promise<number> => {
    const outDir = await mkdtemp(join(folder, 'out-'));
    const from = performance.now();
    await run(outDir);
    return photos / ((performance.now() - from) / 1_000);
  };
  try {
    return await compare(
      { what: 'photos prepared (12 MP, P3)', unit: 'photos/s', peer: 'sharp, the obvious chain' },
      () => perSecond((outDir) => Promise.all(paths.map((source) => workers.prepare({ source, outDir })))),
      () => perSecond((outDir) => obvious(paths, outDir)),
    );
  } finally {
    await workers.close();
    await rm(folder, { recursive: true, force: true });
  }
};

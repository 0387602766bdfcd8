import { mkdir, mkdtemp, open, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { findPhotosInPaths } from '../src/core/photos/findPhotos.ts';
import { compare, type Compared } from './compare.ts';

const folders = 20;
const photosEach = 500;

const manyPhotos = async (root: string): Promise<void> => {
  const photo = await sharp({ create: { width: 320, height: 240, channels: 3, background: '#a86' } })
    .jpeg()
    .toBuffer();
  for (let folder = 0; folder < folders; folder += 1) {
    const path = join(root, `item ${folder}`);
    await mkdir(path);
    for (let at = 0; at < photosEach; at += 1) await writeFile(join(path, `IMG_${at}.jpg`), photo);
  }
};

/** The minimum work of any implementation: lists the names and opens each file once. */
const plain = async (root: string): Promise<number> => {
  let files = 0;
  for (const entry of await readdir(root, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile()) continue;
    await (await open(join(entry.parentPath, entry.name))).close();
    files += 1;
  }
  return files;
};

const timed = async (work: () => Promise<number>): Promise<number> => {
  const from = performance.now();
  if ((await work()) !== folders * photosEach) throw new Error('Not all photos were found.');
  return performance.now() - from;
};

export const benchIntake = async (): Promise<Compared> => {
  const root = await mkdtemp(join(tmpdir(), 'bench-intake-'));
  try {
    await manyPhotos(root);
    return await compare(
      { what: '10,000 photos found', unit: 'ms', peer: 'readdir and open' },
      () =>
        timed(async () => (await findPhotosInPaths([root])).groups.reduce((sum, { photos }) => sum + photos.length, 0)),
      () => timed(() => plain(root)),
    );
  } finally {
    await rm(root, { recursive: true, force: true });
  }
};

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { onTestFinished } from 'vitest';
import type { StartProcess } from '../../../src/isolated/processClient.ts';
import { createPhotoWorkers } from '../../../src/core/photos/photoWorkers.ts';
import { kitchen } from '../../../src/host/kitchen.ts';
import { sharedKitchen } from './sharedKitchen.ts';
import { kitchenCode } from './startKitchen.ts';
import type { PreparedPhoto, ReadyPhoto } from '../../../src/core/photos/preparedPhotos.ts';

/** Creates a folder that is deleted after the test. */
export const createTempDir = async (): Promise<string> => {
  const dir = await mkdtemp(join(tmpdir(), 'photos-test-'));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  return dir;
};

type WorkersOptions = {
  size?: number;
  /** Starts a photo process for this test only, for tests of its start, failure or end. */
  ownKitchen?: boolean;
  forceWasm?: boolean;
  /** The module of the photo process's threads, and the additional folder that it reads. */
  thread?: { url: URL; dir: string };
};

/** Returns the function that starts the photo process, with a test's own threads if given. */
export const testKitchen = ({ forceWasm = false, thread }: WorkersOptions = {}): StartProcess => {
  const code = thread
    ? { ...kitchenCode, thread: thread.url, readable: [...kitchenCode.readable, thread.dir] }
    : kitchenCode;
  return kitchen.starter(code, { kind: 'node', path: process.execPath }, { wasm: forceWasm });
};

/**
 * Starts photo workers with a real photo process, and a folder for prepared photos. All tests of a test process share
 * one photo process unless a test needs its own or a different one.
 */
export const startWorkers = async (options: WorkersOptions = {}) => {
  const outDir = await createTempDir();
  const { size, ownKitchen = false, forceWasm, thread } = options;
  const isOwn = ownKitchen || forceWasm !== undefined || thread !== undefined;
  const workers = createPhotoWorkers({
    startKitchen: isOwn ? testKitchen(options) : sharedKitchen,
    ...(size === undefined ? {} : { size }),
  });
  onTestFinished(() => workers.close());
  return { workers, outDir };
};

/** Returns a prepared photo, or fails the test with the photo's error. */
export const expectPrepared = (photo: PreparedPhoto): ReadyPhoto => {
  if (!photo.ok) throw new Error(`refused: ${photo.code} ${photo.sentence}`);
  return photo;
};

/**
 * Returns the colour of a pixel of a picture file; the position is a fraction of width and height, each colour 0 to
 * 255.
 */
export const readColour = async (path: string, x: number, y: number): Promise<[number, number, number]> => {
  const { data, info } = await sharp(path).raw().toBuffer({ resolveWithObject: true });
  const at = (Math.floor(y * info.height) * info.width + Math.floor(x * info.width)) * info.channels;
  return [data[at] ?? -1, data[at + 1] ?? -1, data[at + 2] ?? -1];
};

/** Returns the mean difference between two pictures of equal size, 0 (same) to 255. */
export const measureDifference = async (one: string, other: string): Promise<number> => {
  const pixels = (path: string) => sharp(path).raw().toBuffer();
  const [a, b] = await Promise.all([pixels(one), pixels(other)]);
  if (a.length !== b.length) return 255;
  return a.reduce((sum, value, i) => sum + Math.abs(value - (b[i] ?? 0)), 0) / a.length;
};

/** Returns the metadata of a picture file that any reader of EXIF, XMP, IPTC or profiles would find. */
export const listMetadata = async (path: string): Promise<string[]> => {
  const facts = await sharp(path).metadata();
  const blocks = ['exif', 'xmp', 'iptc', 'icc', 'orientation', 'comments', 'tifftagPhotoshop'] as const;
  return blocks.filter((name) => facts[name] !== undefined);
};

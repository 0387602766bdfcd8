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

/** A folder that is gone after the test. */
export const tempDir = async (): Promise<string> => {
  const dir = await mkdtemp(join(tmpdir(), 'photos-test-'));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  return dir;
};

type WorkersOptions = {
  size?: number;
  /** Starts a kitchen for this test alone: for tests of what a kitchen does when it starts, fails or is ended. */
  ownKitchen?: boolean;
  forceWasm?: boolean;
  /** The module of the kitchen's threads, and the folder that it reads beside its own code. */
  thread?: { url: URL; dir: string };
};

/** What starts the kitchen, with threads of a test's own where it brings them. */
export const testKitchen = ({ forceWasm = false, thread }: WorkersOptions = {}): StartProcess => {
  const code = thread
    ? { ...kitchenCode, thread: thread.url, readable: [...kitchenCode.readable, thread.dir] }
    : kitchenCode;
  return kitchen.starter(code, { kind: 'node', path: process.execPath }, { wasm: forceWasm });
};

/**
 * What prepares photos in a real kitchen, until the test ends, and a folder for what is prepared. It is the kitchen that the
 * tests of a process share, unless the test wants one of its own, or another one than usual.
 */
export const startWorkers = async (options: WorkersOptions = {}) => {
  const outDir = await tempDir();
  const { size, ownKitchen = false, forceWasm, thread } = options;
  const isOwn = ownKitchen || forceWasm !== undefined || thread !== undefined;
  const workers = createPhotoWorkers({
    startKitchen: isOwn ? testKitchen(options) : sharedKitchen,
    ...(size === undefined ? {} : { size }),
  });
  onTestFinished(() => workers.close());
  return { workers, outDir };
};

/** Narrows to a prepared photo; fails the test with the sentence otherwise. */
export const ready = (photo: PreparedPhoto): ReadyPhoto => {
  if (!photo.ok) throw new Error(`refused: ${photo.code} ${photo.sentence}`);
  return photo;
};

/** The colour of one pixel (given as a part of width and height) of a picture file, 0 to 255 each. */
export const colourAt = async (path: string, x: number, y: number): Promise<[number, number, number]> => {
  const { data, info } = await sharp(path).raw().toBuffer({ resolveWithObject: true });
  const at = (Math.floor(y * info.height) * info.width + Math.floor(x * info.width)) * info.channels;
  return [data[at] ?? -1, data[at + 1] ?? -1, data[at + 2] ?? -1];
};

/** How far two pictures of one size are apart on average, 0 (same) to 255. */
export const distance = async (one: string, other: string): Promise<number> => {
  const pixels = (path: string) => sharp(path).raw().toBuffer();
  const [a, b] = await Promise.all([pixels(one), pixels(other)]);
  if (a.length !== b.length) return 255;
  return a.reduce((sum, value, i) => sum + Math.abs(value - (b[i] ?? 0)), 0) / a.length;
};

/** Everything a picture file says beside its pixels: what any reader of EXIF, XMP, IPTC or profiles would find. */
export const metadataIn = async (path: string): Promise<string[]> => {
  const facts = await sharp(path).metadata();
  const blocks = ['exif', 'xmp', 'iptc', 'icc', 'orientation', 'comments', 'tifftagPhotoshop'] as const;
  return blocks.filter((name) => facts[name] !== undefined);
};

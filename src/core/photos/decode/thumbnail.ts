import { mkdir, stat, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { toSrgb } from './colour.ts';
import { encodeThumbnail, quality, thumbnailPx, within } from './encode.ts';
import { readExif } from './exif.ts';
import { isCutShort } from './heifBoxes.ts';
import { openHeif } from './heifDecoder.ts';
import { sha256, writeWhole } from './keepPrepared.ts';
import { maxFileBytes } from './refusals.ts';
import { detectFormat } from '../detectFormat.ts';
import { openInside, rootsOf, type Original } from '../openInside.ts';
import type { Sharp } from './sharpBackend.ts';

/** One original to show at once: its path, and the folder for the small picture. */
export type ThumbnailJob = Original & { outDir: string };

/** EXIF, with its small picture, lies at the start; 256 KB hold it with room for a colour profile. */
const exifBytes = 256 * 1024;
/** A glance must be quick: what cannot be shrunk while it is decoded is left to preparation above this. */
const quickPixels = 30e6;
/** Turns of the orientations phones write; mirrored ones are rare and take the slower way. */
const turns: Partial<Record<number, number>> = { 1: 0, 3: 180, 6: 90, 8: 270 };

const startOf = async (file: FileHandle): Promise<Buffer> => {
  const { bytesRead, buffer } = await file.read(Buffer.alloc(exifBytes), 0, exifBytes, 0);
  return buffer.subarray(0, bytesRead);
};

/** All of a file of which the start was read by its place, which leaves the reading where it began. */
const wholeOf = (file: FileHandle): Promise<Buffer> => file.readFile();

/** The small picture cameras store in EXIF, turned; null when there is none or it has black bars (another shape). */
const fromExif = async (sharp: Sharp, start: Buffer): Promise<Buffer | null> => {
  const stored = readExif(start).thumbnail;
  if (!stored) return null;
  const [photo, small] = await Promise.all([sharp(start).metadata(), sharp(stored).metadata()]);
  const angle = turns[photo.orientation ?? 1];
  const sameShape = Math.abs(photo.width / photo.height / (small.width / small.height) - 1) < 0.03;
  if (angle === undefined || !sameShape) return null;
  return sharp(stored).rotate(angle).resize(within(thumbnailPx)).jpeg({ quality }).toBuffer();
};

const fromHeic = async (sharp: Sharp, bytes: Uint8Array): Promise<Buffer | null> => {
  if (isCutShort(bytes)) return null;
  const photo = openHeif(bytes);
  try {
    const small = photo.decodeThumbnail();
    if (!small) return null;
    return await encodeThumbnail(sharp, await toSrgb(sharp, small, photo.icc));
  } finally {
    photo.close();
  }
};

const shrunk = async (sharp: Sharp, bytes: Buffer, isJpeg: boolean): Promise<Buffer | null> => {
  const { width, height } = await sharp(bytes, { limitInputPixels: false }).metadata();
  if (!isJpeg && width * height > quickPixels) return null;
  return sharp(bytes, { limitInputPixels: false, failOn: 'none' })
    .autoOrient()
    .resize(within(thumbnailPx))
    .flatten({ background: '#ffffff' })
    .jpeg({ quality })
    .toBuffer();
};

const make = async (sharp: Sharp, file: FileHandle, bytes: number): Promise<Buffer | null> => {
  const start = await startOf(file);
  const format = await detectFormat(start);
  if (format === 'jpeg') {
    const stored = await fromExif(sharp, start).catch(() => null);
    if (stored) return stored;
  }
  if (!['jpeg', 'png', 'webp', 'avif', 'tiff', 'heic'].includes(format)) return null;
  const whole = bytes > start.length ? await wholeOf(file) : start;
  return format === 'heic' ? fromHeic(sharp, whole) : shrunk(sharp, whole, format === 'jpeg');
};

/**
 * A small picture of an original as quickly as it can be had: the one in its EXIF or HEIC container, otherwise a fast
 * shrink. Without metadata. Null when there is none to be had quickly, or at all; whether the photo can be used is for
 * preparation to say.
 */
export const makeThumbnail = async (sharp: Sharp, job: ThumbnailJob): Promise<{ thumbPath: string } | null> => {
  const file = await openInside(rootsOf(job), job.source).catch(() => null);
  try {
    if (file === null) return null;
    const { size, mtimeMs } = await file.stat();
    if (size === 0 || size > maxFileBytes) return null;
    // Hashing the whole file would cost more than the glance; a changed file has another time or size.
    const name = sha256(`glance ${job.source} ${size} ${mtimeMs}`).slice(0, 40);
    const thumbPath = join(job.outDir, `${name}.glance.jpg`);
    if (await stat(thumbPath).catch(() => null)) return { thumbPath };
    const picture = await make(sharp, file, size);
    if (!picture) return null;
    await mkdir(job.outDir, { recursive: true });
    await writeWhole(thumbPath, picture);
    return { thumbPath };
  } catch {
    return null;
  } finally {
    await file?.close();
  }
};

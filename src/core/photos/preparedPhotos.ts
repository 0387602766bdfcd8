import * as z from 'zod';
import { hash } from 'node:crypto';
import { mkdir, readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { systemDisk, type Disk } from '../../disk/disk.ts';
import { writeWhole } from '../../disk/writeWhole.ts';
import {
  type PhotoFormat,
  type PreparationOptions,
  type PhotoEdits,
  photoAnalysis,
} from '../../photoContract/messages.ts';
import { encodeQuality } from '../../photoContract/constants.ts';
import { getFileErrorCode, type Refusal } from '../../photoContract/refusals.ts';
import { RefusedPhoto } from '../../photoContract/refusedPhoto.ts';
import type { Original } from './openInside.ts';

/**
 * Increase this number when prepared photos would come out differently, so that files of older versions are not reused.
 */
const recipeVersion = 3;

/** Returns the SHA-256 in hex. */
export const hashSha256 = (bytes: Uint8Array | string): string => hash('sha256', bytes);

export type PreparedPaths = { photo: string; thumb: string; note: string; format: PhotoFormat };

const formatExtensions: Record<PhotoFormat, string> = { jpeg: 'jpg', webp: 'webp' };

/** Returns the paths of the prepared files. They depend only on the original's bytes and the options. */
export const getPreparedPaths = (
  outDir: string,
  originalSha256: string,
  { longEdgePx, format, edits }: PreparationOptions,
): PreparedPaths => {
  const { quarterTurns, straightenDeg, crop, brighten } = edits;
  const part = crop && [crop.left, crop.top, crop.width, crop.height];
  const way = [
    recipeVersion,
    originalSha256,
    longEdgePx,
    format,
    encodeQuality,
    quarterTurns,
    straightenDeg,
    part,
    brighten,
  ];
  const name = join(outDir, hashSha256(JSON.stringify(way)).slice(0, 40));
  return { photo: `${name}.${formatExtensions[format]}`, thumb: `${name}.thumb.jpg`, note: `${name}.json`, format };
};

const toReadyPhoto = (place: PreparedPaths, facts: PhotoFacts): ReadyPhoto => ({
  ok: true,
  path: place.photo,
  thumbPath: place.thumb,
  contentType: `image/${place.format}`,
  ...facts,
});

/** Returns the prepared photo if all its files exist, else null. */
export const findPreparedPhoto = async (place: PreparedPaths): Promise<ReadyPhoto | null> => {
  try {
    const facts = photoFacts.parse(JSON.parse(await readFile(place.note, 'utf8')));
    const [photo, thumb] = await Promise.all([stat(place.photo), stat(place.thumb)]);
    return photo.size === facts.bytes && thumb.size > 0 ? toReadyPhoto(place, facts) : null;
  } catch {
    return null;
  }
};

/** Converts a file system error to a refusal. */
export const toWriteRefusal = (error: unknown): RefusedPhoto => {
  const code = getFileErrorCode(error, 'CANNOT_WRITE');
  return new RefusedPhoto(code === 'NO_SPACE' || code === 'MACHINE_BUSY' ? code : 'CANNOT_WRITE', error);
};

/**
 * Stores a prepared photo. The JSON file is written last, because it marks the other files as complete. Throws
 * `RefusedPhoto`.
 */
export const storePreparedPhoto = async (
  place: PreparedPaths,
  files: { photo: Uint8Array; thumb: Uint8Array },
  facts: Omit<PhotoFacts, 'bytes' | 'sha256'>,
  disk: Disk = systemDisk,
): Promise<ReadyPhoto> => {
  const all: PhotoFacts = { ...facts, bytes: files.photo.length, sha256: hashSha256(files.photo) };
  try {
    await mkdir(dirname(place.photo), { recursive: true });
    await writeWhole(place.photo, files.photo, { disk });
    await writeWhole(place.thumb, files.thumb, { disk });
    await writeWhole(place.note, JSON.stringify(all), { disk });
  } catch (error) {
    throw toWriteRefusal(error);
  }
  return toReadyPhoto(place, all);
};

export const defaultLongEdgePx = 1600;

export type PrepareJob = Original & {
  outDir: string;
  longEdgePx?: number | undefined;
  format?: PhotoFormat | undefined;
  edits?: PhotoEdits | undefined;
};

export type PictureJob = Omit<PrepareJob, 'outDir' | 'edits'> & { path: string };

export type ThumbnailJob = Original & { outDir: string };

export const photoFacts = photoAnalysis.extend({
  bytes: z.number().int().positive(),
  /** The hash of the prepared bytes, in hex. */
  sha256: z.string(),
  /** Files of older versions have no `bytes`. */
  original: photoAnalysis.shape.original.extend({ sha256: z.string(), bytes: z.int().optional() }),
});

export type PhotoFacts = z.infer<typeof photoFacts>;

export type ReadyPhoto = PhotoFacts & {
  ok: true;
  path: string;
  thumbPath: string;
  contentType: 'image/jpeg' | 'image/webp';
};

export type PreparedPhoto = ReadyPhoto | Refusal;

export type PreparedPicture = { ok: true; width: number; height: number; bytes: number } | Refusal;

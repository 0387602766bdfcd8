import * as z from 'zod';
import { hash } from 'node:crypto';
import { mkdir, readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { systemDisk, type Disk } from '../../disk/disk.ts';
import { writeWhole } from '../../disk/writeWhole.ts';
import { type PhotoFormat, type Recipe, type PhotoEdits, seenFacts } from '../../photoContract/messages.ts';
import { encodeQuality } from '../../photoContract/constants.ts';
import { codeOfFileError, type Refusal } from '../../photoContract/refusals.ts';
import { RefusedPhoto } from '../../photoContract/refusedPhoto.ts';
import type { Original } from './openInside.ts';

/** Increase when prepared photos would come out differently, so that older ones are not reused. */
const recipeVersion = 2;

/** Returns the SHA-256 in hex. */
export const hashSha256 = (bytes: Uint8Array | string): string => hash('sha256', bytes);

/** The paths of the prepared files of one original. */
export type PreparedPaths = { photo: string; thumb: string; note: string; format: PhotoFormat };

const formatExtensions: Record<PhotoFormat, string> = { jpeg: 'jpg', webp: 'webp' };

/**
 * Returns the paths for an original prepared in a certain way. The same bytes and options always give the same paths.
 */
export const getPreparedPaths = (
  outDir: string,
  originalSha256: string,
  { longEdgePx, format, edits }: Recipe,
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

/** Returns the prepared photo if all its files still exist; otherwise null. */
export const findPreparedPhoto = async (place: PreparedPaths): Promise<ReadyPhoto | null> => {
  try {
    const facts = photoFacts.parse(JSON.parse(await readFile(place.note, 'utf8')));
    const [photo, thumb] = await Promise.all([stat(place.photo), stat(place.thumb)]);
    return photo.size === facts.bytes && thumb.size > 0 ? toReadyPhoto(place, facts) : null;
  } catch {
    return null;
  }
};

/** Converts a file system error while writing a photo. */
export const toWriteRefusal = (error: unknown): RefusedPhoto => {
  const code = codeOfFileError(error, 'CANNOT_WRITE');
  return new RefusedPhoto(code === 'NO_SPACE' || code === 'MACHINE_BUSY' ? code : 'CANNOT_WRITE', error);
};

/** Stores a prepared photo. The note is written last: it marks the other files as complete. Throws RefusedPhoto. */
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

/** The default long edge of an upload-ready photo, in pixels. */
export const defaultLongEdgePx = 1600;

/** An original to prepare, with the output folder, the long edge in pixels, the format and the edits. */
export type PrepareJob = Original & {
  outDir: string;
  longEdgePx?: number | undefined;
  format?: PhotoFormat | undefined;
  edits?: PhotoEdits | undefined;
};

/** An original of which only the upload-ready picture is needed, with the output file. */
export type PictureJob = Omit<PrepareJob, 'outDir' | 'edits'> & { path: string };

/** An original to make a thumbnail of, with the output folder. */
export type ThumbnailJob = Original & { outDir: string };

/** The facts of a prepared photo, stored in a small file beside it so that it need not be decoded again. */
export const photoFacts = seenFacts.extend({
  bytes: z.number().int().positive(),
  /** Of the prepared bytes, in hex. */
  sha256: z.string(),
  original: seenFacts.shape.original.extend({ sha256: z.string() }),
});

export type PhotoFacts = z.infer<typeof photoFacts>;

export type ReadyPhoto = PhotoFacts & {
  ok: true;
  path: string;
  thumbPath: string;
  contentType: 'image/jpeg' | 'image/webp';
};

/** The result of preparing one original: an upload-ready picture on disk, or a refusal the seller can read. */
export type PreparedPhoto = ReadyPhoto | Refusal;

/** The result of preparing only the picture. Sizes in pixels and bytes. */
export type PreparedPicture = { ok: true; width: number; height: number; bytes: number } | Refusal;

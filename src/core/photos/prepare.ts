import { readBarcodesIn } from './barcodes.ts';
import { toSrgb } from './colour.ts';
import { differenceHash } from './differenceHash.ts';
import { brightened, reshape, wholeLongEdge } from './edits.ts';
import { encodePhoto, encodeThumbnail } from './encode.ts';
import { findPrepared, keepPrepared, placeOf, sha256, type Recipe } from './keepPrepared.ts';
import { looksLike } from './looksLike.ts';
import { greyOf, halved, type Pixels } from './pixels.ts';
import type { PhotoFacts, PreparedPhoto, PreparedPicture } from './preparedPhoto.ts';
import { defaultLongEdgePx, type PictureJob, type PrepareJob } from './prepareJob.ts';
import { readOriginal } from './readOriginal.ts';
import { codeOfFileError, refuse, RefusedPhoto } from './refusals.ts';
import type { Sharp } from './sharpBackend.ts';
import { showsSheet } from './sheet.ts';
import { shrink } from './shrink.ts';
import type { Asked } from './shrunk.ts';
import { takenAt } from './takenAt.ts';
import { lookAt } from './warnings.ts';
import { writeWhole } from './writeWhole.ts';
import { noEdits } from '../storage/tables/photoRecord.ts';

const factsOf = async (pixels: Pixels): Promise<Omit<PhotoFacts, 'bytes' | 'sha256' | 'original'>> => {
  const grey = greyOf(pixels);
  const half = halved(grey);
  const { width, height } = pixels;
  return {
    width,
    height,
    hash64: differenceHash(half),
    ...lookAt(half, Math.max(width, height)),
    sheet: showsSheet(pixels),
    barcodes: await readBarcodesIn(grey),
  };
};

/** The upload-ready picture of an original, and what was met on the way. */
const pictureOf = async (sharp: Sharp, bytes: Buffer, { longEdgePx, format, edits }: Recipe, admit: Asked['admit']) => {
  const looks = await looksLike(bytes);
  const shrunk = await shrink(sharp, looks, bytes, {
    admit,
    longEdgeOf: (original) => wholeLongEdge(original, edits, longEdgePx),
  });
  const shaped = await reshape(sharp, shrunk.pixels, edits, longEdgePx);
  const pixels = brightened(await toSrgb(sharp, shaped, shrunk.icc), edits.brighten);
  return { looks, shrunk, pixels, photo: await encodePhoto(sharp, pixels, format) };
};

const prepareOrThrow = async (sharp: Sharp, job: PrepareJob, admit: Asked['admit']): Promise<PreparedPhoto> => {
  const { longEdgePx = defaultLongEdgePx, format = 'jpeg', edits = noEdits } = job;
  const recipe: Recipe = { longEdgePx, format, edits };
  const bytes = await readOriginal(job);
  const originalSha256 = sha256(bytes);
  const place = placeOf(job.outDir, originalSha256, recipe);
  const before = await findPrepared(place);
  if (before) return before;

  const { looks, shrunk, pixels, photo } = await pictureOf(sharp, bytes, recipe, admit);
  const thumb = await encodeThumbnail(sharp, pixels);
  const taken = takenAt(shrunk.exif ?? bytes);
  const original = {
    format: looks,
    ...shrunk.original,
    sha256: originalSha256,
    ...(taken === undefined ? {} : { takenAt: taken }),
  };
  return keepPrepared(place, job.outDir, { photo, thumb }, { ...(await factsOf(pixels)), original });
};

/**
 * Turns one original into an upload-ready JPEG or WebP and a thumbnail: upright, edited, sRGB, on white, small enough,
 * without any metadata; the original stays as it is. The same original is never prepared twice in the same way. Answers
 * with a refusal for photos that cannot be used; throws only for what is not the photo's fault. `admit` is asked for
 * room before pixels are decoded.
 */
export const prepare = async (sharp: Sharp, job: PrepareJob, admit: Asked['admit']): Promise<PreparedPhoto> => {
  try {
    return await prepareOrThrow(sharp, job, admit);
  } catch (error) {
    if (error instanceof RefusedPhoto) return refuse(error.code);
    throw error;
  }
};

/**
 * Makes the upload-ready picture of one original at the given path and nothing else: no thumbnail, no looks, no barcodes,
 * which take a third of the time. Answers with a refusal for photos that cannot be used.
 */
export const preparePicture = async (
  sharp: Sharp,
  { source, root, path, longEdgePx = defaultLongEdgePx, format = 'jpeg' }: PictureJob,
  admit: Asked['admit'],
): Promise<PreparedPicture> => {
  try {
    const bytes = await readOriginal({ source, root });
    const { pixels, photo } = await pictureOf(sharp, bytes, { longEdgePx, format, edits: noEdits }, admit);
    try {
      await writeWhole(path, photo);
    } catch (error) {
      const code = codeOfFileError(error, 'CANNOT_WRITE');
      throw new RefusedPhoto(code === 'NO_SPACE' ? code : 'CANNOT_WRITE', error);
    }
    return { ok: true, width: pixels.width, height: pixels.height, bytes: photo.length };
  } catch (error) {
    if (error instanceof RefusedPhoto) return refuse(error.code);
    throw error;
  }
};

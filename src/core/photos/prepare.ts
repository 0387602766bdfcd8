import { readFile, stat } from 'node:fs/promises';
import { encodeThumbnail } from './encode.ts';
import { findPrepared, keepPrepared, placeOf, sha256 } from './keepPrepared.ts';
import { maxFileBytes } from './limits.ts';
import { looksLike, type Looks } from './looksLike.ts';
import { prepareHeic, type Admit } from './prepareHeic.ts';
import type { PreparedPhoto } from './preparedPhoto.ts';
import { prepareRaster } from './prepareRaster.ts';
import { codeOfFileError, refuse, RefusedPhoto, type RefusalCode } from './refusals.ts';
import type { Sharp } from './sharpBackend.ts';
import { takenAt } from './takenAt.ts';

/** Long edge of an upload-ready photo, in pixels, unless the job says otherwise. */
export const defaultLongEdgePx = 1600;

/** One original to prepare: its path, the folder for the results, and their long edge in pixels. */
export type PrepareJob = { source: string; outDir: string; longEdgePx?: number | undefined };

const refusedLooks: Partial<Record<Looks, RefusalCode>> = {
  empty: 'EMPTY_FILE',
  svg: 'SVG',
  pdf: 'PDF',
  video: 'VIDEO',
  raw: 'CAMERA_RAW',
  otherPicture: 'OTHER_PICTURE',
  other: 'NOT_A_PHOTO',
};

const read = async (source: string): Promise<Buffer> => {
  try {
    const found = await stat(source);
    if (!found.isFile()) throw new RefusedPhoto('NOT_A_PHOTO');
    if (found.size > maxFileBytes) throw new RefusedPhoto('FILE_TOO_LARGE');
    return await readFile(source);
  } catch (error) {
    if (error instanceof RefusedPhoto) throw error;
    throw new RefusedPhoto(codeOfFileError(error, 'UNREADABLE_FILE'), error);
  }
};

const prepareOrThrow = async (sharp: Sharp, job: PrepareJob, admit: Admit): Promise<PreparedPhoto> => {
  const longEdgePx = job.longEdgePx ?? defaultLongEdgePx;
  const bytes = await read(job.source);
  const originalSha256 = sha256(bytes);
  const place = placeOf(job.outDir, originalSha256, longEdgePx);
  const before = await findPrepared(place);
  if (before) return before;

  const looks = await looksLike(bytes);
  const refused = refusedLooks[looks];
  if (refused) throw new RefusedPhoto(refused);
  const made =
    looks === 'heic'
      ? await prepareHeic(sharp, bytes, longEdgePx, admit)
      : await prepareRaster(sharp, looks, bytes, longEdgePx, admit);
  const taken = await takenAt(made.exif ?? bytes);
  const original = {
    format: looks,
    width: made.originalWidth,
    height: made.originalHeight,
    sha256: originalSha256,
    ...(taken === undefined ? {} : { takenAt: taken }),
  };
  const thumb = await encodeThumbnail(sharp, made.data);
  const { width, height } = made;
  return keepPrepared(place, job.outDir, { photo: made.data, thumb }, { width, height, original });
};

/**
 * Turns one original into an upload-ready JPEG and a thumbnail: upright, sRGB, on white, small enough, without any
 * metadata. The same original is never prepared twice. Answers with a refusal for photos that cannot be used; throws
 * only for what is not the photo's fault. `admit` is asked for room before pixels are decoded.
 */
export const prepare = async (sharp: Sharp, job: PrepareJob, admit: Admit): Promise<PreparedPhoto> => {
  try {
    return await prepareOrThrow(sharp, job, admit);
  } catch (error) {
    if (error instanceof RefusedPhoto) return refuse(error.code);
    throw error;
  }
};

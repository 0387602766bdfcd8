import type { PhotoFormat, PhotoJobRequest, PhotoJobResult, Barcode } from '../../photoContract/messages.ts';
import { noEdits, thumbnailHeadBytes } from '../../photoContract/constants.ts';
import { type Original, openFileInside, getOriginalRoots, runWithOriginalBytes } from './openInside.ts';
import { maxFileBytes } from '../../photoContract/photoLimits.ts';
import { createRefusal } from '../../photoContract/refusals.ts';
import { RefusedPhoto } from '../../photoContract/refusedPhoto.ts';
import { createHash } from 'node:crypto';
import { mkdir, stat, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import {
  findPreparedPhoto,
  storePreparedPhoto,
  getPreparedPaths,
  hashSha256,
  toWriteRefusal,
  defaultLongEdgePx,
  type PrepareJob,
  type PictureJob,
  type ThumbnailJob,
  type PreparedPhoto,
  type PreparedPicture,
} from './preparedPhotos.ts';
import { writeWhole } from '../../disk/writeWhole.ts';
import { createReleasableBuffer, releaseBytes } from '../../isolated/releasableBuffer.ts';
import type { JobOutput } from '../../isolated/processClient.ts';
import type { SendPhotoJob } from './photoQueue.ts';

/** A chunk of this size is hashed in about half a millisecond. */
const hashChunkBytes = 2 ** 20;

/** Hashes in chunks, so that the event loop is not blocked. A worker thread would need a copy of the bytes. */
export const hashWithoutBlocking = async (bytes: Buffer): Promise<string> => {
  const hashing = createHash('sha256');
  for (let at = 0; at < bytes.length; at += hashChunkBytes) {
    hashing.update(bytes.subarray(at, at + hashChunkBytes));
    await setImmediate();
  }
  return hashing.digest('hex');
};

const formatSignatures: Record<PhotoFormat, string> = { jpeg: '\xff\xd8\xff', webp: 'RIFF' };

/** An encoded picture is never larger than its raw pixels and a header. */
const computeMaxPictureBytes = (longEdgePx: number): number => longEdgePx ** 2 * 3 + 2 ** 16;
const maxThumbnailPx = 600;

const isValidPicture = (picture: Uint8Array | undefined, format: PhotoFormat, longEdgePx: number): boolean => {
  if (picture === undefined || picture.length > computeMaxPictureBytes(longEdgePx)) return false;
  const start = Buffer.from(picture.subarray(0, 12)).toString('latin1');
  return start.startsWith(formatSignatures[format]) && (format === 'jpeg' || start.endsWith('WEBP'));
};

type PictureSize = { width: number; height: number };

/**
 * Returns whether a result has the requested type and valid pictures. Results must be checked before they are stored,
 * because a photo could have taken control of the photo process.
 */
export const matchesPhotoRequest = (
  request: PhotoJobRequest,
  { result, pictures }: JobOutput<PhotoJobResult>,
): boolean => {
  const [photo, thumbnail] = pictures;
  const matchesPictureRequest = (
    { width, height }: PictureSize,
    { longEdgePx, format }: { longEdgePx: number; format: PhotoFormat },
  ) => Math.max(width, height) <= longEdgePx && isValidPicture(photo, format, longEdgePx);
  if (request.type === 'prepare' && result.type === 'prepared')
    return (
      !result.result.ok ||
      (matchesPictureRequest(result.result.facts, request) && isValidPicture(thumbnail, 'jpeg', maxThumbnailPx))
    );
  if (request.type === 'picture' && result.type === 'picture')
    return !result.result.ok || matchesPictureRequest(result.result, request);
  if (request.type === 'thumbnail' && result.type === 'thumbnail')
    return result.result !== 'made' || isValidPicture(photo, 'jpeg', maxThumbnailPx);
  return request.type === 'barcodes' && result.type === 'barcodes';
};

const throwUnexpectedResult = (): never => {
  throw new Error('The process that decodes photos answered something else.');
};
const requireResultType = <T extends PhotoJobResult['type']>(result: PhotoJobResult, type: T) =>
  result.type === type ? (result as Extract<PhotoJobResult, { type: T }>) : throwUnexpectedResult();
const getResultPicture = (pictures: readonly Uint8Array[], at: number): Uint8Array =>
  pictures[at] ?? throwUnexpectedResult();

const runOrRefuse = async <T>(work: () => Promise<T>): Promise<T | ReturnType<typeof createRefusal>> => {
  try {
    return await work();
  } catch (error) {
    if (error instanceof RefusedPhoto) return createRefusal(error.code);
    throw error;
  }
};

/**
 * Creates an upload-ready picture and a thumbnail, or reuses the files of an earlier run. Returns a refusal if the
 * photo is unusable.
 */
export const preparePhotoFiles = (ask: SendPhotoJob, job: PrepareJob): Promise<PreparedPhoto> =>
  runOrRefuse(async () => {
    const { longEdgePx = defaultLongEdgePx, format = 'jpeg', edits = noEdits } = job;
    const recipe = { longEdgePx, format, edits };
    return runWithOriginalBytes(job, async (bytes) => {
      const originalSha256 = await hashWithoutBlocking(bytes);
      const place = getPreparedPaths(job.outDir, originalSha256, recipe);
      const before = await findPreparedPhoto(place);
      if (before) return before;
      const made = await ask({ type: 'prepare', ...recipe }, bytes);
      const { result } = requireResultType(made.result, 'prepared');
      if (!result.ok) return createRefusal(result.code);
      const { facts } = result;
      const files = { photo: getResultPicture(made.pictures, 0), thumb: getResultPicture(made.pictures, 1) };
      const original = { ...facts.original, sha256: originalSha256, bytes: bytes.length };
      const kept = await storePreparedPhoto(place, files, { ...facts, original });
      made.pictures.forEach(releaseBytes);
      return kept;
    });
  });

/** Creates the upload-ready picture at the given path. Returns a refusal if the photo is unusable. */
export const preparePictureOnly = (ask: SendPhotoJob, job: PictureJob): Promise<PreparedPicture> =>
  runOrRefuse(async () => {
    const { path, longEdgePx = defaultLongEdgePx, format = 'jpeg' } = job;
    const made = await runWithOriginalBytes(job, (bytes) => ask({ type: 'picture', longEdgePx, format }, bytes));
    const { result } = requireResultType(made.result, 'picture');
    if (!result.ok) return createRefusal(result.code);
    const picture = getResultPicture(made.pictures, 0);
    await writeWhole(path, picture).catch((error: unknown) => {
      throw toWriteRefusal(error);
    });
    const bytes = picture.length;
    releaseBytes(picture);
    return { ok: true, width: result.width, height: result.height, bytes };
  });

/** Returns a JPEG whose long edge has at most the given number of pixels; null if the photo is unusable. */
export const shrinkPhotoBytes = async (
  ask: SendPhotoJob,
  bytes: Uint8Array,
  longEdgePx: number,
): Promise<Uint8Array | null> => {
  const made = await ask({ type: 'picture', longEdgePx, format: 'jpeg' }, bytes);
  return requireResultType(made.result, 'picture').result.ok ? getResultPicture(made.pictures, 0) : null;
};

/** Reads barcodes at full size. Returns an empty list if the photo is unusable. */
export const readFullSizeBarcodes = async (ask: SendPhotoJob, job: Original): Promise<Barcode[]> => {
  try {
    const made = await runWithOriginalBytes(job, (bytes) => ask({ type: 'barcodes' }, bytes));
    return requireResultType(made.result, 'barcodes').result;
  } catch (error) {
    if (error instanceof RefusedPhoto) return [];
    throw error;
  }
};

const readFileStart = async (file: FileHandle, size: number): Promise<Buffer> => {
  const { bytesRead, buffer } = await file.read(createReleasableBuffer(Math.min(size, thumbnailHeadBytes)), 0, null, 0);
  return buffer.subarray(0, bytesRead);
};

/** Most cameras store a thumbnail at the start of the file, so the whole file is read only if it is needed. */
const renderThumbnail = async (ask: SendPhotoJob, file: FileHandle, size: number): Promise<Uint8Array | null> => {
  const requestThumbnail = async (bytes: Buffer, isWhole: boolean) => {
    const made = await ask({ type: 'thumbnail', isWhole }, bytes);
    releaseBytes(bytes);
    return made;
  };
  const start = await readFileStart(file, size);
  const first = await requestThumbnail(start, size <= start.length);
  const wantsWhole = requireResultType(first.result, 'thumbnail').result === 'whole';
  // The earlier read used an explicit position, so `readFile` still starts at the first byte.
  const made = wantsWhole ? await requestThumbnail(await file.readFile(), true) : first;
  return requireResultType(made.result, 'thumbnail').result === 'made' ? getResultPicture(made.pictures, 0) : null;
};

/** Creates a thumbnail of an original; null if the photo is unusable. */
export const createOriginalThumbnail = async (
  ask: SendPhotoJob,
  job: ThumbnailJob,
): Promise<{ thumbPath: string } | null> => {
  const file = await openFileInside(getOriginalRoots(job), job.source).catch(() => null);
  try {
    if (file === null) return null;
    const { size, mtimeMs } = await file.stat();
    if (size === 0 || size > maxFileBytes) return null;
    // The name is derived from path, size and time, because one of them changes when the file does. Hashing the whole
    // file would take longer than creating the thumbnail.
    const name = hashSha256(`glance ${job.source} ${size} ${mtimeMs}`).slice(0, 40);
    const thumbPath = join(job.outDir, `${name}.glance.jpg`);
    if (await stat(thumbPath).catch(() => null)) return { thumbPath };
    const picture = await renderThumbnail(ask, file, size);
    if (!picture) return null;
    await mkdir(job.outDir, { recursive: true });
    await writeWhole(thumbPath, picture);
    releaseBytes(picture);
    return { thumbPath };
  } finally {
    await file?.close();
  }
};

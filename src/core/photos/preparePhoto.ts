import type { PhotoFormat, KitchenRequest, KitchenResult, Barcode } from '../../photoContract/messages.ts';
import { noEdits, thumbnailHeadBytes } from '../../photoContract/constants.ts';
import { type Original, openFileInside, getOriginalRoots, useOriginalBytes } from './openInside.ts';
import { maxFileBytes, createRefusal } from '../../photoContract/refusals.ts';
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
import type { AskKitchen } from './photoQueue.ts';

/** Takes about half a millisecond to hash. */
const hashChunkBytes = 2 ** 20;

/**
 * Returns the SHA-256 in hex without blocking the event loop for long. A worker thread would need a copy of the bytes.
 */
const hashWithoutBlocking = async (bytes: Buffer): Promise<string> => {
  const hashing = createHash('sha256');
  for (let at = 0; at < bytes.length; at += hashChunkBytes) {
    hashing.update(bytes.subarray(at, at + hashChunkBytes));
    await setImmediate();
  }
  return hashing.digest('hex');
};

const formatSignatures: Record<PhotoFormat, string> = { jpeg: '\xff\xd8\xff', webp: 'RIFF' };

/** No encoded picture is larger than its raw pixels plus a header. */
const maxBytes = (longEdgePx: number): number => longEdgePx ** 2 * 3 + 2 ** 16;
/** Far larger than the thumbnails of lists. */
const maxThumbnailPx = 600;

/** Tells whether the bytes start like the format and are not too many. */
const isValidPicture = (picture: Uint8Array | undefined, format: PhotoFormat, longEdgePx: number): boolean => {
  if (picture === undefined || picture.length > maxBytes(longEdgePx)) return false;
  const start = Buffer.from(picture.subarray(0, 12)).toString('latin1');
  return start.startsWith(formatSignatures[format]) && (format === 'jpeg' || start.endsWith('WEBP'));
};

type PictureSize = { width: number; height: number };

/**
 * Tells whether a result matches the request: the pictures have the right format and size. Checked before anything is
 * written, because the kitchen is not trusted.
 */
export const matchesKitchenRequest = (
  request: KitchenRequest,
  { result, pictures }: JobOutput<KitchenResult>,
): boolean => {
  const [photo, thumbnail] = pictures;
  const fitsPictureRequest = (
    { width, height }: PictureSize,
    { longEdgePx, format }: { longEdgePx: number; format: PhotoFormat },
  ) => Math.max(width, height) <= longEdgePx && isValidPicture(photo, format, longEdgePx);
  if (request.type === 'prepare' && result.type === 'prepared')
    return (
      !result.result.ok ||
      (fitsPictureRequest(result.result.facts, request) && isValidPicture(thumbnail, 'jpeg', maxThumbnailPx))
    );
  if (request.type === 'picture' && result.type === 'picture')
    return !result.result.ok || fitsPictureRequest(result.result, request);
  if (request.type === 'thumbnail' && result.type === 'thumbnail')
    return result.result !== 'made' || isValidPicture(photo, 'jpeg', maxThumbnailPx);
  return request.type === 'barcodes' && result.type === 'barcodes';
};

/** Unreachable after {@link matchesKitchenRequest}. */
const throwUnexpectedResult = (): never => {
  throw new Error('The process that decodes photos answered something else.');
};
const expectResultType = <T extends KitchenResult['type']>(result: KitchenResult, type: T) =>
  result.type === type ? (result as Extract<KitchenResult, { type: T }>) : throwUnexpectedResult();
const getResultPicture = (pictures: readonly Uint8Array[], at: number): Uint8Array =>
  pictures[at] ?? throwUnexpectedResult();

/** Converts a RefusedPhoto into a refusal. */
const catchAsRefusal = async <T>(work: () => Promise<T>): Promise<T | ReturnType<typeof createRefusal>> => {
  try {
    return await work();
  } catch (error) {
    if (error instanceof RefusedPhoto) return createRefusal(error.code);
    throw error;
  }
};

/**
 * Converts an original into an upload-ready JPEG or WebP and a thumbnail on disk; the original stays unchanged. Reuses
 * an earlier result for the same bytes and options. Returns a refusal for unusable photos.
 */
export const preparePhotoFiles = (ask: AskKitchen, job: PrepareJob): Promise<PreparedPhoto> =>
  catchAsRefusal(async () => {
    const { longEdgePx = defaultLongEdgePx, format = 'jpeg', edits = noEdits } = job;
    const recipe = { longEdgePx, format, edits };
    return useOriginalBytes(job, async (bytes) => {
      const originalSha256 = await hashWithoutBlocking(bytes);
      const place = getPreparedPaths(job.outDir, originalSha256, recipe);
      const before = await findPreparedPhoto(place);
      if (before) return before;
      const made = await ask({ type: 'prepare', ...recipe }, bytes);
      const { result } = expectResultType(made.result, 'prepared');
      if (!result.ok) return createRefusal(result.code);
      const { facts } = result;
      const files = { photo: getResultPicture(made.pictures, 0), thumb: getResultPicture(made.pictures, 1) };
      const original = { ...facts.original, sha256: originalSha256 };
      const kept = await storePreparedPhoto(place, files, { ...facts, original });
      made.pictures.forEach(releaseBytes);
      return kept;
    });
  });

/** Creates only the upload-ready picture of an original at the given path; refusals as with {@link preparePhotoFiles}. */
export const preparePictureOnly = (ask: AskKitchen, job: PictureJob): Promise<PreparedPicture> =>
  catchAsRefusal(async () => {
    const { path, longEdgePx = defaultLongEdgePx, format = 'jpeg' } = job;
    const made = await useOriginalBytes(job, (bytes) => ask({ type: 'picture', longEdgePx, format }, bytes));
    const { result } = expectResultType(made.result, 'picture');
    if (!result.ok) return createRefusal(result.code);
    const picture = getResultPicture(made.pictures, 0);
    await writeWhole(path, picture).catch((error: unknown) => {
      throw toWriteRefusal(error);
    });
    const bytes = picture.length;
    releaseBytes(picture);
    return { ok: true, width: result.width, height: result.height, bytes };
  });

/** Returns a JPEG of a photo in memory, scaled down to the given long edge; null when the photo is unusable. */
export const shrinkPhotoBytes = async (
  ask: AskKitchen,
  bytes: Uint8Array,
  longEdgePx: number,
): Promise<Uint8Array | null> => {
  const made = await ask({ type: 'picture', longEdgePx, format: 'jpeg' }, bytes);
  return expectResultType(made.result, 'picture').result.ok ? getResultPicture(made.pictures, 0) : null;
};

/** Reads barcodes from an original at full size. Empty when there are none or the photo is unusable. */
export const readFullSizeBarcodes = async (ask: AskKitchen, job: Original): Promise<Barcode[]> => {
  try {
    const made = await useOriginalBytes(job, (bytes) => ask({ type: 'barcodes' }, bytes));
    return expectResultType(made.result, 'barcodes').result;
  } catch (error) {
    if (error instanceof RefusedPhoto) return [];
    throw error;
  }
};

const readFileStart = async (file: FileHandle, size: number): Promise<Buffer> => {
  const { bytesRead, buffer } = await file.read(createReleasableBuffer(Math.min(size, thumbnailHeadBytes)), 0, null, 0);
  return buffer.subarray(0, bytesRead);
};

/** Returns a thumbnail from the start of a file, or from all of it if that is not enough, or null. */
const renderThumbnail = async (ask: AskKitchen, file: FileHandle, size: number): Promise<Uint8Array | null> => {
  const askForThumbnail = async (bytes: Buffer, isWhole: boolean) => {
    const made = await ask({ type: 'thumbnail', isWhole }, bytes);
    releaseBytes(bytes);
    return made;
  };
  const start = await readFileStart(file, size);
  const first = await askForThumbnail(start, size <= start.length);
  const wantsWhole = expectResultType(first.result, 'thumbnail').result === 'whole';
  // The positional read before did not move the file position, so this reads from the start.
  const made = wantsWhole ? await askForThumbnail(await file.readFile(), true) : first;
  return expectResultType(made.result, 'thumbnail').result === 'made' ? getResultPicture(made.pictures, 0) : null;
};

/** Creates a thumbnail of an original on disk as fast as possible; null when it is unreadable or unusable. */
export const createOriginalThumbnail = async (
  ask: AskKitchen,
  job: ThumbnailJob,
): Promise<{ thumbPath: string } | null> => {
  const file = await openFileInside(getOriginalRoots(job), job.source).catch(() => null);
  try {
    if (file === null) return null;
    const { size, mtimeMs } = await file.stat();
    if (size === 0 || size > maxFileBytes) return null;
    // Hashing the whole file would cost more than the thumbnail. A changed file has another time or size.
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

import type { PhotoFormat, KitchenRequest, KitchenResult, Barcode } from '../../photoContract/messages.ts';
import { noEdits, thumbnailHeadBytes } from '../../photoContract/constants.ts';
import { type Original, openInside, rootsOf, withOriginal } from './openInside.ts';
import { maxFileBytes, refuse } from '../../photoContract/refusals.ts';
import { RefusedPhoto } from '../../photoContract/refusedPhoto.ts';
import { createHash } from 'node:crypto';
import { mkdir, stat, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import {
  findPrepared,
  keepPrepared,
  placeOf,
  sha256,
  unwritten,
  defaultLongEdgePx,
  type PrepareJob,
  type PictureJob,
  type ThumbnailJob,
  type PreparedPhoto,
  type PreparedPicture,
} from './keepPrepared.ts';
import { writeWhole } from '../../disk/writeWhole.ts';
import { releasableBuffer, release } from '../../isolated/releasableBuffer.ts';
import type { Made } from '../../isolated/processClient.ts';
import type { Ask } from './photoQueue.ts';

/** Takes about half a millisecond to hash. */
const pieceBytes = 2 ** 20;

/**
 * Returns the SHA-256 in hex without blocking the event loop for long. A worker thread would need a copy of the bytes.
 */
const sha256Between = async (bytes: Buffer): Promise<string> => {
  const hashing = createHash('sha256');
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    hashing.update(bytes.subarray(at, at + pieceBytes));
    await setImmediate();
  }
  return hashing.digest('hex');
};

const starts: Record<PhotoFormat, string> = { jpeg: '\xff\xd8\xff', webp: 'RIFF' };

/** No encoded picture is larger than its raw pixels plus a header. */
const mostBytes = (longEdgePx: number): number => longEdgePx ** 2 * 3 + 2 ** 16;
/** Far larger than the thumbnails of lists. */
const mostThumbnailPx = 600;

/** Tells whether the bytes start like the format and are not too many. */
const isPicture = (picture: Uint8Array | undefined, format: PhotoFormat, longEdgePx: number): boolean => {
  if (picture === undefined || picture.length > mostBytes(longEdgePx)) return false;
  const start = Buffer.from(picture.subarray(0, 12)).toString('latin1');
  return start.startsWith(starts[format]) && (format === 'jpeg' || start.endsWith('WEBP'));
};

type Size = { width: number; height: number };

/**
 * Tells whether a result matches the request: the pictures have the right format and size. Checked before anything is
 * written, because the kitchen is not trusted.
 */
export const fitsRequest = (request: KitchenRequest, { result, pictures }: Made<KitchenResult>): boolean => {
  const [photo, thumbnail] = pictures;
  const isAsWished = ({ width, height }: Size, { longEdgePx, format }: { longEdgePx: number; format: PhotoFormat }) =>
    Math.max(width, height) <= longEdgePx && isPicture(photo, format, longEdgePx);
  if (request.type === 'prepare' && result.type === 'prepared')
    return (
      !result.result.ok || (isAsWished(result.result.facts, request) && isPicture(thumbnail, 'jpeg', mostThumbnailPx))
    );
  if (request.type === 'picture' && result.type === 'picture')
    return !result.result.ok || isAsWished(result.result, request);
  if (request.type === 'thumbnail' && result.type === 'thumbnail')
    return result.result !== 'made' || isPicture(photo, 'jpeg', mostThumbnailPx);
  return request.type === 'barcodes' && result.type === 'barcodes';
};

/** Unreachable after {@link matchesKitchenRequest}. */
const answeredElse = (): never => {
  throw new Error('The process that decodes photos answered something else.');
};
const expectType = <T extends KitchenResult['type']>(result: KitchenResult, type: T) =>
  result.type === type ? (result as Extract<KitchenResult, { type: T }>) : answeredElse();
const pictureIn = (pictures: readonly Uint8Array[], at: number): Uint8Array => pictures[at] ?? answeredElse();

/** Converts a RefusedPhoto into a refusal. */
const orRefusal = async <T>(work: () => Promise<T>): Promise<T | ReturnType<typeof refuse>> => {
  try {
    return await work();
  } catch (error) {
    if (error instanceof RefusedPhoto) return refuse(error.code);
    throw error;
  }
};

/**
 * Converts an original into an upload-ready JPEG or WebP and a thumbnail on disk; the original stays unchanged. Reuses
 * an earlier result for the same bytes and options. Returns a refusal for unusable photos.
 */
export const preparePhoto = (ask: Ask, job: PrepareJob): Promise<PreparedPhoto> =>
  orRefusal(async () => {
    const { longEdgePx = defaultLongEdgePx, format = 'jpeg', edits = noEdits } = job;
    const recipe = { longEdgePx, format, edits };
    return withOriginal(job, async (bytes) => {
      const originalSha256 = await sha256Between(bytes);
      const place = placeOf(job.outDir, originalSha256, recipe);
      const before = await findPrepared(place);
      if (before) return before;
      const made = await ask({ type: 'prepare', ...recipe }, bytes);
      const { result } = expectType(made.result, 'prepared');
      if (!result.ok) return refuse(result.code);
      const { facts } = result;
      const files = { photo: pictureIn(made.pictures, 0), thumb: pictureIn(made.pictures, 1) };
      const original = { ...facts.original, sha256: originalSha256 };
      const kept = await keepPrepared(place, files, { ...facts, original });
      made.pictures.forEach(release);
      return kept;
    });
  });

/** Creates only the upload-ready picture of an original at the given path; refusals as with {@link preparePhotoFiles}. */
export const preparePicture = (ask: Ask, job: PictureJob): Promise<PreparedPicture> =>
  orRefusal(async () => {
    const { path, longEdgePx = defaultLongEdgePx, format = 'jpeg' } = job;
    const made = await withOriginal(job, (bytes) => ask({ type: 'picture', longEdgePx, format }, bytes));
    const { result } = expectType(made.result, 'picture');
    if (!result.ok) return refuse(result.code);
    const picture = pictureIn(made.pictures, 0);
    await writeWhole(path, picture).catch((error: unknown) => {
      throw unwritten(error);
    });
    const bytes = picture.length;
    release(picture);
    return { ok: true, width: result.width, height: result.height, bytes };
  });

/** Returns a JPEG of a photo in memory, scaled down to the given long edge; null when the photo is unusable. */
export const shrinkPhoto = async (ask: Ask, bytes: Uint8Array, longEdgePx: number): Promise<Uint8Array | null> => {
  const made = await ask({ type: 'picture', longEdgePx, format: 'jpeg' }, bytes);
  return expectType(made.result, 'picture').result.ok ? pictureIn(made.pictures, 0) : null;
};

/** Reads barcodes from an original at full size. Empty when there are none or the photo is unusable. */
export const readFullBarcodes = async (ask: Ask, job: Original): Promise<Barcode[]> => {
  try {
    const made = await withOriginal(job, (bytes) => ask({ type: 'barcodes' }, bytes));
    return expectType(made.result, 'barcodes').result;
  } catch (error) {
    if (error instanceof RefusedPhoto) return [];
    throw error;
  }
};

const startOf = async (file: FileHandle, size: number): Promise<Buffer> => {
  const { bytesRead, buffer } = await file.read(releasableBuffer(Math.min(size, thumbnailHeadBytes)), 0, null, 0);
  return buffer.subarray(0, bytesRead);
};

/** Returns a thumbnail from the start of a file, or from all of it if that is not enough; null when there is none. */
const smallPicture = async (ask: Ask, file: FileHandle, size: number): Promise<Uint8Array | null> => {
  const askOnce = async (bytes: Buffer, isWhole: boolean) => {
    const made = await ask({ type: 'thumbnail', isWhole }, bytes);
    release(bytes);
    return made;
  };
  const start = await startOf(file, size);
  const first = await askOnce(start, size <= start.length);
  const wantsWhole = expectType(first.result, 'thumbnail').result === 'whole';
  // The positional read before did not move the file position, so this reads from the start.
  const made = wantsWhole ? await askOnce(await file.readFile(), true) : first;
  return expectType(made.result, 'thumbnail').result === 'made' ? pictureIn(made.pictures, 0) : null;
};

/** Creates a thumbnail of an original on disk as fast as possible; null when it is unreadable or unusable. */
export const makeThumbnailAt = async (ask: Ask, job: ThumbnailJob): Promise<{ thumbPath: string } | null> => {
  const file = await openInside(rootsOf(job), job.source).catch(() => null);
  try {
    if (file === null) return null;
    const { size, mtimeMs } = await file.stat();
    if (size === 0 || size > maxFileBytes) return null;
    // Hashing the whole file would cost more than the thumbnail. A changed file has another time or size.
    const name = sha256(`glance ${job.source} ${size} ${mtimeMs}`).slice(0, 40);
    const thumbPath = join(job.outDir, `${name}.glance.jpg`);
    if (await stat(thumbPath).catch(() => null)) return { thumbPath };
    const picture = await smallPicture(ask, file, size);
    if (!picture) return null;
    await mkdir(job.outDir, { recursive: true });
    await writeWhole(thumbPath, picture);
    release(picture);
    return { thumbPath };
  } finally {
    await file?.close();
  }
};

import { access } from 'node:fs/promises';
import { discardFile } from '../../disk/changeFiles.ts';
import { createProblem, type Problem } from '../base/problem.ts';
import { readOriginalBytes } from '../photos/openInside.ts';
import type { CoreServices } from './coreServices.ts';
import type { OutboundPolicy } from '../service/outboundPolicy.ts';
import { readPhotoFromUrl } from '../photos/readPhoto.ts';
import { iterateAdditionPhotoPaths } from '../storage/tables/additionsTable.ts';
import { iterateNeededFilePaths } from '../storage/tables/photos/photosTable.ts';
import { relocatePhotoFiles } from '../photos/relocatePhotoFiles.ts';
import { createPhotoIntake } from '../photos/photoIntake.ts';
import { createPhotoDiskCleaner } from '../photos/photoDisk.ts';
import type { StartProcess } from '../../isolated/processClient.ts';
import { createPhotoWorkers } from '../photos/photoWorkers.ts';
import { createWindowUse } from '../presence/windowSessions.ts';
import { createBoundedMap } from '../base/boundedMap.ts';
import { createSemaphore } from '../base/semaphore.ts';

/** A local photo, a photo of a listing by its index, or a stored photo by its SHA-256. */
export type PhotoRef =
  { photoId: string; size: 'thumb' | 'full' } | { listingId: string; index: number } | { sha256: string };
export type AvatarSource = { path: string } | { uploadId: string };
export type FoundPhoto = { path: string; contentType: string } | { bytes: Buffer; contentType: string };

/** Creates the function through which windows load all photos. It returns null if the photo is missing. */
export const createPhotoFinder =
  ({ itemsTable, listings, connection, boundPhotos, outside }: CoreServices) =>
  async (ref: PhotoRef): Promise<FoundPhoto | null> => {
    if ('sha256' in ref) return boundPhotos.find(ref.sha256);
    if ('listingId' in ref) {
      const url = listings.read(connection.account(), ref.listingId)?.imageUrls?.[ref.index];
      return url === undefined ? null : fetchListingPhoto(url, outside);
    }
    const photo = itemsTable.photo(ref.photoId);
    const path = ref.size === 'thumb' ? photo?.thumb_path : photo?.path;
    if (!path || !(await doesFileExist(path))) return null;
    return { path, contentType: (ref.size === 'full' && photo?.content_type) || 'image/jpeg' };
  };

const avatarPx = 256;

/**
 * Creates the function that converts a picture to an avatar: a data URL of a small JPEG without metadata. It deletes an
 * uploaded source. Throws `AVATAR_UNREADABLE`.
 */
export const createAvatarMaker =
  ({ workers, intake }: Pick<CompanionPhotos, 'workers' | 'intake'>) =>
  async (given: AvatarSource): Promise<string> => {
    const createUnreadableProblem = (): Problem => createProblem('AVATAR_UNREADABLE', { field: 'avatar' });
    const source = 'path' in given ? given.path : await intake.take(given.uploadId);
    try {
      const bytes = await readOriginalBytes({ source }).catch(() => null);
      const picture = bytes && (await workers.shrink(bytes, avatarPx));
      if (!picture) throw createUnreadableProblem();
      return `data:image/jpeg;base64,${Buffer.from(picture).toString('base64')}`;
    } finally {
      if ('uploadId' in given) await discardFile(source);
    }
  };

/** At this size, a photo still shows the wear of an item. A larger picture would only fill the context of the model. */
const smallPx = 768;
/**
 * The limits of the cache of small photos. An assistant that reviews a listing reads few photos, but each of them
 * several times.
 */
const smallPhotoLimits = { photos: 40, bytes: 8 * 2 ** 20 };
const maxConcurrentShrinks = 2;

export type ListingPhoto = { bytes: Uint8Array; contentType: string };
/** Reads photos of listings for assistants. */
export type ListingPictures = {
  /**
   * Returns the original photo; null if the listing or the photo is missing. Throws `PHOTOS_UNREADABLE` if the photo
   * cannot be downloaded.
   */
  read: (listingId: string, index: number, signal: AbortSignal) => Promise<ListingPhoto | null>;
  /**
   * Returns the photo as a JPEG without metadata, whose long edge has at most 768 pixels. Returns null and throws as
   * `read` does, and also returns null if the photo cannot be decoded.
   */
  small: (listingId: string, index: number, signal: AbortSignal) => Promise<ListingPhoto | null>;
};

/** Creates the reader of listing photos for assistants. */
export const openListingPictures = (
  { listings, connection, boundPhotos }: CoreServices,
  { workers }: Pick<CompanionPhotos, 'workers'>,
): ListingPictures => {
  const places = createSemaphore(maxConcurrentShrinks);
  const made = createBoundedMap<string, Uint8Array>(smallPhotoLimits.photos, {
    of: ({ length }) => length,
    max: smallPhotoLimits.bytes,
  });

  const readBoundPhoto = async (listingId: string, index: number) => {
    const listing = listings.read(connection.account(), listingId);
    return listing === null ? null : boundPhotos.readAt(listing, index);
  };
  const shrinkBoundPhoto = async (sha256: string, signal: AbortSignal): Promise<Uint8Array | null> => {
    const found = await boundPhotos.find(sha256);
    const small = found && (await workers.shrink(found.bytes, smallPx, signal));
    if (small) made.set(sha256, small);
    return small;
  };
  const runWithPermit = async <T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> => {
    const leave = await places.acquire('photo', signal);
    try {
      return await work();
    } finally {
      leave();
    }
  };

  return {
    read: async (listingId, index) => {
      const bound = await readBoundPhoto(listingId, index);
      return bound && boundPhotos.find(bound.sha256);
    },
    small: async (listingId, index, signal) => {
      const bound = await readBoundPhoto(listingId, index);
      const bytes =
        bound &&
        (made.get(bound.sha256) ?? (await runWithPermit(signal, () => shrinkBoundPhoto(bound.sha256, signal))));
      return bytes && { bytes, contentType: 'image/jpeg' };
    },
  };
};

const doesFileExist = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

const fetchListingPhoto = async (url: string, outside: OutboundPolicy): Promise<FoundPhoto | null> => {
  const got = await readPhotoFromUrl(url, null, outside).catch(() => null);
  return got === null || got === 'unchanged' ? null : { bytes: got.bytes, contentType: got.contentType };
};

export type CompanionPhotos = ReturnType<typeof openPhotoParts>;

/** Opens the stores and the photo process for local photos. */
export const openPhotoParts = ({ dir, db, settings, clock, log }: CoreServices, startPhotoProcess: StartProcess) => {
  const places = { preparedDir: dir('prepared'), copiesDir: dir('intake') };
  const iterateNeededFiles = async function* (): AsyncGenerator<string> {
    // The photos of an addition become photos of items, so they are read first: none is missed on its way.
    yield* iterateAdditionPhotoPaths(db);
    yield* iterateNeededFilePaths(db);
  };
  relocatePhotoFiles({ db, settings, dataDir: dir(''), ...places });
  const windowUse = createWindowUse(clock);
  return {
    ...places,
    windowUse,
    workers: createPhotoWorkers({ startKitchen: startPhotoProcess, log, isWindowInUse: windowUse.isNow }),
    intake: createPhotoIntake(places.copiesDir),
    disk: createPhotoDiskCleaner({ ...places, needed: iterateNeededFiles, now: clock.now }),
  };
};

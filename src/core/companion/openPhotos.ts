import { access } from 'node:fs/promises';
import { discardFile } from '../../disk/changeFiles.ts';
import { createProblem, type Problem } from '../base/problem.ts';
import { readOriginalBytes } from '../photos/openInside.ts';
import type { CoreServices } from './coreServices.ts';
import type { OutboundPolicy } from '../service/outboundPolicy.ts';
import { readPhotoFromUrl } from '../photos/readPhoto.ts';
import { listNeededFiles } from '../storage/tables/photosTable.ts';
import { relocatePhotoFiles } from '../photos/relocatePhotoFiles.ts';
import { createPhotoIntake } from '../photos/photoIntake.ts';
import { createPhotoDiskCleaner } from '../photos/photoDisk.ts';
import type { StartProcess } from '../../isolated/processClient.ts';
import { createPhotoWorkers } from '../photos/photoWorkers.ts';
import { createBoundedMap } from '../base/boundedMap.ts';
import { createSemaphore } from '../base/semaphore.ts';

/** A reference to a photo: a prepared local photo, a photo of a listing by index, or bytes by hash. */
export type PhotoRef =
  { photoId: string; size: 'thumb' | 'full' } | { listingId: string; index: number } | { sha256: string };
/** The source of an avatar: a local file, or an upload received earlier. */
export type AvatarSource = { path: string } | { uploadId: string };
export type FoundPhoto = { path: string; contentType: string } | { bytes: Buffer; contentType: string };

/** Finds the bytes of a photo, or null. Windows load pictures from no other source. */
export const findShownPhoto =
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

/** Twice the largest size in which an avatar is shown. */
const avatarPx = 256;

/**
 * Converts a picture to an avatar: a data URL of a small JPEG without metadata, decoded in the photo process. The
 * received copy is deleted. Throws `AVATAR_UNREADABLE`.
 */
export const createAvatarMaker =
  ({ workers, intake }: Pick<CompanionPhotos, 'workers' | 'intake'>) =>
  async (given: AvatarSource): Promise<string> => {
    const createUnreadableProblem = (): Problem => createProblem('AVATAR_UNREADABLE', { field: 'avatar' });
    const source = 'path' in given ? given.path : await intake.find(given.uploadId);
    try {
      const bytes = await readOriginalBytes({ source }).catch(() => null);
      const picture = bytes && (await workers.shrink(bytes, avatarPx));
      if (!picture) throw createUnreadableProblem();
      return `data:image/jpeg;base64,${Buffer.from(picture).toString('base64')}`;
    } finally {
      if ('uploadId' in given) await discardFile(source);
    }
  };

/** Enough to recognise an item and its wear; larger pictures only fill a model's context. */
const smallPx = 768;
/** A review reads few photos, but repeatedly. */
const smallPhotoLimits = { photos: 40, bytes: 8 * 2 ** 20 };
const maxConcurrentShrinks = 2;

/** The bytes of a listing photo and their declared content type. */
export type ListingPhoto = { bytes: Uint8Array; contentType: string };
/** Reads photos of listings for assistants. Null if there is no usable photo. */
export type ListingPictures = {
  /** Reads the original. Throws `PHOTOS_UNREADABLE`. */
  read: (listingId: string, index: number, signal: AbortSignal) => Promise<ListingPhoto | null>;
  /** Reads a JPEG of at most 768 pixels without metadata, made in the photo process. */
  small: (listingId: string, index: number, signal: AbortSignal) => Promise<ListingPhoto | null>;
};

/**
 * Creates the reader of listing photos. Photos are identified by hash, so a stored one is not fetched again. Few are
 * shrunk at a time.
 */
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
  const runWithPlace = async <T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> => {
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
        bound && (made.get(bound.sha256) ?? (await runWithPlace(signal, () => shrinkBoundPhoto(bound.sha256, signal))));
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

/** Creates the parts for local photos: workers, intake and disk usage. */
export const openPhotoParts = ({ dir, db, settings, clock, log }: CoreServices, startPhotoProcess: StartProcess) => {
  const places = { preparedDir: dir('prepared'), copiesDir: dir('intake') };
  relocatePhotoFiles({ db, settings, dataDir: dir(''), ...places });
  return {
    ...places,
    workers: createPhotoWorkers({ startKitchen: startPhotoProcess, log }),
    intake: createPhotoIntake(places.copiesDir),
    disk: createPhotoDiskCleaner({ ...places, needed: () => listNeededFiles(db), now: clock.now }),
  };
};

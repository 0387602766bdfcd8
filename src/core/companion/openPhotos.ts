import { access } from 'node:fs/promises';
import { discardFile } from '../../disk/changeFiles.ts';
import { problem, type Problem } from '../base/problem.ts';
import { readOriginal } from '../photos/openInside.ts';
import type { CoreServices } from './coreServices.ts';
import type { Outside } from '../service/outside.ts';
import { readPhoto } from '../photos/readPhoto.ts';
import { neededFiles } from '../storage/tables/photosTable.ts';
import { followDataFolder } from '../photos/followFolder.ts';
import { createIntake } from '../photos/intake.ts';
import { createPhotoDisk } from '../photos/photoDisk.ts';
import type { StartProcess } from '../../isolated/processClient.ts';
import { createPhotoWorkers } from '../photos/workers.ts';
import { createBoundedMap } from '../base/boundedMap.ts';
import { createSemaphore } from '../base/semaphore.ts';

/** A photo that a window asks for: a prepared one of this machine, one of a listing by its place, or one by its bytes. */
export type PhotoRef =
  { photoId: string; size: 'thumb' | 'full' } | { listingId: string; index: number } | { sha256: string };
/** One picture: a file on this machine, or bytes that came before. */
export type AvatarSource = { path: string } | { uploadId: string };
export type FoundPhoto = { path: string; contentType: string } | { bytes: Buffer; contentType: string };

/** Finds the bytes of a photo; null when there are none. Windows load no picture from anywhere else. */
export const findPhoto =
  ({ itemsTable, listings, connection, boundPhotos, outside }: CoreServices) =>
  async (ref: PhotoRef): Promise<FoundPhoto | null> => {
    if ('sha256' in ref) return boundPhotos.find(ref.sha256);
    if ('listingId' in ref) {
      const url = listings.read(connection.account(), ref.listingId)?.imageUrls?.[ref.index];
      return url === undefined ? null : fetchPhoto(url, outside);
    }
    const photo = itemsTable.photo(ref.photoId);
    const path = ref.size === 'thumb' ? photo?.thumb_path : photo?.path;
    if (!path || !(await isThere(path))) return null;
    return { path, contentType: (ref.size === 'full' && photo?.content_type) || 'image/jpeg' };
  };

/** As large as a picture of a person is shown anywhere, twice over. */
const avatarPx = 256;

/**
 * A picture of the person as a data URL: a small JPEG without metadata, made where photos are decoded. Copies of bytes that
 * came for it are removed. Throws `AVATAR_UNREADABLE`.
 */
export const avatarFrom =
  ({ workers, intake }: Pick<PhotosOfCompanion, 'workers' | 'intake'>) =>
  async (given: AvatarSource): Promise<string> => {
    const unreadable = (): Problem => problem('AVATAR_UNREADABLE', { field: 'avatar' });
    const source = 'path' in given ? given.path : await intake.find(given.uploadId);
    try {
      const bytes = await readOriginal({ source }).catch(() => null);
      const picture = bytes && (await workers.shrink(bytes, avatarPx));
      if (!picture) throw unreadable();
      return `data:image/jpeg;base64,${Buffer.from(picture).toString('base64')}`;
    } finally {
      if ('uploadId' in given) await discardFile(source);
    }
  };

/** Enough to see what it is and how worn; more costs a model's context and shows it little. */
const smallPx = 768;
/** A review looks at few photos, and more than once. */
const smallKept = { photos: 40, bytes: 8 * 2 ** 20 };
const shrunkAtOnce = 2;

/** A photo of a listing: its bytes, and what they say they are. */
export type ListingPhoto = { bytes: Uint8Array; contentType: string };
/** The photos of listings for those who are no window. Null where there is none, or it cannot be used. */
export type ListingPictures = {
  /** As it is. Throws `PHOTOS_UNREADABLE`. */
  read: (listingId: string, index: number, signal: AbortSignal) => Promise<ListingPhoto | null>;
  /** As a JPEG of at most 768 pixels, without metadata, made where photos are decoded. */
  small: (listingId: string, index: number, signal: AbortSignal) => Promise<ListingPhoto | null>;
};

/** Reads each by its content: what is here already is not fetched again. A few at a time are made small. */
export const openListingPictures = (
  { listings, connection, boundPhotos }: CoreServices,
  { workers }: Pick<PhotosOfCompanion, 'workers'>,
): ListingPictures => {
  const places = createSemaphore(shrunkAtOnce);
  const made = createBoundedMap<string, Uint8Array>(smallKept.photos, {
    of: ({ length }) => length,
    most: smallKept.bytes,
  });

  const boundTo = async (listingId: string, index: number) => {
    const listing = listings.read(connection.account(), listingId);
    return listing === null ? null : boundPhotos.readAt(listing, index);
  };
  const shrunk = async (sha256: string, signal: AbortSignal): Promise<Uint8Array | null> => {
    const found = await boundPhotos.find(sha256);
    const small = found && (await workers.shrink(found.bytes, smallPx, signal));
    if (small) made.set(sha256, small);
    return small;
  };
  const inPlace = async <T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> => {
    const leave = await places.take('photo', signal);
    try {
      return await work();
    } finally {
      leave();
    }
  };

  return {
    read: async (listingId, index) => {
      const bound = await boundTo(listingId, index);
      return bound && boundPhotos.find(bound.sha256);
    },
    small: async (listingId, index, signal) => {
      const bound = await boundTo(listingId, index);
      const bytes = bound && (made.get(bound.sha256) ?? (await inPlace(signal, () => shrunk(bound.sha256, signal))));
      return bytes && { bytes, contentType: 'image/jpeg' };
    },
  };
};

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

const fetchPhoto = async (url: string, outside: Outside): Promise<FoundPhoto | null> => {
  const got = await readPhoto(url, null, outside).catch(() => null);
  return got === null || got === 'unchanged' ? null : { bytes: got.bytes, contentType: got.contentType };
};

export type PhotosOfCompanion = ReturnType<typeof openPhotos>;

/** Photos on this machine: what prepares them, the bytes that came without a path, and what all of it takes on disk. */
export const openPhotos = ({ dir, db, settings, clock, log }: CoreServices, startKitchen: StartProcess) => {
  const places = { preparedDir: dir('prepared'), copiesDir: dir('intake') };
  followDataFolder({ db, settings, dataDir: dir(''), ...places });
  return {
    ...places,
    workers: createPhotoWorkers({ startKitchen, log }),
    intake: createIntake(places.copiesDir),
    disk: createPhotoDisk({ ...places, needed: () => neededFiles(db), now: clock.now }),
  };
};

import { access } from 'node:fs/promises';
import type { CoreServices } from './coreServices.ts';
import { isPublicAddress, readPhoto } from '../photos/readPhoto.ts';
import { neededFiles } from '../storage/tables/photosTable.ts';
import { createIntake } from '../photos/intake.ts';
import { createPhotoDisk } from '../photos/photoDisk.ts';
import type { StartProcess } from '../../isolated/processClient.ts';
import { createPhotoWorkers } from '../photos/workers.ts';

/** A photo that a window asks for: a prepared one of this machine, one of a listing by its place, or one by its bytes. */
export type PhotoRef =
  { photoId: string; size: 'thumb' | 'full' } | { listingId: string; index: number } | { sha256: string };
export type FoundPhoto = { path: string; contentType: string } | { bytes: Buffer; contentType: string };

/** Finds the bytes of a photo; null when there are none. Windows load no picture from anywhere else. */
export const findPhoto =
  ({ itemsTable, listings, connection, boundPhotos }: CoreServices, serviceOrigin: string) =>
  async (ref: PhotoRef): Promise<FoundPhoto | null> => {
    if ('sha256' in ref) return boundPhotos.find(ref.sha256);
    if ('listingId' in ref) {
      const url = listings.read(connection.account(), ref.listingId)?.imageUrls?.[ref.index];
      return url !== undefined && isPublicAddress(url, serviceOrigin) ? fetchPhoto(url) : null;
    }
    const photo = itemsTable.photo(ref.photoId);
    const path = ref.size === 'thumb' ? photo?.thumb_path : photo?.path;
    if (!path || !(await isThere(path))) return null;
    return { path, contentType: (ref.size === 'full' && photo?.content_type) || 'image/jpeg' };
  };

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

const fetchPhoto = async (url: string): Promise<FoundPhoto | null> => {
  const got = await readPhoto(url, null).catch(() => null);
  return got === null || got === 'unchanged' ? null : { bytes: got.bytes, contentType: got.contentType };
};

export type PhotosOfCompanion = ReturnType<typeof openPhotos>;

/** Photos on this machine: what prepares them, the bytes that came without a path, and what all of it takes on disk. */
export const openPhotos = ({ dir, db, log }: CoreServices, startKitchen: StartProcess) => {
  const places = { preparedDir: dir('prepared'), copiesDir: dir('intake') };
  return {
    ...places,
    workers: createPhotoWorkers({ startKitchen, log }),
    intake: createIntake(places.copiesDir),
    disk: createPhotoDisk({ ...places, needed: () => neededFiles(db), now: Date.now }),
  };
};

import { readFile } from 'node:fs/promises';
import { discardFile } from '../../disk/changeFiles.ts';
import { limits, listing as listingShape, uploadSlot, type RouteName, type UploadSlot } from '../../contract/index.ts';
import * as z from 'zod';
import type { Perform, Asker } from '../base/request.ts';
import type { PhotoUploads } from '../photos/photoUploads.ts';
import type { PhotoWorkers } from '../photos/photoWorkers.ts';
import { formatEnglishText } from '../../i18n/english.ts';
import { createProblem, toProblemView } from '../base/problem.ts';
import { isTransientError } from '../service/serviceError.ts';
import type { Settings } from '../base/settings.ts';
import type { CopiedPhoto } from './allowedPhotos.ts';
import type { ReadyPhoto } from '../photos/preparedPhotos.ts';

type Parts = {
  perform: Perform;
  workers: PhotoWorkers;
  photoUploads: PhotoUploads;
  settings: () => Settings;
  preparedDir: string;
  /** Whether the codes of a photo are those of a label, so that the photo is private. */
  isLabel: (by: Asker, texts: readonly string[]) => boolean;
};
export type AddedPhoto = { name: string; imageId: string; url: string; width: number; height: number; bytes: number };
type SkippedPhoto = { name: string; code: string; error: string };
export type AddedPhotos = { photos: AddedPhoto[]; left: SkippedPhoto[] };
type PreparedPhoto = { name: string; made: ReadyPhoto };

const toUploadContentType = ({ contentType }: ReadyPhoto) =>
  limits.photoTypes.find((type) => type === contentType) ?? 'image/jpeg';

const sendInternalRequest = async (
  { perform }: Parts,
  by: Asker,
  { route, input }: { route: RouteName; input: object },
  signal: AbortSignal,
): Promise<unknown> => {
  const outcome = await perform({ by, route, input, signal, internal: true });
  if (outcome.state === 'pending') throw createProblem('NOT_ALLOWED.asks');
  return outcome.answer;
};

const prepareOnePhoto = async ({ workers, settings, preparedDir }: Parts, photo: CopiedPhoto, signal: AbortSignal) => {
  const { longEdgePx } = settings();
  return {
    name: photo.name,
    made: await workers.prepare({ source: photo.source, outDir: preparedDir, longEdgePx }, signal),
  };
};

/** `check` runs before each upload and throws if the listing no longer accepts photos. */
type UploadRights = { check: () => void; signal: AbortSignal };

type PhotoWithSlot = { photo: PreparedPhoto; slot: UploadSlot };

const uploadOnePhoto = async (
  { photoUploads }: Parts,
  listingId: string,
  { photo: { name, made }, slot }: PhotoWithSlot,
  { check, signal }: UploadRights,
) => {
  const bytes = await readFile(made.path);
  await photoUploads.put({ listingId, slot, bytes, contentType: toUploadContentType(made) }, signal, check);
  const { width, height } = made;
  return { name, imageId: slot.imageId, url: slot.publicUrl, width, height, bytes: made.bytes };
};

/** After a transient failure, later photos are skipped. Throws the first error if no photo was uploaded. */
const uploadAllPhotos = async (parts: Parts, listingId: string, placed: PhotoWithSlot[], rights: UploadRights) => {
  const photos: AddedPhoto[] = [];
  const left: SkippedPhoto[] = [];
  let first: Error | null = null;
  let stopped: Error | null = null;
  for (const one of placed) {
    try {
      if (stopped !== null) throw stopped;
      photos.push(await uploadOnePhoto(parts, listingId, one, rights));
    } catch (error) {
      rights.signal.throwIfAborted();
      rights.check();
      first ??= error instanceof Error ? error : new Error('A photo could not be put.');
      if (isTransientError(error)) stopped = error;
      const { code, sentence } = toProblemView(error);
      left.push({ name: one.photo.name, code, error: sentence });
    }
  }
  if (photos.length === 0 && first !== null) throw first;
  return { photos, left };
};

const addPreparedPhotos = async (
  parts: Parts,
  by: Asker,
  { listingId, given }: { listingId: string; given: CopiedPhoto[] },
  rights: UploadRights,
): Promise<AddedPhotos> => {
  const { signal } = rights;
  const now = listingShape.parse(
    await sendInternalRequest(parts, by, { route: 'readListing', input: { params: { listingId } } }, signal),
  );
  const before = now.imageUrls?.length ?? 0;
  if (before + given.length > limits.photosPerListing) {
    throw createProblem('TOO_MANY_PHOTOS', { field: 'photos', values: { most: limits.photosPerListing } });
  }
  const prepared = await Promise.all(given.map((photo) => prepareOnePhoto(parts, photo, signal)));
  const ready: PreparedPhoto[] = [];
  const left: SkippedPhoto[] = [];
  for (const { name, made } of prepared) {
    if (!made.ok) left.push({ name, code: made.code, error: made.sentence });
    else if (!parts.isLabel(by, made.labelTexts)) ready.push({ name, made });
    else left.push({ name, code: 'PHOTO_REFUSED', error: formatEnglishText('aside.label') });
  }
  if (ready.length === 0) return { photos: [], left };
  const files = ready.map(({ made }, index) => ({ contentType: toUploadContentType(made), index: before + index }));
  const slots = z
    .array(uploadSlot)
    .length(ready.length)
    .parse(
      await sendInternalRequest(parts, by, { route: 'requestUploads', input: { body: { listingId, files } } }, signal),
    );
  const placed = ready.map((photo, index): PhotoWithSlot => {
    const slot = slots[index];
    if (!slot) throw new Error('As many slots as files were parsed.');
    return { photo, slot };
  });
  const put = await uploadAllPhotos(parts, listingId, placed, rights);
  return { photos: put.photos, left: [...left, ...put.left] };
};

export type AddListingPhotos = (
  by: Asker,
  listingId: string,
  given: CopiedPhoto[],
  rights: UploadRights,
) => Promise<AddedPhotos>;

export const createListingPhotoUploader =
  (parts: Parts): AddListingPhotos =>
  async (by, listingId, given, rights) => {
    try {
      const added = await addPreparedPhotos(parts, by, { listingId, given }, rights);
      rights.check();
      return added;
    } finally {
      await Promise.all(given.map(({ source }) => discardFile(source)));
    }
  };

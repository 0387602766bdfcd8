import { rm, readFile } from 'node:fs/promises';
import { limits, listing as listingShape, uploadSlot, type RouteName } from '../../contract/index.ts';
import * as z from 'zod';
import type { Asker } from '../approvals/approval.ts';
import type { Perform } from '../perform.ts';
import type { ReadyPhoto } from '../photos/preparedPhoto.ts';
import type { PhotoWorkers } from '../photos/workers.ts';
import type { Clock } from '../ports.ts';
import { problem } from '../problem.ts';
import { putPhoto } from '../service/putPhoto.ts';
import type { Settings } from '../settings.ts';
import type { TakenPhoto } from './allowedPhotos.ts';

type Parts = {
  perform: Perform['perform'];
  workers: PhotoWorkers;
  clock: Clock;
  settings: () => Settings;
  preparedDir: string;
};
export type AddedPhoto = { name: string; imageId: string; url: string; width: number; height: number; bytes: number };
export type AddedPhotos = { photos: AddedPhoto[]; left: { name: string; code: string; error: string }[] };

const typeOf = ({ contentType }: ReadyPhoto) => limits.photoTypes.find((type) => type === contentType) ?? 'image/jpeg';

/** Puts photos on a listing that an assistant works on itself: prepared here, then sent to the places that the service gives. */
export const createListingPhotos = ({ perform, workers, clock, settings, preparedDir }: Parts) => {
  const ask = async (by: Asker, route: RouteName, input: object, signal: AbortSignal): Promise<unknown> => {
    const outcome = await perform({ by, route, input, signal, paced: true });
    if (outcome.state === 'pending') throw problem('NOT_ALLOWED.asks');
    return outcome.answer;
  };

  const prepare = async (photo: TakenPhoto, signal: AbortSignal) => {
    const { longEdgePx } = settings();
    return {
      name: photo.name,
      made: await workers.prepare({ source: photo.source, outDir: preparedDir, longEdgePx }, signal),
    };
  };

  const add = async (by: Asker, listingId: string, given: TakenPhoto[], signal: AbortSignal): Promise<AddedPhotos> => {
    const now = listingShape.parse(await ask(by, 'readListing', { params: { listingId } }, signal));
    const before = now.imageUrls?.length ?? 0;
    if (before + given.length > limits.photosPerListing) {
      throw problem('TOO_MANY_PHOTOS', { field: 'photos', values: { most: limits.photosPerListing } });
    }
    const prepared = await Promise.all(given.map((photo) => prepare(photo, signal)));
    const ready = prepared.flatMap(({ name, made }) => (made.ok ? [{ name, made }] : []));
    const left = prepared.flatMap(({ name, made }) =>
      made.ok ? [] : [{ name, code: made.code, error: made.sentence }],
    );
    if (ready.length === 0) return { photos: [], left };
    const files = ready.map(({ made }, index) => ({ contentType: typeOf(made), index: before + index }));
    const slots = z
      .array(uploadSlot)
      .length(ready.length)
      .parse(await ask(by, 'requestUploads', { body: { listingId, files } }, signal));
    const photos: AddedPhoto[] = [];
    for (const [index, { name, made }] of ready.entries()) {
      const slot = slots[index];
      if (!slot) throw new Error('As many slots as files were parsed.');
      const bytes = await readFile(made.path);
      await putPhoto(
        { bytes, contentType: typeOf(made), uploadUrl: slot.uploadUrl, sent: () => undefined },
        clock,
        signal,
      );
      photos.push({
        name,
        imageId: slot.imageId,
        url: slot.publicUrl,
        width: made.width,
        height: made.height,
        bytes: made.bytes,
      });
    }
    return { photos, left };
  };

  return async (by: Asker, listingId: string, given: TakenPhoto[], signal: AbortSignal): Promise<AddedPhotos> => {
    try {
      return await add(by, listingId, given, signal);
    } finally {
      // The copies were made for this, however it ended.
      await Promise.all(given.map(({ source }) => rm(source, { force: true })));
    }
  };
};

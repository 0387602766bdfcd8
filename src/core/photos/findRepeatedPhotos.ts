import { stat } from 'node:fs/promises';
import { setImmediate as immediate } from 'node:timers/promises';
import { mapConcurrently } from '../base/semaphore.ts';
import { cutIntoSlices } from '../base/slices.ts';
import { runWithOriginalBytes } from './openInside.ts';
import { hashWithoutBlocking } from './preparePhoto.ts';

type PhotoToCompare = { source: string; root: string | null };
type FileIdentity = { bytes: number; sha256: string };

/** Finds what items were made from, by account. */
export type OriginalLookup = {
  knownSizes: (bytes: readonly number[]) => ReadonlySet<number>;
  itemsOfOriginals: (files: readonly FileIdentity[]) => ReadonlyMap<string, string>;
};

const maxParallelReads = 4;
/** Looking up this many files takes a few milliseconds. */
const filesPerLookup = 1_000;

const hashPhoto = (photo: PhotoToCompare): Promise<string | null> =>
  runWithOriginalBytes(photo, hashWithoutBlocking).catch(() => null);

/** Returns whether the content of each photo has one of these hashes. */
export const hasOnlyKnownPhotos = async (
  photos: readonly PhotoToCompare[],
  hashes: ReadonlySet<string>,
): Promise<boolean> => {
  const found = await mapConcurrently(photos, maxParallelReads, hashPhoto);
  return found.every((hash) => hash !== null && hashes.has(hash));
};

/**
 * Returns the item that already has each photo, by the photo's path. The content is compared, and only files with the
 * size of a known file are read, so that a drop of new photos is not delayed.
 */
export const findRepeatedPhotos = async (
  photos: readonly PhotoToCompare[],
  lookup: OriginalLookup,
): Promise<Map<string, string>> => {
  const sizes = new Map<string, number>();
  await mapConcurrently(photos, maxParallelReads, async ({ source }) => {
    const found = await stat(source).catch(() => null);
    if (found) sizes.set(source, found.size);
  });
  const known = new Set<number>();
  for (const some of cutIntoSlices([...new Set(sizes.values())], filesPerLookup)) {
    for (const bytes of lookup.knownSizes(some)) known.add(bytes);
    await immediate();
  }
  const files = new Map<string, FileIdentity>();
  await mapConcurrently(photos, maxParallelReads, async (photo) => {
    const bytes = sizes.get(photo.source) ?? 0;
    if (!known.has(bytes)) return;
    // The preparation reports a photo that cannot be read.
    const sha256 = await hashPhoto(photo);
    if (sha256 !== null) files.set(photo.source, { bytes, sha256 });
  });
  const items = new Map<string, string>();
  for (const some of cutIntoSlices([...files.values()], filesPerLookup)) {
    for (const [sha256, itemId] of lookup.itemsOfOriginals(some)) items.set(sha256, itemId);
    await immediate();
  }
  return new Map(
    [...files].flatMap(([source, { sha256 }]) => {
      const itemId = items.get(sha256);
      return itemId === undefined ? [] : [[source, itemId] as const];
    }),
  );
};

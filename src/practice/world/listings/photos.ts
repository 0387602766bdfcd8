import { hash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { editableStatuses, limits } from '../../../contract/index.ts';
import { selectAllRows, runInTransaction, selectFirstRow, runStatement } from '../../database.ts';
import { createRandomSecret, createRandomText, hashSha256Hex } from '../../ids.ts';
import { refuseCall } from '../../refusal.ts';
import { getPersonPlan } from '../allowance.ts';
import { recordJournalEffect } from '../journal.ts';
import { findListingById, requireOwnListing, requireListingState, type ListingRow } from './listings.ts';
import type { Person } from '../people.ts';
import type { World } from '../world.ts';
import { discardFile } from '../../../disk/changeFiles.ts';
import { writeWhole } from '../../../disk/writeWhole.ts';
import { findOwnEntry } from '../../../contract/untrusted.ts';

export const maxPhotoBytes = 25 * 1024 * 1024;

const fileExtensions: Readonly<Record<string, string>> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
};

const photoRow = z.object({
  listingId: z.string(),
  position: z.int(),
  imageId: z.string(),
  file: z.string(),
  contentType: z.string(),
  bytes: z.int(),
  uploadedAt: z.int(),
});
type Photo = z.infer<typeof photoRow>;

/** Returns the uploaded photos of a listing, main photo first. */
export const listListingPhotos = ({ db }: World, listingId: string): Photo[] =>
  selectAllRows(db, photoRow, 'SELECT * FROM photos WHERE listingId = ? ORDER BY position', listingId);

const photoFile = z.object({ listingId: z.string(), file: z.string() });

/** Returns the photo files of each listing, main photo first. */
export const listPhotoFiles = ({ db }: World, listingIds: readonly string[]): Map<string, string[]> => {
  const files = new Map<string, string[]>(listingIds.map((listingId) => [listingId, []]));
  const rows = selectAllRows(
    db,
    photoFile,
    'SELECT listingId, file FROM photos WHERE listingId IN (SELECT value FROM json_each(?)) ORDER BY listingId, position',
    JSON.stringify(listingIds),
  );
  for (const { listingId, file } of rows) files.get(listingId)?.push(file);
  return files;
};

export const findPhotoByFile = ({ db }: World, file: string): Photo | null =>
  selectFirstRow(db, photoRow, 'SELECT * FROM photos WHERE file = ?', file);

export const computePhotoEtag = async ({ photosDir }: World, file: string): Promise<string> =>
  `"${hash('sha256', await readFile(join(photosDir, file)))}"`;

const formatPhotoFileName = (imageId: string, contentType: string): string =>
  `${imageId}.${findOwnEntry(fileExtensions, contentType) ?? 'bin'}`;
export const formatPhotoUrl = (world: World, file: string): string => `${world.url()}/photos/${file}`;

const positionRow = z.object({ position: z.int() });

/** If photos were uploaded under a larger plan, they stay and can be replaced, even if they exceed the current plan. */
const refuseTooManyPhotos = (world: World, person: Person, listing: ListingRow, requestedIndexes: number[]): void => {
  const takenPositions = selectAllRows(
    world.db,
    positionRow,
    'SELECT position FROM photos WHERE listingId = ?1 UNION SELECT position FROM slots WHERE listingId = ?1',
    listing.listingId,
  );
  const photos = listListingPhotos(world, listing.listingId);
  if (requestedIndexes.every((index) => photos.some((photo) => photo.position === index))) return;
  const total = new Set([...takenPositions.map((row) => row.position), ...requestedIndexes]).size;
  const plan = getPersonPlan(person);
  const maxPhotos = Math.min(plan.photosPerListing, limits.photosPerListing);
  if (total > maxPhotos)
    refuseCall(400, `The ${plan.name} plan has ${maxPhotos} photos a listing; this would make it ${total}.`);
};

type SlotRequest = { contentType: string; index: number };

/** Creates one upload slot per photo. A new slot replaces the earlier slot with the same index. */
export const createUploadSlots = (world: World, person: Person, listingId: string, files: readonly SlotRequest[]) =>
  runInTransaction(world.db, () => {
    const listing = requireOwnListing(world, person, listingId);
    requireListingState(listing, editableStatuses, 'given photos');
    const requestedIndexes = files.map((file) => file.index);
    if (new Set(requestedIndexes).size < requestedIndexes.length)
      refuseCall(400, 'Each photo of a request needs an index of its own.');
    refuseTooManyPhotos(world, person, listing, requestedIndexes);
    return files.map(({ contentType, index }) => {
      const imageId = `img_${createRandomText(20)}`;
      const token = createRandomSecret();
      runStatement(
        world.db,
        'INSERT OR REPLACE INTO slots (imageId, digest, listingId, position, contentType, createdAt) VALUES (?, ?, ?, ?, ?, ?)',
        imageId,
        hashSha256Hex(token),
        listingId,
        index,
        contentType,
        world.clock.now(),
      );
      const file = formatPhotoFileName(imageId, contentType);
      return {
        uploadUrl: `${world.url()}/uploads/${token}`,
        key: `listings/${listingId}/${file}`,
        publicUrl: formatPhotoUrl(world, file),
        imageId,
        index,
        contentType,
      };
    });
  });

const slotRow = z.object({
  imageId: z.string(),
  listingId: z.string(),
  position: z.int(),
  contentType: z.string(),
  createdAt: z.int(),
});
type Slot = z.infer<typeof slotRow>;

/** Returns the slot of an upload URL. Refuses an unknown or expired URL and a wrong content type. */
export const requireOpenSlot = (world: World, token: string, contentType: string | undefined): Slot => {
  const slot = selectFirstRow(world.db, slotRow, 'SELECT * FROM slots WHERE digest = ?', hashSha256Hex(token));
  if (!slot) return refuseCall(403, 'This upload address does not work. Ask for a new one.');
  if (world.clock.now() - slot.createdAt >= limits.uploadWindowMs)
    return refuseCall(403, 'This upload address has expired. Ask for a new one.');
  if (contentType !== slot.contentType)
    return refuseCall(415, `This upload address takes ${slot.contentType}, exactly as it was asked for.`);
  const listing = findListingById(world, slot.listingId);
  if (listing) requireListingState(listing, editableStatuses, 'given photos');
  return slot;
};

/** Deletes the given photo files. The caller ensures that no row refers to them. Ignores missing files. */
export const removePhotoFiles = async (world: World, files: readonly string[]): Promise<void> => {
  await Promise.all(files.map((file) => discardFile(join(world.photosDir, file))));
};

const encodeAgain = async (bytes: Buffer): Promise<Buffer> => {
  // The decoder is loaded only if it is needed, because it would slow down the start.
  const { shrinkPhoto } = await import('../../writer/reading/picture.ts');
  return shrinkPhoto(bytes).then(
    (encoded) => Buffer.from(encoded),
    () => bytes,
  );
};

const recordPhotoEffect = (world: World, slot: Slot, bytes: Buffer, isKept: boolean): void =>
  recordJournalEffect(world, 'photo', {
    userId: findListingById(world, slot.listingId)?.userId ?? null,
    listingId: slot.listingId,
    imageId: slot.imageId,
    index: slot.position,
    bytes: bytes.length,
    ...(isKept ? {} : { ignored: true }),
  });

const ignoresUpload = (world: World, { listingId }: Slot): boolean =>
  world.disruptions.keepsWrittenPhotos && findListingById(world, listingId)?.status === 'pending_review';

/**
 * Stores the bytes of a photo, usually without decoding them. The file is written before its row, so that every row has
 * a file.
 */
export const storeUploadedPhoto = async (
  world: World,
  token: string,
  contentType: string,
  given: Buffer,
): Promise<void> => {
  const slot = requireOpenSlot(world, token, contentType);
  if (ignoresUpload(world, slot)) return recordPhotoEffect(world, slot, given, false);
  const isEncoded = world.disruptions.encodesPhotos;
  const bytes = isEncoded ? await encodeAgain(given) : given;
  const storedType = isEncoded ? 'image/jpeg' : slot.contentType;
  const file = formatPhotoFileName(slot.imageId, storedType);
  await writeWhole(join(world.photosDir, file), bytes, { isSynced: true });
  const replaced = runInTransaction(world.db, () => {
    const { listingId, position: at } = requireOpenSlot(world, token, contentType);
    const before = listListingPhotos(world, listingId).find((photo) => photo.position === at);
    runStatement(
      world.db,
      'INSERT OR REPLACE INTO photos (listingId, position, imageId, file, contentType, bytes, uploadedAt) VALUES (?, ?, ?, ?, ?, ?, ?)',
      listingId,
      at,
      slot.imageId,
      file,
      storedType,
      bytes.length,
      world.clock.now(),
    );
    recordPhotoEffect(world, slot, bytes, true);
    return before && before.file !== file ? [before.file] : [];
  });
  await removePhotoFiles(world, replaced);
};

const fileRow = z.object({ file: z.string() });

/** Deletes photo files without a row, which a crash during an upload can leave. */
export const removeOrphanedFiles = async (world: World): Promise<void> => {
  const known = new Set(selectAllRows(world.db, fileRow, 'SELECT file FROM photos').map(({ file }) => file));
  const filesOnDisk = await readdir(world.photosDir);
  await removePhotoFiles(
    world,
    filesOnDisk.filter((file) => !known.has(file)),
  );
};

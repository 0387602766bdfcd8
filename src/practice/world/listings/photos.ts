import { hash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { editableStatuses, limits } from '../../../contract/index.ts';
import { all, atomically, one, run } from '../../database.ts';
import { newSecret, randomText, sha256 } from '../../ids.ts';
import { refuse } from '../../refusal.ts';
import { planOf } from '../allowance.ts';
import { recordEffect } from '../journal.ts';
import { findListing, requireOwnListing, requireState, type ListingRow } from './listings.ts';
import type { Person } from '../people.ts';
import type { World } from '../world.ts';
import { discardFile } from '../../../disk/changeFiles.ts';
import { writeWhole } from '../../../disk/writeWhole.ts';
import { entryOf } from '../../../contract/untrusted.ts';

export const photoBytesLimit = 25 * 1024 * 1024;

const endings: Readonly<Record<string, string>> = { 'image/jpeg': 'jpg', 'image/png': 'png', 'image/webp': 'webp' };

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
export const photosOf = ({ db }: World, listingId: string): Photo[] =>
  all(db, photoRow, 'SELECT * FROM photos WHERE listingId = ? ORDER BY position', listingId);

const photoFile = z.object({ listingId: z.string(), file: z.string() });

/** Returns the photo files of several listings, main photo first. */
export const filesOf = ({ db }: World, listingIds: readonly string[]): Map<string, string[]> => {
  const files = new Map<string, string[]>(listingIds.map((listingId) => [listingId, []]));
  const rows = all(
    db,
    photoFile,
    'SELECT listingId, file FROM photos WHERE listingId IN (SELECT value FROM json_each(?)) ORDER BY listingId, position',
    JSON.stringify(listingIds),
  );
  for (const { listingId, file } of rows) files.get(listingId)?.push(file);
  return files;
};

export const photoByFile = ({ db }: World, file: string): Photo | null =>
  one(db, photoRow, 'SELECT * FROM photos WHERE file = ?', file);

/** Returns the ETag of a photo's current bytes. */
export const photoTag = async ({ photosDir }: World, file: string): Promise<string> =>
  `"${hash('sha256', await readFile(join(photosDir, file)))}"`;

const photoFileName = (imageId: string, contentType: string): string =>
  `${imageId}.${entryOf(endings, contentType) ?? 'bin'}`;
export const photoUrl = (world: World, file: string): string => `${world.url()}/photos/${file}`;

const position = z.object({ position: z.int() });

/**
 * Refuses more photos than the plan allows; a repeated index counts once. A listing that has more photos from a larger
 * plan keeps them, and each photo can be replaced.
 */
const refuseTooMany = (world: World, person: Person, listing: ListingRow, asked: number[]): void => {
  const there = all(
    world.db,
    position,
    'SELECT position FROM photos WHERE listingId = ?1 UNION SELECT position FROM slots WHERE listingId = ?1',
    listing.listingId,
  );
  const photos = photosOf(world, listing.listingId);
  if (asked.every((index) => photos.some((photo) => photo.position === index))) return;
  const total = new Set([...there.map((row) => row.position), ...asked]).size;
  const plan = planOf(person);
  const cap = Math.min(plan.photosPerListing, limits.photosPerListing);
  if (total > cap) refuse(400, `The ${plan.name} plan has ${cap} photos a listing; this would make it ${total}.`);
};

type SlotRequest = { contentType: string; index: number };

/** Creates one upload slot per photo. A new slot replaces an earlier slot of the same index. */
export const requestUploads = (world: World, person: Person, listingId: string, files: readonly SlotRequest[]) =>
  atomically(world.db, () => {
    const listing = requireOwnListing(world, person, listingId);
    requireState(listing, editableStatuses, 'given photos');
    const asked = files.map((file) => file.index);
    if (new Set(asked).size < asked.length) refuse(400, 'Each photo of a request needs an index of its own.');
    refuseTooMany(world, person, listing, asked);
    return files.map(({ contentType, index }) => {
      const imageId = `img_${randomText(20)}`;
      const token = newSecret();
      run(
        world.db,
        'INSERT OR REPLACE INTO slots (imageId, digest, listingId, position, contentType, createdAt) VALUES (?, ?, ?, ?, ?, ?)',
        imageId,
        sha256(token),
        listingId,
        index,
        contentType,
        world.clock.now(),
      );
      const file = photoFileName(imageId, contentType);
      return {
        uploadUrl: `${world.url()}/uploads/${token}`,
        key: `listings/${listingId}/${file}`,
        publicUrl: photoUrl(world, file),
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

/** Returns the slot of an upload address. Refuses an unknown or expired address and a wrong content type. */
export const openSlot = (world: World, token: string, contentType: string | undefined): Slot => {
  const slot = one(world.db, slotRow, 'SELECT * FROM slots WHERE digest = ?', sha256(token));
  if (!slot) return refuse(403, 'This upload address does not work. Ask for a new one.');
  if (world.clock.now() - slot.createdAt >= limits.uploadWindowMs)
    return refuse(403, 'This upload address has expired. Ask for a new one.');
  if (contentType !== slot.contentType)
    return refuse(415, `This upload address takes ${slot.contentType}, exactly as it was asked for.`);
  const listing = findListing(world, slot.listingId);
  if (listing) requireState(listing, editableStatuses, 'given photos');
  return slot;
};

/** Deletes photo files that no row refers to. Missing files are ignored. */
export const removeFiles = async (world: World, files: readonly string[]): Promise<void> => {
  await Promise.all(files.map((file) => discardFile(join(world.photosDir, file))));
};

/**
 * Stores the bytes of a photo without decoding them; the writer detects invalid images. The file is written before its
 * row, so that a row always has its file.
 */
export const storePhoto = async (world: World, token: string, contentType: string, bytes: Buffer): Promise<void> => {
  const slot = openSlot(world, token, contentType);
  const file = photoFileName(slot.imageId, slot.contentType);
  await writeWhole(join(world.photosDir, file), bytes, { isSynced: true });
  const replaced = atomically(world.db, () => {
    const { listingId, position: at } = openSlot(world, token, contentType);
    const before = photosOf(world, listingId).find((photo) => photo.position === at);
    run(
      world.db,
      'INSERT OR REPLACE INTO photos (listingId, position, imageId, file, contentType, bytes, uploadedAt) VALUES (?, ?, ?, ?, ?, ?, ?)',
      listingId,
      at,
      slot.imageId,
      file,
      slot.contentType,
      bytes.length,
      world.clock.now(),
    );
    recordEffect(world, 'photo', {
      userId: findListing(world, listingId)?.userId ?? null,
      listingId,
      imageId: slot.imageId,
      index: at,
      bytes: bytes.length,
    });
    return before && before.file !== file ? [before.file] : [];
  });
  await removeFiles(world, replaced);
};

const fileRow = z.object({ file: z.string() });

/** Deletes photo files left over from a crash during an upload. */
export const sweepFiles = async (world: World): Promise<void> => {
  const known = new Set(all(world.db, fileRow, 'SELECT file FROM photos').map(({ file }) => file));
  const there = await readdir(world.photosDir);
  await removeFiles(
    world,
    there.filter((file) => !known.has(file)),
  );
};

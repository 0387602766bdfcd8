import { mapConcurrently } from '../base/semaphore.ts';
import { mkdir, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { discardFile } from '../../disk/changeFiles.ts';
import { systemDisk, type Disk } from '../../disk/disk.ts';
import { writeWhole } from '../../disk/writeWhole.ts';
import { photoTypeOf, readPhoto, unreadable, type Validator } from './readPhoto.ts';
import { sha256 } from './keepPrepared.ts';
import type { Listing } from '../../contract/index.ts';
import type { Clock, Log } from '../base/ports.ts';
import type { StoredAges } from '../base/storedAges.ts';
import { diskProblem } from '../base/problem.ts';
import { boundPhotosTable, type BoundPhotoRow, type PhotoPlace } from '../storage/tables/boundPhotosTable.ts';
import type { Db } from '../storage/database.ts';
import type { Outside } from '../service/outside.ts';

const hashShape = /^[0-9a-f]{64}$/;
/** What was just kept may not be known to anybody who needs it yet. */
const youngMs = 10 * 60_000;

/** A folder of photos named by the SHA-256 of their bytes. A file is what its name says, or it is not there. */
const createKeptPhotos = ({ dir, clock, disk = systemDisk }: Pick<Parts, 'dir' | 'clock' | 'disk'>) => {
  const pathOf = (hash: string): string => join(dir, hash);

  /** The bytes of that hash; null when there are none, or when the file holds others by now. */
  const read = async (hash: string): Promise<Buffer | null> => {
    const bytes = hashShape.test(hash) ? await readFile(pathOf(hash)).catch(() => null) : null;
    return bytes !== null && sha256(bytes) === hash ? bytes : null;
  };
  const has = async (hash: string): Promise<boolean> => (await read(hash)) !== null;

  return {
    has,
    /** The photo of that hash, with what its bytes say it is; null when it is not there. */
    find: async (hash: string): Promise<{ bytes: Buffer; contentType: string } | null> => {
      const bytes = await read(hash);
      const contentType = bytes && (await photoTypeOf(bytes));
      return bytes && contentType ? { bytes, contentType } : null;
    },
    /** Keeps bytes under their hash, whole or not at all, and nobody else's to read. Throws what the disk says. */
    keep: async (hash: string, bytes: Buffer): Promise<void> => {
      if (await has(hash)) return;
      await mkdir(dir, { recursive: true, mode: 0o700 });
      await writeWhole(pathOf(hash), bytes, { mode: 0o600, disk });
    },
    /** Removes every file but those of the given hashes, and those that were only just kept. */
    sweep: async (keep: ReadonlySet<string>): Promise<void> => {
      const now = clock.now();
      for (const name of await readdir(dir).catch(() => [])) {
        if (keep.has(name)) continue;
        const file = await stat(join(dir, name)).catch(() => null);
        if (file && now - file.mtimeMs > youngMs) await discardFile(join(dir, name), disk);
      }
    },
  };
};

/** A photo as an approval is bound to it: by its bytes, wherever they lie. */
export type BoundPhoto = { sha256: string; contentType: string };

type Parts = {
  db: Db;
  /** The folder of the kept bytes. */
  dir: string;
  /** The account that is connected now, or null. */
  account: () => string | null;
  outside: Outside;
  clock: Clock;
  ages: StoredAges;
  log: Log;
  disk?: Disk;
};

export type BoundPhotos = ReturnType<typeof createBoundPhotos>;

const readAtOnce = 6;
/** Several times what a listing may have. */
const mostPhotos = 100;
const dayMs = 24 * 3_600_000;
/** Bytes of photos that were known this recently are kept for the next prompt; later they are read anew. */
const keptMs = 14 * dayMs;
const rememberedMs = 90 * dayMs;

/** What is known of photos by their addresses, for the account that is connected. */
type Own = Parts & { table: ReturnType<typeof boundPhotosTable>; kept: ReturnType<typeof createKeptPhotos> };

const placeOf = ({ account }: Own, listingId: string, url: string): PhotoPlace | null => {
  const who = account();
  return who === null ? null : { account: who, listingId, address: addressOf(url) };
};

const note = (
  { table, clock }: Own,
  place: PhotoPlace | null,
  photo: BoundPhoto,
  { known, validator }: { known: 'sent' | 'read'; validator: Validator },
): void => {
  if (place === null) return;
  table.put(place, {
    sha256: photo.sha256,
    content_type: photo.contentType,
    etag: validator.etag,
    last_modified: validator.lastModified,
    known,
    at: clock.now(),
  });
};

/** The bytes behind an address, from the service unless it says that they are those we have. */
const readOne = async (own: Own, listingId: string, url: string): Promise<BoundPhoto> => {
  const { table, kept } = own;
  // What may not be asked is not shown from what is kept either.
  if (own.outside.urlOf(url) === null) throw unreadable('broken');
  const place = placeOf(own, listingId, url);
  const row = place === null ? null : table.read(place);
  // What is known but no longer there could not be shown, so it is read again.
  const there = row !== null && (await kept.has(row.sha256)) ? row : null;
  if (there && stands(there)) return photoOf(there);
  const got = await readPhoto(url, there === null ? null : validatorOf(there), own.outside);
  if (got === 'unchanged') return photoOf(there ?? never());
  const photo = { sha256: sha256(got.bytes), contentType: got.contentType };
  await kept.keep(photo.sha256, got.bytes);
  note(own, place, photo, { known: 'read', validator: got.validator });
  return photo;
};

const readAll = async (own: Own, { listingId, imageUrls }: Listing): Promise<BoundPhoto[]> => {
  // Whoever names more wants something else than to show a listing: each of them is read and kept.
  if ((imageUrls ?? []).length > mostPhotos) throw unreadable('broken');
  return mapConcurrently(imageUrls ?? [], readAtOnce, (url) => readOne(own, listingId, url));
};

/**
 * Knows the photos of listings by content. Bytes that this companion sent are known by their hash while their address is
 * the same and no slot of the listing was opened since; all others are read from the service, and asked for conditionally
 * the next time. What is known by its hash lies in a folder under that hash.
 */
export const createBoundPhotos = (parts: Parts) => {
  const { account, clock, ages, log } = parts;
  const table = boundPhotosTable(parts.db);
  const kept = createKeptPhotos(parts);
  const own: Own = { ...parts, table, kept };

  return {
    /**
     * The photos of a listing by content, in its order, each of them kept for the window. Throws `PHOTOS_UNREADABLE` when
     * one cannot be read or is no picture; it passes by itself where the service or the way to it is at fault.
     */
    read: (listing: Listing): Promise<BoundPhoto[]> => readAll(own, listing),
    /** One of them, by its place; null where the listing has none there. Throws `PHOTOS_UNREADABLE`. */
    readAt: async ({ listingId, imageUrls }: Listing, index: number): Promise<BoundPhoto | null> => {
      const url = imageUrls?.[index];
      return url === undefined ? null : readOne(own, listingId, url);
    },
    /** A slot of that listing is asked for: what was sent before is no longer known by its address alone. */
    slotOpened: (listingId: string): void => {
      const who = account();
      if (who !== null) table.slotOpened(who, listingId, clock.now());
    },
    /** Bytes are about to be put there, or may have been: what was known of that address is not known any more. */
    forget: (listingId: string, publicUrl: string): void => {
      const place = placeOf(own, listingId, publicUrl);
      if (place !== null) table.forget(place);
    },
    /** These bytes are behind that address now: this companion put them there, and nobody else could since. */
    sent: async (listingId: string, publicUrl: string, bytes: Buffer, contentType: string): Promise<void> => {
      const photo = { sha256: sha256(bytes), contentType };
      try {
        await kept.keep(photo.sha256, bytes);
        note(own, placeOf(own, listingId, publicUrl), photo, {
          known: 'sent',
          validator: { etag: null, lastModified: null },
        });
      } catch (error) {
        // The photo is up, and what is not known of it is read when it matters.
        if (diskProblem(error) === null) throw error;
        log('warn', 'a photo that was sent could not be kept');
      }
    },
    /** The bytes of that hash for the window; null when they are not here, or are others by now. */
    find: kept.find,
    /** Removes kept bytes but those of `keep`, and those of listings that somebody may soon be asked about. */
    sweep: async (keep: ReadonlySet<string>): Promise<void> => {
      table.forgetBefore(ages.earliestAt(rememberedMs));
      await kept.sweep(new Set([...keep, ...table.hashesSince(ages.earliestAt(keptMs))]));
    },
  };
};

/** The address without its query, which is another one with each answer where it carries a signature. */
const addressOf = (text: string): string => {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null) return text;
  url.search = '';
  url.hash = '';
  return url.href;
};

const stands = ({ known, slot_opened_at }: BoundPhotoRow): boolean => known === 'sent' && slot_opened_at === null;

const photoOf = ({ sha256, content_type }: BoundPhotoRow): BoundPhoto => ({ sha256, contentType: content_type });

const validatorOf = ({ etag, last_modified }: BoundPhotoRow): Validator | null =>
  etag === null && last_modified === null ? null : { etag, lastModified: last_modified };

const never = (): never => {
  throw new Error('Unchanged is answered only to what is known.');
};

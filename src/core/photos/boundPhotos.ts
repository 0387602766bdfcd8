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
/** New files are not swept, because the row that refers to them may not be stored yet. */
const youngMs = 10 * 60_000;

/**
 * A folder of photos named by the SHA-256 of their bytes. A file whose bytes do not match its name counts as missing.
 */
const createKeptPhotos = ({ dir, clock, disk = systemDisk }: Pick<Parts, 'dir' | 'clock' | 'disk'>) => {
  const pathOf = (hash: string): string => join(dir, hash);

  /** Reads the bytes with that hash; null when the file is missing or its content has changed. */
  const read = async (hash: string): Promise<Buffer | null> => {
    const bytes = hashShape.test(hash) ? await readFile(pathOf(hash)).catch(() => null) : null;
    return bytes !== null && sha256(bytes) === hash ? bytes : null;
  };
  const has = async (hash: string): Promise<boolean> => (await read(hash)) !== null;

  return {
    has,
    /** Returns the photo with that hash and its content type, detected from the bytes; null when it is missing. */
    find: async (hash: string): Promise<{ bytes: Buffer; contentType: string } | null> => {
      const bytes = await read(hash);
      const contentType = bytes && (await photoTypeOf(bytes));
      return bytes && contentType ? { bytes, contentType } : null;
    },
    /** Stores bytes under their hash, atomically and readable only by this user. Throws errors of the disk. */
    keep: async (hash: string, bytes: Buffer): Promise<void> => {
      if (await has(hash)) return;
      await mkdir(dir, { recursive: true, mode: 0o700 });
      await writeWhole(pathOf(hash), bytes, { mode: 0o600, disk });
    },
    /** Removes all files except those with the given hashes and recent ones. */
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

/** A photo that an approval is bound to, identified by its bytes. */
export type BoundPhoto = { sha256: string; contentType: string };

type Parts = {
  db: Db;
  /** The folder of the kept photos. */
  dir: string;
  /** The connected account, or null. */
  account: () => string | null;
  outside: Outside;
  clock: Clock;
  ages: StoredAges;
  log: Log;
  disk?: Disk;
};

export type BoundPhotos = ReturnType<typeof createBoundPhotos>;

const readAtOnce = 6;
/** Well above the limit of photos per listing. */
const mostPhotos = 100;
const dayMs = 24 * 3_600_000;
/** Photos known this recently are kept for the next prompt; older ones are read again. */
const keptMs = 14 * dayMs;
const rememberedMs = 90 * dayMs;

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

/** Returns the photo behind a URL. Reads it from the service unless the kept copy is still valid. */
const readOne = async (own: Own, listingId: string, url: string): Promise<BoundPhoto> => {
  const { table, kept } = own;
  // A URL that may not be requested is not served from the kept photos either.
  if (own.outside.urlOf(url) === null) throw unreadable('broken');
  const place = placeOf(own, listingId, url);
  const row = place === null ? null : table.read(place);
  // If the kept file is missing, the photo could not be shown, so it is read again.
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
  // Each photo is downloaded and kept, so a list this long would be abuse.
  if ((imageUrls ?? []).length > mostPhotos) throw unreadable('broken');
  return mapConcurrently(imageUrls ?? [], readAtOnce, (url) => readOne(own, listingId, url));
};

/**
 * Identifies the photos of listings by content. Photos uploaded by this companion are known by their hash while their
 * URL is unchanged and no slot of the listing was opened since. All others are read from the service, later with
 * conditional requests. The bytes are kept in a folder, named by their hash.
 */
export const createBoundPhotos = (parts: Parts) => {
  const { account, clock, ages, log } = parts;
  const table = boundPhotosTable(parts.db);
  const kept = createKeptPhotos(parts);
  const own: Own = { ...parts, table, kept };

  return {
    /**
     * Reads the photos of a listing in order and keeps each for the window. Throws `PHOTOS_UNREADABLE` if a photo
     * cannot be read or is not a picture; transient if the service or the connection failed.
     */
    read: (listing: Listing): Promise<BoundPhoto[]> => readAll(own, listing),
    /** Reads the photo at an index; null when the listing has none there. Throws `PHOTOS_UNREADABLE`. */
    readAt: async ({ listingId, imageUrls }: Listing, index: number): Promise<BoundPhoto | null> => {
      const url = imageUrls?.[index];
      return url === undefined ? null : readOne(own, listingId, url);
    },
    /** Records that a slot of the listing was requested. Earlier uploads are no longer known by their URL alone. */
    slotOpened: (listingId: string): void => {
      const who = account();
      if (who !== null) table.slotOpened(who, listingId, clock.now());
    },
    /** Forgets the photo behind a URL, because new bytes are about to be uploaded there or may have been. */
    forget: (listingId: string, publicUrl: string): void => {
      const place = placeOf(own, listingId, publicUrl);
      if (place !== null) table.forget(place);
    },
    /** Records the bytes that this companion has uploaded to a URL; no one else can have replaced them since. */
    sent: async (listingId: string, publicUrl: string, bytes: Buffer, contentType: string): Promise<void> => {
      const photo = { sha256: sha256(bytes), contentType };
      try {
        await kept.keep(photo.sha256, bytes);
        note(own, placeOf(own, listingId, publicUrl), photo, {
          known: 'sent',
          validator: { etag: null, lastModified: null },
        });
      } catch (error) {
        // The upload has succeeded. The photo is read again when it is needed.
        if (diskProblem(error) === null) throw error;
        log('warn', 'storing an uploaded photo failed');
      }
    },
    /** Returns the bytes with that hash for the window; null when they are missing or have changed. */
    find: kept.find,
    /** Removes kept photos except those in `keep` and those of listings that may soon need a prompt. */
    sweep: async (keep: ReadonlySet<string>): Promise<void> => {
      table.forgetBefore(ages.earliestAt(rememberedMs));
      await kept.sweep(new Set([...keep, ...table.hashesSince(ages.earliestAt(keptMs))]));
    },
  };
};

/** Returns the URL without query and hash: a signed query differs in each response. */
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

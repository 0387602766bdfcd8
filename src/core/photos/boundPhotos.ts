import { mapConcurrently } from '../base/semaphore.ts';
import { mkdir, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { discardFile } from '../../disk/changeFiles.ts';
import { systemDisk, type Disk } from '../../disk/disk.ts';
import { writeWhole } from '../../disk/writeWhole.ts';
import { detectPhotoType, readPhotoFromUrl, createUnreadablePhotoError, type Validator } from './readPhoto.ts';
import { hashSha256 } from './preparedPhotos.ts';
import type { Listing } from '../../contract/index.ts';
import type { Clock, Log } from '../base/ports.ts';
import type { StoredAgeTracker } from '../base/storedAges.ts';
import { findDiskProblem } from '../base/problem.ts';
import {
  createBoundPhotosTable,
  type BoundPhotoRow,
  type ListingPhotoKey,
} from '../storage/tables/photos/boundPhotosTable.ts';
import type { Db } from '../storage/database.ts';
import type { OutboundPolicy } from '../service/outboundPolicy.ts';

const hashShape = /^[0-9a-f]{64}$/;
/** A file newer than this is not removed, because the row that refers to it might not be stored yet. */
const sweepGraceMs = 10 * 60_000;

const createKeptPhotoStore = ({
  dir,
  clock,
  disk = systemDisk,
}: Pick<BoundPhotosContext, 'dir' | 'clock' | 'disk'>) => {
  const getKeptPath = (hash: string): string => join(dir, hash);

  const readKeptBytes = async (hash: string): Promise<Buffer | null> => {
    const bytes = hashShape.test(hash) ? await readFile(getKeptPath(hash)).catch(() => null) : null;
    return bytes !== null && hashSha256(bytes) === hash ? bytes : null;
  };
  const has = async (hash: string): Promise<boolean> => (await readKeptBytes(hash)) !== null;

  return {
    has,
    getPath: getKeptPath,
    find: async (hash: string): Promise<{ bytes: Buffer; contentType: string } | null> => {
      const bytes = await readKeptBytes(hash);
      const contentType = bytes && (await detectPhotoType(bytes));
      return bytes && contentType ? { bytes, contentType } : null;
    },
    keep: async (hash: string, bytes: Buffer): Promise<void> => {
      if (await has(hash)) return;
      await mkdir(dir, { recursive: true, mode: 0o700 });
      await writeWhole(getKeptPath(hash), bytes, { mode: 0o600, disk });
    },
    sweep: async (keep: ReadonlySet<string>): Promise<void> => {
      const now = clock.now();
      for (const name of await readdir(dir).catch(() => [])) {
        if (keep.has(name)) continue;
        const file = await stat(join(dir, name)).catch(() => null);
        if (file && now - file.mtimeMs > sweepGraceMs) await discardFile(join(dir, name), disk);
      }
    },
  };
};

export type BoundPhoto = { sha256: string; contentType: string };

type BoundPhotosContext = {
  db: Db;
  dir: string;
  account: () => string | null;
  outside: OutboundPolicy;
  clock: Clock;
  ages: StoredAgeTracker;
  log: Log;
  disk?: Disk;
};

export type BoundPhotos = ReturnType<typeof createBoundPhotos>;

const readAtOnce = 6;
const maxPhotos = 100;
const dayMs = 24 * 3_600_000;
/** Photos that were recorded this recently are kept for the next prompt. Older photos are read again. */
const photoRetentionMs = 14 * dayMs;
const rowRetentionMs = 90 * dayMs;

type BoundPhotosParts = BoundPhotosContext & {
  table: ReturnType<typeof createBoundPhotosTable>;
  kept: ReturnType<typeof createKeptPhotoStore>;
};

const getBoundPhotoKey = ({ account }: BoundPhotosParts, listingId: string, url: string): ListingPhotoKey | null => {
  const who = account();
  return who === null ? null : { account: who, listingId, address: stripUrlQuery(url) };
};

const storePhotoRow = (
  { table, clock }: BoundPhotosParts,
  place: ListingPhotoKey | null,
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

type ReadHow = {
  /** The photo is downloaded even if it is known. */
  isFresh: boolean;
};

const readPhotoAtUrl = async (
  own: BoundPhotosParts,
  listingId: string,
  url: string,
  { isFresh }: ReadHow = { isFresh: false },
): Promise<BoundPhoto> => {
  const { table, kept } = own;
  // If a URL may not be requested, its stored photo is not used either.
  if (own.outside.parseAllowedUrl(url) === null) throw createUnreadablePhotoError('broken');
  const place = getBoundPhotoKey(own, listingId, url);
  const row = place === null || isFresh ? null : table.read(place);
  // If the stored file is missing, the window cannot show the photo, so the photo is read again.
  const there = row !== null && (await kept.has(row.sha256)) ? row : null;
  if (there && isStoredPhotoValid(there)) return toBoundPhoto(there);
  const got = await readPhotoFromUrl(url, there === null ? null : toValidator(there), own.outside);
  if (got === 'unchanged') return toBoundPhoto(there ?? throwUnexpectedUnchanged());
  const photo = { sha256: hashSha256(got.bytes), contentType: got.contentType };
  await kept.keep(photo.sha256, got.bytes);
  storePhotoRow(own, place, photo, { known: 'read', validator: got.validator });
  return photo;
};

const readAllPhotos = async (
  own: BoundPhotosParts,
  { listingId, imageUrls }: Listing,
  how?: ReadHow,
): Promise<BoundPhoto[]> => {
  // Every photo is downloaded and stored, so the length of the list must be limited.
  if ((imageUrls ?? []).length > maxPhotos) throw createUnreadablePhotoError('broken');
  return mapConcurrently(imageUrls ?? [], readAtOnce, (url) => readPhotoAtUrl(own, listingId, url, how));
};

/**
 * Identifies the photos of listings by the SHA-256 of their bytes and keeps the bytes in a folder. A photo that this
 * companion uploaded is not downloaded unless an upload slot was opened for its listing later.
 */
export const createBoundPhotos = (parts: BoundPhotosContext) => {
  const { account, clock, ages, log } = parts;
  const table = createBoundPhotosTable(parts.db);
  const kept = createKeptPhotoStore(parts);
  const own: BoundPhotosParts = { ...parts, table, kept };

  return {
    /**
     * Reads all photos of a listing, in order. Throws `PHOTOS_UNREADABLE`, which is transient if the service or the
     * connection failed.
     */
    read: (listing: Listing): Promise<BoundPhoto[]> => readAllPhotos(own, listing),
    /** Downloads all photos of a listing, in order, also those that this companion uploaded. Throws as `read` does. */
    readFresh: (listing: Listing): Promise<BoundPhoto[]> => readAllPhotos(own, listing, { isFresh: true }),
    /** Returns the path where the bytes with this hash are kept. */
    getPath: kept.getPath,
    readAt: async ({ listingId, imageUrls }: Listing, index: number): Promise<BoundPhoto | null> => {
      const url = imageUrls?.[index];
      return url === undefined ? null : readPhotoAtUrl(own, listingId, url);
    },
    /**
     * Records that an upload slot was opened. The photos of the listing are then read again, because the slot might
     * replace them.
     */
    slotOpened: (listingId: string): void => {
      const who = account();
      if (who !== null) table.slotOpened(who, listingId, clock.now());
    },
    /** Forgets the photo at a URL, because an upload might replace it. */
    forget: (listingId: string, publicUrl: string): void => {
      const place = getBoundPhotoKey(own, listingId, publicUrl);
      if (place !== null) table.forget(place);
    },
    /** Records the bytes that this companion has just uploaded to a URL. */
    sent: async (listingId: string, publicUrl: string, bytes: Buffer, contentType: string): Promise<void> => {
      const photo = { sha256: hashSha256(bytes), contentType };
      try {
        await kept.keep(photo.sha256, bytes);
        storePhotoRow(own, getBoundPhotoKey(own, listingId, publicUrl), photo, {
          known: 'sent',
          validator: { etag: null, lastModified: null },
        });
      } catch (error) {
        // The upload has succeeded, so a disk error must not fail it. The photo is read again when it is needed.
        if (findDiskProblem(error) === null) throw error;
        log('warn', 'storing an uploaded photo failed');
      }
    },
    find: kept.find,
    sweep: async (keep: ReadonlySet<string>): Promise<void> => {
      table.forgetBefore(ages.earliestAt(rowRetentionMs));
      await kept.sweep(new Set([...keep, ...table.hashesSince(ages.earliestAt(photoRetentionMs))]));
    },
  };
};

/** Removes the query and the fragment of a URL. The service signs the query differently in each response. */
const stripUrlQuery = (text: string): string => {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null) return text;
  url.search = '';
  url.hash = '';
  return url.href;
};

const isStoredPhotoValid = ({ known, slot_opened_at }: BoundPhotoRow): boolean =>
  known === 'sent' && slot_opened_at === null;

const toBoundPhoto = ({ sha256, content_type }: BoundPhotoRow): BoundPhoto => ({ sha256, contentType: content_type });

const toValidator = ({ etag, last_modified }: BoundPhotoRow): Validator | null =>
  etag === null && last_modified === null ? null : { etag, lastModified: last_modified };

const throwUnexpectedUnchanged = (): never => {
  throw new Error('Unchanged is answered only to what is known.');
};

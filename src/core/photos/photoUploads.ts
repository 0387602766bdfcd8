import { hash, randomBytes } from 'node:crypto';
import { limits, type UploadSlot } from '../../contract/index.ts';
import type { Clock } from '../base/ports.ts';
import type { Asker } from '../base/request.ts';
import { createBoundedMap } from '../base/boundedMap.ts';
import { raceWithAbort } from '../base/raceWithAbort.ts';
import type { Pacing } from '../service/pacing/pacing.ts';
import { createProblem } from '../base/problem.ts';
import type { OutboundPolicy } from '../service/outboundPolicy.ts';
import { putPhoto } from '../service/putPhoto.ts';
import type { BoundPhotos } from './boundPhotos.ts';
import { hideUploadAddresses } from '../service/addresses.ts';
import { hashSha256 } from './preparedPhotos.ts';
import { refuseTooLargeBody, readWholeBody, type PhotoBody, createUploadQueue } from './photoIntake.ts';
import { detectPhotoType } from './readPhoto.ts';

type OpenUpload = {
  by: Asker & { kind: 'assistant' };
  account: string;
  listingId: string;
  contentType: string;
  slot: UploadSlot;
  openedAt: number;
};

const tokenBytes = 32;
const maxOfListing = 24;
const maxInAll = 2_000;

const hashToken = (token: string): string => hash('sha256', token);

/**
 * Stores the companion's own upload URLs, in memory only. Each URL is stored under the SHA-256 hash of its secret part.
 */
const createUploadUrlStore = (clock: Clock) => {
  const open = new Map<string, OpenUpload>();

  const dropOldestUrls = (listingId: string): void => {
    const own = [...open].filter(([, upload]) => upload.listingId === listingId);
    for (const [digest] of own.slice(0, Math.max(0, own.length + 1 - maxOfListing))) open.delete(digest);
    for (const oldest of open.keys()) {
      if (open.size < maxInAll) break;
      open.delete(oldest);
    }
  };

  return {
    add: (upload: Omit<OpenUpload, 'openedAt'>): string => {
      dropOldestUrls(upload.listingId);
      const token = randomBytes(tokenBytes).toString('base64url');
      open.set(hashToken(token), { ...upload, openedAt: clock.elapsedMs() });
      return token;
    },
    find: (token: string): OpenUpload | null => {
      const found = open.get(hashToken(token));
      return found && clock.elapsedMs() - found.openedAt < limits.uploadWindowMs ? found : null;
    },
    close: (listingId: string): void => {
      for (const [digest, upload] of open) if (upload.listingId === listingId) open.delete(digest);
    },
  };
};

type PhotoUploadsContext = {
  boundPhotos: BoundPhotos;
  outside: OutboundPolicy;
  clock: Clock;
  pacing: Pick<Pacing, 'secondTryMs'>;
  /** Waits until all earlier database writes are on disk. */
  onDisk: () => Promise<void>;
  account: () => string | null;
  /** Returns false if the assistant is paused, revoked or restricted to other listings. */
  mayUpload: (by: Asker, listingId: string) => boolean;
  write: <T>(listingId: string, work: () => Promise<T>) => Promise<T>;
};

export type PhotoUpload = {
  listingId: string;
  slot: Pick<UploadSlot, 'uploadUrl' | 'publicUrl'>;
  bytes: Buffer;
  contentType: string;
  sent?: (bytes: number) => void;
  /** The upload can be aborted at any time, because its listing is a draft and cannot be published yet. */
  mayAbort?: true;
  /** The caller retries a failed upload, so it is not retried here. */
  unattended?: true;
};

export type PhotoUploads = ReturnType<typeof createPhotoUploads>;

const maxUnclearUrls = 2_000;

/** Runs uploads to one URL one after another, because the final content would be unknown if two ran at once. */
const createUrlQueue = () => {
  const turns = new Map<string, Promise<unknown>>();
  return async <T>(address: string, work: () => Promise<T>): Promise<T> => {
    const turn = (turns.get(address) ?? Promise.resolve()).then(work, work);
    turns.set(address, turn);
    try {
      return await turn;
    } finally {
      if (turns.get(address) === turn) turns.delete(address);
    }
  };
};

/**
 * Sends the bytes. An abort is ignored after the last byte has been sent, because the service might already have stored
 * the photo.
 */
const sendPhotoBytes = async (
  photo: PhotoUpload,
  { clock, pacing, outside }: Pick<PhotoUploadsContext, 'clock' | 'pacing' | 'outside'>,
  signal: AbortSignal,
): Promise<void> => {
  const { slot, bytes, contentType, sent = () => undefined } = photo;
  const early = new AbortController();
  let hasLeft = false;
  const abortUnlessAllSent = (): void => {
    if (!hasLeft || photo.mayAbort) early.abort(signal.reason);
  };
  const reportSentBytes = (count: number): void => {
    hasLeft ||= count === bytes.length;
    sent(count);
  };
  signal.addEventListener('abort', abortUnlessAllSent, { once: true });
  if (signal.aborted) abortUnlessAllSent();
  const secondTryMs = photo.unattended ? () => null : pacing.secondTryMs;
  try {
    const put = { bytes, contentType, uploadUrl: slot.uploadUrl, sent: reportSentBytes };
    await putPhoto(put, { clock, outside, secondTryMs }, early.signal);
  } finally {
    signal.removeEventListener('abort', abortUnlessAllSent);
  }
};

const createPhotoSender = (
  parts: Pick<PhotoUploadsContext, 'boundPhotos' | 'clock' | 'pacing' | 'onDisk' | 'outside'>,
) => {
  const { boundPhotos } = parts;
  const unclear = createBoundedMap<string, string>(maxUnclearUrls);
  return async (photo: PhotoUpload, signal: AbortSignal): Promise<void> => {
    const { listingId, slot, bytes, contentType } = photo;
    const digest = hashSha256(bytes);
    boundPhotos.forget(listingId, slot.publicUrl);
    await parts.onDisk();
    try {
      await sendPhotoBytes(photo, parts, signal);
    } catch (error) {
      unclear.set(slot.publicUrl, digest);
      throw error;
    }
    // If an earlier upload of other bytes got no response, the service might still store those bytes later. Only
    // reading the photo can show which bytes the service has.
    const lost = unclear.get(slot.publicUrl) ?? digest;
    if (lost === digest) await boundPhotos.sent(listingId, slot.publicUrl, bytes, contentType);
  };
};

const createPhotoUploader = (parts: PhotoUploadsContext, underWay: Map<string, number>) => {
  const inTurn = createUrlQueue();
  const send = createPhotoSender(parts);
  return (photo: PhotoUpload, signal: AbortSignal, check: () => void = () => undefined): Promise<void> => {
    changeListingCount(underWay, photo.listingId, 1);
    const work = parts
      .write(photo.listingId, () =>
        inTurn(photo.slot.publicUrl, async () => {
          check();
          await send(photo, signal);
        }),
      )
      .finally(() => changeListingCount(underWay, photo.listingId, -1));
    return raceWithAbort(work, signal);
  };
};

/**
 * Uploads photos and records their bytes, so that the photos at the service are known. All uploads must use it.
 * Assistants upload to the companion's own URLs.
 */
export const createPhotoUploads = (parts: PhotoUploadsContext) => {
  const { account, mayUpload } = parts;
  const addresses = createUploadUrlStore(parts.clock);
  const line = createUploadQueue();
  const underWay = new Map<string, number>();
  const askedFor = new Map<string, number>();
  const put = createPhotoUploader(parts, underWay);

  const requireOpenUpload = (token: string): OpenUpload => {
    const upload = addresses.find(token);
    if (!upload || upload.account !== account() || !mayUpload(upload.by, upload.listingId))
      throw createProblem('UPLOAD_CLOSED');
    return upload;
  };

  const receiveUpload = async (token: string, body: PhotoBody, signal: AbortSignal) => {
    const bytes = await readWholeBody(body);
    const upload = requireOpenUpload(token);
    const { listingId, slot, contentType } = upload;
    if ((await detectPhotoType(bytes)) !== contentType)
      throw createProblem('NOT_A_PHOTO.type', { values: { type: contentType } });
    await put({ listingId, slot, bytes, contentType }, signal, () => void requireOpenUpload(token));
    return { sha256: hashSha256(bytes), bytes: bytes.length };
  };

  return {
    /**
     * Uploads a photo. Throws errors of the service, the connection and the listing lock, and errors from `check`,
     * which runs just before the upload.
     */
    put,

    /**
     * Returns the slots with the companion's own URLs instead of the service's. `files` has the same order as `slots`.
     */
    open: (
      by: Asker & { kind: 'assistant' },
      listingId: string,
      { files, slots }: { files: readonly { contentType: string }[]; slots: readonly UploadSlot[] },
      base: string,
    ): UploadSlot[] => {
      const who = account();
      const buildUploadUrl = (slot: UploadSlot, contentType: string | undefined): string =>
        who === null || contentType === undefined
          ? ''
          : `${base}/uploads/${addresses.add({ by, account: who, listingId, contentType, slot })}`;
      const own = slots.map((slot, index) => buildUploadUrl(slot, files[index]?.contentType));
      return hideUploadAddresses(slots, own);
    },

    /**
     * Receives a photo and uploads it to its slot. Throws `UPLOAD_CLOSED`, `UPLOAD_TYPE`, `NOT_A_PHOTO`,
     * `PHOTO_TOO_LARGE`, `TOO_MANY_UPLOADS` and errors of `body` and of the service.
     */
    take: async (
      token: string,
      contentType: string | undefined,
      body: PhotoBody,
      signal: AbortSignal,
    ): Promise<{ sha256: string; bytes: number }> => {
      const upload = requireOpenUpload(token);
      if (contentType !== upload.contentType)
        throw createProblem('UPLOAD_TYPE', { values: { type: upload.contentType } });
      refuseTooLargeBody(body);
      return line.run(upload.listingId, signal, () => receiveUpload(token, body, signal));
    },
    line,

    /** Runs a request for upload slots. The photos of the listing count as in flight until it ends. */
    asking: <T>(listingId: string, request: () => Promise<T>): Promise<T> =>
      countWhileRunning(askedFor, listingId, request),
    close: addresses.close,
    putting: (listingId: string): boolean => underWay.has(listingId),
    /** Returns whether photos of the listing are being uploaded or upload slots for it are being requested. */
    inFlight: (listingId: string): boolean => underWay.has(listingId) || askedFor.has(listingId),
  };
};

const countWhileRunning = async <T>(
  counts: Map<string, number>,
  listingId: string,
  work: () => Promise<T>,
): Promise<T> => {
  changeListingCount(counts, listingId, 1);
  try {
    return await work();
  } finally {
    changeListingCount(counts, listingId, -1);
  }
};

const changeListingCount = (counts: Map<string, number>, listingId: string, by: 1 | -1): void => {
  const now = (counts.get(listingId) ?? 0) + by;
  if (now === 0) counts.delete(listingId);
  else counts.set(listingId, now);
};

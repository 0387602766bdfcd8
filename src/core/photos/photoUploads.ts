import { hash, randomBytes } from 'node:crypto';
import { limits, type UploadSlot } from '../../contract/index.ts';
import type { Clock } from '../base/ports.ts';
import type { Asker } from '../base/request.ts';
import { createBoundedMap } from '../base/boundedMap.ts';
import { abortable } from '../base/abortable.ts';
import type { Pacing } from '../service/pacing/pacing.ts';
import { problem } from '../base/problem.ts';
import type { Outside } from '../service/outside.ts';
import { putPhoto } from '../service/putPhoto.ts';
import type { BoundPhotos } from './boundPhotos.ts';
import { hideAddresses } from '../service/addresses.ts';
import { sha256 } from './keepPrepared.ts';
import { checkLength, wholeBody, type PhotoBody, createUploadLine } from './intake.ts';
import { photoTypeOf } from './readPhoto.ts';

/** A slot of the service behind an address of the companion's own, and for whom it was opened. */
type OpenUpload = {
  by: Asker & { kind: 'assistant' };
  account: string;
  listingId: string;
  contentType: string;
  slot: UploadSlot;
  openedAt: number;
};

const tokenBytes = 32;
const mostOfListing = 24;
const mostInAll = 2_000;

const digestOf = (token: string): string => hash('sha256', token);

/**
 * The upload addresses that assistants were given, in memory only and by the SHA-256 of their secret path. Each works as
 * long as the slot behind it; of too many the oldest go.
 */
const createUploadAddresses = (clock: Clock) => {
  const open = new Map<string, OpenUpload>();

  const makeRoom = (listingId: string): void => {
    const own = [...open].filter(([, upload]) => upload.listingId === listingId);
    for (const [digest] of own.slice(0, Math.max(0, own.length + 1 - mostOfListing))) open.delete(digest);
    for (const oldest of open.keys()) {
      if (open.size < mostInAll) break;
      open.delete(oldest);
    }
  };

  return {
    /** Opens an address; answers the secret part of its path. */
    add: (upload: Omit<OpenUpload, 'openedAt'>): string => {
      makeRoom(upload.listingId);
      const token = randomBytes(tokenBytes).toString('base64url');
      open.set(digestOf(token), { ...upload, openedAt: clock.elapsedMs() });
      return token;
    },
    /** What is behind an address; null when it was never given, was closed, or is over. */
    find: (token: string): OpenUpload | null => {
      const found = open.get(digestOf(token));
      return found && clock.elapsedMs() - found.openedAt < limits.uploadWindowMs ? found : null;
    },
    /** Closes all addresses of a listing for good. */
    close: (listingId: string): void => {
      for (const [digest, upload] of open) if (upload.listingId === listingId) open.delete(digest);
    },
  };
};

type Parts = {
  boundPhotos: BoundPhotos;
  outside: Outside;
  clock: Clock;
  pacing: Pick<Pacing, 'secondTryMs'>;
  /** Waits until everything is on disk that was written so far. */
  onDisk: () => Promise<void>;
  /** The account that is connected now, or null. */
  account: () => string | null;
  /** Whether an assistant may still put photos on that listing: not once it is paused, revoked or let do less. */
  mayUpload: (by: Asker, listingId: string) => boolean;
  /** What every write to a listing goes through; it may wait, and may refuse. */
  write: <T>(listingId: string, work: () => Promise<T>) => Promise<T>;
};

/** A photo on its way to a slot. `sent` is told how many of its bytes have left. */
export type PhotoUpload = {
  listingId: string;
  slot: Pick<UploadSlot, 'uploadUrl' | 'publicUrl'>;
  bytes: Buffer;
  contentType: string;
  sent?: (bytes: number) => void;
  /** It may be broken off at any moment: its listing is a draft, which nobody can publish. */
  breaksOff?: true;
  /** Nobody waits for it, and who puts it tries again in its own time. */
  unattended?: true;
};

export type PhotoUploads = ReturnType<typeof createPhotoUploads>;

/** Addresses at which nobody knows what arrived. */
const unclearRemembered = 2_000;

/** One at a time to one address: of two that overtake each other, nobody could tell which one stays. */
const createTurns = () => {
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

/** Sends the bytes. Who puts them may leave before the last has left; from then on they may arrive, so it is waited for. */
const putBytes = async (
  photo: PhotoUpload,
  { clock, pacing, outside }: Pick<Parts, 'clock' | 'pacing' | 'outside'>,
  signal: AbortSignal,
): Promise<void> => {
  const { slot, bytes, contentType, sent = () => undefined } = photo;
  const early = new AbortController();
  let hasLeft = false;
  const leave = (): void => {
    if (!hasLeft || photo.breaksOff) early.abort(signal.reason);
  };
  const noteSent = (count: number): void => {
    hasLeft ||= count === bytes.length;
    sent(count);
  };
  signal.addEventListener('abort', leave, { once: true });
  if (signal.aborted) leave();
  const secondTryMs = photo.unattended ? () => null : pacing.secondTryMs;
  try {
    const put = { bytes, contentType, uploadUrl: slot.uploadUrl, sent: noteSent };
    await putPhoto(put, { clock, outside, secondTryMs }, early.signal);
  } finally {
    signal.removeEventListener('abort', leave);
  }
};

/** Sends photos, and remembers what lies at their addresses, as far as that is known. */
const createSend = (parts: Pick<Parts, 'boundPhotos' | 'clock' | 'pacing' | 'onDisk' | 'outside'>) => {
  const { boundPhotos } = parts;
  const unclear = createBoundedMap<string, string>(unclearRemembered);
  return async (photo: PhotoUpload, signal: AbortSignal): Promise<void> => {
    const { listingId, slot, bytes, contentType } = photo;
    const digest = sha256(bytes);
    boundPhotos.forget(listingId, slot.publicUrl);
    await parts.onDisk();
    try {
      await putBytes(photo, parts, signal);
    } catch (error) {
      unclear.set(slot.publicUrl, digest);
      throw error;
    }
    // Other bytes whose answer was lost may still arrive after these: then only reading the service tells.
    const lost = unclear.get(slot.publicUrl) ?? digest;
    if (lost === digest) await boundPhotos.sent(listingId, slot.publicUrl, bytes, contentType);
  };
};

/** Puts photos in the turn of their listing and of their address. */
const createPut = (parts: Parts, underWay: Map<string, number>) => {
  const inTurn = createTurns();
  const send = createSend(parts);
  return (photo: PhotoUpload, signal: AbortSignal, check: () => void = () => undefined): Promise<void> => {
    count(underWay, photo.listingId, 1);
    const work = parts
      .write(photo.listingId, () =>
        inTurn(photo.slot.publicUrl, async () => {
          check();
          await send(photo, signal);
        }),
      )
      .finally(() => count(underWay, photo.listingId, -1));
    return abortable(work, signal);
  };
};

/**
 * All photos that leave go through here, so that what lies at the service is known by its bytes. Assistants put theirs to
 * addresses of the companion's own, each with the rules of the slot behind it.
 */
export const createPhotoUploads = (parts: Parts) => {
  const { account, mayUpload } = parts;
  const addresses = createUploadAddresses(parts.clock);
  const line = createUploadLine();
  const underWay = new Map<string, number>();
  const askedFor = new Map<string, number>();
  const put = createPut(parts, underWay);

  /** What an address stands for. Throws `UPLOAD_CLOSED`. */
  const need = (token: string): OpenUpload => {
    const upload = addresses.find(token);
    if (!upload || upload.account !== account() || !mayUpload(upload.by, upload.listingId))
      throw problem('UPLOAD_CLOSED');
    return upload;
  };

  const takeOpen = async (token: string, body: PhotoBody, signal: AbortSignal) => {
    const bytes = await wholeBody(body);
    const upload = need(token);
    const { listingId, slot, contentType } = upload;
    if ((await photoTypeOf(bytes)) !== contentType)
      throw problem('NOT_A_PHOTO.type', { values: { type: contentType } });
    await put({ listingId, slot, bytes, contentType }, signal, () => void need(token));
    return { sha256: sha256(bytes), bytes: bytes.length };
  };

  return {
    /**
     * Puts a photo to its slot. Throws what the service, the way to it or the gate of the listing says, and what `check`
     * throws in its turn, just before it leaves.
     */
    put,

    /**
     * The slots as an assistant gets them: each with an address of the companion's own in the place of the service's,
     * which begins with `base`. `files` are those that were asked for, in the same order.
     */
    open: (
      by: Asker & { kind: 'assistant' },
      listingId: string,
      { files, slots }: { files: readonly { contentType: string }[]; slots: readonly UploadSlot[] },
      base: string,
    ): UploadSlot[] => {
      const who = account();
      const addressOf = (slot: UploadSlot, contentType: string | undefined): string =>
        who === null || contentType === undefined
          ? ''
          : `${base}/uploads/${addresses.add({ by, account: who, listingId, contentType, slot })}`;
      const own = slots.map((slot, index) => addressOf(slot, files[index]?.contentType));
      return hideAddresses(slots, own);
    },

    /**
     * Takes the bytes that were put to an address and passes them on; the address stays open. Throws `UPLOAD_CLOSED`,
     * `UPLOAD_TYPE`, `NOT_A_PHOTO`, `PHOTO_TOO_LARGE`, `TOO_MANY_UPLOADS`, what `body` throws, and what the service answers.
     */
    take: async (
      token: string,
      contentType: string | undefined,
      body: PhotoBody,
      signal: AbortSignal,
    ): Promise<{ sha256: string; bytes: number }> => {
      const upload = need(token);
      if (contentType !== upload.contentType) throw problem('UPLOAD_TYPE', { values: { type: upload.contentType } });
      checkLength(body);
      return line.run(upload.listingId, signal, () => takeOpen(token, body, signal));
    },
    /** The line before all bytes of assistants: whatever takes some waits in it. */
    line,

    /** Runs a request for slots; until it has its answer, photos of that listing are on their way. */
    asking: <T>(listingId: string, request: () => Promise<T>): Promise<T> => counted(askedFor, listingId, request),
    /** Closes every address of the companion's own for that listing, for good. */
    close: addresses.close,
    /** Whether photos are being put on that listing now. */
    putting: (listingId: string): boolean => underWay.has(listingId),
    /** The same, or slots for some are being asked for. */
    inFlight: (listingId: string): boolean => underWay.has(listingId) || askedFor.has(listingId),
  };
};

/** Counts `work` for that listing while it goes on. */
const counted = async <T>(counts: Map<string, number>, listingId: string, work: () => Promise<T>): Promise<T> => {
  count(counts, listingId, 1);
  try {
    return await work();
  } finally {
    count(counts, listingId, -1);
  }
};

const count = (counts: Map<string, number>, listingId: string, by: 1 | -1): void => {
  const now = (counts.get(listingId) ?? 0) + by;
  if (now === 0) counts.delete(listingId);
  else counts.set(listingId, now);
};

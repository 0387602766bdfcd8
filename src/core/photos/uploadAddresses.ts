import { hash, randomBytes } from 'node:crypto';
import { limits, type UploadSlot } from '../../contract/index.ts';
import type { Clock } from '../base/ports.ts';
import type { Asker } from '../base/asker.ts';

/** A slot of the service behind an address of the companion's own, and for whom it was opened. */
export type OpenUpload = {
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
export const createUploadAddresses = (clock: Clock) => {
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
      open.set(digestOf(token), { ...upload, openedAt: clock.now() });
      return token;
    },
    /** What is behind an address; null when it was never given, was closed, or is over. */
    find: (token: string): OpenUpload | null => {
      const found = open.get(digestOf(token));
      return found && clock.now() - found.openedAt < limits.uploadWindowMs ? found : null;
    },
    /** Closes all addresses of a listing for good. */
    close: (listingId: string): void => {
      for (const [digest, upload] of open) if (upload.listingId === listingId) open.delete(digest);
    },
  };
};

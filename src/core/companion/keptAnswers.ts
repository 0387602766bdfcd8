import {
  parseTrustedInput,
  getRouteByName,
  standing as standingShape,
  type RouteName,
  type Standing,
  type Listing,
} from '../../contract/index.ts';
import type { CoreServices } from './coreServices.ts';
import { findDiskProblem, createProblem } from '../base/problem.ts';
import { findListingId } from '../base/json.ts';
import type { Asker } from '../base/request.ts';
import { writeUnsynced } from '../storage/unsyncedWrites.ts';
import type { NewsNotifier } from '../notifications/news.ts';

/** Keeps the last standing that was read for the account. */
export type StandingMemory = {
  last: () => Standing | null;
  keep: (answer: unknown) => Standing;
  forget: () => void;
  /** Reads the standing from the service. Throws `ServiceError` and `ACCOUNT_CHANGED`. */
  read: (signal?: AbortSignal) => Promise<Standing>;
};

export const createStandingMemory = ({ client, changed, connection }: CoreServices): StandingMemory => {
  let last: Standing | null = null;
  const getConnectedAccount = (): string | null => connection.who()?.account ?? null;
  const keep = (answer: unknown): Standing => {
    const standing = standingShape.parse(answer);
    last = standing;
    changed('app');
    return standing;
  };
  return {
    last: () => last,
    keep,
    forget: () => void (last = null),
    read: async (signal) => {
      const before = getConnectedAccount();
      const { answer } = await client.send('readStanding', parseTrustedInput('readStanding', {}), { signal });
      // If another account has connected during the request, the answer is not about the connected account.
      if (getConnectedAccount() !== before) throw createProblem('ACCOUNT_CHANGED');
      return keep(answer);
    },
  };
};

/** Stores listings from the service and notifies listeners. */
export type ListingReads = {
  keep: (listing: Listing) => void;
  /** Stores listings in one transaction. The transaction is on disk before the next write request is sent. */
  keepAll: (listings: Listing[]) => void;
  keepUnknown: (listings: Listing[]) => void;
  forget: (listingId: string) => void;
  noteMissing: (listingId: string) => void;
  /**
   * Notifies listeners that a listing is being changed by an assistant or a generation, so that the person checks it
   * again.
   */
  noteRequest: (by: Asker, route: RouteName, input: unknown) => void;
  onEdited: (listener: (listingId: string) => void) => void;
  onKept: (listener: (listing: Listing) => void) => void;
  onForgotten: (listener: (listingId: string) => void) => void;
  onMissed: (listener: (listingId: string) => void) => void;
};

export const createListingReads = (services: CoreServices, news: NewsNotifier): ListingReads => {
  const { connection, listings, written, clock, changed, db, log } = services;
  const onKept: ((listing: Listing) => void)[] = [];
  const onForgotten: ((listingId: string) => void)[] = [];
  const onMissed: ((listingId: string) => void)[] = [];
  const onEdited: ((listingId: string) => void)[] = [];

  const storeOneListing = (listing: Listing): void => {
    const account = connection.account();
    news.noteRead(account, listing);
    const before = listings.statusOf(account, listing.listingId);
    const isNew = listings.keep(account, listing, clock.now());
    for (const listener of onKept) listener(listing);
    if (!isNew) return;
    written.follow(account, listing, clock.now(), before);
    for (const topic of ['listings', 'items'] as const) changed(topic);
  };
  const storeAll = db.transaction((all: Listing[]): void => all.forEach(storeOneListing));
  /** If the disk is full, the listing cannot be stored, but reading it must still succeed. */
  const ignoreDiskProblems = (work: () => void): void => {
    try {
      work();
    } catch (error) {
      if (findDiskProblem(error) === null) throw error;
      log('warn', 'a service answer could not be stored');
    }
  };

  const keepAll = (all: Listing[]): void => {
    if (all.length > 0) ignoreDiskProblems(() => writeUnsynced(db, () => storeAll(all)));
  };

  return {
    keep: (listing) => ignoreDiskProblems(() => storeOneListing(listing)),
    keepAll,
    keepUnknown: (drafts) =>
      keepAll(drafts.filter(({ listingId }) => listings.statusOf(connection.account(), listingId) === null)),
    forget: (listingId) => {
      listings.remove(connection.account(), listingId);
      written.forget(connection.account(), listingId);
      for (const listener of onForgotten) listener(listingId);
      changed('listings');
    },
    noteMissing: (listingId) =>
      ignoreDiskProblems(() => {
        const isNew = listings.markMissing(connection.account(), listingId);
        for (const listener of onMissed) listener(listingId);
        if (isNew) changed('listings');
      }),
    noteRequest: (by, route, input) => {
      const listingId = getRouteByName(route).method === 'GET' ? null : findListingId(input);
      if (listingId === null || (by.kind === 'person' && route !== 'generateListing')) return;
      for (const listener of onEdited) listener(listingId);
    },
    onEdited: (listener) => void onEdited.push(listener),
    onKept: (listener) => void onKept.push(listener),
    onForgotten: (listener) => void onForgotten.push(listener),
    onMissed: (listener) => void onMissed.push(listener),
  };
};

import {
  inputOf,
  routeOf,
  standing as standingShape,
  type RouteName,
  type Standing,
  type Listing,
} from '../../contract/index.ts';
import type { CoreServices } from './coreServices.ts';
import { diskProblem, problem } from '../base/problem.ts';
import { listingIdOf } from '../base/json.ts';
import type { Asker } from '../base/request.ts';
import { withoutWaiting } from '../storage/onDisk.ts';
import type { News } from '../notifications/news.ts';

/** The standing as the service answered it last; windows and items read it from here. */
export type StandingMemory = {
  last: () => Standing | null;
  keep: (answer: unknown) => Standing;
  forget: () => void;
  /** The standing as the service has it now. Throws `ServiceError`. */
  read: (signal?: AbortSignal) => Promise<Standing>;
};

export const createStandingMemory = ({ client, changed, connection }: CoreServices): StandingMemory => {
  let last: Standing | null = null;
  const accountNow = (): string | null => connection.who()?.account ?? null;
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
      const before = accountNow();
      const { answer } = await client.send('readStanding', inputOf('readStanding', {}), { signal });
      // What was on its way while another account was connected is not that one's.
      if (accountNow() !== before) throw problem('ACCOUNT_CHANGED');
      return keep(answer);
    },
  };
};

/** What happens when the service answered a listing: it is kept on this machine, and items and news follow it. */
export type ListingReads = {
  keep: (listing: Listing) => void;
  /** Keeps those of one page together. They are on disk before the next request leaves that may change something. */
  keepAll: (listings: Listing[]) => void;
  /** A listing that was deleted. */
  forget: (listingId: string) => void;
  /** A listing that the service does not know: everything of it stays here. */
  miss: (listingId: string) => void;
  /** A request that changes a listing, by whom and at what route: another than the person's takes the look at it back. */
  asked: (by: Asker, route: RouteName, input: unknown) => void;
  onEdited: (listener: (listingId: string) => void) => void;
  onKept: (listener: (listing: Listing) => void) => void;
  onForgotten: (listener: (listingId: string) => void) => void;
  onMissed: (listener: (listingId: string) => void) => void;
};

export const createListingReads = (services: CoreServices, news: News): ListingReads => {
  const { connection, listings, written, clock, changed, db, log } = services;
  const onKept: ((listing: Listing) => void)[] = [];
  const onForgotten: ((listingId: string) => void)[] = [];
  const onMissed: ((listingId: string) => void)[] = [];
  const onEdited: ((listingId: string) => void)[] = [];

  const storeListing = (listing: Listing): void => {
    const account = connection.account();
    news.read(account, listing);
    const before = listings.statusOf(account, listing.listingId);
    const isNew = listings.keep(account, listing, clock.now());
    for (const listener of onKept) listener(listing);
    if (!isNew) return;
    written.follow(account, listing, clock.now(), before);
    for (const topic of ['listings', 'items'] as const) changed(topic);
  };
  const storeAll = db.transaction((all: Listing[]): void => all.forEach(storeListing));
  /** What was read is an answer, too, where there is no room to keep it. */
  const unlessDiskFull = (work: () => void): void => {
    try {
      work();
    } catch (error) {
      if (diskProblem(error) === null) throw error;
      log('warn', 'what the service answered could not be kept');
    }
  };

  return {
    keep: (listing) => unlessDiskFull(() => storeListing(listing)),
    keepAll: (all) => {
      // Most answers hold none.
      if (all.length > 0) unlessDiskFull(() => withoutWaiting(db, () => storeAll(all)));
    },
    forget: (listingId) => {
      listings.remove(connection.account(), listingId);
      written.forget(connection.account(), listingId);
      for (const listener of onForgotten) listener(listingId);
      changed('listings');
    },
    miss: (listingId) =>
      unlessDiskFull(() => {
        const isNew = listings.markMissing(connection.account(), listingId);
        for (const listener of onMissed) listener(listingId);
        if (isNew) changed('listings');
      }),
    asked: (by, route, input) => {
      const listingId = routeOf(route).method === 'GET' ? null : listingIdOf(input);
      if (listingId === null || (by.kind === 'person' && route !== 'generateListing')) return;
      for (const listener of onEdited) listener(listingId);
    },
    onEdited: (listener) => void onEdited.push(listener),
    onKept: (listener) => void onKept.push(listener),
    onForgotten: (listener) => void onForgotten.push(listener),
    onMissed: (listener) => void onMissed.push(listener),
  };
};

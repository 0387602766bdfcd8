import * as z from 'zod';
import type { Listing } from '../contract/index.ts';
import type { Clock, Notice, Notify } from './ports.ts';
import type { Db } from './store/database.ts';

type Told = { title: string; place: string };
type Kind = 'written' | 'sales';

/** Pieces of news that come close together are one notice. */
const gatherMs = 3_000;

const words: Record<Kind, { one: string; many: (count: number) => string; text: string; place: string }> = {
  written: {
    one: 'Ready to review',
    many: (count) => `${count} listings are ready to review`,
    text: 'Nothing is published before you say yes.',
    place: '/',
  },
  sales: {
    one: 'Sold',
    many: (count) => `${count} listings are sold`,
    text: 'Open it to see what to do next.',
    place: '/',
  },
};

const noticeOf = (kind: Kind, told: readonly Told[]): Notice => {
  const { one, many, text, place } = words[kind];
  const [first] = told;
  return first !== undefined && told.length === 1
    ? { kind, title: one, text: first.title, place: first.place }
    : { kind, title: many(told.length), text, place };
};

/** Which piece of news a listing's step from one state to another is. */
const kindOf = (before: string, now: Listing['status']): Kind | null => {
  // A quick writer is done before anybody has read that it writes.
  if ((before === 'processing' || before === 'draft') && now === 'pending_review') return 'written';
  return before === 'published' && now === 'sold' ? 'sales' : null;
};

type Parts = { db: Db; clock: Clock; notify: Notify };

/** Tells the person outside the window what happened by itself: a listing was written or sold. */
export const createNews = ({ db, clock, notify }: Parts) => {
  const statusOf = db.prepare('select status from listings where account = ? and listing_id = ?').pluck();
  const itemOf = db.prepare('select item_id from items where account = ? and listing_id = ?').pluck();
  const gathered: Record<Kind, Told[]> = { written: [], sales: [] };
  const ended = new AbortController();

  const gather = async (kind: Kind, told: Told): Promise<void> => {
    gathered[kind].push(told);
    if (gathered[kind].length > 1) return;
    await clock.sleep(gatherMs, ended.signal).catch(() => undefined);
    const all = gathered[kind].splice(0);
    if (!ended.signal.aborted) notify(noticeOf(kind, all));
  };

  return {
    /** A listing as it was just read, before it is kept: what is known of it so far is what it was. */
    read: (account: string, listing: Listing): void => {
      const before = z.string().safeParse(statusOf.get(account, listing.listingId));
      const kind = before.success ? kindOf(before.data, listing.status) : null;
      if (kind === null) return;
      const itemId = z.string().safeParse(itemOf.get(account, listing.listingId));
      const place = itemId.success ? `/items/${encodeURIComponent(itemId.data)}` : '/';
      void gather(kind, { title: listing.title ?? 'A listing', place });
    },
    stop: (): void => ended.abort(),
  };
};

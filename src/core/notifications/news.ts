import type { Listing } from '../../contract/index.ts';
import type { Clock, Notice, Notify } from '../base/ports.ts';
import type { ItemsTable } from '../storage/tables/itemsTable.ts';
import type { ListingsTable } from '../storage/tables/listingsTable.ts';
import { noticeText } from '../base/messages.ts';
import { message, type Message } from '../../i18n/message.ts';

type NewsItem = { title: string | null; place: string };
type Kind = 'written' | 'sales';

/** Pieces of news that come close together are one notice. */
const gatherMs = 3_000;

const words = {
  written: { one: 'notices.written', many: 'notices.manyWritten', text: 'notices.writtenText' },
  sales: { one: 'notices.sold', many: 'notices.manySold', text: 'notices.soldText' },
} as const satisfies Record<Kind, object>;

const noticeOf = (kind: Kind, all: readonly NewsItem[]): Notice => {
  const { one, many, text } = words[kind];
  const [first] = all;
  if (first !== undefined && all.length === 1)
    return { kind, ...noticeText(message(one), titleOf(first)), place: first.place };
  return { kind, ...noticeText(message(many, { count: all.length }), message(text)), place: '/' };
};

const titleOf = ({ title }: NewsItem): Message =>
  title === null ? message('notices.untitled') : message('notices.plain', { text: title });

/** Which piece of news a listing's step from one state to another is. */
const kindOf = (before: string, now: Listing['status']): Kind | null => {
  // A quick writer is done before anybody has read that it writes.
  if ((before === 'processing' || before === 'draft') && now === 'pending_review') return 'written';
  return before === 'published' && now === 'sold' ? 'sales' : null;
};

type Parts = {
  listings: Pick<ListingsTable, 'statusOf'>;
  itemsTable: Pick<ItemsTable, 'idOfListing'>;
  clock: Clock;
  notify: Notify;
};

export type News = ReturnType<typeof createNews>;

/** Tells the person outside the window what happened by itself: a listing was written or sold. */
export const createNews = ({ listings, itemsTable, clock, notify }: Parts) => {
  const gathered: Record<Kind, NewsItem[]> = { written: [], sales: [] };
  const ended = new AbortController();

  const gather = async (kind: Kind, item: NewsItem): Promise<void> => {
    gathered[kind].push(item);
    if (gathered[kind].length > 1) return;
    await clock.sleep(gatherMs, ended.signal).catch(() => undefined);
    const all = gathered[kind].splice(0);
    if (!ended.signal.aborted) notify(noticeOf(kind, all));
  };

  return {
    /** A listing as it was just read, before it is kept: what is known of it so far is what it was. */
    read: (account: string, listing: Listing): void => {
      const before = listings.statusOf(account, listing.listingId);
      const kind = before === null ? null : kindOf(before, listing.status);
      if (kind === null) return;
      const itemId = itemsTable.idOfListing(account, listing.listingId);
      const place = itemId === null ? '/' : `/items/${encodeURIComponent(itemId)}`;
      void gather(kind, { title: listing.title ?? null, place });
    },
    stop: (): void => ended.abort(),
  };
};

import * as z from 'zod';
import type { Listing } from '../../contract/index.ts';
import type { Clock, Notice, Notify } from '../base/ports.ts';
import type { ItemsTable } from '../storage/tables/itemsTable.ts';
import type { ListingsTable } from '../storage/tables/listings/listingsTable.ts';
import type { SalesTable } from '../storage/tables/salesTable.ts';
import type { ShelfRow } from '../storage/tables/shelfTable.ts';
import type { SettingsTable } from '../storage/tables/settingsTable.ts';
import { formatNoticeTexts } from '../base/messages.ts';
import { createMessage, type Message } from '../../i18n/message.ts';
import { compareNaturally } from '../../i18n/naturalOrder.ts';

const newsKind = z.enum(['written', 'sales']);
type NewsKind = z.infer<typeof newsKind>;
/** `place` is the screen that the notification opens. `shelf` says where a sold item is, such as "A04 · A04-3". */
const pendingNews = z.array(
  z.object({
    kind: newsKind,
    title: z.string().nullable(),
    place: z.string(),
    shelf: z.string().nullable().default(null),
  }),
);
type NewsItem = z.infer<typeof pendingNews>[number];

const pickListPath = '/listings/to-send';

/** News items within this time are combined into one notification. */
const gatherMs = 3_000;

const newsTexts = {
  written: { one: 'notices.written', many: 'notices.manyWritten', text: 'notices.writtenText' },
  sales: { one: 'notices.sold', many: 'notices.manySold', text: 'notices.soldText' },
} as const satisfies Record<NewsKind, object>;

const toNewsNotice = (kind: NewsKind, all: readonly NewsItem[]): Notice => {
  const { one, many, text } = newsTexts[kind];
  const [first] = all;
  if (first !== undefined && all.length === 1)
    return { kind, ...formatNoticeTexts(createMessage(one), toNewsTitle(first)), place: first.place };
  const shelves = all.flatMap(({ shelf }) => shelf ?? []).toSorted(compareNaturally);
  const body =
    shelves.length === 0 ? createMessage(text) : createMessage('notices.plain', { text: shelves.join(', ') });
  const place = kind === 'sales' ? pickListPath : '/';
  return { kind, ...formatNoticeTexts(createMessage(many, { count: all.length }), body), place };
};

const toNewsTitle = ({ title, shelf }: Pick<NewsItem, 'title' | 'shelf'>): Message => {
  const name = title === null ? createMessage('notices.untitled') : createMessage('notices.plain', { text: title });
  if (shelf === null) return name;
  return createMessage('notices.joined', { before: createMessage('notices.plain', { text: shelf }), next: name });
};

/** Returns the place and the SKU, as on the label of the item; null if neither is known. */
const formatShelfPlace = (row: ShelfRow | null): string | null =>
  [row?.fields.place, row?.fields.sku].filter(Boolean).join(' · ') || null;

const findNewsKind = (before: string, now: Listing['status']): NewsKind | null => {
  // A fast generation might finish before any read shows `processing`, so `draft` counts as well.
  if ((before === 'processing' || before === 'draft') && now === 'pending_review') return 'written';
  return before === 'published' && now === 'sold' ? 'sales' : null;
};

type Parts = {
  listings: Pick<ListingsTable, 'statusOf'>;
  itemsTable: Pick<ItemsTable, 'idOfListing' | 'shelf'>;
  sales: Pick<SalesTable, 'noteSold'>;
  settings: Pick<SettingsTable, 'read' | 'write'>;
  clock: Clock;
  notify: Notify;
};

/** A listing whose generation has finished, or that was sold. `isOfItem`: it was created from photos on this computer. */
export type ListingNews = {
  listingId: string;
  kind: NewsKind;
  title: string | null;
  at: number;
  isOfItem: boolean;
};

export type NewsNotifier = ReturnType<typeof createNewsNotifier>;

const pendingNewsSetting = 'pending news';

/**
 * Creates the notifier of news. Each piece of news is stored until it is shown, so that it is shown once, even after a
 * restart.
 */
export const createNewsNotifier = ({ listings, itemsTable, sales, settings, clock, notify }: Parts) => {
  const gathering = new Set<NewsKind>();
  const ended = new AbortController();
  const listeners: ((news: ListingNews) => void)[] = [];
  const readPendingNews = (): NewsItem[] => settings.read(pendingNewsSetting, pendingNews) ?? [];

  const notifyPendingNews = (kind: NewsKind): void => {
    const pending = readPendingNews();
    const told = pending.filter((item) => item.kind === kind);
    if (told.length === 0) return;
    const rest = pending.filter((item) => item.kind !== kind);
    settings.write(pendingNewsSetting, rest);
    notify(toNewsNotice(kind, told));
  };
  const notifyAfterDelay = async (kind: NewsKind): Promise<void> => {
    if (gathering.has(kind)) return;
    gathering.add(kind);
    try {
      await clock.sleep(gatherMs, ended.signal);
      notifyPendingNews(kind);
    } catch {
      // The companion stops or the disk is full, so the news is shown with later news or after the next start.
    } finally {
      gathering.delete(kind);
    }
  };
  for (const { kind } of readPendingNews()) void notifyAfterDelay(kind);

  return {
    /** Must run in the transaction that stores the listing, before the listing is stored. */
    noteRead: (account: string, listing: Listing): void => {
      const before = listings.statusOf(account, listing.listingId);
      if (before !== null && before !== 'sold' && listing.status === 'sold')
        sales.noteSold(account, listing.listingId, clock.now());
      const kind = before === null ? null : findNewsKind(before, listing.status);
      if (kind === null) return;
      const itemId = itemsTable.idOfListing(account, listing.listingId);
      const place = itemId === null ? '/' : `/items/${encodeURIComponent(itemId)}`;
      const shelf = kind === 'sales' ? formatShelfPlace(itemsTable.shelf.ofListing(account, listing.listingId)) : null;
      settings.write(pendingNewsSetting, [...readPendingNews(), { kind, title: listing.title ?? null, place, shelf }]);
      void notifyAfterDelay(kind);
      const { listingId, title = null } = listing;
      for (const tell of listeners) tell({ listingId, kind, title, at: clock.now(), isOfItem: itemId !== null });
    },
    /** The listener is called before the listing is stored. */
    onListingNews: (listener: (news: ListingNews) => void): void => void listeners.push(listener),
    stop: (): void => ended.abort(),
  };
};

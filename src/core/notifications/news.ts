import * as z from 'zod';
import type { Listing } from '../../contract/index.ts';
import type { Clock, Notice, Notify } from '../base/ports.ts';
import type { ItemsTable } from '../storage/tables/itemsTable.ts';
import type { ListingsTable } from '../storage/tables/listings/listingsTable.ts';
import type { SettingsTable } from '../storage/tables/settingsTable.ts';
import { formatNoticeTexts } from '../base/messages.ts';
import { createMessage, type Message } from '../../i18n/message.ts';

const newsKind = z.enum(['written', 'sales']);
type NewsKind = z.infer<typeof newsKind>;
const pendingNews = z.array(z.object({ kind: newsKind, title: z.string().nullable(), place: z.string() }));
type NewsItem = z.infer<typeof pendingNews>[number];

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
  return { kind, ...formatNoticeTexts(createMessage(many, { count: all.length }), createMessage(text)), place: '/' };
};

const toNewsTitle = ({ title }: Pick<NewsItem, 'title'>): Message =>
  title === null ? createMessage('notices.untitled') : createMessage('notices.plain', { text: title });

const findNewsKind = (before: string, now: Listing['status']): NewsKind | null => {
  // A fast generation might finish before any read shows `processing`, so `draft` counts as well.
  if ((before === 'processing' || before === 'draft') && now === 'pending_review') return 'written';
  return before === 'published' && now === 'sold' ? 'sales' : null;
};

type Parts = {
  listings: Pick<ListingsTable, 'statusOf'>;
  itemsTable: Pick<ItemsTable, 'idOfListing'>;
  settings: Pick<SettingsTable, 'read' | 'write'>;
  clock: Clock;
  notify: Notify;
};

export type NewsNotifier = ReturnType<typeof createNewsNotifier>;

const pendingNewsSetting = 'pending news';

/**
 * Creates the notifier of news. Each piece of news is stored until it is shown, so that it is shown once, even after a
 * restart.
 */
export const createNewsNotifier = ({ listings, itemsTable, settings, clock, notify }: Parts) => {
  const gathering = new Set<NewsKind>();
  const ended = new AbortController();
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
      const kind = before === null ? null : findNewsKind(before, listing.status);
      if (kind === null) return;
      const itemId = itemsTable.idOfListing(account, listing.listingId);
      const place = itemId === null ? '/' : `/items/${encodeURIComponent(itemId)}`;
      settings.write(pendingNewsSetting, [...readPendingNews(), { kind, title: listing.title ?? null, place }]);
      void notifyAfterDelay(kind);
    },
    stop: (): void => ended.abort(),
  };
};

import * as z from 'zod';
import type { Listing } from '../../contract/index.ts';
import type { Clock, Notice, Notify } from '../base/ports.ts';
import type { ItemsTable } from '../storage/tables/itemsTable.ts';
import type { ListingsTable } from '../storage/tables/listingsTable.ts';
import type { SettingsTable } from '../storage/tables/settingsTable.ts';
import { noticeText } from '../base/messages.ts';
import { message, type Message } from '../../i18n/message.ts';

const kind = z.enum(['written', 'sales']);
type Kind = z.infer<typeof kind>;
const pendingNews = z.array(z.object({ kind, title: z.string().nullable(), place: z.string() }));
type NewsItem = z.infer<typeof pendingNews>[number];

/** News within this time is combined into one notice. */
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

const titleOf = ({ title }: Pick<NewsItem, 'title'>): Message =>
  title === null ? message('notices.untitled') : message('notices.plain', { text: title });

/** Returns the news in a status change; null if there is none. */
const kindOf = (before: string, now: Listing['status']): Kind | null => {
  // A fast generation may finish before a read shows `processing`.
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

export type News = ReturnType<typeof createNews>;

/** The setting that stores news not yet shown. */
const pendingName = 'pending news';

/**
 * Creates the desktop news: a listing was generated or sold. News is stored until it is shown, so that each item is
 * shown once, also across a restart.
 */
export const createNews = ({ listings, itemsTable, settings, clock, notify }: Parts) => {
  const gathering = new Set<Kind>();
  const ended = new AbortController();
  const readPending = (): NewsItem[] => settings.read(pendingName, pendingNews) ?? [];

  const tell = (kind: Kind): void => {
    const pending = readPending();
    const told = pending.filter((item) => item.kind === kind);
    if (told.length === 0) return;
    const rest = pending.filter((item) => item.kind !== kind);
    settings.write(pendingName, rest);
    notify(noticeOf(kind, told));
  };
  const gather = async (kind: Kind): Promise<void> => {
    if (gathering.has(kind)) return;
    gathering.add(kind);
    try {
      await clock.sleep(gatherMs, ended.signal);
      tell(kind);
    } catch {
      // The companion stops or the disk is full: it is shown with the next news or after the next start.
    } finally {
      gathering.delete(kind);
    }
  };
  for (const { kind } of readPending()) void gather(kind);

  return {
    /**
     * Compares a listing that was read with its stored copy. Call it before the listing is stored, in the same
     * transaction.
     */
    read: (account: string, listing: Listing): void => {
      const before = listings.statusOf(account, listing.listingId);
      const kind = before === null ? null : kindOf(before, listing.status);
      if (kind === null) return;
      const itemId = itemsTable.idOfListing(account, listing.listingId);
      const place = itemId === null ? '/' : `/items/${encodeURIComponent(itemId)}`;
      settings.write(pendingName, [...readPending(), { kind, title: listing.title ?? null, place }]);
      void gather(kind);
    },
    stop: (): void => ended.abort(),
  };
};

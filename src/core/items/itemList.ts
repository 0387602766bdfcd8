import type {
  ItemSummary,
  Step,
  ChosenItems,
  ItemPage,
  ItemPlace,
  ReadyItems,
  SettledItems,
} from '../storage/tables/itemRecord.ts';
import type { Changes } from './changes.ts';
import type { ItemQueries, Only, Wanted } from '../storage/tables/itemQueries.ts';
import { createItemSearch, type ItemFilter } from './itemSearch.ts';
import { itemSummary } from './itemSummary.ts';
import type { Trouble } from './itemText.ts';

type Parts = {
  pages: ItemQueries;
  account: () => string;
  clock: { now: () => number };
  changes: Changes;
  placeInLine: (itemId: string) => number | null;
  trouble: (itemId: string, step: Step) => Trouble | null;
};

type Found = readonly string[] | null;

/** So many can be published with one question. */
const readyAtOnce = 200;
/** So many of those that came to rest are told at once. */
const settledAtOnce = 20;

/** The list of items, a part at a time: no call reads more of them than it answers, however many there are. */
export const createItemList = ({ pages, account, clock, changes, placeInLine, trouble }: Parts) => {
  const search = createItemSearch({ pages, account, mark: () => changes.mark(account()), trouble });
  const wanted = (within: Found, only: Only): Wanted => ({ account: account(), only, within });
  const summaries = (itemIds: readonly string[]): ItemSummary[] =>
    pages.summaries(account(), itemIds).map((row) =>
      itemSummary(row, {
        placeInLine: placeInLine(row.item_id),
        trouble: trouble(row.item_id, row.step),
        now: clock.now(),
      }),
    );
  return {
    /** The items that a filter leaves, which the others go by; null for all. */
    found: (filter: ItemFilter): Promise<Found> => search(filter),
    /** The items from `offset` on, newest first, and how many there are in all. */
    page: (found: Found, only: 'all' | 'arrangeable', offset: number, limit: number): ItemPage => {
      const all = wanted(found, only);
      return { total: pages.count(all), rows: summaries(pages.ids(all, offset, limit)) };
    },
    counts: () => pages.counts(account()),
    ready: (found: Found): ReadyItems => {
      const all = wanted(found, 'ready');
      return { total: pages.count(all), itemIds: pages.ids(all, 0, readyAtOnce) };
    },
    chosen: (itemIds: readonly string[]): ChosenItems => {
      const rows = pages.chosen(account(), itemIds);
      return {
        ready: rows.flatMap(({ item_id, listing_id, ready }) =>
          ready === 1 && listing_id !== null ? [{ itemId: item_id, listingId: listing_id }] : [],
        ),
        arrangeable: rows.flatMap(({ item_id, guessed, arrangeable }) =>
          arrangeable === 1 ? [{ itemId: item_id, guessed: guessed !== 0 }] : [],
        ),
      };
    },
    /** Those between two that can be chosen, both included, in the order of the list; the second alone where there is no such way. */
    between: (found: Found, from: string, to: string): string[] =>
      pages.between(wanted(found, 'pickable'), from, to) ?? [to],
    /** The next item down the list, or up; where none is given, or it is not in the list, its first, or its last. */
    beside: (found: Found, itemId: string | null, by: 1 | -1): ItemPlace | null => {
      const all = wanted(found, 'all');
      const next = pages.beside(all, itemId === null ? null : { itemId, of: all }, by);
      return next === null ? null : { itemId: next, at: pages.placeIn(all, next) };
    },
    /** The next item that waits to be looked over, down the list and then from its top; null when there is no other. */
    nextToReview: (found: Found, itemId: string | null): ItemPlace | null => {
      const all = wanted(found, 'all');
      const waiting = { ...all, only: 'review' } as const;
      const below = pages.beside(waiting, itemId === null ? null : { itemId, of: all }, 1);
      const next = below ?? pages.beside(waiting, null, 1);
      return next === null || next === itemId ? null : { itemId: next, at: pages.placeIn(all, next) };
    },
    /** What came to rest since the mark of an earlier answer; nothing for null, and for a mark that is not known. */
    settled: (mark: string | null): SettledItems => {
      const itemIds = changes.settledSince(mark, account()).slice(-settledAtOnce);
      return { mark: changes.mark(account()), items: summaries(itemIds) };
    },
  };
};

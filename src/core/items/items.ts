import type { Listing } from '../../contract/index.ts';
import type { Asker } from '../base/asker.ts';
import type { BarcodeView } from '../storage/tables/itemRecord.ts';
import type { Wishes } from '../storage/tables/itemsTable.ts';
import { addItems, beginItems, type PhotoSet } from './addItems.ts';
import { createArranging } from './arranging.ts';
import { createChanges, notingSettled } from './changes.ts';
import type { ItemsContext } from './context.ts';
import { catchUpWithListings, followListing, markListingDeleted } from './followListings.ts';
import { cancelItem, decideBarcode, noteItem, removeItem, resumeItem } from './itemActions.ts';
import { createItemList } from './itemList.ts';
import { createItemReads } from './itemView.ts';
import { createItemRunner } from './itemRunner.ts';
import { createPreparing } from './preparing.ts';
import { running } from './steps.ts';

export type Items = ReturnType<typeof createItems>;

/**
 * Walks every item along its way. What a step has reached is on disk before the next one starts, so that a crash at any
 * point is followed by the same way from the same place.
 */
export const createItems = (given: Omit<ItemsContext, 'preparing' | 'sending'>) => {
  const changes = createChanges();
  const parts = { ...given, table: notingSettled(given.table, changes) };
  const { table, clock, account } = parts;
  const touched = (itemId: string): void => {
    changes.note(itemId);
    parts.touched(itemId);
  };
  const preparing = createPreparing({ ...parts, touched });
  const context: ItemsContext = { ...parts, touched, preparing, sending: new Map() };
  const runner = createItemRunner(context);
  const reads = createItemReads(context, runner, changes);
  const own = { context, runner, reads, changes };
  parts.pacing.onTurn(runner.turned);

  return {
    ...reads,
    add: (sets: PhotoSet[], by: Asker, wishes: Wishes = {}) => addItems(own, sets, by, wishes),
    /** Has guessed items go on after the person's look: the given ones, or all. Answers how many. */
    begin: (itemIds: readonly string[] = table.pages.guessed(account())) => beginItems(own, itemIds),
    cancel: (itemId: string) => cancelItem(own, itemId),
    resume: (itemId: string) => resumeItem(own, itemId),
    remove: (itemId: string) => removeItem(own, itemId),
    note: (itemId: string, text: string) => noteItem(own, itemId, text),
    barcode: (itemId: string, value: string, state: BarcodeView['state']) => decideBarcode(own, itemId, value, state),
    arranging: createArranging(context, { ...reads, ...runner }),
    follow: (listing: Listing) => followListing(own, listing),
    listingDeleted: (listingId: string) => markListingDeleted(own, listingId),
    get: (itemId: string) => reads.view(reads.need(itemId)),
    list: createItemList({
      pages: table.pages,
      ...{ account, clock, changes },
      placeInLine: context.writingPlaces.position,
      trouble: runner.trouble,
    }),
    /** The item of a listing; null when it has none. */
    ofListing: (listingId: string): string | null => table.ofListing(account(), listingId)?.item_id ?? null,
    /** Takes up every item that was on its way, oldest first: those being written keep their places. */
    start: () => {
      runner.open();
      catchUpWithListings(own);
      void runner.startInTurn(table.pages.underWay(account(), Object.keys(running)));
    },
    /** Tries again at once what stopped for want of a connection. */
    reconnected: () => {
      const itemIds = table.pages.unconnected(account());
      table.atomically(() => itemIds.forEach((itemId) => table.change(itemId, { stop: null }, clock.now())));
      void runner.startInTurn(itemIds);
    },
    stop: runner.stop,
  };
};

import { problem } from '../base/problem.ts';
import type { ItemView } from '../storage/tables/itemRecord.ts';
import type { ItemRow } from '../storage/tables/itemsTable.ts';
import type { Changes } from './changes.ts';
import type { ItemsContext } from './context.ts';
import type { ItemRunner } from './itemRunner.ts';
import { itemView } from './itemView.ts';

/** So many items are read in one go. */
const atOnce = 100;

/** Single items of the connected account, as they are stored and as they are shown. */
export type ItemReads = {
  /** Throws NOT_FOUND for one that is not there or of another account. */
  need: (itemId: string) => ItemRow;
  view: (item: ItemRow) => ItemView;
  /** Items by their ids, a few at a time; what is gone by then is left out. */
  views: (itemIds: readonly string[]) => Iterable<ItemView[]>;
  /** Those of an assistant's items that changed since a mark of an earlier answer; all of them for null. */
  ofAssistant: (assistantId: string, mark: string | null) => { mark: string; itemIds: string[] };
};

/** Reads single items; `runner` knows why a step of one is tried again. */
export const createItemReads = (
  context: ItemsContext,
  runner: Pick<ItemRunner, 'trouble'>,
  changes: Changes,
): ItemReads => {
  const { table, clock, account } = context;
  const view = (item: ItemRow): ItemView =>
    itemView(item, table.photos(item.item_id), table.removedPhotos(item.item_id), {
      placeInLine: context.writingPlaces.position(item.item_id),
      trouble: runner.trouble(item.item_id, item.step),
      now: clock.now(),
      title: (item.listing_id && context.listings.read(item.account, item.listing_id)?.title) || null,
      cap: context.photoCap(),
      sending: context.sending,
    });
  return {
    need: (itemId) => {
      const item = table.read(itemId);
      if (!item || item.account !== account()) throw problem('NOT_FOUND.item');
      return item;
    },
    view,
    *views(itemIds) {
      for (let from = 0; from < itemIds.length; from += atOnce)
        yield itemIds.slice(from, from + atOnce).flatMap((itemId) => {
          const item = table.read(itemId);
          return item ? [view(item)] : [];
        });
    },
    ofAssistant: (assistantId, mark) => {
      const isNew = changes.since(mark, account());
      // A place in the line moves when another item leaves it.
      const moves = (itemId: string): boolean => context.writingPlaces.position(itemId) !== null;
      const itemIds = table.pages.ofAssistant(account(), assistantId).filter((id) => isNew(id) || moves(id));
      return { mark: changes.mark(account()), itemIds };
    },
  };
};

import type { CallAnswer } from '../../../ipc/calls.ts';
import { callCore } from './call.ts';
import { createStore } from './createStore.ts';
import { createItemFilter, maxChosen } from './itemQueries.ts';

/** The selected items. They stay selected while another screen is open. */
export const selectedItems = createStore<ReadonlySet<string>>(new Set());

/** The weak listings that the person wants to publish anyway. They are forgotten with the selection. */
export const acceptedWeakListings = createStore<ReadonlySet<string>>(new Set());

export const acceptWeakListings = (listingIds: readonly string[], isAccepted: boolean): void => {
  const before = acceptedWeakListings.get();
  const others = [...before].filter((listingId) => !listingIds.includes(listingId));
  acceptedWeakListings.set(new Set([...others, ...(isAccepted ? listingIds : [])]));
};

selectedItems.subscribe(() => {
  if (selectedItems.get().size === 0 && acceptedWeakListings.get().size > 0) acceptedWeakListings.set(new Set());
});

export const deselectItems = (itemIds: Iterable<string>): void => {
  const left = new Set(selectedItems.get());
  for (const itemId of itemIds) left.delete(itemId);
  if (left.size < selectedItems.get().size) selectedItems.set(left);
};

/** Deselects the items of these listings. */
export const deselectListings = async (listingIds: readonly string[]): Promise<void> => {
  const selected = [...selectedItems.get()];
  if (selected.length === 0) return;
  const { ready } = await callCore('items.chosen', { itemIds: selected });
  deselectItems(ready.filter(({ listingId }) => listingIds.includes(listingId)).map(({ itemId }) => itemId));
};

/** Reads the next item that waits for the person's review. */
export const readNextReviewItem = (find: string, itemId: string | null): Promise<CallAnswer<'items.beside'>> =>
  callCore('items.beside', { ...createItemFilter(find), itemId, way: 'review' });

/** Reads the next weak item of the batch that the person would publish now. */
export const readNextWeakItem = (find: string, itemId: string | null): Promise<CallAnswer<'items.nextWeak'>> =>
  callCore('items.nextWeak', {
    ...createItemFilter(find),
    itemId,
    itemIds: [...selectedItems.get()].slice(0, maxChosen),
  });

export type ItemSelection = {
  /** The number of publishable items in the list, null until it is read, and up to one batch of their ids. */
  ready: Omit<CallAnswer<'items.ready'>, 'total'> & { total: number | null };
  selected: CallAnswer<'items.chosen'>['ready'];
  groups: CallAnswer<'items.chosen'>['arrangeable'];
  /**
   * If items are selected, returns the listings of those in the list; otherwise returns the listings that the person
   * marked as checked. The ids can be newer than the rendered state.
   */
  readPublishableIds: () => Promise<string[]>;
  /** True if anything is selected, even before the core has checked the selection. */
  any: boolean;
  some: boolean;
  has: (itemId: string) => boolean;
  /** With `range`, also selects all items since the last toggled item. */
  toggle: (itemId: string, range: boolean) => void;
  all: () => void;
  clear: () => void;
};

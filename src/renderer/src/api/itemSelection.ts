import { callCore } from './call.ts';
import { createStore } from './createStore.ts';

/** The selected items. They stay selected while another screen is open. */
export const selectedItems = createStore<ReadonlySet<string>>(new Set());

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

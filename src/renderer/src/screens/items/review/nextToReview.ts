import type { ItemView } from '../../../api/types.ts';

const waits = (item: ItemView): boolean => item.step === 'review' && item.stop === null;

/** The next item that waits to be looked over, down the list and then from its top; null when there is no other. */
export const nextToReview = (items: readonly ItemView[], fromId: string | null): ItemView | null => {
  const at = items.findIndex(({ itemId }) => itemId === fromId);
  return items.slice(at + 1).find(waits) ?? items.slice(0, Math.max(0, at)).find(waits) ?? null;
};

import type { CallAnswer } from '../../../ipc/calls.ts';
import type { ItemView } from './types.ts';

/** The items as they were last read, and the mark to ask for what changed since. */
export type KeptItems = { mark: string; items: ItemView[] };

/**
 * The items after an answer: those that did not change are the very objects from before. Null when the answer counts on
 * an item that is not here, so that everything must be read again.
 */
export const withChanges = (kept: KeptItems | null, answer: CallAnswer<'items.changes'>): KeptItems | null => {
  const known = new Map([...(kept?.items ?? []), ...answer.changed].map((item) => [item.itemId, item]));
  const items = answer.itemIds.flatMap((itemId) => known.get(itemId) ?? []);
  return items.length === answer.itemIds.length ? { mark: answer.mark, items } : null;
};

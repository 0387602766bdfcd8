import type { ItemView } from '../../src/core/storage/tables/itemRecord.ts';
import type { Companion } from '../../src/core/companion/createCompanion.ts';

/** Returns every item with all its data, newest first. */
export const listAllItems = ({ items }: Pick<Companion, 'items'>): ItemView[] =>
  items.list.page(null, 'all', 0, 100_000).rows.map(({ itemId }) => items.get(itemId));

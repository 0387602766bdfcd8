import type { Items } from '../../../src/core/items/items.ts';

/** Returns all rows of the contact sheet. */
export const readContactSheet = ({ readOrder, readRow }: Pick<Items['contactSheet'], 'readOrder' | 'readRow'>) => ({
  rows: readOrder().rows.flatMap(({ itemId }) => readRow(itemId) ?? []),
});

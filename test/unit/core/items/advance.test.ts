import { expect, test } from 'vitest';
import { advance, type ItemsContext } from '../../../../src/core/items/itemsContext.ts';
import type { ItemRow } from '../../../../src/core/storage/tables/itemsTable.ts';

/** How an item is written when it comes to a step with something that is known then. */
const writtenWith = (more: Parameters<typeof advance>[3]): string[] => {
  const written: string[] = [];
  const context = {
    table: { change: () => void written.push('waits'), note: () => void written.push('does not wait') },
    clock: { now: () => 0 },
    touched: () => void written.push('told'),
  } as unknown as ItemsContext;
  advance(context, { item_id: 'one' } as ItemRow, 'upload', more);
  return written;
};

test('a step alone does not wait for the disk, as it is found out again; what is known with it does', () => {
  expect(writtenWith({})).toEqual(['does not wait', 'told']);
  expect(writtenWith({ listing_id: 'lst_1' })).toEqual(['waits', 'told']);
});

import { randomUUID } from 'node:crypto';
import type { ContactSheetChanges, ContactSheetOrder, ContactSheetOrderRow } from '../../storage/tables/itemRecord.ts';

type NumberedRow = { row: ContactSheetOrderRow; text: string; changed: number };

/**
 * Numbers the changes of the rows of the contact sheet, because thousands of rows are too long to send to windows after
 * each change of an item.
 */
export const createContactSheetChanges = () => {
  const run = randomUUID();
  let last: ContactSheetOrder | null = null;
  let count = 0;
  let numbered: readonly NumberedRow[] = [];
  const numberRows = (order: ContactSheetOrder): void => {
    if (order === last) return;
    last = order;
    count += 1;
    const known = new Map(numbered.map((one) => [one.row.itemId, one]));
    numbered = order.rows.map((row) => {
      const text = JSON.stringify(row);
      const before = known.get(row.itemId);
      return before?.text === text ? before : { row, text, changed: count };
    });
  };
  return {
    /** Forgets the rows. The next caller gets all rows. */
    release: (): void => {
      [last, numbered] = [null, []];
    },
    /** Returns the rows that have changed since the mark. If the mark is unknown, returns all rows. */
    since: (order: ContactSheetOrder, mark: string | null): ContactSheetChanges => {
      numberRows(order);
      const seen = mark?.startsWith(`${run} `) ? Number(mark.split(' ').at(-1)) : 0;
      return {
        mark: `${run} ${count}`,
        rows: numbered.map(({ row, changed }) => (changed > seen ? row : row.itemId)),
      };
    },
  };
};

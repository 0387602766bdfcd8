import { useState } from 'react';
import type { ListingRow } from '../../api/types.ts';

/** One question takes no more than this. */
export const mostAtOnce = 200;

/** The selected listings, and the ways to select others. */
export type Chosen = {
  rows: ListingRow[];
  has: (listingId: string) => boolean;
  toggle: (row: ListingRow) => void;
  /** These in place of what was selected, as many as one question takes. */
  take: (rows: readonly ListingRow[]) => void;
  clear: () => void;
};

/** Which listings are selected, as they were when they were. */
export const useChosen = (): Chosen => {
  const [rows, setRows] = useState<ReadonlyMap<string, ListingRow>>(new Map());
  return {
    rows: [...rows.values()],
    has: (listingId: string): boolean => rows.has(listingId),
    toggle: (row: ListingRow): void =>
      setRows((before) => {
        const next = new Map(before);
        if (!next.delete(row.listingId)) next.set(row.listingId, row);
        return next;
      }),
    take: (more: readonly ListingRow[]): void =>
      setRows(new Map(more.slice(0, mostAtOnce).map((row) => [row.listingId, row]))),
    clear: (): void => setRows(new Map()),
  };
};

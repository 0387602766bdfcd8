import type { ListingRow } from '../../api/types.ts';
import { textToCents } from '../../components/text/format.ts';

/** How a price is changed: by percent, by an amount, or to an amount. */
export type How = 'percent' | 'amount' | 'set';
/** A listing and its new price, in hundredths of its currency. */
export type PriceChange = { row: ListingRow; cents: number };

const signed = (text: string): { sign: 1 | -1; rest: string } => {
  const match = /^\s*([-−–+])?\s*(.*)$/.exec(text);
  return { sign: match?.[1] !== undefined && match[1] !== '+' ? -1 : 1, rest: match?.[2] ?? '' };
};

/** What a price becomes; null when what was typed is no number. Percent rounds to the hundredth, halves up. */
export const newPrice = (how: How, typed: string): ((cents: number) => number) | null => {
  const { sign, rest } = signed(typed);
  if (how === 'percent') {
    const percent = Number(rest.replace(/\s*%\s*$/, '').replace(',', '.'));
    if (rest.trim() === '' || Number.isNaN(percent)) return null;
    return (cents) => Math.round((cents * (100 + sign * percent)) / 100);
  }
  const amount = textToCents(rest);
  if (amount === null || (how === 'set' && sign === -1)) return null;
  return how === 'set' ? () => amount : (cents) => cents + sign * amount;
};

/** The live listings whose price would be another, and how many of the selected are left out. */
export const priceChanges = (
  rows: readonly ListingRow[],
  change: (cents: number) => number,
): { changes: PriceChange[]; left: number } => {
  const changes = rows.flatMap((row): PriceChange[] => {
    if (row.status !== 'published' || row.priceCents === null) return [];
    const cents = change(row.priceCents);
    return cents < 1 || cents === row.priceCents ? [] : [{ row, cents }];
  });
  return { changes, left: rows.length - changes.length };
};

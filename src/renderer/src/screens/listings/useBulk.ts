import { type ListingRow, call, sentenceOf, perform } from '../../api/call.ts';
import { textToCents } from '../../components/text/format.ts';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { CallInput } from '../../../../ipc/calls.ts';
import { t } from '../../i18n.ts';
import { useAskBatch } from '../approvals/batch/useBatches.ts';
import { usePrompts } from '../approvals/useQuestions.ts';

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

type Request = CallInput<'batch.askFor'>['requests'][number];

const priceOf = ({ row, cents }: PriceChange): Request => ({
  route: 'reviseListing',
  input: { params: { listingId: row.listingId }, body: { price: cents } },
});
const endOf = ({ listingId }: ListingRow): Request => ({ route: 'endListing', input: { params: { listingId } } });

/** What can be done to many listings at once. */
export type Bulk = {
  prices: (changes: readonly PriceChange[]) => void;
  end: (rows: readonly ListingRow[]) => void;
  relist: (rows: readonly ListingRow[]) => void;
  busy: boolean;
  error: Error | null;
};

/** Asks for one act on many live listings: a prompt for one, a receipt with a line each for more. */
export const useBulk = (onAsked: () => void): Bulk => {
  const { show } = usePrompts();
  const many = useAskBatch();
  const client = useQueryClient();
  const ask = useMutation({
    mutationFn: async (requests: Request[]) => {
      const [only, ...more] = requests;
      if (only === undefined) return;
      if (more.length > 0) {
        await many.mutateAsync({ requests });
        return;
      }
      const outcome = await call('service.perform', only);
      if (outcome.state === 'pending') show(outcome.approvalId);
    },
    onSuccess: onAsked,
    onSettled: () => client.invalidateQueries({ queryKey: ['approvals'] }),
  });
  const relist = useMutation({
    mutationFn: async (rows: readonly ListingRow[]) => {
      for (const { listingId } of rows) await perform('relistListing', { params: { listingId } });
      return rows.length;
    },
    onSuccess: (count) => {
      notifications.show({ message: t('listings.broughtBack', { count }), color: 'gray' });
      onAsked();
    },
    onError: (error) => notifications.show({ message: sentenceOf(error), color: 'amber' }),
    onSettled: () => client.invalidateQueries({ queryKey: ['listings'] }),
  });
  return {
    prices: (changes: readonly PriceChange[]) => ask.mutate(changes.map(priceOf)),
    end: (rows: readonly ListingRow[]) => ask.mutate(rows.map(endOf)),
    relist: (rows: readonly ListingRow[]) => relist.mutate(rows),
    busy: ask.isPending || relist.isPending,
    error: ask.error,
  };
};

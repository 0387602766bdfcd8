import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { CallInput } from '../../../../../ipc/calls.ts';
import { call } from '../../../api/call.ts';
import { sentenceOf } from '../../../api/callError.ts';
import { perform } from '../../../api/perform.ts';
import type { ListingRow } from '../../../api/types.ts';
import { t } from '../../../i18n/t.ts';
import { useAskBatch } from '../../approvals/batch/useBatches.ts';
import { usePrompts } from '../../approvals/usePrompts.ts';
import type { PriceChange } from './newPrice.ts';

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

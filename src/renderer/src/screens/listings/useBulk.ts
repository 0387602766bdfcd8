import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ListingRow, perform } from '../../api/call.ts';
import { t } from '../../i18n.ts';
import { orFailure, readRemovals, sayFailures, useAskTogether, type Failure } from './bulk/useBulkEdit.ts';

/** What can be done to many listings at once, beside changing them. */
export type Bulk = {
  /** Asks to end live ones, or to discard those that never were. */
  remove: (rows: readonly ListingRow[]) => void;
  relist: (rows: readonly ListingRow[]) => void;
  busy: boolean;
  error: Error | null;
};

const bringBack = async ({ listingId }: ListingRow): Promise<void> =>
  void (await perform('relistListing', { params: { listingId } }));

/** Ends, discards and brings back; what cannot be undone is one question. */
export const useBulk = (onAsked: (left: readonly ListingRow[]) => void): Bulk => {
  const client = useQueryClient();
  const askTogether = useAskTogether();
  const ask = useMutation({
    mutationFn: async (rows: readonly ListingRow[]) => {
      const { requests, failures } = await readRemovals(rows);
      await askTogether(requests);
      return failures;
    },
    onSuccess: (failures) => {
      sayFailures(failures);
      onAsked(failures.map(({ row }) => row));
    },
    onSettled: () => Promise.all(['approvals', 'listings'].map((key) => client.invalidateQueries({ queryKey: [key] }))),
  });
  const relist = useMutation({
    mutationFn: async (rows: readonly ListingRow[]) => {
      const failures: Failure[] = [];
      for (const row of rows) await orFailure({ failures }, row, () => bringBack(row));
      return { failures, count: rows.length - failures.length };
    },
    onSuccess: ({ failures, count }) => {
      if (count > 0) notifications.show({ message: t('listings.broughtBack', { count }), color: 'gray' });
      sayFailures(failures);
      onAsked(failures.map(({ row }) => row));
    },
    onSettled: () => client.invalidateQueries({ queryKey: ['listings'] }),
  });
  return {
    remove: (rows) => ask.mutate(rows),
    relist: (rows) => relist.mutate(rows),
    busy: ask.isPending || relist.isPending,
    error: ask.error,
  };
};

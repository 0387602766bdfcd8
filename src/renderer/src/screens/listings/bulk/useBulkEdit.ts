import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, useSyncExternalStore } from 'react';
import type { CallInput } from '../../../../../ipc/calls.ts';
import { call, perform, sentenceOf, type ListingRow } from '../../../api/call.ts';
import { t } from '../../../i18n.ts';
import { useAskBatch } from '../../approvals/batch/useBatches.ts';
import { usePrompts } from '../../approvals/useQuestions.ts';
import type { Applied, BulkChange, BulkField, BulkTarget } from './bulkChanges.ts';

export type BulkRequest = CallInput<'batch.askFor'>['requests'][number];

/** The selected listings in full, as this machine knows them; undefined while they are being read. */
export const useBulkTargets = (rows: readonly ListingRow[]): BulkTarget[] | undefined => {
  const ids = rows.map(({ listingId }) => listingId);
  const { data } = useQuery({
    queryKey: ['listings', 'kept', 'many', ids],
    queryFn: () => Promise.all(ids.map((listingId) => call('listings.kept', { listingId }))),
  });
  return data && rows.map((row, at) => ({ row, listing: data[at] ?? null }));
};

/** Asks about what cannot be sent without the person: a prompt for one, a receipt with a line each for more. */
export const useAskTogether = () => {
  const { show } = usePrompts();
  const many = useAskBatch();
  return async (requests: readonly BulkRequest[]): Promise<void> => {
    const [only, ...more] = requests;
    if (only === undefined) return;
    if (more.length > 0) {
      await many.mutateAsync({ requests: [...requests] });
      return;
    }
    const outcome = await call('service.perform', only);
    if (outcome.state === 'pending') show(outcome.approvalId);
  };
};

// Kept apart from the screen: what was changed together can be put back also after another screen.
let last: Applied | null = null;
const listeners = new Set<() => void>();
const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};
const keepLast = (applied: Applied | null): void => {
  last = applied;
  for (const listener of listeners) listener();
};

/** What was last changed together in this window, and how to forget it. */
export const useLastBulk = () => ({ last: useSyncExternalStore(subscribe, () => last), forget: () => keepLast(null) });

const params = ({ row: { listingId } }: Pick<BulkChange, 'row'>) => ({ params: { listingId } });

const requestOf = (change: BulkChange): BulkRequest => ({
  route: 'reviseListing',
  input: { ...params(change), body: change.body },
});

/** Ends a live listing, or discards one that never was. */
export const removalOf = ({ listingId, status }: ListingRow): BulkRequest => ({
  route: status === 'published' ? 'endListing' : 'deleteListing',
  input: { params: { listingId } },
});

type Order = { field: BulkField; changes: readonly BulkChange[]; removals: readonly ListingRow[] };
type Failure = { row: ListingRow; sentence: string };

/**
 * Changes drafts at once, one after the other, and asks about live ones, ends and discards in one question. Each change
 * names the new value, never a difference: sent again after a fault it changes nothing more.
 */
export const useBulkEdit = (onDone: (failed: readonly ListingRow[]) => void) => {
  const client = useQueryClient();
  const ask = useAskTogether();
  const [sent, setSent] = useState(0);
  const edit = useMutation({
    mutationFn: async ({ field, changes, removals }: Order) => {
      setSent(0);
      const failures: Failure[] = [];
      const done: BulkChange[] = [];
      for (const change of changes.filter(({ live }) => !live)) {
        try {
          await perform('updateListing', { ...params(change), body: change.body });
          done.push(change);
          // What is done is remembered as it is done: a fault later takes no way back.
          keepLast({ field, rows: [...done] });
        } catch (error) {
          failures.push({ row: change.row, sentence: sentenceOf(error) });
        }
        setSent((before) => before + 1);
      }
      const live = changes.filter((change) => change.live);
      await ask([...live.map(requestOf), ...removals.map(removalOf)]);
      if (done.length + live.length > 0) keepLast({ field, rows: [...done, ...live] });
      return failures;
    },
    onSuccess: (failures) => {
      if (failures[0])
        notifications.show({
          message: t('listings.bulk.failed', { count: failures.length, sentence: failures[0].sentence }),
          color: 'amber',
        });
      onDone(failures.map(({ row }) => row));
    },
    onSettled: () => Promise.all(['approvals', 'listings'].map((key) => client.invalidateQueries({ queryKey: [key] }))),
  });
  return { send: (order: Order) => edit.mutate(order), busy: edit.isPending, error: edit.error, sent };
};
export type BulkEditing = ReturnType<typeof useBulkEdit>;

import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useId, useRef, useState } from 'react';
import { editableStatuses } from '../../../../../contract/index.ts';
import type { CallInput } from '../../../../../ipc/calls.ts';
import { call, perform, read, sentenceOf, type Listing, type ListingRow } from '../../../api/call.ts';
import { oneOf } from '../../../api/unknownRecord.ts';
import { t } from '../../../i18n.ts';
import { useAskBatch } from '../../approvals/batch/useBatches.ts';
import { usePrompts } from '../../approvals/useQuestions.ts';
import {
  bulkFields,
  isLive,
  standingOf,
  type Applied,
  type BulkChange,
  type BulkField,
  type BulkTarget,
} from './bulkChanges.ts';

export type BulkRequest = CallInput<'batch.askFor'>['requests'][number];

/**
 * The listings in full, as this machine knows them when the dialog opens; undefined while they are being read. What is
 * shown then stays: it is what the person says yes to, so it is not worked out anew when listings come in.
 */
export const useBulkTargets = (rows: readonly ListingRow[]): BulkTarget[] | undefined => {
  const opening = useId();
  const { data } = useQuery({
    queryKey: ['bulk', opening],
    queryFn: () =>
      Promise.all(
        rows.map(async (row) => ({ row, listing: await call('listings.kept', { listingId: row.listingId }) })),
      ),
    staleTime: 'static',
    gcTime: 0,
  });
  return data;
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

/** What was last changed together and can be put back, and how to forget it. The core keeps it: it outlives this window. */
export const useLastBulk = (): { last: Applied | null; forget: () => void } => {
  const { data } = useQuery({
    queryKey: ['listings', 'lastBulkEdit'],
    queryFn: () => call('listings.lastBulkEdit', {}),
  });
  const forget = useMutation({ mutationFn: () => call('listings.forgetBulkEdits', {}) });
  const field = oneOf(bulkFields, data?.field ?? '');
  return { last: data && field ? { field, rows: data.rows } : null, forget: () => forget.mutate() };
};

const keepEdit = (editId: string, field: BulkField, changes: readonly BulkChange[]): Promise<null> => {
  const rows = changes.map(({ row: { listingId }, body, old }) => ({ listingId, body, old }));
  return call('listings.keepBulkEdit', { editId, field, rows });
};

const paramsOf = ({ listingId }: ListingRow) => ({ params: { listingId } });

/** Ends a live listing, or discards one that never was. */
const removalOf = (row: ListingRow, live: boolean): BulkRequest => ({
  route: live ? 'endListing' : 'deleteListing',
  input: paramsOf(row),
});

type Order = { field: BulkField; changes: readonly BulkChange[]; removals: readonly BulkChange[] };
/** A listing that was left as it was, and why. */
export type Failure = { row: ListingRow; sentence: string };

/** One run over what was ordered: what failed, what waits to be asked about, and which changes of live ones that has. */
type Run = { failures: Failure[]; requests: BulkRequest[]; live: BulkChange[] };

const readAgain = (row: ListingRow): Promise<Listing> => read('readListing', paramsOf(row));
/** The row as it is now: what can be done with it may be something else. */
const changedMeanwhile = (row: ListingRow, { status }: Listing): Failure => ({
  row: { ...row, status },
  sentence: t('listings.bulk.why.changedMeanwhile'),
});

/** Does one step, or notes why it could not be done: the others go on. */
export const orFailure = async (
  { failures }: Pick<Run, 'failures'>,
  row: ListingRow,
  step: () => Promise<void>,
): Promise<void> => {
  try {
    await step();
  } catch (error) {
    failures.push({ row, sentence: sentenceOf(error) });
  }
};

/** Sends one change of a draft, or leaves one of a live listing to be asked about, where it still is as it was shown. */
const sendChange = async (run: Run, field: BulkField, change: BulkChange): Promise<boolean> => {
  const { row, live, body } = change;
  const listing = await readAgain(row);
  const standing = standingOf(listing, field, change);
  if (standing === 'changed') run.failures.push(changedMeanwhile(row, listing));
  else if (live && standing === 'open') {
    run.requests.push({ route: 'reviseListing', input: { ...paramsOf(row), body } });
    run.live.push(change);
  } else if (standing === 'open') await perform('updateListing', { ...paramsOf(row), body });
  return !live && standing === 'open';
};

const askToRemove = async (run: Omit<Run, 'live'>, { row, live }: Pick<BulkChange, 'row' | 'live'>): Promise<void> => {
  const listing = await readAgain(row);
  const canGo = live || editableStatuses.includes(listing.status);
  if (isLive(listing) === live && canGo) run.requests.push(removalOf(row, live));
  else run.failures.push(changedMeanwhile(row, listing));
};

/** What asks to end or discard these, each read again before; one that is no longer as its row shows is left alone. */
export const readRemovals = async (rows: readonly ListingRow[]): Promise<Omit<Run, 'live'>> => {
  const run: Omit<Run, 'live'> = { failures: [], requests: [] };
  for (const row of rows) await orFailure(run, row, () => askToRemove(run, { row, live: isLive(row) }));
  return run;
};

/** Says what could not be changed, each reason once with how many it concerns. */
export const notifyFailures = (failures: readonly Failure[]): void => {
  if (failures.length === 0) return;
  const counts = new Map<string, number>();
  for (const { sentence } of failures) counts.set(sentence, (counts.get(sentence) ?? 0) + 1);
  notifications.show({
    title: t('listings.bulk.failed', { count: failures.length }),
    message: [...counts].map(([sentence, count]) => t('listings.bulk.reason', { count, sentence })).join(' '),
    color: 'amber',
  });
};

/**
 * Changes drafts at once, one after the other, and asks about live ones, ends and discards in one question. Each listing
 * is read again before, and left alone where it is no longer as it was shown. Each change names the new value, never a
 * difference: sent again after a fault it changes nothing more.
 */
export const useBulkEdit = (onDone: (failed: readonly ListingRow[]) => void) => {
  const client = useQueryClient();
  const ask = useAskTogether();
  const [sent, setSent] = useState(0);
  // Outlives a question that failed: what was changed before it can still be put back when it is asked again.
  const done = useRef<{ editId: string; field: BulkField; rows: BulkChange[] } | null>(null);
  const edit = useMutation({
    mutationFn: async ({ field, changes, removals }: Order) => {
      setSent(0);
      const made = done.current?.field === field ? done.current : { editId: crypto.randomUUID(), field, rows: [] };
      done.current = made;
      // Before the first is sent: whatever happens then, what was before is known.
      await keepEdit(made.editId, field, [...made.rows, ...changes]);
      const run: Run = { failures: [], requests: [], live: [] };
      for (const change of changes) {
        await orFailure(run, change.row, async () => {
          if (await sendChange(run, field, change)) made.rows.push(change);
        });
        if (!change.live) setSent((before) => before + 1);
      }
      for (const removal of removals) await orFailure(run, removal.row, () => askToRemove(run, removal));
      await keepEdit(made.editId, field, [...made.rows, ...run.live]);
      await ask(run.requests);
      return run.failures;
    },
    onSuccess: notifyFailures,
    onSettled: () => Promise.all(['approvals', 'listings'].map((key) => client.invalidateQueries({ queryKey: [key] }))),
  });
  // Not once the dialog was closed: the run goes on, while the person may have selected others.
  const onSuccess = (failures: readonly Failure[]): void => onDone(failures.map(({ row }) => row));
  return { send: (order: Order) => edit.mutate(order, { onSuccess }), busy: edit.isPending, error: edit.error, sent };
};
export type BulkEditing = ReturnType<typeof useBulkEdit>;

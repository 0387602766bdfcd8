import { useCoreQuery } from '../../../api/useCall.ts';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useId, useRef, useState } from 'react';
import { editableStatuses, type ListingChanges } from '../../../../../contract/index.ts';
import type { CallInput } from '../../../../../ipc/calls.ts';
import {
  CallError,
  callCore,
  performRequest,
  readServiceAnswer,
  getErrorSentence,
  type Listing,
  type ListingRow,
} from '../../../api/call.ts';
import { findKnownWord } from '../../../api/unknownRecord.ts';
import { t } from '../../../i18n.ts';
import { useBatchRequest } from '../../approvals/batch/useBatches.ts';
import { usePromptControls } from '../../approvals/usePrompts.ts';
import {
  bulkFields,
  isListingLive,
  compareChangeWithListing,
  type AppliedBulkEdit,
  type BulkChange,
  type BulkField,
  type BulkTarget,
} from './bulkChanges.ts';

export type BulkRequest = CallInput<'batch.askFor'>['requests'][number];

/**
 * Returns undefined while the listings are read. They do not update later, because the preview must not change while
 * the person reads it.
 */
export const useBulkEditTargets = (rows: readonly ListingRow[]): BulkTarget[] | undefined => {
  const opening = useId();
  const { data } = useQuery({
    queryKey: ['bulk', opening],
    queryFn: () =>
      Promise.all(
        rows.map(async (row) => ({ row, listing: await callCore('listings.kept', { listingId: row.listingId }) })),
      ),
    staleTime: 'static',
    gcTime: 0,
  });
  return data;
};

/** Creates one approval for one request, a batch for several. */
export const useCombinedRequest = () => {
  const { show } = usePromptControls();
  const many = useBatchRequest();
  return async (requests: readonly BulkRequest[]): Promise<void> => {
    const [only, ...more] = requests;
    if (only === undefined) return;
    if (more.length > 0) {
      await many.mutateAsync({ requests: [...requests] });
      return;
    }
    const outcome = await callCore('service.perform', only);
    if (outcome.state === 'pending') show(outcome.approvalId);
  };
};

/** The core stores the change, so the change survives this window. */
export const useLastBulkEdit = (): { last: AppliedBulkEdit | null; forget: () => void } => {
  const { data } = useCoreQuery(['listings', 'lastBulkEdit'], 'listings.lastBulkEdit', {});
  const forget = useMutation({ mutationFn: () => callCore('listings.forgetBulkEdits', {}) });
  const field = findKnownWord(bulkFields, data?.field ?? '');
  return { last: data && field ? { field, rows: data.rows } : null, forget: () => forget.mutate() };
};

const storeBulkEdit = (editId: string, field: BulkField, changes: readonly BulkChange[]): Promise<null> => {
  const rows = changes.map(({ row: { listingId }, body, old }) => ({ listingId, body, old }));
  return callCore('listings.keepBulkEdit', { editId, field, rows });
};

const toListingParams = ({ listingId }: ListingRow) => ({ params: { listingId } });

const toRemovalRequest = (row: ListingRow, live: boolean): BulkRequest => ({
  route: live ? 'endListing' : 'deleteListing',
  input: toListingParams(row),
});

type BulkEditOrder = { field: BulkField; changes: readonly BulkChange[]; removals: readonly BulkChange[] };
export type BulkFailure = { row: ListingRow; sentence: string };

/** `requests` has the requests that need an approval, and `asked` the changes among them. */
type BulkRun = { failures: BulkFailure[]; requests: BulkRequest[]; asked: BulkChange[] };

const rereadListing = (row: ListingRow): Promise<Listing> => readServiceAnswer('readListing', toListingParams(row));
/** Stores the current status of the row, because other actions might be possible now. */
const createStaleFailure = (row: ListingRow, { status }: Listing): BulkFailure => ({
  row: { ...row, status },
  sentence: t('listings.bulk.why.changedMeanwhile'),
});

/** Records an error as a failure, so that the remaining rows continue. */
export const runOrRecordFailure = async (
  { failures }: Pick<BulkRun, 'failures'>,
  row: ListingRow,
  step: () => Promise<void>,
): Promise<void> => {
  try {
    await step();
  } catch (error) {
    failures.push({ row, sentence: getErrorSentence(error) });
  }
};

/** The service may leave the weight out, so it is read back. Throws if the service does not return it. */
const requireKeptWeight = async (row: ListingRow, { packageWeightGrams }: ListingChanges): Promise<void> => {
  if (packageWeightGrams === undefined) return;
  if ((await rereadListing(row)).packageWeightGrams !== packageWeightGrams)
    throw new CallError({ code: 'WEIGHT_UNCONFIRMED', sentence: t('review.weightUnconfirmed') });
};

/** A change that needs an approval is added to the requests. A listing that has changed since the preview is skipped. */
const sendBulkChange = async (run: BulkRun, field: BulkField, change: BulkChange): Promise<boolean> => {
  const { row, live, asks, body } = change;
  const listing = await rereadListing(row);
  const standing = compareChangeWithListing(listing, field, change);
  if (standing === 'changed') run.failures.push(createStaleFailure(row, listing));
  else if (asks && standing === 'open') {
    const route = live ? 'reviseListing' : 'updateListing';
    run.requests.push({ route, input: { ...toListingParams(row), body } });
    run.asked.push(change);
  } else if (standing === 'open') {
    await performRequest('updateListing', { ...toListingParams(row), body });
    await requireKeptWeight(row, body);
  }
  return !asks && standing === 'open';
};

const addRemovalRequest = async (
  run: Omit<BulkRun, 'asked'>,
  { row, live }: Pick<BulkChange, 'row' | 'live'>,
): Promise<void> => {
  const listing = await rereadListing(row);
  const canGo = live || editableStatuses.includes(listing.status);
  if (isListingLive(listing) === live && canGo) run.requests.push(toRemovalRequest(row, live));
  else run.failures.push(createStaleFailure(row, listing));
};

export const prepareRemovalRequests = async (rows: readonly ListingRow[]): Promise<Omit<BulkRun, 'asked'>> => {
  const run: Omit<BulkRun, 'asked'> = { failures: [], requests: [] };
  for (const row of rows)
    await runOrRecordFailure(run, row, () => addRemovalRequest(run, { row, live: isListingLive(row) }));
  return run;
};

export const notifyBulkFailures = (failures: readonly BulkFailure[]): void => {
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
 * Sends the changes that need no approval first, then requests the other changes and the removals as one batch. Each
 * change sets an absolute value, so a retry is idempotent.
 */
export const useBulkEditRun = (onDone: (failed: readonly ListingRow[]) => void) => {
  const client = useQueryClient();
  const ask = useCombinedRequest();
  const [sent, setSent] = useState(0);
  // This ref survives a failed request, so that the changes before the failure can still be undone.
  const done = useRef<{ editId: string; field: BulkField; rows: BulkChange[] } | null>(null);
  const edit = useMutation({
    mutationFn: async ({ field, changes, removals }: BulkEditOrder) => {
      setSent(0);
      const made = done.current?.field === field ? done.current : { editId: crypto.randomUUID(), field, rows: [] };
      done.current = made;
      // The old values are stored before the first change is sent, so that they survive a crash.
      await storeBulkEdit(made.editId, field, [...made.rows, ...changes]);
      const run: BulkRun = { failures: [], requests: [], asked: [] };
      for (const change of changes) {
        await runOrRecordFailure(run, change.row, async () => {
          if (await sendBulkChange(run, field, change)) made.rows.push(change);
        });
        if (!change.asks) setSent((before) => before + 1);
      }
      for (const removal of removals) await runOrRecordFailure(run, removal.row, () => addRemovalRequest(run, removal));
      await storeBulkEdit(made.editId, field, [...made.rows, ...run.asked]);
      await ask(run.requests);
      return run.failures;
    },
    onSuccess: notifyBulkFailures,
    onSettled: () => Promise.all(['approvals', 'listings'].map((key) => client.invalidateQueries({ queryKey: [key] }))),
  });
  // Passed to `mutate`, so that it is not called after the dialog closes: the person might have selected other listings
  // by then.
  const reportFailedRows = (failures: readonly BulkFailure[]): void => onDone(failures.map(({ row }) => row));
  return {
    send: (order: BulkEditOrder) => edit.mutate(order, { onSuccess: reportFailedRows }),
    busy: edit.isPending,
    error: edit.error,
    sent,
  };
};
export type BulkEditState = ReturnType<typeof useBulkEditRun>;

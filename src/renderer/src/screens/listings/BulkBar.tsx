import { Button } from '@mantine/core';
import { useState } from 'react';
import { useScreenKeys } from '../../components/Keys.tsx';
import { editableStatuses } from '../../../../contract/index.ts';
import { performRequest, type ListingRow } from '../../api/call.ts';
import { createLazyComponent } from '../../components/createLazyComponent.tsx';
import { ActionButton } from '../../components/acts/offeredActs.tsx';
import { ErrorLine, ProblemLine } from '../../components/ScreenPage.tsx';
import { formatPercent } from '../../components/text/format.ts';
import { t } from '../../i18n.ts';
import { maxBatchListings, useBatchPublishRequest } from '../approvals/batch/useBatches.ts';
import styles from './listings.module.css';
import type { ListingSelection } from './useListings.ts';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import {
  runOrRecordFailure,
  prepareRemovalRequests,
  notifyBulkFailures,
  useCombinedRequest,
  type BulkFailure,
} from './bulk/useBulkEdit.ts';

type BulkActions = {
  remove: (rows: readonly ListingRow[]) => void;
  relist: (rows: readonly ListingRow[]) => void;
  busy: boolean;
  error: Error | null;
};

const relistEndedListing = async ({ listingId }: ListingRow): Promise<void> =>
  void (await performRequest('relistListing', { params: { listingId } }));

/**
 * The removals of the selected listings are requested together and need an approval. Ended listings are relisted one by
 * one without an approval.
 */
const useBulkActions = (onAsked: (left: readonly ListingRow[]) => void): BulkActions => {
  const client = useQueryClient();
  const askTogether = useCombinedRequest();
  const ask = useMutation({
    mutationFn: async (rows: readonly ListingRow[]) => {
      const { requests, failures } = await prepareRemovalRequests(rows);
      await askTogether(requests);
      return failures;
    },
    onSuccess: (failures) => {
      notifyBulkFailures(failures);
      onAsked(failures.map(({ row }) => row));
    },
    onSettled: () => Promise.all(['approvals', 'listings'].map((key) => client.invalidateQueries({ queryKey: [key] }))),
  });
  const relist = useMutation({
    mutationFn: async (rows: readonly ListingRow[]) => {
      const failures: BulkFailure[] = [];
      for (const row of rows) await runOrRecordFailure({ failures }, row, () => relistEndedListing(row));
      return { failures, count: rows.length - failures.length };
    },
    onSuccess: ({ failures, count }) => {
      if (count > 0) notifications.show({ message: t('listings.broughtBack', { count }), color: 'gray' });
      notifyBulkFailures(failures);
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

const BulkEdit = createLazyComponent(async () => (await import('./bulk/BulkEdit.tsx')).BulkEditDialog);

/** The usual price cut for listings that do not sell. */
const usualPriceCutPercent = -10;

const areTooManyRows = (rows: readonly ListingRow[]): boolean => rows.length > maxBatchListings;
const canBeRelisted = (row: ListingRow): boolean => row.status === 'ended';

type PublishDraftsProps = {
  listingIds: readonly string[];
  disabled: boolean;
  hasKey: boolean;
  about: string;
  onAsked: () => void;
};

const PublishDraftsButton = ({ listingIds, disabled, hasKey, about, onAsked }: PublishDraftsProps) => {
  const publish = useBatchPublishRequest(onAsked);
  const requestBatchPublish = (): void => {
    if (!disabled && !publish.busy) publish.ask(listingIds);
  };
  useScreenKeys(hasKey ? { p: requestBatchPublish } : {});
  return (
    <>
      <ActionButton
        act="selection"
        about={about}
        size="compact-md"
        variant="ink"
        aria-keyshortcuts="P"
        loading={publish.busy}
        disabled={disabled}
        onClick={requestBatchPublish}
      >
        {t('items.publishMany', { count: listingIds.length })}
      </ActionButton>
      <ErrorLine error={publish.error} />
    </>
  );
};

/** `covered` means that an open listing covers the list and handles the keys. */
type BulkBarProps = { chosen: ListingSelection; total: number; covered: boolean; onAll: () => void };

export const BulkActionBar = ({ chosen, total, covered, onAll }: BulkBarProps) => {
  const [editing, setEditing] = useState<{ percent: number | null } | null>(null);
  // Listings that could not be requested stay selected.
  const bulk = useBulkActions(chosen.take);
  const { rows } = chosen;
  const live = rows.filter(({ status }) => status === 'published');
  const drafts = rows.filter(({ status }) => editableStatuses.includes(status));
  const ready = rows.filter(({ status }) => status === 'pending_review');
  const over = rows.filter(canBeRelisted);
  const idle = areTooManyRows(rows) || bulk.busy;
  const about = t('listings.selected', { count: rows.length });
  const keepFailedRowsSelected = (failed: readonly ListingRow[]): void => {
    setEditing(null);
    chosen.take(failed);
  };
  const all =
    total > maxBatchListings ? t('listings.selectFirst', { count: maxBatchListings }) : t('listings.selectAll');
  const editable = live.length + drafts.length;
  const percent = usualPriceCutPercent;
  const actions = [
    { count: editable, label: t('listings.bulk.open', { count: editable }), run: () => setEditing({ percent: null }) },
    {
      count: editable,
      label: t('listings.bulk.priceBy', { percent: formatPercent(percent) }),
      run: () => setEditing({ percent }),
    },
    { count: live.length, label: t('listings.end', { count: live.length }), run: () => bulk.remove(live) },
    {
      count: drafts.length,
      label: t('listings.bulk.discard', { count: drafts.length }),
      run: () => bulk.remove(drafts),
    },
    { count: over.length, label: t('listings.relist', { count: over.length }), run: () => bulk.relist(over) },
  ];
  return (
    <div className={styles.bulkBar}>
      <span aria-live="polite">{about}</span>
      {rows.length < Math.min(total, maxBatchListings) && (
        <Button variant="quiet" size="compact-md" onClick={onAll}>
          {all}
        </Button>
      )}
      <Button variant="quiet" size="compact-md" onClick={chosen.clear}>
        {t('listings.clear')}
      </Button>
      <div className={styles.acts}>
        {ready.length > 0 && (
          <PublishDraftsButton
            listingIds={ready.map(({ listingId }) => listingId)}
            disabled={idle}
            hasKey={!covered}
            about={about}
            onAsked={() => chosen.take(rows.filter((row) => !ready.includes(row)))}
          />
        )}
        {actions.map(
          ({ count, label, run }) =>
            count > 0 && (
              <ActionButton key={label} act="selection" about={about} size="compact-md" disabled={idle} onClick={run}>
                {label}
              </ActionButton>
            ),
        )}
      </div>
      {editable + over.length === 0 && <span className={styles.soft}>{t('listings.onlyLive')}</span>}
      {areTooManyRows(rows) && <ProblemLine>{t('listings.bulk.tooMany', { count: maxBatchListings })}</ProblemLine>}
      <ErrorLine error={bulk.error} />
      {editing && (
        <BulkEdit rows={rows} {...editing} onClose={() => setEditing(null)} onDone={keepFailedRowsSelected} />
      )}
    </div>
  );
};

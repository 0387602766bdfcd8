import { Button } from '@mantine/core';
import { useState } from 'react';
import { useKeys } from '../../components/Keys.tsx';
import { editableStatuses } from '../../../../contract/index.ts';
import { sentenceOf, perform, type ListingRow } from '../../api/call.ts';
import { lazyComponent } from '../../components/lazyComponent.tsx';
import { ActButton } from '../../components/acts/offeredActs.tsx';
import { ProblemLine } from '../../components/Page.tsx';
import { formatPercent } from '../../components/text/format.ts';
import { t } from '../../i18n.ts';
import { mostAtOnce, usePublishTogether } from '../approvals/batch/useBatches.ts';
import styles from './listings.module.css';
import type { ListingSelection } from './useListings.ts';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { orFailure, readRemovals, notifyFailures, useAskTogether, type Failure } from './bulk/useBulkEdit.ts';

type Bulk = {
  remove: (rows: readonly ListingRow[]) => void;
  relist: (rows: readonly ListingRow[]) => void;
  busy: boolean;
  error: Error | null;
};

const bringBack = async ({ listingId }: ListingRow): Promise<void> =>
  void (await perform('relistListing', { params: { listingId } }));

/** Ends, discards and relists listings. Irreversible acts share one approval. */
const useBulk = (onAsked: (left: readonly ListingRow[]) => void): Bulk => {
  const client = useQueryClient();
  const askTogether = useAskTogether();
  const ask = useMutation({
    mutationFn: async (rows: readonly ListingRow[]) => {
      const { requests, failures } = await readRemovals(rows);
      await askTogether(requests);
      return failures;
    },
    onSuccess: (failures) => {
      notifyFailures(failures);
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
      notifyFailures(failures);
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

/** Loaded on first use. */
const BulkEdit = lazyComponent(async () => (await import('./bulk/BulkEdit.tsx')).BulkEdit);

/** The usual price cut for listings that do not sell. */
const usualPercent = -10;

const tooManyOf = (rows: readonly ListingRow[]): boolean => rows.length > mostAtOnce;
const canCome = (row: ListingRow): boolean => row.status === 'ended';

type PublishProps = {
  listingIds: readonly string[];
  disabled: boolean;
  hasKey: boolean;
  about: string;
  onAsked: () => void;
};

/** Requests to publish all drafts that are ready, in one batch, like the items screen does. */
const PublishDrafts = ({ listingIds, disabled, hasKey, about, onAsked }: PublishProps) => {
  const publish = usePublishTogether(onAsked);
  const ask = (): void => {
    if (!disabled && !publish.busy) publish.ask(listingIds);
  };
  useKeys(hasKey ? { p: ask } : {});
  return (
    <>
      <ActButton
        act="selection"
        about={about}
        size="compact-md"
        variant="ink"
        aria-keyshortcuts="P"
        loading={publish.busy}
        disabled={disabled}
        onClick={ask}
      >
        {t('items.publishMany', { count: listingIds.length })}
      </ActButton>
      {publish.error && <ProblemLine>{sentenceOf(publish.error)}</ProblemLine>}
    </>
  );
};

/** `covered`: a listing is open above the list and handles the keys. */
type Props = { chosen: ListingSelection; total: number; covered: boolean; onAll: () => void };

export const BulkBar = ({ chosen, total, covered, onAll }: Props) => {
  const [editing, setEditing] = useState<{ percent: number | null } | null>(null);
  // Listings that could not be requested stay selected.
  const bulk = useBulk(chosen.take);
  const { rows } = chosen;
  const live = rows.filter(({ status }) => status === 'published');
  const drafts = rows.filter(({ status }) => editableStatuses.includes(status));
  const ready = rows.filter(({ status }) => status === 'pending_review');
  const over = rows.filter(canCome);
  const idle = tooManyOf(rows) || bulk.busy;
  const tooMany = tooManyOf(rows);
  const about = t('listings.selected', { count: rows.length });
  // Listings that could not be changed stay selected.
  const onDone = (failed: readonly ListingRow[]): void => {
    setEditing(null);
    chosen.take(failed);
  };
  const all = total > mostAtOnce ? t('listings.selectFirst', { count: mostAtOnce }) : t('listings.selectAll');
  return (
    <div className={styles.bulkBar}>
      <span aria-live="polite">{about}</span>
      {rows.length < Math.min(total, mostAtOnce) && (
        <Button variant="quiet" size="compact-md" onClick={onAll}>
          {all}
        </Button>
      )}
      <Button variant="quiet" size="compact-md" onClick={chosen.clear}>
        {t('listings.clear')}
      </Button>
      <div className={styles.acts}>
        {ready.length > 0 && (
          <PublishDrafts
            listingIds={ready.map(({ listingId }) => listingId)}
            disabled={idle}
            hasKey={!covered}
            about={about}
            onAsked={() => chosen.take(rows.filter((row) => !ready.includes(row)))}
          />
        )}
        {live.length + drafts.length > 0 && (
          <>
            <ActButton
              act="selection"
              about={about}
              size="compact-md"
              disabled={idle}
              onClick={() => setEditing({ percent: null })}
            >
              {t('listings.bulk.open', { count: live.length + drafts.length })}
            </ActButton>
            <ActButton
              act="selection"
              about={about}
              size="compact-md"
              disabled={idle}
              onClick={() => setEditing({ percent: usualPercent })}
            >
              {t('listings.bulk.priceBy', { percent: formatPercent(usualPercent) })}
            </ActButton>
          </>
        )}
        {live.length > 0 && (
          <ActButton act="selection" about={about} size="compact-md" disabled={idle} onClick={() => bulk.remove(live)}>
            {t('listings.end', { count: live.length })}
          </ActButton>
        )}
        {drafts.length > 0 && (
          <ActButton
            act="selection"
            about={about}
            size="compact-md"
            disabled={idle}
            onClick={() => bulk.remove(drafts)}
          >
            {t('listings.bulk.discard', { count: drafts.length })}
          </ActButton>
        )}
        {over.length > 0 && (
          <ActButton act="selection" about={about} size="compact-md" disabled={idle} onClick={() => bulk.relist(over)}>
            {t('listings.relist', { count: over.length })}
          </ActButton>
        )}
      </div>
      {live.length + drafts.length + over.length === 0 && <span className={styles.soft}>{t('listings.onlyLive')}</span>}
      {tooMany && <ProblemLine>{t('listings.bulk.tooMany', { count: mostAtOnce })}</ProblemLine>}
      {bulk.error && <ProblemLine>{sentenceOf(bulk.error)}</ProblemLine>}
      {editing && <BulkEdit rows={rows} {...editing} onClose={() => setEditing(null)} onDone={onDone} />}
    </div>
  );
};

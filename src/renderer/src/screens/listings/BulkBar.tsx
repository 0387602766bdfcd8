import { ActionIcon, Button, Menu } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { useState } from 'react';
import { useScreenKeys } from '../../components/Keys.tsx';
import { editableStatuses } from '../../../../contract/index.ts';
import { performRequest, type ListingRow } from '../../api/call.ts';
import { createLazyComponent } from '../../components/createLazyComponent.tsx';
import { ActionButton, useOfferedAction } from '../../components/acts/offeredActs.tsx';
import { ErrorLine, ProblemLine } from '../../components/ScreenPage.tsx';
import { SelectionBar, SelectionRow } from '../../components/lists/SelectionBar.tsx';
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
        size="compact-sm"
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

type BulkAct = { count: number; label: string; run: () => void };

type BulkActsProps = { acts: readonly BulkAct[]; about: string; disabled: boolean };

type MenuActOfferProps = Omit<BulkActsProps, 'acts'> & { act: BulkAct };

/** The search offers the action even while the menu is closed. */
const MenuActOffer = ({ act: { label, run }, about, disabled }: MenuActOfferProps) => {
  useOfferedAction(disabled ? null : { act: 'selection', name: label, about, run });
  return null;
};

const BulkActsMenu = ({ acts, about, disabled }: BulkActsProps) => (
  <>
    {acts.map((act) => (
      <MenuActOffer key={act.label} act={act} about={about} disabled={disabled} />
    ))}
    <Menu position="top-end">
      <Menu.Target>
        <ActionIcon size="md" aria-label={t('listings.moreActs')}>
          <IconDots size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {acts.map(({ label, run }) => (
          <Menu.Item key={label} disabled={disabled} onClick={run}>
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  </>
);

/** The bar shows at most this many buttons. A menu has the other actions. */
const maxButtons = 4;
const maxOutlinedButtons = 2;

const BulkActs = ({ acts, places, ...rest }: BulkActsProps & { places: number }) => {
  const shown = acts.length > places ? places - 1 : acts.length;
  return (
    <>
      {acts.slice(0, shown).map(({ label, run }, at) => (
        <ActionButton
          key={label}
          act="selection"
          about={rest.about}
          size="compact-sm"
          variant={at < maxOutlinedButtons ? 'default' : 'quiet'}
          disabled={rest.disabled}
          onClick={run}
        >
          {label}
        </ActionButton>
      ))}
      {acts.length > shown && <BulkActsMenu acts={acts.slice(shown)} {...rest} />}
    </>
  );
};

/** `covered` means that an open listing covers the list and handles the keys. */
type BulkBarProps = {
  chosen: ListingSelection;
  total: number;
  covered: boolean;
  onAll: () => void;
  /** Brings the selected rows into the list. */
  onShow: () => void;
};

export const BulkActionBar = ({ chosen, total, covered, onAll, onShow }: BulkBarProps) => {
  const [editing, setEditing] = useState<{ percent: number | null } | null>(null);
  // Listings that could not be requested stay selected.
  const bulk = useBulkActions(chosen.take);
  const { rows } = chosen;
  const live = rows.filter(({ status }) => status === 'published');
  const drafts = rows.filter(({ status }) => editableStatuses.includes(status));
  const ready = rows.filter(({ status }) => status === 'pending_review');
  const over = rows.filter(canBeRelisted);
  const idle = areTooManyRows(rows) || bulk.busy;
  const about = t('listings.selected', { count: chosen.total });
  const keepFailedRowsSelected = (failed: readonly ListingRow[]): void => {
    setEditing(null);
    chosen.take(failed);
  };
  const all =
    total > maxBatchListings ? t('listings.selectFirst', { count: maxBatchListings }) : t('listings.selectAll');
  const editable = live.length + drafts.length;
  const percent = usualPriceCutPercent;
  const acts: BulkAct[] = [
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
    <SelectionBar>
      <SelectionRow
        summary={about}
        hidden={{ count: chosen.hidden, show: onShow }}
        clear={{ label: t('listings.clear'), run: chosen.clear }}
      >
        {rows.length < Math.min(total, maxBatchListings) && (
          <Button variant="quiet" size="compact-sm" onClick={onAll}>
            {all}
          </Button>
        )}
        {ready.length > 0 && (
          <PublishDraftsButton
            listingIds={ready.map(({ listingId }) => listingId)}
            disabled={idle}
            hasKey={!covered}
            about={about}
            onAsked={() => chosen.take(rows.filter((row) => !ready.includes(row)))}
          />
        )}
        <BulkActs
          acts={acts.filter(({ count }) => count > 0)}
          places={ready.length > 0 ? maxButtons - 1 : maxButtons}
          about={about}
          disabled={idle}
        />
      </SelectionRow>
      {rows.length > 0 && editable + over.length === 0 && <span className={styles.soft}>{t('listings.onlyLive')}</span>}
      {areTooManyRows(rows) && <ProblemLine>{t('listings.bulk.tooMany', { count: maxBatchListings })}</ProblemLine>}
      <ErrorLine error={bulk.error} />
      {editing && (
        <BulkEdit rows={rows} {...editing} onClose={() => setEditing(null)} onDone={keepFailedRowsSelected} />
      )}
    </SelectionBar>
  );
};

import { ActionIcon, Menu } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconDots } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { editableStatuses } from '../../../../../contract/index.ts';
import { performRequest, type ListingRow } from '../../../api/call.ts';
import { ActionButton, useOfferedAction } from '../../../components/acts/offeredActs.tsx';
import { createLazyComponent } from '../../../components/createLazyComponent.tsx';
import { formatPercent } from '../../../components/text/format.ts';
import { t } from '../../../i18n.ts';
import { maxBatchListings } from '../../approvals/batch/useBatches.ts';
import { openLabelsDialog } from '../../../api/labelTargets.ts';
import { useCreateSimilarDraft } from '../SellAgainButtons.tsx';
import {
  notifyBulkFailures,
  prepareRemovalRequests,
  runOrRecordFailure,
  useCombinedRequest,
  type BulkFailure,
} from './useBulkEdit.ts';

type BulkRequests = {
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
const useBulkRequests = (onAsked: (left: readonly ListingRow[]) => void): BulkRequests => {
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

const BulkEdit = createLazyComponent(async () => (await import('./BulkEdit.tsx')).BulkEditDialog);

const AdaptDialog = createLazyComponent(async () => (await import('./AdaptDialog.tsx')).AdaptDialog);

/** The usual price cut for listings that do not sell. */
const usualPriceCutPercent = -10;

export const areTooManyRows = (rows: readonly ListingRow[]): boolean => rows.length > maxBatchListings;
export const canBeRelisted = (row: ListingRow): boolean => row.status === 'ended';

/** An act of the menu is never a button. */
type BulkAct = { count: number; label: string; run: () => void; inMenu?: boolean };

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

const maxOutlinedButtons = 2;

/** The bar shows at most `places` buttons. A menu has the other actions. */
export const BulkActs = ({ acts, places, ...rest }: BulkActsProps & { places: number }) => {
  const buttons = acts.filter(({ inMenu }) => inMenu !== true);
  const shown = buttons.length > places ? places - 1 : buttons.length;
  const menu = [...buttons.slice(shown), ...acts.filter(({ inMenu }) => inMenu === true)];
  return (
    <>
      {buttons.slice(0, shown).map(({ label, run }, at) => (
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
      {menu.length > 0 && <BulkActsMenu acts={menu} {...rest} />}
    </>
  );
};

type OpenDialog = { kind: 'edit'; percent: number | null } | { kind: 'adapt' };

const listBulkActs = (
  rows: readonly ListingRow[],
  requests: BulkRequests & { another: (listingId: string) => void },
  open: (dialog: OpenDialog) => void,
): BulkAct[] => {
  const live = rows.filter(({ status }) => status === 'published');
  const drafts = rows.filter(({ status }) => editableStatuses.includes(status));
  const written = rows.filter(({ status }) => status === 'pending_review');
  const over = rows.filter(canBeRelisted);
  const [only, ...more] = rows;
  const editable = live.length + drafts.length;
  const percent = usualPriceCutPercent;
  const acts: BulkAct[] = [
    {
      count: editable,
      label: t('listings.bulk.open', { count: editable }),
      run: () => open({ kind: 'edit', percent: null }),
    },
    {
      count: editable,
      label: t('listings.bulk.priceBy', { percent: formatPercent(percent) }),
      run: () => open({ kind: 'edit', percent }),
    },
    { count: live.length, label: t('listings.end', { count: live.length }), run: () => requests.remove(live) },
    {
      count: drafts.length,
      label: t('listings.bulk.discard', { count: drafts.length }),
      run: () => requests.remove(drafts),
    },
    { count: over.length, label: t('listings.relist', { count: over.length }), run: () => requests.relist(over) },
    { count: written.length, label: t('review.adapt.open'), run: () => open({ kind: 'adapt' }), inMenu: true },
    {
      inMenu: true,
      count: rows.length,
      label: t('labels.open'),
      run: () => openLabelsDialog({ listingIds: rows.map(({ listingId }) => listingId) }),
    },
    {
      inMenu: true,
      count: more.length === 0 ? rows.length : 0,
      label: t('listings.another'),
      run: () => only && requests.another(only.listingId),
    },
  ];
  return acts.filter(({ count }) => count > 0);
};

export type BulkActsState = { acts: BulkAct[]; busy: boolean; error: Error | null; dialog: ReactNode };

/** The actions of the selected listings. `onLeft` receives the listings that an action could not change. */
export const useBulkActs = (
  rows: readonly ListingRow[],
  onLeft: (left: readonly ListingRow[]) => void,
): BulkActsState => {
  const [open, setOpen] = useState<OpenDialog | null>(null);
  const requests = useBulkRequests(onLeft);
  const another = useCreateSimilarDraft();
  const closeDialog = (): void => setOpen(null);
  const finishDialog = (left: readonly ListingRow[]): void => {
    closeDialog();
    onLeft(left);
  };
  const given = { rows, onClose: closeDialog, onDone: finishDialog };
  return {
    acts: listBulkActs(rows, { ...requests, another: (listingId) => another.mutate(listingId) }, setOpen),
    busy: requests.busy || another.isPending,
    error: requests.error,
    dialog:
      open && (open.kind === 'edit' ? <BulkEdit {...given} percent={open.percent} /> : <AdaptDialog {...given} />),
  };
};

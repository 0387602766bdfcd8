import { notifyError } from '../../api/useCall.ts';
import { Button, Tooltip } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconArrowBackUp, IconCopyPlus } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { callCore, performRequest, type Listing, type ListingRow } from '../../api/call.ts';
import { refetchListing } from '../../api/queries.ts';
import { ActionButton } from '../../components/acts/offeredActs.tsx';
import { escapeHiddenText } from '../../components/text/UntrustedText.tsx';
import { t } from '../../i18n.ts';
import styles from './sellAgain.module.css';

export const describeListingAsText = ({
  title,
  itemSpecifics = {},
}: Pick<Listing, 'title' | 'itemSpecifics'>): string =>
  [title ?? '', ...Object.entries(itemSpecifics ?? {}).map(([name, value]) => `${name}: ${value}`)]
    .filter((line) => line !== '')
    .join('\n');

const useRelistListing = () => {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (listingId: string) => performRequest('relistListing', { params: { listingId } }),
    onSuccess: (_, listingId) => {
      notifications.show({ message: t('listings.broughtBack', { count: 1 }), color: 'gray' });
      return refetchListing(client, listingId);
    },
    onError: notifyError,
    onSettled: () => client.invalidateQueries({ queryKey: ['listings'] }),
  });
};

/** The draft has the text of the other listing, but no photos. */
export const useCreateSimilarDraft = () => {
  const [, go] = useLocation();
  return useMutation({
    mutationFn: async (listingId: string) => {
      const listing = await callCore('listings.kept', { listingId });
      const site = listing?.marketplaceId;
      const performed = await performRequest('createListing', {
        headers: { 'idempotency-key': crypto.randomUUID() },
        body: {
          additionalContext: listing ? describeListingAsText(listing) : '',
          ...(site ? { marketplaceId: site } : {}),
        },
      });
      return performed.state === 'done' ? performed.answer.listingId : null;
    },
    onSuccess: (listingId) => listingId !== null && go(`/listings/${encodeURIComponent(listingId)}`),
    onError: notifyError,
  });
};

export const SellAnotherButton = ({ of: { listingId, title }, isRow = false, variant = 'quiet' }: SellAnotherProps) => {
  const another = useCreateSimilarDraft();
  const name = escapeHiddenText(title ?? t('listings.untitled'));
  return (
    <Tooltip label={t('listings.another')} disabled={!isRow}>
      <ActionButton
        act={isRow ? null : 'another'}
        size={isRow ? 'compact-sm' : 'sm'}
        variant={variant}
        loading={another.isPending}
        leftSection={<IconCopyPlus size={16} aria-hidden />}
        {...(isRow && { 'aria-label': t('listings.anotherOf', { name }) })}
        onClick={() => another.mutate(listingId)}
      >
        {t('listings.another')}
      </ActionButton>
    </Tooltip>
  );
};

type SellAnotherProps = { of: Pick<Listing, 'listingId' | 'title'>; isRow?: boolean; variant?: 'default' | 'quiet' };

type RowProps = { of: Pick<ListingRow, 'listingId' | 'status' | 'title'> };

const BringBackButton = ({ of: row }: RowProps) => {
  const back = useRelistListing();
  return (
    <Tooltip label={t('listings.bringBack')}>
      <Button
        size="compact-sm"
        variant="quiet"
        loading={back.isPending}
        leftSection={<IconArrowBackUp size={16} aria-hidden />}
        aria-label={t('listings.bringBackOne', { name: escapeHiddenText(row.title ?? t('listings.untitled')) })}
        onClick={() => back.mutate(row.listingId)}
      >
        {t('listings.bringBack')}
      </Button>
    </Tooltip>
  );
};

/** Most rows have neither button, and a mutation would take a tenth of their work. */
export const SellAgainButtons = ({ of: row }: RowProps) =>
  row.status === 'ended' || row.status === 'sold' ? (
    <span className={styles.acts}>
      {row.status === 'ended' && <BringBackButton of={row} />}
      <SellAnotherButton of={row} isRow />
    </span>
  ) : null;

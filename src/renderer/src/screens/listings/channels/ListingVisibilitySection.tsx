import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Trans } from 'react-i18next';
import { type Listing, performRequest } from '../../../api/call.ts';
import { refetchListing } from '../../../api/queries.ts';
import { ActionButton } from '../../../components/acts/offeredActs.tsx';
import { ErrorLine } from '../../../components/ScreenPage.tsx';
import { RelativeTime, useElapsedMs } from '../../../components/text/RelativeTime.tsx';
import { t } from '../../../i18n.ts';
import styles from './channels.module.css';

type ListingProps = { listing: Listing };

const useRereadListing = (listingId: string) => {
  const client = useQueryClient();
  return () => refetchListing(client, listingId);
};

const refreshIntervalMs = 60_000;

export const RefreshListingButton = ({ listing: { listingId } }: ListingProps) => {
  const onSuccess = useRereadListing(listingId);
  const refresh = useMutation({
    mutationFn: async () => {
      await performRequest('hydrateListing', { params: { listingId } });
      return { at: Date.now(), elapsedMs: performance.now() };
    },
    onSuccess,
  });
  const elapsedMs = useElapsedMs(5_000);
  const done = refresh.data;
  return (
    <>
      <ActionButton
        act="refresh"
        size="compact-sm"
        loading={refresh.isPending}
        disabled={done !== undefined && elapsedMs - done.elapsedMs < refreshIntervalMs}
        onClick={() => refresh.mutate()}
      >
        {t('listings.channels.refresh')}
      </ActionButton>
      {done && (
        <span role="status" className={styles.soft}>
          <Trans i18nKey="listings.channels.refreshed" components={{ when: <RelativeTime at={done.at} /> }} />
        </span>
      )}
      <ErrorLine error={refresh.error} />
    </>
  );
};

/** A hidden listing stays live on its channels. */
export const ListingVisibilitySection = ({ listing }: ListingProps) => {
  const onSuccess = useRereadListing(listing.listingId);
  const { listingId } = listing;
  const isHidden = listing['visible'] === false;
  const change = useMutation({
    mutationFn: (visible: boolean) =>
      performRequest('setListingVisibility', { params: { listingId }, body: { visible } }),
    onSuccess,
  });
  return (
    <section aria-label={t('listings.visibility.title')} className={styles.section}>
      <h3>{t('listings.visibility.title')}</h3>
      <div className={styles.line}>
        <p role="status">{t(isHidden ? 'listings.visibility.hidden' : 'listings.visibility.shown')}</p>
        <ActionButton
          act="visibility"
          size="compact-sm"
          loading={change.isPending}
          onClick={() => change.mutate(isHidden)}
        >
          {t(isHidden ? 'listings.visibility.show' : 'listings.visibility.hide')}
        </ActionButton>
      </div>
      <ErrorLine error={change.error} />
    </section>
  );
};

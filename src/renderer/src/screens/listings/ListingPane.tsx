import { Menu } from '@mantine/core';
import { useCoreQuery, notifyError } from '../../api/useCall.ts';
import { useMutation } from '@tanstack/react-query';
import { callCore, type Listing, type PhotoView } from '../../api/call.ts';
import { t } from '../../i18n.ts';
import { ListingRecordList } from '../approvals/record/RecordList.tsx';
import styles from './listings.module.css';
import { FixedPhotosReason } from '../items/photo/FixedPhotosReason.tsx';
import { ZoomablePhotos } from '../items/photo/PhotoStrip.tsx';
import { IconArrowLeft } from '@tabler/icons-react';
import { Link, useLocation } from 'wouter';
import { useItemIdOfListing, useOwnerOfListing } from '../../api/itemQueries.ts';
import { useIsListingUnknown, useListingById } from '../../api/queries.ts';
import { OpenNameProvider } from '../../components/acts/offeredActs.tsx';
import { ConfirmButton } from '../../components/ConfirmButton.tsx';
import { ErrorLine } from '../../components/ScreenPage.tsx';
import { escapeHiddenText, UntrustedText } from '../../components/text/UntrustedText.tsx';
import pane from '../items/pane.module.css';
import steps from '../items/nextSteps.module.css';
import { openLabelsDialog } from '../../api/labelTargets.ts';
import { ListingReview } from '../items/review/ListingReview.tsx';
import { formatListingStatus } from './listingStatus.ts';
import { wasListingEverLive } from '../items/review/PublishFrame.tsx';

const ListingRecordSection = ({ listingId }: { listingId: string }) => {
  const rows = useCoreQuery(['approvals', 'record', 'of', listingId], 'history.search', { listingId, limit: 100 }).data
    ?.rows;
  if (!rows) return null;
  return (
    <section aria-label={t('listings.history')}>
      <h3>{t('listings.history')}</h3>
      {rows.length === 0 && <p className={styles.soft}>{t('listings.noHistory')}</p>}
      <ListingRecordList label={t('listings.history')} rows={rows} />
    </section>
  );
};

const createServicePhotoView = (listingId: string, at: number, of: number): PhotoView => {
  const url = `/listing-photos/${encodeURIComponent(listingId)}/${at}`;
  return {
    photoId: `${listingId} ${at}`,
    name: t('parts.photos.place', { at: at + 1, of }),
    state: 'ready',
    sentence: null,
    aside: null,
    duplicateOf: null,
    warnings: [],
    takenAt: null,
    edits: { quarterTurns: 0, straightenDeg: 0, crop: null, brighten: 0 },
    thumbUrl: url,
    fullUrl: url,
    width: null,
    height: null,
    uploaded: true,
  };
};

const ServiceListingPhotos = ({ listing: { listingId, imageUrls, status } }: { listing: Listing }) => {
  const urls = imageUrls ?? [];
  const { data: owner } = useOwnerOfListing(listingId);
  // The item of a listing under review changes the photos.
  const isFixed = urls.length > 0 && (status !== 'pending_review' || owner === null);
  return (
    <ZoomablePhotos photos={urls.map((_, at) => createServicePhotoView(listingId, at, urls.length))}>
      {isFixed && <FixedPhotosReason status={status} />}
    </ZoomablePhotos>
  );
};

/** A listing that belongs to an item cannot be removed here, because it is removed together with the item. */
const UnknownListingNotice = ({ listingId }: { listingId: string }) => {
  const [, go] = useLocation();
  const isWithItem = useItemIdOfListing(listingId) !== null;
  const { mutate, isPending } = useMutation({
    mutationFn: () => callCore('listings.forgetUnknown', { listingId }),
    onSuccess: () => go('/listings'),
    onError: notifyError,
  });
  return (
    <div className={pane.stop}>
      <div className={steps.stop}>
        <p role="status">{t('listings.unknownHere')}</p>
        {!isWithItem && (
          <div className={steps.steps}>
            <ConfirmButton sure={t('listings.forgetSure')} busy={isPending} onSure={() => mutate()}>
              {t('listings.forget')}
            </ConfirmButton>
          </div>
        )}
      </div>
    </div>
  );
};

/** The sheet of a listing that was live has the status beside the price. */
const formatHeaderStatus = (listing: Listing): string =>
  wasListingEverLive(listing) ? '' : formatListingStatus(listing.status);

const ListingPaneHeader = ({ listing, isUnknown }: { listing: Listing | undefined; isUnknown: boolean }) => {
  const itemId = useItemIdOfListing(listing?.listingId);
  return (
    <header className={pane.head}>
      <Link href="/listings" className={styles.back} aria-label={t('listings.back')}>
        <IconArrowLeft size={20} aria-hidden />
      </Link>
      <div className={pane.names}>
        <h1 className="unseen">{t('listings.listing')}</h1>
        {/* The field below has the title of a listing that waits for its review. */}
        <h2 className={listing?.status === 'pending_review' ? 'unseen' : undefined}>
          {listing && <UntrustedText text={listing.title ?? t('listings.untitled')} fold={200} />}
        </h2>
        <p>{isUnknown ? t('listings.unknownStatus') : listing && formatHeaderStatus(listing)}</p>
      </div>
      {itemId && <Link href={`/items/${encodeURIComponent(itemId)}`}>{t('listings.openItem')}</Link>}
    </header>
  );
};

export const ListingPane = ({ listingId }: { listingId: string }) => {
  const { data: listing, error } = useListingById(listingId);
  const isUnknown = useIsListingUnknown(listingId);
  return (
    <OpenNameProvider value={escapeHiddenText(listing?.title ?? t('listings.untitled'))}>
      <section className={`${pane.pane} ${styles.pane}`} aria-label={t('listings.listing')}>
        <ListingPaneHeader listing={listing} isUnknown={isUnknown} />
        {isUnknown && <UnknownListingNotice listingId={listingId} />}
        {error && !isUnknown && <ErrorLine error={error} />}
        {listing && (
          <div className={pane.columns} data-review data-titled>
            <ServiceListingPhotos listing={listing} />
            <div className={pane.fields}>
              <ListingReview
                key={listing.listingId}
                listing={listing}
                menuItems={
                  <Menu.Item onClick={() => openLabelsDialog({ listingIds: [listingId] })}>
                    {t('labels.open')}
                  </Menu.Item>
                }
              />
              <ListingRecordSection listingId={listingId} />
            </div>
          </div>
        )}
      </section>
    </OpenNameProvider>
  );
};

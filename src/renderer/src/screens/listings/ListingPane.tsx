import { notifications } from '@mantine/notifications';
import { useMutation, useQuery } from '@tanstack/react-query';
import { call, sentenceOf, type Listing, type PhotoView } from '../../api/call.ts';
import { t } from '../../i18n.ts';
import { RecordList } from '../approvals/record/RecordList.tsx';
import styles from './listings.module.css';
import { ZoomablePhotos } from '../items/photo/PhotoStrip.tsx';
import { IconArrowLeft } from '@tabler/icons-react';
import { Link, useLocation } from 'wouter';
import { useItemOf } from '../../api/itemQueries.ts';
import { useIsUnknown, useListing } from '../../api/queries.ts';
import { OpenNameProvider } from '../../components/acts/offeredActs.tsx';
import { ConfirmButton } from '../../components/ConfirmButton.tsx';
import { ProblemLine } from '../../components/Page.tsx';
import { escapedText, UntrustedText } from '../../components/text/UntrustedText.tsx';
import pane from '../items/pane.module.css';
import steps from '../items/nextSteps.module.css';
import { Review } from '../items/review/Review.tsx';
import { statusText } from './ListingViews.tsx';

const ListingHistory = ({ listingId }: { listingId: string }) => {
  const rows = useQuery({
    queryKey: ['approvals', 'record', 'of', listingId],
    queryFn: () => call('history.search', { listingId, limit: 100 }),
  }).data?.rows;
  if (!rows) return null;
  return (
    <section aria-label={t('listings.history')}>
      <h3>{t('listings.history')}</h3>
      {rows.length === 0 && <p className={styles.soft}>{t('listings.noHistory')}</p>}
      <RecordList label={t('listings.history')} rows={rows} />
    </section>
  );
};

const photoAt = (listingId: string, at: number, of: number): PhotoView => {
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

/** The photos of a listing, loaded from the service through the window's own origin. */
const ListingPhotos = ({ listing: { listingId, imageUrls } }: { listing: Listing }) => {
  const urls = imageUrls ?? [];
  return <ZoomablePhotos photos={urls.map((_, at) => photoAt(listingId, at, urls.length))} />;
};

/**
 * Explains why a listing that the service does not know is still here. A listing with an item is removed with its item.
 */
const UnknownListing = ({ listingId }: { listingId: string }) => {
  const [, go] = useLocation();
  const isWithItem = useItemOf(listingId) !== null;
  const { mutate, isPending } = useMutation({
    mutationFn: () => call('listings.forgetUnknown', { listingId }),
    onSuccess: () => go('/listings'),
    onError: (error) => notifications.show({ message: sentenceOf(error), color: 'amber' }),
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

const Head = ({ listing, isUnknown }: { listing: Listing | undefined; isUnknown: boolean }) => {
  const itemId = useItemOf(listing?.listingId);
  return (
    <header className={pane.head}>
      <Link href="/listings" className={styles.back} aria-label={t('listings.back')}>
        <IconArrowLeft size={20} aria-hidden />
      </Link>
      <div className={pane.names}>
        <h1 className="unseen">{t('listings.listing')}</h1>
        <h2>{listing && <UntrustedText text={listing.title ?? t('listings.untitled')} fold={200} />}</h2>
        <p>{isUnknown ? t('listings.unknownStatus') : listing && statusText(listing.status)}</p>
      </div>
      {itemId && <Link href={`/items/${encodeURIComponent(itemId)}`}>{t('listings.openItem')}</Link>}
    </header>
  );
};

export const ListingPane = ({ listingId }: { listingId: string }) => {
  const { data: listing, error } = useListing(listingId);
  const isUnknown = useIsUnknown(listingId);
  return (
    <OpenNameProvider value={escapedText(listing?.title ?? t('listings.untitled'))}>
      <section className={`${pane.pane} ${styles.pane}`} aria-label={t('listings.listing')}>
        <Head listing={listing} isUnknown={isUnknown} />
        {isUnknown && <UnknownListing listingId={listingId} />}
        {error && !isUnknown && <ProblemLine>{sentenceOf(error)}</ProblemLine>}
        {listing && (
          <div className={pane.columns} data-review>
            <ListingPhotos listing={listing} />
            <div className={pane.fields}>
              <Review key={listing.listingId} listing={listing} />
              <ListingHistory listingId={listingId} />
            </div>
          </div>
        )}
      </section>
    </OpenNameProvider>
  );
};

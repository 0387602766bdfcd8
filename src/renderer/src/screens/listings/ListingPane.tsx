import { IconArrowLeft } from '@tabler/icons-react';
import { Link } from 'wouter';
import { sentenceOf } from '../../api/callError.ts';
import { useItemOf } from '../../api/itemQueries.ts';
import { useListing } from '../../api/queries.ts';
import type { Listing } from '../../api/types.ts';
import { t } from '../../i18n/t.ts';
import { ProblemLine } from '../../parts/ProblemLine.tsx';
import { UntrustedText } from '../../parts/UntrustedText.tsx';
import pane from '../items/pane.module.css';
import { Review } from '../items/review/Review.tsx';
import { statusWords } from './cells.tsx';
import { ListingHistory } from './ListingHistory.tsx';
import { ListingPhotos } from './ListingPhotos.tsx';
import styles from './listings.module.css';

const Head = ({ listing }: { listing: Listing | undefined }) => {
  const itemId = useItemOf(listing?.listingId);
  return (
    <header className={pane.head}>
      <Link href="/listings" className={styles.back} aria-label={t('listings.back')}>
        <IconArrowLeft size={20} aria-hidden />
      </Link>
      <div className={pane.names}>
        <h1 className={styles.unseen}>{t('listings.listing')}</h1>
        <h2>{listing && <UntrustedText text={listing.title ?? t('listings.untitled')} fold={200} />}</h2>
        <p>{listing && statusWords(listing.status)}</p>
      </div>
      {itemId && <Link href={`/items/${encodeURIComponent(itemId)}`}>{t('listings.openItem')}</Link>}
    </header>
  );
};

/** One listing: its photos, its fields, and what was asked about it. */
export const ListingPane = ({ listingId }: { listingId: string }) => {
  const { data: listing, error } = useListing(listingId);
  return (
    <section className={`${pane.pane} ${styles.pane}`} aria-label={t('listings.listing')}>
      <Head listing={listing} />
      {error && <ProblemLine>{sentenceOf(error)}</ProblemLine>}
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
  );
};

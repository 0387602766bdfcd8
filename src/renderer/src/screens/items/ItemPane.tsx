import { useItem } from '../../api/itemQueries.ts';
import { useListing } from '../../api/queries.ts';
import { Link } from 'wouter';
import { IconArrowLeft } from '@tabler/icons-react';
import { ItemWay } from '../../parts/ItemWay.tsx';
import { late } from '../../parts/late.tsx';
import { UntrustedText } from '../../parts/UntrustedText.tsx';
import { sentenceOf } from '../../api/callError.ts';
import { ProblemLine } from '../../parts/ProblemLine.tsx';
import type { ItemView } from '../../api/types.ts';
import { Guessed } from './arrange/Guessed.tsx';
import { ArrangePhotos } from './arrange/ArrangePhotos.tsx';
import { Barcodes } from './Barcodes.tsx';
import { BeforeReview } from './BeforeReview.tsx';
import { ItemActs } from './ItemActs.tsx';
import { NextSteps, TryNow } from './NextSteps.tsx';
import { LookablePhotos } from './photo/LookablePhotos.tsx';
import { FieldsComing } from './review/FieldsComing.tsx';
import { t } from '../../i18n/t.ts';
import { translate } from '../../i18n/language.ts';
import styles from './pane.module.css';

const Review = late(async () => (await import('./review/Review.tsx')).Review, <FieldsComing />);

/** Leads to the next item that waits to be looked over; null when there is none. */
type OnNext = (() => void) | null;

const isWritten = (item: ItemView): boolean => ['review', 'live', 'ended'].includes(item.step);

const Written = ({ listingId, onNext }: { listingId: string; onNext: OnNext }) => {
  const { data: listing, error } = useListing(listingId);
  if (error) return <ProblemLine>{sentenceOf(error)}</ProblemLine>;
  return listing ? <Review key={listing.listingId} listing={listing} onNext={onNext} /> : <FieldsComing />;
};

const Head = ({ item }: { item: ItemView }) => (
  <header className={styles.head}>
    <Link href="/" className={styles.back} aria-label={t('items.back')}>
      <IconArrowLeft size={20} aria-hidden />
    </Link>
    <div className={styles.names}>
      <h2>
        <UntrustedText text={item.title ?? item.name} fold={200} />
      </h2>
      <p>{translate(item.says, item.words)}</p>
    </div>
    <ItemActs item={item} />
  </header>
);

/** One item: its photos, and beside them its way there or the listing to look over. */
export const ItemPane = ({ itemId, onNext }: { itemId: string; onNext: OnNext }) => {
  const { data: item, error } = useItem(itemId);
  if (error)
    return (
      <section className={styles.pane} aria-label={t('items.item')}>
        <ProblemLine>{sentenceOf(error)}</ProblemLine>
        <Link href="/">{t('items.back')}</Link>
      </section>
    );
  if (!item) return <section className={styles.pane} aria-label={t('items.item')} />;
  return (
    <section className={styles.pane} aria-label={t('items.item')}>
      <Head item={item} />
      {!isWritten(item) && <ItemWay item={item} named />}
      {item.stop && (
        <div className={styles.stop}>
          <NextSteps item={item} stop={item.stop} />
        </div>
      )}
      <TryNow item={item} />
      {item.guessed && <Guessed itemId={item.itemId} />}
      {item.arrangeable && <ArrangePhotos item={item} />}
      <Barcodes item={item} />
      <div
        className={styles.columns}
        data-alone={item.arrangeable || undefined}
        data-review={isWritten(item) || undefined}
      >
        {!item.arrangeable && <LookablePhotos photos={item.photos} folded={isWritten(item)} />}
        <div className={styles.fields}>
          {isWritten(item) && item.listingId ? (
            <Written listingId={item.listingId} onNext={onNext} />
          ) : (
            <BeforeReview item={item} />
          )}
        </div>
      </div>
    </section>
  );
};

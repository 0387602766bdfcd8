import { ActionIcon, Menu } from '@mantine/core';
import { IconDots, IconArrowLeft } from '@tabler/icons-react';
import { useKeptListing, useListing, useWritten } from '../../api/queries.ts';
import { type ItemView, sentenceOf } from '../../api/call.ts';
import { isMoving, ItemProgress, useCloseItem, useItemAct, NextSteps, RetryNow } from './NextSteps.tsx';
import { useAsk } from './review/useAsk.ts';
import { t, translate } from '../../i18n.ts';
import styles from './pane.module.css';
import reviewStyles from './review/review.module.css';
import { useItem } from '../../api/itemQueries.ts';
import { Link } from 'wouter';
import type { ToNext } from './useItemKeys.ts';
import { Review } from './review/Review.tsx';
import { escapedText, UntrustedText } from '../../components/text/UntrustedText.tsx';
import { ActButton, OpenNameProvider, useOffer } from '../../components/acts/offeredActs.tsx';
import { ProblemLine } from '../../components/Page.tsx';
import { Guessed } from './arrange/ArrangeBar.tsx';
import { ChangingPhotos } from './arrange/ChangingPhotos.tsx';
import { ArrangePhotos } from './arrange/ArrangePhotos.tsx';
import { Barcodes, BeforeReview, WrittenFrom } from './BeforeReview.tsx';
import { wayBack } from './sheet/sheetPlace.ts';
import { ZoomablePhotos } from './photo/PhotoStrip.tsx';

const isWritten = (item: ItemView): boolean => ['review', 'live', 'ended'].includes(item.step);

/** Deletes a listing that is not written yet, which has no discard button in the review. */
const ListingActs = ({ listingId }: { listingId: string }) => {
  const status = useKeptListing(listingId).data?.status;
  const wentLive = useWritten(listingId).data?.wentLive === true;
  const ask = useAsk(listingId);
  if (wentLive) return null;
  if (status === 'pending_review' || status === 'failed' || status === 'draft')
    return <Menu.Item onClick={() => ask.mutate('deleteListing')}>{t('items.delete')}</Menu.Item>;
  return null;
};

const ItemActs = ({ item }: { item: ItemView }) => {
  const close = useCloseItem(item.itemId);
  const cancel = useItemAct('items.cancel');
  const hold = useItemAct('items.hold');
  const remove = useItemAct('items.remove', close);
  const onRemove = (): void => remove.mutate(item.itemId);
  useOffer(isMoving(item) ? null : { act: 'remove', name: t('items.remove'), run: onRemove });
  if (isMoving(item))
    return (
      <div className={styles.acts}>
        {item.holdable && (
          <ActButton act="looksRight" disabled={hold.isPending} onClick={() => hold.mutate(item.itemId)}>
            {t('items.checkFirst')}
          </ActButton>
        )}
        <ActButton act="remove" disabled={cancel.isPending} onClick={() => cancel.mutate(item.itemId)}>
          {t('items.cancel')}
        </ActButton>
      </div>
    );
  return (
    <div className={styles.acts}>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon aria-label={t('items.more')}>
            <IconDots size={18} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {item.listingId && !isWritten(item) && <ListingActs listingId={item.listingId} />}
          <Menu.Item onClick={onRemove}>{t('items.remove')}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </div>
  );
};

/** Placeholder while the listing loads; CSS delays it. */
const FieldsComing = () => (
  <div className={reviewStyles.coming} aria-hidden>
    <span />
    <span />
    <span />
    <span />
  </div>
);

/** Marks the open item as checked, or takes the mark back. */
const LooksRight = ({ item, toNext }: { item: ItemView; toNext: ToNext }) => {
  const uncheck = useItemAct('items.check');
  if (item.step !== 'review' || item.stop !== null) return null;
  if (item.checked)
    return (
      <ActButton
        act="looksRight"
        variant="quiet"
        disabled={uncheck.isPending}
        onClick={() => uncheck.mutate(item.itemId)}
      >
        {t('items.notYet')}
      </ActButton>
    );
  return (
    <ActButton act="looksRight" aria-keyshortcuts="Enter" onClick={() => toNext.looksRight?.()}>
      {t('items.looksRight')}
    </ActButton>
  );
};

const Written = ({ item, listingId, toNext }: { item: ItemView; listingId: string; toNext: ToNext }) => {
  const { data: listing, error } = useListing(listingId);
  if (!listing) return error ? <ProblemLine>{sentenceOf(error)}</ProblemLine> : <FieldsComing />;
  return (
    <>
      {error && <ProblemLine>{sentenceOf(error)}</ProblemLine>}
      <Review
        key={listing.listingId}
        listing={listing}
        onNext={toNext.next}
        look={<LooksRight item={item} toNext={toNext} />}
      />
    </>
  );
};

/** The name and state of an item. A written item shows its title in a field, so the heading is visually hidden. */
const Head = ({ item }: { item: ItemView }) => {
  const back = wayBack();
  return (
    <header className={styles.head}>
      <Link
        href={back.to}
        {...back.options}
        className={styles.back}
        aria-label={t(back.isSheet ? 'sheet.title' : 'items.back')}
      >
        <IconArrowLeft size={20} aria-hidden />
      </Link>
      <div className={styles.names}>
        <h2 className={isWritten(item) ? 'unseen' : undefined}>
          <UntrustedText text={item.title ?? item.name} fold={200} />
        </h2>
        <p>{item.checked ? t('items.checked') : translate(item.says, item.words)}</p>
      </div>
      <ItemActs item={item} />
    </header>
  );
};

export const ItemPane = ({ itemId, toNext }: { itemId: string; toNext: ToNext }) => {
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
    <OpenNameProvider value={escapedText(item.title ?? item.name)}>
      <section className={styles.pane} aria-label={t('items.item')}>
        <Head item={item} />
        {!isWritten(item) && <ItemProgress item={item} named />}
        {item.stop && (
          <div className={styles.stop}>
            <NextSteps item={item} stop={item.stop} />
          </div>
        )}
        <RetryNow item={item} />
        {item.guessed && (item.changingPhotos ? <ChangingPhotos item={item} /> : <Guessed item={item} />)}
        {item.arrangeable && <ArrangePhotos item={item} />}
        {!isWritten(item) && <Barcodes item={item} />}
        <div
          className={styles.columns}
          data-alone={item.arrangeable || undefined}
          data-review={isWritten(item) || undefined}
        >
          {!item.arrangeable && <ZoomablePhotos photos={item.photos} folded={isWritten(item)} />}
          <div className={styles.fields}>
            {isWritten(item) && item.listingId ? (
              <>
                <Barcodes item={item} />
                <Written item={item} listingId={item.listingId} toNext={toNext} />
                <WrittenFrom item={item} />
              </>
            ) : (
              <BeforeReview item={item} />
            )}
          </div>
        </div>
      </section>
    </OpenNameProvider>
  );
};

import { ActionIcon, Menu } from '@mantine/core';
import { IconDots, IconArrowLeft } from '@tabler/icons-react';
import { useLocalListing, useListingById, useOriginalListing } from '../../api/queries.ts';
import type { ItemView } from '../../api/call.ts';
import {
  isItemInProgress,
  ItemProgress,
  useCloseRemovedItem,
  useItemAction,
  NextSteps,
  RetryNowButton,
} from './NextSteps.tsx';
import { useListingRequest } from './review/useListingRequest.ts';
import { t, translateMessage } from '../../i18n.ts';
import styles from './pane.module.css';
import reviewStyles from './review/review.module.css';
import { useItemById } from '../../api/itemQueries.ts';
import { Link } from 'wouter';
import type { NextItemActions } from './useItemKeys.ts';
import { ListingReview } from './review/ListingReview.tsx';
import { escapeHiddenText, UntrustedText } from '../../components/text/UntrustedText.tsx';
import { ActionButton, OpenNameProvider, useOfferedAction } from '../../components/acts/offeredActs.tsx';
import { ErrorLine } from '../../components/ScreenPage.tsx';
import { DeferredItemNotice } from './arrange/ArrangeBar.tsx';
import { ChangingPhotos } from './arrange/ChangingPhotos.tsx';
import { ArrangePhotos } from './arrange/ArrangePhotos.tsx';
import { ItemBarcodeList, BeforeReview, UsedWritingInput } from './BeforeReview.tsx';
import { getReturnPath } from './sheet/sheetPlace.ts';
import { ZoomablePhotos } from './photo/PhotoStrip.tsx';

const hasWrittenListing = (item: ItemView): boolean => ['review', 'live', 'ended'].includes(item.step);

/** The menu offers to discard the listing, because the review has no discard button until the listing is written. */
const ListingMenuItems = ({ listingId }: { listingId: string }) => {
  const status = useLocalListing(listingId).data?.status;
  const wentLive = useOriginalListing(listingId).data?.wentLive === true;
  const ask = useListingRequest(listingId);
  if (wentLive) return null;
  if (status === 'pending_review' || status === 'failed' || status === 'draft')
    return <Menu.Item onClick={() => ask.mutate('deleteListing')}>{t('items.delete')}</Menu.Item>;
  return null;
};

const ItemActions = ({ item }: { item: ItemView }) => {
  const close = useCloseRemovedItem(item.itemId);
  const cancel = useItemAction('items.cancel');
  const deferItem = useItemAction('items.defer');
  const remove = useItemAction('items.remove', close);
  const removeItem = (): void => remove.mutate(item.itemId);
  useOfferedAction(isItemInProgress(item) ? null : { act: 'remove', name: t('items.remove'), run: removeItem });
  if (isItemInProgress(item))
    return (
      <div className={styles.acts}>
        {item.deferrable && (
          <ActionButton act="looksRight" disabled={deferItem.isPending} onClick={() => deferItem.mutate(item.itemId)}>
            {t('items.checkFirst')}
          </ActionButton>
        )}
        <ActionButton act="remove" disabled={cancel.isPending} onClick={() => cancel.mutate(item.itemId)}>
          {t('items.cancel')}
        </ActionButton>
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
          {item.listingId && !hasWrittenListing(item) && <ListingMenuItems listingId={item.listingId} />}
          <Menu.Item onClick={removeItem}>{t('items.remove')}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </div>
  );
};

const FieldsPlaceholder = () => (
  <div className={reviewStyles.coming} aria-hidden>
    <span />
    <span />
    <span />
    <span />
  </div>
);

const MarkAsCheckedButton = ({ item, toNext }: { item: ItemView; toNext: NextItemActions }) => {
  const uncheck = useItemAction('items.check');
  if (item.step !== 'review' || item.stop !== null) return null;
  if (item.checked)
    return (
      <ActionButton
        act="looksRight"
        variant="quiet"
        disabled={uncheck.isPending}
        onClick={() => uncheck.mutate(item.itemId)}
      >
        {t('items.notYet')}
      </ActionButton>
    );
  return (
    <ActionButton act="looksRight" aria-keyshortcuts="Enter" onClick={() => toNext.markAsChecked?.()}>
      {t('items.looksRight')}
    </ActionButton>
  );
};

const WrittenListing = ({
  item,
  listingId,
  toNext,
}: {
  item: ItemView;
  listingId: string;
  toNext: NextItemActions;
}) => {
  const { data: listing, error } = useListingById(listingId);
  if (!listing) return error ? <ErrorLine error={error} /> : <FieldsPlaceholder />;
  return (
    <>
      <ErrorLine error={error} />
      <ListingReview
        key={listing.listingId}
        listing={listing}
        onNext={toNext.next}
        checkButton={<MarkAsCheckedButton item={item} toNext={toNext} />}
      />
    </>
  );
};

/** A field already shows the title of a written item, so the heading is visually hidden. */
const ItemPaneHeader = ({ item }: { item: ItemView }) => {
  const back = getReturnPath();
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
        <h2 className={hasWrittenListing(item) ? 'unseen' : undefined}>
          <UntrustedText text={item.title ?? item.name} fold={200} />
        </h2>
        <p>{item.checked ? t('items.checked') : translateMessage(item.says, item.words)}</p>
      </div>
      <ItemActions item={item} />
    </header>
  );
};

export const ItemPane = ({ itemId, toNext }: { itemId: string; toNext: NextItemActions }) => {
  const { data: item, error } = useItemById(itemId);
  if (error)
    return (
      <section className={styles.pane} aria-label={t('items.item')}>
        <ErrorLine error={error} />
        <Link href="/">{t('items.back')}</Link>
      </section>
    );
  if (!item) return <section className={styles.pane} aria-label={t('items.item')} />;
  return (
    <OpenNameProvider value={escapeHiddenText(item.title ?? item.name)}>
      <section className={styles.pane} aria-label={t('items.item')}>
        <ItemPaneHeader item={item} />
        {!hasWrittenListing(item) && <ItemProgress item={item} named />}
        {item.stop && (
          <div className={styles.stop}>
            <NextSteps item={item} stop={item.stop} />
          </div>
        )}
        <RetryNowButton item={item} />
        {item.reviewReason === 'replacingPhotos' && <ChangingPhotos item={item} />}
        <DeferredItemNotice item={item} />
        {item.arrangeable && <ArrangePhotos item={item} />}
        {!hasWrittenListing(item) && <ItemBarcodeList item={item} />}
        <div
          className={styles.columns}
          data-alone={item.arrangeable || undefined}
          data-review={hasWrittenListing(item) || undefined}
        >
          {!item.arrangeable && <ZoomablePhotos photos={item.photos} folded={hasWrittenListing(item)} />}
          <div className={styles.fields}>
            {hasWrittenListing(item) && item.listingId ? (
              <>
                <ItemBarcodeList item={item} />
                <WrittenListing item={item} listingId={item.listingId} toNext={toNext} />
                <UsedWritingInput item={item} />
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

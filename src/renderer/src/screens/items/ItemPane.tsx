import { Menu } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { useLocalListing, useListingById, useListingWarnings, useOriginalListing } from '../../api/queries.ts';
import type { ItemView, Listing } from '../../api/call.ts';
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
import { KeyCap } from '../../components/Keys.tsx';
import { createLazyComponent } from '../../components/createLazyComponent.tsx';
import { MoreMenu } from '../../components/MoreMenu.tsx';
import { ErrorLine } from '../../components/ScreenPage.tsx';
import { DeferredItemNotice } from './arrange/ArrangeBar.tsx';
import { ChangingPhotos } from './arrange/ChangingPhotos.tsx';
import { openLabelsDialog } from '../../api/labelTargets.ts';
import { ListingWarnings } from './review/ListingWarnings.tsx';
import { ItemBarcodeList, BeforeReview, UsedWritingInput } from './BeforeReview.tsx';
import { getReturnPath } from './sheet/sheetPlace.ts';
import { FixedPhotosReason } from './photo/FixedPhotosReason.tsx';
import { ZoomablePhotos } from './photo/PhotoStrip.tsx';
import { memo, useState } from 'react';

/** Loaded separately, because most items need no arranging. */
const ArrangePhotos = createLazyComponent(async () => (await import('./arrange/ArrangePhotos.tsx')).ArrangePhotos);

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

const RemoveMenuItem = ({ onRemove }: { onRemove: () => void }) => (
  <Menu.Item onClick={onRemove}>{t('items.remove')}</Menu.Item>
);

const useRemoveItem = (item: ItemView): (() => void) => {
  const remove = useItemAction('items.remove', useCloseRemovedItem(item.itemId));
  const removeItem = (): void => remove.mutate(item.itemId);
  useOfferedAction(isItemInProgress(item) ? null : { act: 'remove', name: t('items.remove'), run: removeItem });
  return removeItem;
};

const ItemActions = ({ item, onRemove }: { item: ItemView; onRemove: () => void }) => {
  const cancel = useItemAction('items.cancel');
  const deferItem = useItemAction('items.defer');
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
      <MoreMenu>
        <Menu.Item onClick={() => openLabelsDialog({ itemIds: [item.itemId] })}>{t('labels.open')}</Menu.Item>
        {item.listingId && <ListingMenuItems listingId={item.listingId} />}
        <RemoveMenuItem onRemove={onRemove} />
      </MoreMenu>
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
    <ActionButton
      act="looksRight"
      aria-keyshortcuts="Enter"
      rightSection={<KeyCap>↵</KeyCap>}
      onClick={() => toNext.markAsChecked?.()}
    >
      {t('items.looksRight')}
    </ActionButton>
  );
};

const WrittenListing = ({
  item,
  listingId,
  toNext,
  onRemove,
}: {
  item: ItemView;
  listingId: string;
  toNext: NextItemActions;
  onRemove: () => void;
}) => {
  const { data: listing, error } = useListingById(listingId);
  const { data: warnings = [], isPending } = useListingWarnings(listingId);
  if (!listing || isPending) return error ? <ErrorLine error={error} /> : <FieldsPlaceholder />;
  return (
    <>
      <ErrorLine error={error} />
      <ListingReview
        key={listing.listingId}
        listing={listing}
        onNext={toNext.next}
        checkButton={<MarkAsCheckedButton item={item} toNext={toNext} />}
        belowTitle={
          <>
            <ListingWarnings listingId={listingId} warnings={warnings} />
            <ItemBarcodeList item={item} />
          </>
        }
        menuItems={
          <>
            <Menu.Item onClick={() => openLabelsDialog({ itemIds: [item.itemId] })}>{t('labels.open')}</Menu.Item>
            <RemoveMenuItem onRemove={onRemove} />
          </>
        }
      />
    </>
  );
};

/** The fields below already show the title and the actions of a written item, so a wide window hides its header. */
const ItemPaneHeader = ({ item, onRemove }: { item: ItemView; onRemove: () => void }) => {
  const back = getReturnPath();
  const isWritten = hasWrittenListing(item);
  return (
    <header className={styles.head} data-written={isWritten || undefined}>
      <Link
        href={back.to}
        {...back.options}
        className={styles.back}
        aria-label={t(back.isSheet ? 'sheet.title' : 'items.back')}
      >
        <IconArrowLeft size={20} aria-hidden />
      </Link>
      <div className={styles.names}>
        <h2 className={isWritten ? 'unseen' : undefined}>
          <UntrustedText text={item.title ?? item.name} fold={200} />
        </h2>
        <p>{item.checked ? t('items.checked') : translateMessage(item.says, item.words)}</p>
      </div>
      {!isWritten && <ItemActions item={item} onRemove={onRemove} />}
    </header>
  );
};

const ListingPhotosPanel = createLazyComponent(
  async () => (await import('./photo/ListingPhotos.tsx')).ListingPhotosPanel,
);

const focusButton = (button: HTMLButtonElement | null): void => button?.focus();

/** `opened` and `closed` are the items whose panel the person has just opened and closed. */
type PhotosPanelState = { opened: string | null; closed: string | null };

const useListingPhotosPanel = ({ itemId, photoChange, mayChangeListingPhotos }: ItemView) => {
  const [{ opened, closed }, setState] = useState<PhotosPanelState>({ opened: null, closed: null });
  const isFocused = opened === itemId;
  return {
    isOpen: photoChange !== null || (isFocused && mayChangeListingPhotos),
    isFocused,
    wasClosed: closed === itemId,
    open: () => setState({ opened: itemId, closed: null }),
    close: () => setState({ opened: null, closed: itemId }),
  };
};

const statusOfSteps: Partial<Record<ItemView['step'], Listing['status']>> = {
  review: 'pending_review',
  live: 'published',
  ended: 'ended',
};

const FixedPhotosOfItem = ({ item }: { item: ItemView }) => {
  // A sold item stays in the step “live”; only its listing says that it is sold.
  const status = useLocalListing(item.listingId).data?.status ?? statusOfSteps[item.step];
  if (!status || item.mayChangeListingPhotos || item.stop !== null || item.photos.length === 0) return null;
  return hasWrittenListing(item) && <FixedPhotosReason status={status} />;
};

const WrittenPhotos = ({ item, panel }: { item: ItemView; panel: ReturnType<typeof useListingPhotosPanel> }) => (
  <ZoomablePhotos photos={item.photos} folded={hasWrittenListing(item)}>
    {item.mayChangeListingPhotos && (
      <ActionButton
        act="changePhotos"
        ref={panel.wasClosed ? focusButton : undefined}
        className={styles.change}
        size="compact-sm"
        variant="quiet"
        onClick={panel.open}
      >
        {t('items.changePhotos')}
      </ActionButton>
    )}
    <FixedPhotosOfItem item={item} />
  </ZoomablePhotos>
);

const OpenItem = ({ item, toNext }: { item: ItemView; toNext: NextItemActions }) => {
  const removeItem = useRemoveItem(item);
  const photosPanel = useListingPhotosPanel(item);
  return (
    <section className={styles.pane} aria-label={t('items.item')}>
      <ItemPaneHeader item={item} onRemove={removeItem} />
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
      {photosPanel.isOpen && (
        <ListingPhotosPanel item={item} isFocused={photosPanel.isFocused} onClose={photosPanel.close} />
      )}
      {!hasWrittenListing(item) && <ItemBarcodeList item={item} />}
      <div
        className={styles.columns}
        data-alone={item.arrangeable || photosPanel.isOpen || undefined}
        data-review={hasWrittenListing(item) || undefined}
      >
        {!item.arrangeable && !photosPanel.isOpen && <WrittenPhotos item={item} panel={photosPanel} />}
        <div className={styles.fields}>
          {hasWrittenListing(item) && item.listingId ? (
            <>
              <WrittenListing item={item} listingId={item.listingId} toNext={toNext} onRemove={removeItem} />
              <UsedWritingInput item={item} />
            </>
          ) : (
            <BeforeReview item={item} />
          )}
        </div>
      </div>
    </section>
  );
};

type ItemPaneProps = { itemId: string; toNext: NextItemActions };

/** Memoized because the list renders often, also while it is scrolled. */
export const ItemPane = memo(({ itemId, toNext }: ItemPaneProps) => {
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
      <OpenItem item={item} toNext={toNext} />
    </OpenNameProvider>
  );
});

import { Button } from '@mantine/core';
import { useLocation } from 'wouter';
import type { ItemView, Listing } from '../../../api/call.ts';
import { useItem, useItemOf } from '../../../api/itemQueries.ts';
import { ActButton } from '../../../components/acts/offeredActs.tsx';
import { t } from '../../../i18n.ts';
import { useArrange } from './ArrangeBar.tsx';
import styles from './arrange.module.css';
import { useItemAct } from '../NextSteps.tsx';
import { PickFiles } from '../PickFiles.tsx';

/** Shown while the photos of a written listing are replaced or extended. The button has the listing written again. */
export const ChangingPhotos = ({ item: { itemId, photos } }: { item: ItemView }) => {
  const arrange = useArrange();
  const isNone = photos.every(({ state }) => state === 'refused' || state === 'aside');
  return (
    <div className={styles.acts}>
      <p className={styles.why}>{t('arrange.changing')}</p>
      <PickFiles name={t('arrange.addPhotos')} into={{ itemId }} />
      <Button variant="ink" disabled={arrange.busy || isNone} onClick={() => arrange.begin([itemId])}>
        {t('arrange.haveWritten')}
      </Button>
    </div>
  );
};

/** Opens the item, where its photos are arranged. */
const OfItem = ({ itemId, locked }: { itemId: string; locked: boolean }) => {
  const [, go] = useLocation();
  const open = (): void => go(`/items/${encodeURIComponent(itemId)}`);
  const canChange = useItem(itemId).data?.stop?.next.includes('change_photos') === true;
  const change = useItemAct('items.changePhotos', open);
  return (
    <ActButton
      act="changePhotos"
      disabled={locked || change.isPending}
      onClick={() => (canChange ? change.mutate(itemId) : open())}
    >
      {t('items.changePhotos')}
    </ActButton>
  );
};

type Props = { listing: Listing; locked?: boolean };

/** Adds photos to a listing that is not written yet. Creates an item if the listing has none on this machine. */
export const ListingPhotoButton = ({ listing: { listingId }, locked = false }: Props) => {
  const [, go] = useLocation();
  const itemId = useItemOf(listingId);
  if (itemId !== null) return <OfItem itemId={itemId} locked={locked} />;
  return (
    <PickFiles
      name={t('arrange.addPhotos')}
      into={{ listingId }}
      disabled={locked}
      onAdded={(added) => go(`/items/${encodeURIComponent(added)}`)}
    />
  );
};

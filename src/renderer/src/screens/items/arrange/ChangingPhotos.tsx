import { Button } from '@mantine/core';
import { useLocation } from 'wouter';
import type { ItemView, Listing } from '../../../api/call.ts';
import { useItemById, useItemIdOfListing } from '../../../api/itemQueries.ts';
import { ActionButton } from '../../../components/acts/offeredActs.tsx';
import { t } from '../../../i18n.ts';
import { useArrangeCommands } from './ArrangeBar.tsx';
import styles from './arrange.module.css';
import { useItemAction } from '../NextSteps.tsx';
import { FilePickerButton } from '../FilePickerButton.tsx';

export const ChangingPhotos = ({ item: { itemId, photos } }: { item: ItemView }) => {
  const arrange = useArrangeCommands();
  const hasNoUsablePhoto = photos.every(({ state }) => state === 'refused' || state === 'aside');
  return (
    <div className={styles.acts}>
      <p className={styles.why}>{t('arrange.changing')}</p>
      <FilePickerButton name={t('arrange.addPhotos')} into={{ itemId }} />
      <Button variant="ink" disabled={arrange.busy || hasNoUsablePhoto} onClick={() => arrange.begin([itemId])}>
        {t('arrange.haveWritten')}
      </Button>
    </div>
  );
};

const ChangeItemPhotosButton = ({ itemId, locked }: { itemId: string; locked: boolean }) => {
  const [, go] = useLocation();
  const openItem = (): void => go(`/items/${encodeURIComponent(itemId)}`);
  const canChange = useItemById(itemId).data?.stop?.next.includes('change_photos') === true;
  const change = useItemAction('items.changePhotos', openItem);
  return (
    <ActionButton
      act="changePhotos"
      disabled={locked || change.isPending}
      onClick={() => (canChange ? change.mutate(itemId) : openItem())}
    >
      {t('items.changePhotos')}
    </ActionButton>
  );
};

type Props = { listing: Listing; locked?: boolean };

export const ListingPhotoButton = ({ listing: { listingId }, locked = false }: Props) => {
  const [, go] = useLocation();
  const itemId = useItemIdOfListing(listingId);
  if (itemId !== null) return <ChangeItemPhotosButton itemId={itemId} locked={locked} />;
  return (
    <FilePickerButton
      name={t('arrange.addPhotos')}
      into={{ listingId }}
      disabled={locked}
      onAdded={(added) => go(`/items/${encodeURIComponent(added)}`)}
    />
  );
};

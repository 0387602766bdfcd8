import { useState, type KeyboardEvent } from 'react';
import { useQuery } from '@tanstack/react-query';
import { arrangeableQuery } from '../../../api/itemQueries.ts';
import type { ItemView } from '../../../api/types.ts';
import { t } from '../../../i18n/t.ts';
import { PhotoDialog } from '../photo/PhotoDialog.tsx';
import { ArrangeActs } from './ArrangeActs.tsx';
import { shownAtOnce } from './ChooseItem.tsx';
import { Refused } from './Refused.tsx';
import { hearKey } from './photoKeys.ts';
import { PhotoTile } from './PhotoTile.tsx';
import { useArrange } from './useArrange.ts';
import { TakenOut } from './TakenOut.tsx';
import { useKeptFocus } from './useKeptFocus.ts';
import { usePicking } from './usePicking.ts';
import styles from './arrange.module.css';

/** Said before anything is uploaded: the plan takes fewer photos than there are. */
const OverCap = ({ item: { photos, overCap } }: { item: ItemView }) => {
  if (overCap === 0) return null;
  const wanted = photos.filter(({ state, aside }) => state !== 'refused' && (aside === null || aside === 'over_cap'));
  return <p className={styles.look}>{t('photo.overCap', { takes: wanted.length - overCap, count: overCap })}</p>;
};

/** Of the screen's keys, those that the photos keep for themselves. Esc is theirs while some are picked. */
const ownKeys = (picked: number): string => `ArrowUp ArrowDown${picked > 0 ? ' Escape' : ''}`;

/** The photos of an item while they may still be put into another order, another item, or aside: by mouse and by keys. */
export const ArrangePhotos = ({ item }: { item: ItemView }) => {
  const arrange = useArrange();
  // The item itself is one of them.
  const others = Math.max(0, (useQuery(arrangeableQuery('', shownAtOnce)).data?.total ?? 0) - 1);
  const photos = item.photos.filter(({ state }) => state !== 'refused');
  const picking = usePicking(photos);
  const focus = useKeptFocus(picking.order);
  const [opened, open] = useState<string | null>(null);
  const large = photos.find(({ photoId }) => photoId === opened);
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const at = event.target instanceof HTMLElement ? event.target.dataset.tile : undefined;
    const here = photos.find(({ photoId }) => photoId === at);
    if (!here || !hearKey(event, { item, here, picking, arrange, open })) return;
    event.preventDefault();
    event.stopPropagation();
  };
  const main = photos.find(({ state }) => state === 'ready')?.photoId;
  return (
    <section className={styles.arrange} aria-label={t('arrange.photos')} {...focus}>
      <OverCap item={item} />
      {/* The keys belong to the tiles, which have the focus; the list only hears them. */}
      <ul className={styles.tiles} onKeyDown={onKeyDown} data-own-keys={ownKeys(picking.selected.length)}>
        {photos.map((photo, at) => (
          <PhotoTile
            key={photo.photoId}
            photo={photo}
            place={t('parts.photos.place', { at: at + 1, of: photos.length })}
            copyOf={item.photos.find(({ photoId }) => photoId === photo.duplicateOf)?.name ?? null}
            isMain={photo.photoId === main}
            selected={picking.has(photo.photoId)}
            dragged={picking.has(photo.photoId) ? picking.selected.map(({ photoId }) => photoId) : [photo.photoId]}
            onPick={(how) => picking.pick(photo.photoId, how)}
            onOpen={() => open(photo.photoId)}
            onDropped={(photoIds) => arrange.move(item.itemId, photoIds, photo.photoId)}
          />
        ))}
      </ul>
      <ArrangeActs item={item} picking={picking} others={others} arrange={arrange} onOpen={open} />
      <p className={styles.soft}>{t('arrange.hint')}</p>
      <Refused photos={item.photos.filter(({ state }) => state === 'refused')} />
      <TakenOut photos={item.removedPhotos} arrange={arrange} />
      {large && <PhotoDialog photos={photos} photo={large} editable onGo={open} onClose={() => open(null)} />}
    </section>
  );
};

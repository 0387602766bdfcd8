import { useState, type KeyboardEvent } from 'react';
import { useItems } from '../../../api/queries.ts';
import type { ItemView, PhotoView } from '../../../api/types.ts';
import { t } from '../../../i18n/t.ts';
import { ArrangeActs } from './ArrangeActs.tsx';
import { PhotoTile } from './PhotoTile.tsx';
import { arrangeable, useArrange, type Arrange } from './useArrange.ts';
import { TakenOut } from './TakenOut.tsx';
import styles from './arrange.module.css';

/** The keys on a photo, by what they do to the photos that are selected (or to the one with the focus). */
const keysOf = (
  item: ItemView,
  photos: readonly PhotoView[],
  arrange: Arrange,
): Readonly<Record<string, () => void>> => {
  const ids = photos.map(({ photoId }) => photoId);
  const remove = (): void => arrange.remove(ids);
  return {
    m: () => arrange.first(item.itemId, ids),
    r: () => photos.forEach((photo) => arrange.turn(photo, 1)),
    s: () => arrange.split(ids),
    a: () =>
      arrange.aside(
        ids,
        photos.some(({ state }) => state !== 'aside'),
      ),
    Delete: remove,
    Backspace: remove,
  };
};

const moveFocus = (event: KeyboardEvent): boolean => {
  const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (by === undefined) return false;
  const tiles = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-tile]')];
  tiles[tiles.findIndex((tile) => tile === document.activeElement) + by]?.focus();
  return true;
};

/** The photos of an item while they may still be put into another order, another item, or aside: by mouse and by keys. */
export const ArrangePhotos = ({ item }: { item: ItemView }) => {
  const arrange = useArrange();
  const others = arrangeable(useItems().data ?? []).filter(({ itemId }) => itemId !== item.itemId);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const photos = item.photos.filter(({ state }) => state !== 'refused');
  const selected = photos.filter(({ photoId }) => chosen.has(photoId));
  const toggle = (photoId: string): void => {
    const next = new Set(chosen);
    if (!next.delete(photoId)) next.add(photoId);
    setChosen(next);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const at = (event.target as HTMLElement).dataset.tile;
    const here = photos.find(({ photoId }) => photoId === at);
    if (!here || event.ctrlKey || event.metaKey || event.altKey) return;
    const act = keysOf(item, selected.length > 0 ? selected : [here], arrange)[event.key];
    if (!moveFocus(event) && !act) return;
    event.preventDefault();
    event.stopPropagation();
    act?.();
  };
  const main = photos.find(({ state }) => state === 'ready')?.photoId;
  return (
    <section className={styles.arrange} aria-label={t('arrange.photos')}>
      <p className={styles.soft}>{t('arrange.hint')}</p>
      {/* The keys belong to the tiles, which have the focus; the list only hears them. */}
      <ul className={styles.tiles} onKeyDown={onKeyDown}>
        {photos.map((photo, at) => (
          <PhotoTile
            key={photo.photoId}
            photo={photo}
            place={t('parts.photos.place', { at: at + 1, of: photos.length })}
            isMain={photo.photoId === main}
            selected={chosen.has(photo.photoId)}
            dragged={chosen.has(photo.photoId) ? selected.map(({ photoId }) => photoId) : [photo.photoId]}
            onToggle={() => toggle(photo.photoId)}
            onDropped={(photoIds) => arrange.move(item.itemId, photoIds, photo.photoId)}
          />
        ))}
      </ul>
      <ArrangeActs item={item} selected={selected} others={others} arrange={arrange} />
      <TakenOut photos={item.removedPhotos} arrange={arrange} />
    </section>
  );
};

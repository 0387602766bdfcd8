import type { PhotoView, ItemView } from '../../../api/call.ts';
import { UntrustedText, escapeHiddenText } from '../../../components/text/UntrustedText.tsx';
import { t, translateMessage } from '../../../i18n.ts';
import styles from './arrange.module.css';
import { Button } from '@mantine/core';
import { type ArrangeCommands, useArrangeCommands } from './ArrangeBar.tsx';
import { CorePicture } from '../../../components/CorePicture.tsx';
import { useLayoutEffect, useRef, type FocusEvent, useState, type KeyboardEvent } from 'react';
import { useQuery } from '@tanstack/react-query';
import { createArrangeableItemsQuery } from '../../../api/itemQueries.ts';
import { PhotoDialog } from '../photo/PhotoDialog.tsx';
import { ArrangeActions, maxListedItems } from './ArrangeActions.tsx';
import { handlePhotoKey, movePickedPhotos, usePhotoSelection } from './photoSelection.ts';
import { PhotoTile } from './PhotoTile.tsx';
import { readSheetPhotoId } from '../sheet/sheetPlace.ts';

const RefusedPhotoList = ({ photos }: { photos: readonly PhotoView[] }) =>
  photos.length === 0 ? null : (
    <div className={styles.refused}>
      <h3>{t('parts.photos.refused')}</h3>
      <ul>
        {photos.map(({ photoId, name, sentence, says }) => (
          <li key={photoId}>
            <UntrustedText text={name} fold={80} />
            {sentence && (
              <span className={styles.stand}>
                <UntrustedText text={translateMessage(says, sentence)} />
              </span>
            )}
          </li>
        ))}
      </ul>
    </div>
  );

const RemovedPhotoList = ({ photos, arrange }: { photos: readonly PhotoView[]; arrange: ArrangeCommands }) =>
  photos.length === 0 ? null : (
    <div className={styles.takenOut}>
      <h3>{t('arrange.takenOut')}</h3>
      <ul>
        {photos.map((photo) => (
          <li key={photo.photoId}>
            {photo.thumbUrl && <CorePicture src={photo.thumbUrl} alt="" width={40} height={40} />}
            <Button variant="quiet" size="compact-sm" onClick={() => arrange.restore([photo.photoId])}>
              {t('arrange.putBack', { name: escapeHiddenText(photo.name) })}
            </Button>
          </li>
        ))}
      </ul>
    </div>
  );

/** Keeps the focus on a photo that moves. If the photo disappears, focuses the tile at its position. */
export const useRestoredTileFocus = (order: readonly string[]) => {
  const section = useRef<HTMLElement>(null);
  const [from] = useState(readSheetPhotoId);
  const last = useRef<{ tile: string; at: number } | null>(
    from === null ? null : { tile: from, at: order.indexOf(from) },
  );
  const places = order.join();
  useLayoutEffect(() => {
    if (last.current === null || document.activeElement !== document.body) return;
    const tiles = [...(section.current?.querySelectorAll<HTMLElement>('[data-tile]') ?? [])];
    const { tile, at } = last.current;
    (tiles.find((one) => one.dataset.tile === tile) ?? tiles[Math.min(at, tiles.length - 1)])?.focus();
  }, [places]);
  return {
    ref: section,
    onFocus: ({ target }: FocusEvent<HTMLElement>): void => {
      const { tile } = target.dataset;
      if (tile) last.current = { tile, at: order.indexOf(tile) };
    },
    onBlur: ({ relatedTarget }: FocusEvent<HTMLElement>): void => {
      if (relatedTarget && !section.current?.contains(relatedTarget)) last.current = null;
    },
  };
};

/** The button disappears with its press, so the photo gets the focus. */
const focusTileOf = (button: HTMLElement): void =>
  button.closest('li')?.querySelector<HTMLElement>('[data-tile]')?.focus();

const UseLabelButton = ({ photo, arrange }: { photo: PhotoView; arrange: ArrangeCommands }) => (
  <Button
    size="compact-sm"
    variant="quiet"
    aria-label={t('arrange.useLabelOne', { name: escapeHiddenText(photo.name) })}
    onClick={({ currentTarget }) => {
      focusTileOf(currentTarget);
      arrange.setAside([photo.photoId], false);
    }}
  >
    {t('arrange.useLabel')}
  </Button>
);

const PhotoLimitNotice = ({ item: { photos, overCap } }: { item: ItemView }) => {
  if (overCap === 0) return null;
  const wanted = photos.filter(({ state, aside }) => state !== 'refused' && (aside === null || aside === 'over_cap'));
  return <p className={styles.look}>{t('photo.overCap', { takes: wanted.length - overCap, count: overCap })}</p>;
};

/** The photos handle these keys instead of the screen. */
export const getHandledKeys = (picked: number): string => `ArrowUp ArrowDown${picked > 0 ? ' Escape' : ''}`;

export const ArrangePhotos = ({ item }: { item: ItemView }) => {
  const arrange = useArrangeCommands();
  const others = Math.max(0, (useQuery(createArrangeableItemsQuery('', maxListedItems)).data?.total ?? 0) - 1);
  const photos = item.photos.filter(({ state }) => state !== 'refused');
  const picking = usePhotoSelection(photos);
  const focus = useRestoredTileFocus(picking.order);
  const [opened, open] = useState<string | null>(null);
  const large = photos.find(({ photoId }) => photoId === opened);
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const at = event.target instanceof HTMLElement ? event.target.dataset.tile : undefined;
    const here = photos.find(({ photoId }) => photoId === at);
    if (!here || !handlePhotoKey(event, { item, here, picking, arrange, open })) return;
    event.preventDefault();
    event.stopPropagation();
  };
  const main = photos.find(({ state }) => state === 'ready')?.photoId;
  return (
    <section className={styles.arrange} aria-label={t('arrange.photos')} {...focus}>
      <PhotoLimitNotice item={item} />
      {/* The focus is on the tiles. The list only handles the key events that bubble from them. */}
      <ul className={styles.tiles} onKeyDown={onKeyDown} data-own-keys={getHandledKeys(picking.selected.length)}>
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
          >
            {photo.aside === 'label' && <UseLabelButton photo={photo} arrange={arrange} />}
          </PhotoTile>
        ))}
      </ul>
      <ArrangeActions item={item} picking={picking} others={others} arrange={arrange} onOpen={open} />
      <p className={styles.soft}>{t('arrange.hint')}</p>
      <RefusedPhotoList photos={item.photos.filter(({ state }) => state === 'refused')} />
      <RemovedPhotoList photos={item.removedPhotos} arrange={arrange} />
      {large && (
        <PhotoDialog
          photos={photos}
          photo={large}
          editable
          order={{
            move: (photoId, by) => movePickedPhotos({ item, picking, arrange }, [photoId], by),
            makeMain: (photoId) => arrange.setOrder(item.itemId, [photoId]),
          }}
          onGo={open}
          onClose={() => open(null)}
        />
      )}
    </section>
  );
};

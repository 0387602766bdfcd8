import { Button } from '@mantine/core';
import { useLayoutEffect, useRef, useState, type KeyboardEvent } from 'react';
import { resolveFileSource } from '../../../api/addPhotos.ts';
import { callCore, type ItemView, type PhotoView } from '../../../api/call.ts';
import type { CallInput } from '../../../../../ipc/calls.ts';
import { useItemMutation } from '../../../api/useCall.ts';
import { UntrustedText, escapeHiddenText } from '../../../components/text/UntrustedText.tsx';
import { t, translateMessage } from '../../../i18n.ts';
import { getHandledKeys, useRestoredTileFocus } from '../arrange/ArrangePhotos.tsx';
import { handleTileKey, shiftPickedPhotos, usePhotoSelection, type PhotoSelection } from '../arrange/photoSelection.ts';
import { PhotoTile } from '../arrange/PhotoTile.tsx';
import arrangeStyles from '../arrange/arrange.module.css';
import { FileFieldButton } from '../FilePickerButton.tsx';
import { isRunningStage } from './photoChangeStage.ts';
import { PhotoChangeState } from './PhotoChangeState.tsx';
import { PhotoDialog } from './PhotoDialog.tsx';
import styles from './listingPhotos.module.css';

const convertToSources = async (file: File): Promise<CallInput<'listingPhotos.replace'>['sources']> => {
  const source = await resolveFileSource(file);
  return 'path' in source
    ? { kind: 'paths', paths: [source.path] }
    : { kind: 'uploads', files: [{ uploadId: source.uploadId, relativePath: file.name }] };
};

const useListingPhotoCommands = (itemId: string) => {
  const change = useItemMutation((act: () => Promise<unknown>) => act());
  return {
    isBusy: change.isPending,
    setOrder: (photoIds: string[]) => change.mutate(() => callCore('listingPhotos.order', { itemId, photoIds })),
    replace: (photoId: string, file: File) =>
      change.mutate(async () =>
        callCore('listingPhotos.replace', { itemId, photoId, sources: await convertToSources(file) }),
      ),
  };
};

type GridProps = { item: ItemView; photos: readonly PhotoView[]; isFocused: boolean };

const createTileActions = (
  here: string,
  picking: PhotoSelection,
  commands: { setOrder: (photoIds: string[]) => void; open: (photoId: string) => void },
): Readonly<Record<string, () => void>> => {
  const ids = picking.has(here) ? picking.selected.map(({ photoId }) => photoId) : [here];
  const move = (by: 1 | -1): void => commands.setOrder(shiftPickedPhotos(picking.order, new Set(ids), by));
  return {
    m: () => commands.setOrder(ids),
    Enter: () => commands.open(here),
    ' ': () => picking.pick(here, 'toggle'),
    'alt+ArrowLeft': () => move(-1),
    'alt+ArrowRight': () => move(1),
    'mod+a': picking.all,
    ...(picking.selected.length > 0 && { Escape: picking.clear }),
  };
};

const moveBefore = (order: readonly string[], moving: readonly string[], before: string): string[] => {
  const rest = order.filter((photoId) => !moving.includes(photoId));
  const at = rest.indexOf(before);
  return at === -1 ? [...order] : [...rest.slice(0, at), ...moving, ...rest.slice(at)];
};

const OrderActions = ({ picking, setOrder }: { picking: PhotoSelection; setOrder: (photoIds: string[]) => void }) => {
  const ids = picking.selected.map(({ photoId }) => photoId);
  const hasNone = ids.length === 0;
  const move = (by: 1 | -1): void => setOrder(shiftPickedPhotos(picking.order, new Set(ids), by));
  return (
    <div className={arrangeStyles.acts} role="group" aria-label={t('photo.order')}>
      <Button size="compact-md" variant="quiet" disabled={hasNone} onClick={() => move(-1)}>
        {t('arrange.earlier')}
      </Button>
      <Button size="compact-md" variant="quiet" disabled={hasNone} onClick={() => move(1)}>
        {t('arrange.later')}
      </Button>
      <Button size="compact-md" variant="quiet" disabled={hasNone} onClick={() => setOrder(ids)}>
        {t('arrange.makeMain')}
      </Button>
    </div>
  );
};

/** Focuses the first photo when the person opens the panel. */
const focusFirstTile = (list: HTMLUListElement | null): void =>
  list?.querySelector<HTMLElement>('[data-tile]')?.focus({ preventScroll: true });

const PhotoGrid = ({ item, photos, isFocused }: GridProps) => {
  const { setOrder, replace, isBusy } = useListingPhotoCommands(item.itemId);
  const picking = usePhotoSelection(photos);
  const focus = useRestoredTileFocus(picking.order);
  const [opened, open] = useState<string | null>(null);
  const large = photos.find(({ photoId }) => photoId === opened);
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const here = event.target instanceof HTMLElement ? event.target.dataset.tile : undefined;
    if (here === undefined) return;
    if (!handleTileKey(event, { here, picking, actions: createTileActions(here, picking, { setOrder, open }) })) return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <section className={arrangeStyles.arrange} aria-label={t('listingPhotos.grid')} {...focus}>
      {/* The focus is on the tiles. The list only handles the key events that bubble from them. */}
      <ul
        ref={isFocused ? focusFirstTile : undefined}
        className={arrangeStyles.tiles}
        onKeyDown={onKeyDown}
        data-own-keys={getHandledKeys(picking.selected.length)}
      >
        {photos.map((photo, at) => {
          const name = escapeHiddenText(photo.name);
          return (
            <PhotoTile
              key={photo.photoId}
              photo={photo}
              place={t('parts.photos.place', { at: at + 1, of: photos.length })}
              copyOf={null}
              isMain={at === 0}
              selected={picking.has(photo.photoId)}
              dragged={picking.has(photo.photoId) ? picking.selected.map(({ photoId }) => photoId) : [photo.photoId]}
              onPick={(how) => picking.pick(photo.photoId, how)}
              onOpen={() => open(photo.photoId)}
              onDropped={(photoIds) => setOrder(moveBefore(picking.order, photoIds, photo.photoId))}
              onFile={(file) => replace(photo.photoId, file)}
            >
              {photo.sentence !== null && (photo.state === 'refused' || photo.state === 'waiting') && (
                <span className={arrangeStyles.warned}>
                  <UntrustedText text={translateMessage(photo.says, photo.sentence)} />
                </span>
              )}
              <span className={styles.replace}>
                <FileFieldButton
                  small
                  single
                  name={t('listingPhotos.replaceOne', { name })}
                  shortName={t('listingPhotos.replace')}
                  disabled={isBusy}
                  onFiles={([file]) => file && replace(photo.photoId, file)}
                />
              </span>
            </PhotoTile>
          );
        })}
      </ul>
      <OrderActions picking={picking} setOrder={setOrder} />
      {large && (
        <PhotoDialog
          photos={photos}
          photo={large}
          editable={false}
          order={{
            move: (photoId, by) => setOrder(shiftPickedPhotos(picking.order, new Set([photoId]), by)),
            makeMain: (photoId) => setOrder([photoId]),
          }}
          onGo={open}
          onClose={() => open(null)}
        />
      )}
    </section>
  );
};

const DraftActions = ({ item, onClose }: { item: ItemView; onClose: () => void }) => {
  const { itemId, photoChange } = item;
  const send = useItemMutation(() => callCore('listingPhotos.send', { itemId }));
  const close = useItemMutation(() => callCore('listingPhotos.close', { itemId }), onClose);
  const isRefused = photoChange?.photos.some(({ state, aside }) => state === 'refused' || aside === 'label') === true;
  return (
    <div className={arrangeStyles.acts}>
      <Button
        variant="ink"
        disabled={photoChange?.isChanged !== true || isRefused}
        loading={send.isPending}
        onClick={() => send.mutate()}
      >
        {t('listingPhotos.send')}
      </Button>
      <Button disabled={close.isPending} onClick={() => close.mutate()}>
        {t('listingPhotos.keep')}
      </Button>
    </div>
  );
};

const getPanelContent = (change: ItemView['photoChange']): string => {
  if (change === null || change.stage === 'draft') return 'draft';
  return isRunningStage(change.stage) ? 'running' : change.stage;
};

/** If the focused button disappears with the content, the panel gets the focus. */
const useKeptFocus = (content: string) => {
  const panel = useRef<HTMLElement>(null);
  const last = useRef(content);
  useLayoutEffect(() => {
    if (last.current === content) return;
    last.current = content;
    if (document.activeElement === document.body) panel.current?.focus();
  }, [content]);
  return panel;
};

type PanelProps = {
  item: ItemView;
  /** Whether the person has just opened the panel. */
  isFocused: boolean;
  onClose: () => void;
};

/** The panel in which the person changes the photos of a listing in review. */
export const ListingPhotosPanel = ({ item, isFocused, onClose }: PanelProps) => {
  const { photoChange } = item;
  const isDraft = photoChange === null || photoChange.stage === 'draft';
  const panel = useKeptFocus(getPanelContent(photoChange));
  return (
    <section ref={panel} tabIndex={-1} className={styles.panel} aria-label={t('listingPhotos.title')}>
      <h3>{t('listingPhotos.title')}</h3>
      {isDraft ? (
        <>
          <p className={arrangeStyles.soft}>{t('listingPhotos.about')}</p>
          <PhotoGrid
            item={item}
            photos={photoChange?.photos ?? item.photos.filter(({ state }) => state === 'ready')}
            isFocused={isFocused}
          />
          <p className={arrangeStyles.soft}>
            {t('listingPhotos.hint')} {t('listingPhotos.noRemoval')}
          </p>
          <DraftActions item={item} onClose={onClose} />
        </>
      ) : (
        <PhotoChangeState item={item} change={photoChange} onClose={onClose} />
      )}
    </section>
  );
};

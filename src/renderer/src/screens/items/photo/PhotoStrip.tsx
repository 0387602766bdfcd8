import { type CSSProperties, type DragEvent, type ReactNode, useState } from 'react';
import { callCore, getCompanionWindow, type PhotoView, type ItemView } from '../../../api/call.ts';
import { UntrustedText, escapeHiddenText } from '../../../components/text/UntrustedText.tsx';
import { useScreenKeys } from '../../../components/Keys.tsx';
import { useOfferedAction } from '../../../components/acts/offeredActs.tsx';
import { t, translateMessage } from '../../../i18n.ts';
import { CorePicture } from '../../../components/CorePicture.tsx';
import styles from './photoStrip.module.css';
import { createLazyComponent } from '../../../components/createLazyComponent.tsx';

/** Loaded separately, because the dialog is not part of the first screen. */
const PhotoDialog = createLazyComponent(async () => (await import('./PhotoDialog.tsx')).PhotoDialog);

/** Returns no props if the host cannot drag files out of the window. */
const createDragOutProps = (photos: readonly PhotoView[]) => {
  const photoIds = photos.filter((photo) => photo.fullUrl !== null).map(({ photoId }) => photoId);
  if (getCompanionWindow().host !== 'electron' || photoIds.length === 0) return {};
  return {
    draggable: true,
    onDragStart: (event: DragEvent): void => {
      // The host starts a native drag instead of the drag of the page. If the native drag cannot start, nothing
      // happens.
      event.preventDefault();
      void callCore('app.dragOut', { photoIds }).catch(() => undefined);
    },
  };
};

type LargePhotoProps = { photo: PhotoView; all: readonly PhotoView[]; place: string; onOpen: () => void };

/** Dragging this photo out of the window drags all photos of the item. */
const LargePhoto = ({ photo, all, place, onOpen }: LargePhotoProps) => {
  const url = photo.fullUrl ?? photo.thumbUrl;
  if (!url || photo.fullUrl === null)
    return (
      <div className={styles.large}>{url ? <CorePicture src={url} alt="" /> : <p>{t('parts.photos.making')}</p>}</div>
    );
  return (
    <button type="button" className={styles.large} onClick={onOpen} {...createDragOutProps(all)}>
      <CorePicture src={url} alt={t('parts.photos.look', { place, name: escapeHiddenText(photo.name) })} />
    </button>
  );
};

type PhotoThumbnailProps = { photo: PhotoView; place: string; here: boolean; onChoose: () => void };

const PhotoThumbnail = ({ photo, place, here, onChoose }: PhotoThumbnailProps) => (
  <li>
    <button
      type="button"
      aria-label={`${place}: ${escapeHiddenText(photo.name)}`}
      aria-pressed={here}
      onClick={onChoose}
      {...createDragOutProps([photo])}
    >
      {photo.thumbUrl ? (
        <CorePicture src={photo.thumbUrl} alt="" width={56} height={56} />
      ) : (
        <span className={styles.none} />
      )}
    </button>
  </li>
);

const NamedPhotoList = ({ name, photos }: { name: string; photos: readonly PhotoView[] }) =>
  photos.length === 0 ? null : (
    <div className={styles.beside}>
      <h3>{name}</h3>
      <ul>
        {photos.map((photo) => (
          <li key={photo.photoId}>
            <UntrustedText text={photo.name} fold={80} />
            {photo.sentence && (
              <span>
                <UntrustedText text={translateMessage(photo.says, photo.sentence)} />
              </span>
            )}
          </li>
        ))}
      </ul>
    </div>
  );

type UnusedPhotoListsProps = { photos: readonly PhotoView[]; folded: boolean };

const UnusedPhotoLists = ({ photos, folded }: UnusedPhotoListsProps) => {
  const aside = photos.filter((photo) => photo.state === 'aside');
  const refused = photos.filter((photo) => photo.state === 'refused');
  const count = aside.length + refused.length;
  const lists = (
    <>
      <NamedPhotoList name={t('parts.photos.aside')} photos={aside} />
      <NamedPhotoList name={t('parts.photos.refused')} photos={refused} />
    </>
  );
  if (!folded || count === 0) return lists;
  return (
    <details className={styles.folded}>
      <summary>{t('parts.photos.notUsed', { count })}</summary>
      {lists}
    </details>
  );
};

type PhotoCommands = Record<'look' | 'next' | 'before', (() => void) | null>;

const useOfferedPhotoCommands = ({ look, next, before }: PhotoCommands): void => {
  useOfferedAction(look && { act: 'photo', name: t('photo.look'), run: look });
  useOfferedAction(next && { act: 'nextPhoto', name: t('photo.next'), run: next });
  useOfferedAction(before && { act: 'photoBefore', name: t('photo.before'), run: before });
};

/** All photos get the shape of the first one, so that the page does not move when another photo is shown. */
const getPhotoShape = (first: PhotoView | undefined): CSSProperties | undefined => {
  if (!first?.width || !first.height) return undefined;
  const shape = Math.min(4 / 3, Math.max(3 / 4, first.width / first.height));
  return { '--photo-shape': String(shape) } as CSSProperties;
};

type Props = {
  photos: readonly PhotoView[];
  folded?: boolean;
  onOpen: (photoId: string) => void;
  /** What stands below the photos. */
  children?: ReactNode;
};

const PhotoStrip = ({ photos, folded = false, onOpen, children }: Props) => {
  const used = photos.filter((photo) => photo.state === 'ready' || photo.state === 'waiting');
  const [chosen, setChosen] = useState<string | null>(null);
  const at = Math.max(
    0,
    used.findIndex((photo) => photo.photoId === chosen),
  );
  const large = used[at];
  const choosePhoto = (index: number): void => setChosen(used[index]?.photoId ?? used[at]?.photoId ?? null);
  useScreenKeys({ ArrowLeft: () => choosePhoto(at - 1), ArrowRight: () => choosePhoto(at + 1) });
  useOfferedPhotoCommands({
    look: large && large.fullUrl !== null ? () => onOpen(large.photoId) : null,
    next: at + 1 < used.length ? () => choosePhoto(at + 1) : null,
    before: at > 0 ? () => choosePhoto(at - 1) : null,
  });
  const formatPhotoPosition = (index: number): string => t('parts.photos.place', { at: index + 1, of: used.length });
  return (
    <section className={styles.strip} style={getPhotoShape(used[0])} aria-label={t('parts.photos.title')}>
      {large && (
        <LargePhoto photo={large} all={used} place={formatPhotoPosition(at)} onOpen={() => onOpen(large.photoId)} />
      )}
      {used.length > 1 && (
        <ul className={styles.thumbs}>
          {used.map((photo, index) => (
            <PhotoThumbnail
              key={photo.photoId}
              photo={photo}
              place={formatPhotoPosition(index)}
              here={index === at}
              onChoose={() => choosePhoto(index)}
            />
          ))}
        </ul>
      )}
      {children}
      <UnusedPhotoLists photos={photos} folded={folded} />
    </section>
  );
};

type ZoomablePhotosProps = Pick<ItemView, 'photos'> & { folded?: boolean; children?: ReactNode };

export const ZoomablePhotos = ({ photos, folded, children }: ZoomablePhotosProps) => {
  const [opened, open] = useState<string | null>(null);
  const shown = photos.filter(({ fullUrl }) => fullUrl !== null);
  const large = shown.find(({ photoId }) => photoId === opened);
  return (
    <>
      <PhotoStrip photos={photos} folded={folded} onOpen={open}>
        {children}
      </PhotoStrip>
      {large && <PhotoDialog photos={shown} photo={large} editable={false} onGo={open} onClose={() => open(null)} />}
    </>
  );
};

import { type DragEvent, useState } from 'react';
import { call, companion, type PhotoView, type ItemView } from '../../../api/call.ts';
import { UntrustedText, escapedText } from '../../../components/text/UntrustedText.tsx';
import { useKeys } from '../../../components/Keys.tsx';
import { useOffer } from '../../../components/acts/offeredActs.tsx';
import { t, translate } from '../../../i18n.ts';
import { Picture } from '../../../components/Picture.tsx';
import styles from './photoStrip.module.css';
import { PhotoDialog } from './PhotoDialog.tsx';

/** Returns props to drag prepared photos out as files; empty if the host does not support it. */
const dragOut = (photos: readonly PhotoView[]) => {
  const photoIds = photos.filter((photo) => photo.fullUrl !== null).map(({ photoId }) => photoId);
  if (companion().host !== 'electron' || photoIds.length === 0) return {};
  return {
    draggable: true,
    onDragStart: (event: DragEvent): void => {
      // The native drag replaces the drag of the page. A native drag that cannot start is ignored.
      event.preventDefault();
      void call('app.dragOut', { photoIds }).catch(() => undefined);
    },
  };
};

type LargeProps = { photo: PhotoView; all: readonly PhotoView[]; place: string; onOpen: () => void };

/** The large photo. Dragging it out of the window takes all photos of the item; a thumbnail takes only itself. */
const Large = ({ photo, all, place, onOpen }: LargeProps) => {
  const url = photo.fullUrl ?? photo.thumbUrl;
  if (!url || photo.fullUrl === null)
    return <div className={styles.large}>{url ? <Picture src={url} alt="" /> : <p>{t('parts.photos.making')}</p>}</div>;
  return (
    <button type="button" className={styles.large} onClick={onOpen} {...dragOut(all)}>
      <Picture src={url} alt={t('parts.photos.look', { place, name: escapedText(photo.name) })} />
    </button>
  );
};

type ThumbProps = { photo: PhotoView; place: string; here: boolean; onChoose: () => void };

const Thumb = ({ photo, place, here, onChoose }: ThumbProps) => (
  <li>
    <button
      type="button"
      aria-label={`${place}: ${escapedText(photo.name)}`}
      aria-pressed={here}
      onClick={onChoose}
      {...dragOut([photo])}
    >
      {photo.thumbUrl ? (
        <Picture src={photo.thumbUrl} alt="" width={56} height={56} />
      ) : (
        <span className={styles.none} />
      )}
    </button>
  </li>
);

const Beside = ({ name, photos }: { name: string; photos: readonly PhotoView[] }) =>
  photos.length === 0 ? null : (
    <div className={styles.beside}>
      <h3>{name}</h3>
      <ul>
        {photos.map((photo) => (
          <li key={photo.photoId}>
            <UntrustedText text={photo.name} fold={80} />
            {photo.sentence && (
              <span>
                <UntrustedText text={translate(photo.says, photo.sentence)} />
              </span>
            )}
          </li>
        ))}
      </ul>
    </div>
  );

type Unused = { photos: readonly PhotoView[]; folded: boolean };

/** The unused photos with their reasons; folded into one line in the review. */
const NotUsed = ({ photos, folded }: Unused) => {
  const aside = photos.filter((photo) => photo.state === 'aside');
  const refused = photos.filter((photo) => photo.state === 'refused');
  const count = aside.length + refused.length;
  const lists = (
    <>
      <Beside name={t('parts.photos.aside')} photos={aside} />
      <Beside name={t('parts.photos.refused')} photos={refused} />
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

type PhotoActs = Record<'look' | 'next' | 'before', (() => void) | null>;

/** Offers the photo commands to the find dialog. */
const usePhotoOffers = ({ look, next, before }: PhotoActs): void => {
  useOffer(look && { act: 'photo', name: t('photo.look'), run: look });
  useOffer(next && { act: 'nextPhoto', name: t('photo.next'), run: next });
  useOffer(before && { act: 'photoBefore', name: t('photo.before'), run: before });
};

type Props = { photos: readonly PhotoView[]; folded?: boolean; onOpen: (photoId: string) => void };

/** The photos of an item: one large (arrow keys change it), thumbnails, and the unused ones with their reasons. */
const PhotoStrip = ({ photos, folded = false, onOpen }: Props) => {
  const used = photos.filter((photo) => photo.state === 'ready' || photo.state === 'waiting');
  const [chosen, setChosen] = useState<string | null>(null);
  const at = Math.max(
    0,
    used.findIndex((photo) => photo.photoId === chosen),
  );
  const large = used[at];
  const choose = (index: number): void => setChosen(used[index]?.photoId ?? used[at]?.photoId ?? null);
  useKeys({ ArrowLeft: () => choose(at - 1), ArrowRight: () => choose(at + 1) });
  usePhotoOffers({
    look: large && large.fullUrl !== null ? () => onOpen(large.photoId) : null,
    next: at + 1 < used.length ? () => choose(at + 1) : null,
    before: at > 0 ? () => choose(at - 1) : null,
  });
  const placeOf = (index: number): string => t('parts.photos.place', { at: index + 1, of: used.length });
  return (
    <section className={styles.strip} aria-label={t('parts.photos.title')}>
      {large && <Large photo={large} all={used} place={placeOf(at)} onOpen={() => onOpen(large.photoId)} />}
      {used.length > 1 && (
        <ul className={styles.thumbs}>
          {used.map((photo, index) => (
            <Thumb
              key={photo.photoId}
              photo={photo}
              place={placeOf(index)}
              here={index === at}
              onChoose={() => choose(index)}
            />
          ))}
        </ul>
      )}
      <NotUsed photos={photos} folded={folded} />
    </section>
  );
};

/** The photos of an item that can no longer be edited, with a dialog to view them large. */
export const ZoomablePhotos = ({ photos, folded }: Pick<ItemView, 'photos'> & { folded?: boolean }) => {
  const [opened, open] = useState<string | null>(null);
  const shown = photos.filter(({ fullUrl }) => fullUrl !== null);
  const large = shown.find(({ photoId }) => photoId === opened);
  return (
    <>
      <PhotoStrip photos={photos} folded={folded} onOpen={open} />
      {large && <PhotoDialog photos={shown} photo={large} editable={false} onGo={open} onClose={() => open(null)} />}
    </>
  );
};

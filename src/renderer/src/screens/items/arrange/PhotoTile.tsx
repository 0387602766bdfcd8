import type { PhotoView } from '../../../api/types.ts';
import { t } from '../../../i18n/t.ts';
import { plainly } from '../../../parts/said.ts';
import { dragPhotos, takesPhotos } from './drag.ts';
import styles from './arrange.module.css';

type Props = {
  photo: PhotoView;
  place: string;
  isMain: boolean;
  selected: boolean;
  /** What is dragged with it. */
  dragged: readonly string[];
  onToggle: () => void;
  onDropped: (photoIds: string[]) => void;
};

const standOf = (photo: PhotoView, isMain: boolean): string | null => {
  if (photo.state === 'aside') return photo.sentence ?? t('arrange.isAside');
  return isMain ? t('arrange.main') : (photo.warnings[0]?.sentence ?? null);
};

/** One photo to be selected, dragged, or dropped upon. */
export const PhotoTile = ({ photo, place, isMain, selected, dragged, onToggle, onDropped }: Props) => {
  const stand = standOf(photo, isMain);
  return (
    <li {...takesPhotos(onDropped)}>
      <button
        type="button"
        data-tile={photo.photoId}
        data-aside={photo.state === 'aside' || undefined}
        className={styles.tile}
        aria-pressed={selected}
        aria-label={[place, plainly(photo.name), stand].filter(Boolean).join(': ')}
        draggable
        onDragStart={(event) => dragPhotos(event, dragged)}
        onClick={onToggle}
      >
        {photo.thumbUrl ? <img src={photo.thumbUrl} alt="" draggable={false} /> : <span className={styles.noPhoto} />}
      </button>
      {stand !== null && <span className={styles.stand}>{stand}</span>}
    </li>
  );
};

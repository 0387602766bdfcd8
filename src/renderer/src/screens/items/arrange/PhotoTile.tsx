import type { MouseEvent, ReactNode } from 'react';
import type { PhotoView } from '../../../api/call.ts';
import { t, translateMessage } from '../../../i18n.ts';
import { escapeHiddenText } from '../../../components/text/UntrustedText.tsx';
import type { PickMode } from './photoSelection.ts';
import { CorePicture } from '../../../components/CorePicture.tsx';
import styles from './arrange.module.css';

const dragDataType = 'application/x-companion-photos';

export const startPhotoDrag = (event: React.DragEvent, photoIds: readonly string[]): void => {
  event.dataTransfer.setData(dragDataType, JSON.stringify(photoIds));
  event.dataTransfer.effectAllowed = 'move';
};

const listDraggedPhotoIds = (event: React.DragEvent): string[] => {
  try {
    const given: unknown = JSON.parse(event.dataTransfer.getData(dragDataType));
    return Array.isArray(given) ? given.filter((one) => typeof one === 'string') : [];
  } catch {
    return [];
  }
};

export const createPhotoDropTarget = (onDrop: (photoIds: string[]) => void) => ({
  onDragOver: (event: React.DragEvent): void => {
    if (event.dataTransfer.types.includes(dragDataType)) event.preventDefault();
  },
  onDrop: (event: React.DragEvent): void => {
    const photoIds = listDraggedPhotoIds(event);
    if (photoIds.length === 0) return;
    event.preventDefault();
    event.stopPropagation();
    onDrop(photoIds);
  },
});

type FileDropHandler = (file: File) => void;

/** Accepts photos of the item, and a file from outside the window if `onFile` is given. */
const createTileDropTarget = (onDropped: (photoIds: string[]) => void, onFile: FileDropHandler | undefined) => {
  const target = createPhotoDropTarget(onDropped);
  if (onFile === undefined) return target;
  return {
    onDragOver: (event: React.DragEvent): void => {
      target.onDragOver(event);
      if (event.dataTransfer.types.includes('Files')) event.preventDefault();
    },
    onDrop: (event: React.DragEvent): void => {
      target.onDrop(event);
      const [file] = event.dataTransfer.files;
      if (event.defaultPrevented || file === undefined) return;
      event.preventDefault();
      onFile(file);
    },
  };
};

type Props = {
  photo: PhotoView;
  place: string;
  copyOf: string | null;
  isMain: boolean;
  selected: boolean;
  dragged: readonly string[];
  onPick: (how: PickMode) => void;
  onOpen: () => void;
  onDropped: (photoIds: string[]) => void;
  /** Accepts a file that is dropped on the photo. */
  onFile?: FileDropHandler;
  children?: ReactNode;
};

export const getPickMode = (event: MouseEvent): PickMode => {
  if (event.shiftKey) return 'upTo';
  return event.ctrlKey || event.metaKey ? 'toggle' : 'alone';
};

const describePhotoState = ({ photo, copyOf, isMain }: Pick<Props, 'photo' | 'copyOf' | 'isMain'>): string | null => {
  if (copyOf !== null) return t('photo.copyOf', { name: escapeHiddenText(copyOf) });
  if (photo.state === 'aside')
    return photo.sentence === null ? t('arrange.isAside') : translateMessage(photo.says, photo.sentence);
  return isMain ? t('arrange.main') : null;
};

export const PhotoTile = ({
  photo,
  place,
  copyOf,
  isMain,
  selected,
  dragged,
  onPick,
  onOpen,
  onDropped,
  onFile,
  children,
}: Props) => {
  const stand = describePhotoState({ photo, copyOf, isMain });
  const warned = photo.warnings.map(({ code }) => t(`photo.warnings.${code}`)).join(', ');
  return (
    <li {...createTileDropTarget(onDropped, onFile)} data-takes-files={onFile ? true : undefined}>
      <button
        type="button"
        data-tile={photo.photoId}
        data-aside={photo.state === 'aside' || undefined}
        className={styles.tile}
        aria-pressed={selected}
        aria-label={[place, escapeHiddenText(photo.name), stand, warned].filter(Boolean).join(': ')}
        draggable
        onDragStart={(event) => startPhotoDrag(event, dragged)}
        onClick={(event) => onPick(getPickMode(event))}
        onDoubleClick={onOpen}
      >
        {photo.thumbUrl ? (
          <CorePicture src={photo.thumbUrl} alt="" draggable={false} />
        ) : (
          <span className={styles.noPhoto} />
        )}
      </button>
      {children}
      {stand !== null && <span className={styles.stand}>{stand}</span>}
      {warned !== '' && (
        <span className={styles.warned} title={photo.warnings.map(({ code }) => t(`photo.warned.${code}`)).join(' ')}>
          {warned}
        </span>
      )}
    </li>
  );
};

import type { PhotoView } from '../../../api/call.ts';
import { UntrustedText, escapeHiddenText } from '../../../components/text/UntrustedText.tsx';
import { t, translateMessage } from '../../../i18n.ts';
import styles from './photo.module.css';
import { useState, type KeyboardEvent } from 'react';
import { useArrangeCommands } from '../arrange/ArrangeBar.tsx';
import {
  createPhotoDraft,
  convertDraftToEdits,
  followSavedEdits,
  isPhotoDraftChanged,
  type PhotoDraft,
  rotatePhotoDraft,
} from './photoDraft.ts';
import { Button, Modal } from '@mantine/core';
import { IconArrowLeft, IconArrowRight } from '@tabler/icons-react';
import { isEditingField, useFocusRestore } from '../../../components/Keys.tsx';
import { PhotoStage, type PictureSize } from './PhotoStage.tsx';
import { usePhotoZoom, type PhotoZoom } from './usePhotoZoom.ts';
import { PhotoTools } from './PhotoTools.tsx';

const PhotoWarnings = ({ photo }: { photo: PhotoView }) => (
  <>
    {photo.sentence && (
      <p className={styles.soft}>
        <UntrustedText text={translateMessage(photo.says, photo.sentence)} />
      </p>
    )}
    {photo.warnings.length > 0 && (
      <ul className={styles.warnings}>
        {photo.warnings.map(({ code }) => (
          <li key={code}>
            <strong>{t(`photo.warnings.${code}`)}</strong>
            {t(`photo.warned.${code}`)}
          </li>
        ))}
      </ul>
    )}
  </>
);

const usePhotoDraft = (photo: PhotoView) => {
  const arrange = useArrangeCommands();
  const { photoId, edits } = photo;
  const [state, setState] = useState({ photoId, edits, draft: createPhotoDraft(edits) });
  if (state.photoId !== photoId) setState({ photoId, edits, draft: createPhotoDraft(edits) });
  else if (state.edits !== edits)
    setState({ photoId, edits, draft: followSavedEdits(state.edits, edits, state.draft) });
  const changed = isPhotoDraftChanged(edits, state.draft);
  return {
    draft: state.draft,
    changed,
    change: (draft: PhotoDraft) => setState({ photoId, edits, draft }),
    keep: () => {
      if (changed) arrange.edit(photo, convertDraftToEdits(edits, state.draft));
    },
  };
};

/** How the photo moves among the photos of its item. */
export type PhotoOrder = { move: (photoId: string, by: 1 | -1) => void; makeMain: (photoId: string) => void };

type Props = {
  photos: readonly PhotoView[];
  photo: PhotoView;
  editable: boolean;
  /** Null if the order can no longer be changed. */
  order?: PhotoOrder | null;
  onGo: (photoId: string) => void;
  onClose: () => void;
};

const usePictureSize = (photo: PhotoView) => {
  const of = photo.fullUrl ?? photo.photoId;
  const [state, setState] = useState<{ of: string; size: PictureSize } | null>(null);
  const size = state?.of === of ? state.size : { width: photo.width ?? 4, height: photo.height ?? 3 };
  return { size, setSize: (loaded: PictureSize) => setState({ of, size: loaded }) };
};

const ZoomButtons = ({ zoom }: { zoom: PhotoZoom }) => (
  <div className={styles.row} role="group" aria-label={t('photo.size')}>
    <Button size="compact-md" aria-pressed={zoom.isWhole} onClick={zoom.showWhole}>
      {t('photo.whole')}
    </Button>
    <Button size="compact-md" aria-pressed={zoom.isActualSize} onClick={() => zoom.toggleActualSize()}>
      {t('photo.actual')}
    </Button>
  </div>
);

const OrderButtons = ({ order, photoId }: { order: PhotoOrder; photoId: string }) => (
  <div className={styles.row} role="group" aria-label={t('photo.order')}>
    <Button size="compact-md" onClick={() => order.move(photoId, -1)}>
      {t('arrange.earlier')}
    </Button>
    <Button size="compact-md" onClick={() => order.move(photoId, 1)}>
      {t('arrange.later')}
    </Button>
    <Button size="compact-md" onClick={() => order.makeMain(photoId)}>
      {t('arrange.makeMain')}
    </Button>
  </div>
);

type PhotoNavigation = { before: (() => void) | undefined; next: (() => void) | undefined };

const PhotoDialogFooter = ({
  way,
  changed,
  onDone,
}: {
  way: PhotoNavigation;
  changed: boolean;
  onDone: () => void;
}) => (
  <div className={styles.foot}>
    <Button disabled={!way.before} onClick={way.before} leftSection={<IconArrowLeft size={16} aria-hidden />}>
      {t('photo.before')}
    </Button>
    <Button disabled={!way.next} onClick={way.next} rightSection={<IconArrowRight size={16} aria-hidden />}>
      {t('photo.next')}
    </Button>
    <Button variant="ink" data-autofocus onClick={onDone}>
      {changed ? t('arrange.keep') : t('photo.done')}
    </Button>
  </div>
);

type DialogKeys = Readonly<Record<string, (() => void) | undefined>>;

/** A key that is held down repeats only the navigation between photos and the zoom. */
const repeatable = new Set(['ArrowLeft', 'ArrowRight', '+', '-']);

const createKeyHandler =
  (keys: DialogKeys) =>
  (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || isEditingField() || event.target instanceof HTMLInputElement) return;
    const act = keys[`${event.altKey ? 'alt+' : ''}${event.key}`];
    if (!act) return;
    event.preventDefault();
    if (!event.repeat || repeatable.has(event.key)) act();
  };

export const PhotoDialog = ({ photos, photo, editable, order = null, onGo, onClose }: Props) => {
  const { draft, changed, change, keep } = usePhotoDraft(photo);
  const { size, setSize } = usePictureSize(photo);
  const zoom = usePhotoZoom(draft.turns % 2 === 1 ? size.height : size.width);
  useFocusRestore();
  const at = photos.findIndex(({ photoId }) => photoId === photo.photoId);
  const place = t('parts.photos.place', { at: at + 1, of: photos.length });
  const name = escapeHiddenText(photo.name);
  const canChange = editable && photo.state !== 'waiting' && photo.fullUrl !== null;
  const createSavingHandler = (to: () => void) => (): void => {
    keep();
    to();
  };
  const createPhotoNavigator = (to: PhotoView | undefined) => to && createSavingHandler(() => onGo(to.photoId));
  const way = { before: createPhotoNavigator(photos[at - 1]), next: createPhotoNavigator(photos[at + 1]) };
  const onKeyDown = createKeyHandler({
    ArrowLeft: way.before,
    ArrowRight: way.next,
    ...(canChange && {
      r: () => change(rotatePhotoDraft(draft, 1)),
      R: () => change(rotatePhotoDraft(draft, -1)),
    }),
    ...(order && {
      m: () => order.makeMain(photo.photoId),
      'alt+ArrowLeft': () => order.move(photo.photoId, -1),
      'alt+ArrowRight': () => order.move(photo.photoId, 1),
    }),
    ...{ z: () => zoom.toggleActualSize(), '1': () => zoom.toggleActualSize(), '0': zoom.showWhole },
    ...{ '+': zoom.zoomIn, '=': zoom.zoomIn, '-': zoom.zoomOut },
  });
  return (
    <Modal
      opened
      onClose={createSavingHandler(onClose)}
      title={name === place ? place : t('photo.title', { place, name })}
      fullScreen
      padding="lg"
      classNames={{ content: styles.window, body: styles.body }}
      onKeyDown={onKeyDown}
    >
      <div className={styles.look}>
        <PhotoStage
          key={photo.fullUrl ?? photo.photoId}
          photo={photo}
          alt={`${place}: ${name}`}
          draft={draft}
          zoom={zoom}
          size={size}
          onSize={setSize}
          onPart={canChange ? (part) => change({ ...draft, part }) : null}
        />
        <div className={styles.side}>
          <ZoomButtons zoom={zoom} />
          {order && <OrderButtons order={order} photoId={photo.photoId} />}
          <PhotoWarnings photo={photo} />
          {canChange && <PhotoTools kept={photo.edits} draft={draft} change={change} />}
          {editable && photo.state === 'waiting' && <p role="status">{t('photo.waiting')}</p>}
          <p className={styles.soft}>
            {t(editable ? 'photo.keys' : 'photo.keysLook')} {t('photo.keysZoom')} {order && t('photo.keysOrder')}
          </p>
        </div>
      </div>
      <PhotoDialogFooter way={way} changed={changed} onDone={createSavingHandler(onClose)} />
    </Modal>
  );
};

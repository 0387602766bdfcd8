import type { PhotoView } from '../../../api/call.ts';
import { UntrustedText, escapeHiddenText } from '../../../components/text/UntrustedText.tsx';
import { t, translateMessage } from '../../../i18n.ts';
import styles from './photo.module.css';
import { useState, type KeyboardEvent } from 'react';
import { useArrangeCommands } from '../arrange/ArrangeBar.tsx';
import {
  createPhotoDraft,
  convertDraftToEdits,
  isPhotoDraftChanged,
  type PhotoDraft,
  rotatePhotoDraft,
} from './photoDraft.ts';
import { Button, Modal } from '@mantine/core';
import { IconArrowLeft, IconArrowRight } from '@tabler/icons-react';
import { isEditingField, useFocusRestore } from '../../../components/Keys.tsx';
import { PhotoStage } from './PhotoStage.tsx';
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

/** A changed key starts a new draft. */
const getPictureKey = ({ photoId, fullUrl, edits }: PhotoView): string =>
  `${photoId} ${fullUrl} ${JSON.stringify(edits)}`;

const usePhotoDraft = (photo: PhotoView) => {
  const arrange = useArrangeCommands();
  const key = getPictureKey(photo);
  const [state, setState] = useState({ key, draft: createPhotoDraft(photo.edits) });
  if (state.key !== key) setState({ key, draft: createPhotoDraft(photo.edits) });
  const changed = isPhotoDraftChanged(photo.edits, state.draft);
  return {
    draft: state.draft,
    changed,
    change: (draft: PhotoDraft) => setState({ key, draft }),
    keep: () => {
      if (changed) arrange.edit(photo, convertDraftToEdits(photo.edits, state.draft));
    },
  };
};

type Props = {
  photos: readonly PhotoView[];
  photo: PhotoView;
  editable: boolean;
  onGo: (photoId: string) => void;
  onClose: () => void;
};

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

export const PhotoDialog = ({ photos, photo, editable, onGo, onClose }: Props) => {
  const { draft, changed, change, keep } = usePhotoDraft(photo);
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
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || isEditingField() || event.target instanceof HTMLInputElement)
      return;
    const turn = canChange ? () => change(rotatePhotoDraft(draft, event.shiftKey ? -1 : 1)) : undefined;
    const act = { ArrowLeft: way.before, ArrowRight: way.next, r: turn, R: turn }[event.key];
    if (!act) return;
    event.preventDefault();
    // A key that is held down repeats the navigation between photos, but not the rotation.
    if (!event.repeat || act !== turn) act();
  };
  return (
    <Modal
      opened
      onClose={createSavingHandler(onClose)}
      title={name === place ? place : t('photo.title', { place, name })}
      size={1120}
      padding="lg"
      centered
      onKeyDown={onKeyDown}
    >
      <div className={styles.look}>
        <PhotoStage
          key={photo.fullUrl ?? photo.photoId}
          photo={photo}
          alt={`${place}: ${name}`}
          draft={draft}
          onPart={canChange ? (part) => change({ ...draft, part }) : null}
        />
        <div className={styles.side}>
          <PhotoWarnings photo={photo} />
          {canChange && <PhotoTools kept={photo.edits} draft={draft} change={change} />}
          {editable && photo.state === 'waiting' && <p role="status">{t('photo.waiting')}</p>}
          <p className={styles.soft}>{t(editable ? 'photo.keys' : 'photo.keysLook')}</p>
        </div>
      </div>
      <PhotoDialogFooter way={way} changed={changed} onDone={createSavingHandler(onClose)} />
    </Modal>
  );
};

import { Button, Modal } from '@mantine/core';
import { useId, useState, type CSSProperties } from 'react';
import type { PhotoView } from '../../../api/types.ts';
import { t } from '../../../i18n/t.ts';
import { cropOf, sidesOf, type Sides } from './cropSides.ts';
import type { Arrange } from './useArrange.ts';
import styles from './arrange.module.css';

type Edits = PhotoView['edits'];
type Draft = Sides & Pick<Edits, 'straightenDeg' | 'brighten'>;
type Field = { name: keyof Draft; label: string; min: number; max: number };

const fields = (): Field[] => [
  { name: 'left', label: t('arrange.cropLeft'), min: 0, max: 45 },
  { name: 'right', label: t('arrange.cropRight'), min: 0, max: 45 },
  { name: 'top', label: t('arrange.cropTop'), min: 0, max: 45 },
  { name: 'bottom', label: t('arrange.cropBottom'), min: 0, max: 45 },
  { name: 'straightenDeg', label: t('arrange.straighten'), min: -15, max: 15 },
  { name: 'brighten', label: t('arrange.brighten'), min: -100, max: 100 },
];

const none: Draft = { left: 0, right: 0, top: 0, bottom: 0, straightenDeg: 0, brighten: 0 };

/** What is cut off, drawn over the picture as it is. */
const cutStyle = ({ left, right, top, bottom }: Draft): CSSProperties => ({
  inset: `${top}% ${right}% ${bottom}% ${left}%`,
});

const Slide = ({ field, value, onChange }: { field: Field; value: number; onChange: (value: number) => void }) => {
  const id = useId();
  return (
    <div className={styles.slide}>
      <label htmlFor={id}>{field.label}</label>
      <input
        id={id}
        type="range"
        min={field.min}
        max={field.max}
        value={value}
        onChange={(event) => onChange(Number(event.currentTarget.value))}
      />
      <output htmlFor={id}>{value}</output>
    </div>
  );
};

/** Crops, straightens and brightens one photo; the original file stays as it is. */
export const EditPhoto = ({ photo, arrange, onClose }: { photo: PhotoView; arrange: Arrange; onClose: () => void }) => {
  const { edits } = photo;
  const [draft, setDraft] = useState<Draft>({
    ...sidesOf(edits.crop),
    straightenDeg: edits.straightenDeg,
    brighten: edits.brighten,
  });
  const keep = (): void => {
    arrange.edit(photo, { crop: cropOf(draft), straightenDeg: draft.straightenDeg, brighten: draft.brighten });
    onClose();
  };
  return (
    <Modal opened onClose={onClose} title={t('arrange.cropTitle')} size={640} padding="lg">
      <div className={styles.edit}>
        <div className={styles.editPhoto}>
          {photo.thumbUrl && <img src={photo.fullUrl ?? photo.thumbUrl} alt="" />}
          <span className={styles.cut} style={cutStyle(draft)} aria-hidden />
        </div>
        <div className={styles.slides}>
          {fields().map((field) => (
            <Slide
              key={field.name}
              field={field}
              value={draft[field.name]}
              onChange={(value) => setDraft({ ...draft, [field.name]: value })}
            />
          ))}
        </div>
      </div>
      <div className={styles.acts}>
        <Button variant="ink" onClick={keep}>
          {t('arrange.keep')}
        </Button>
        <Button onClick={() => setDraft(none)}>{t('arrange.asItWas')}</Button>
        <Button variant="quiet" onClick={onClose}>
          {t('arrange.cancel')}
        </Button>
      </div>
    </Modal>
  );
};

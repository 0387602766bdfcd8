import { useId } from 'react';
import styles from './photo.module.css';
import { Button, TextInput } from '@mantine/core';
import { IconRotate, IconRotateClockwise } from '@tabler/icons-react';
import { t } from '../../../i18n.ts';
import {
  createOriginalDraft,
  createPhotoDraft,
  isPhotoDraftChanged,
  rotatePhotoDraft,
  type PhotoEdits,
  type PhotoDraft,
  getCropAmount,
  cropRectSide,
  type Side,
} from './photoDraft.ts';

type RangeSliderProps = { label: string; value: number; most: number; step: number; onChange: (value: number) => void };

const RangeSlider = ({ label, value, most, step, onChange }: RangeSliderProps) => {
  const id = useId();
  return (
    <div className={styles.slide}>
      <label htmlFor={id}>{label}</label>
      <output htmlFor={id}>{value}</output>
      <input
        id={id}
        type="range"
        min={-most}
        max={most}
        step={step}
        value={value}
        onChange={(event) => onChange(Number(event.currentTarget.value))}
      />
    </div>
  );
};

const cropLabelKeys = {
  left: 'arrange.cropLeft',
  right: 'arrange.cropRight',
  top: 'arrange.cropTop',
  bottom: 'arrange.cropBottom',
} as const satisfies Record<Side, string>;
const sideNames: readonly Side[] = ['left', 'right', 'top', 'bottom'];

type PhotoToolsProps = { kept: PhotoEdits; draft: PhotoDraft; change: (draft: PhotoDraft) => void };

const CropFields = ({ draft, change }: Omit<PhotoToolsProps, 'kept'>) => (
  <fieldset className={styles.cuts}>
    <legend>{t('photo.cutOff')}</legend>
    {sideNames.map((side) => (
      <TextInput
        key={side}
        size="xs"
        type="number"
        min={0}
        max={95}
        label={t(cropLabelKeys[side])}
        value={Math.round(getCropAmount(draft.part, side) * 100)}
        onChange={(event) =>
          change({ ...draft, part: cropRectSide(draft.part, side, Number(event.currentTarget.value) / 100) })
        }
      />
    ))}
  </fieldset>
);

export const PhotoTools = ({ kept, draft, change }: PhotoToolsProps) => (
  <div className={styles.tools} role="group" aria-label={t('photo.tools')}>
    <div className={styles.row}>
      <Button
        size="compact-md"
        leftSection={<IconRotate size={16} aria-hidden />}
        onClick={() => change(rotatePhotoDraft(draft, -1))}
      >
        {t('arrange.turnLeft')}
      </Button>
      <Button
        size="compact-md"
        leftSection={<IconRotateClockwise size={16} aria-hidden />}
        onClick={() => change(rotatePhotoDraft(draft, 1))}
      >
        {t('arrange.turnRight')}
      </Button>
    </div>
    <RangeSlider
      label={t('arrange.straighten')}
      most={15}
      step={0.5}
      value={draft.straightenDeg}
      onChange={(straightenDeg) => change({ ...draft, straightenDeg })}
    />
    <RangeSlider
      label={t('arrange.brighten')}
      most={100}
      step={5}
      value={draft.brighten}
      onChange={(brighten) => change({ ...draft, brighten })}
    />
    <CropFields draft={draft} change={change} />
    <div className={styles.row}>
      <Button
        size="compact-sm"
        disabled={!isPhotoDraftChanged(kept, draft)}
        onClick={() => change(createPhotoDraft(kept))}
      >
        {t('arrange.asItWas')}
      </Button>
      <Button size="compact-sm" variant="quiet" onClick={() => change(createOriginalDraft(kept))}>
        {t('photo.asTaken')}
      </Button>
    </div>
    {draft.uncut && kept.crop && <p className={styles.soft}>{t('photo.uncut')}</p>}
  </div>
);

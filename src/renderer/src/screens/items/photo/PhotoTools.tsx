import { Button, TextInput } from '@mantine/core';
import { IconRotate, IconRotateClockwise } from '@tabler/icons-react';
import { t } from '../../../i18n/t.ts';
import { asTaken, draftOf, isChanged, turned, type Edits, type PhotoDraft } from './photoDraft.ts';
import { cutAt, withCut, type Side } from './rect.ts';
import { Slide } from './Slide.tsx';
import styles from './photo.module.css';

const sides = {
  left: 'arrange.cropLeft',
  right: 'arrange.cropRight',
  top: 'arrange.cropTop',
  bottom: 'arrange.cropBottom',
} as const satisfies Record<Side, string>;
const sideNames: readonly Side[] = ['left', 'right', 'top', 'bottom'];

type Props = { kept: Edits; draft: PhotoDraft; change: (draft: PhotoDraft) => void };

const CutFields = ({ draft, change }: Omit<Props, 'kept'>) => (
  <fieldset className={styles.cuts}>
    <legend>{t('photo.cutOff')}</legend>
    {sideNames.map((side) => (
      <TextInput
        key={side}
        size="xs"
        type="number"
        min={0}
        max={95}
        label={t(sides[side])}
        value={Math.round(cutAt(draft.part, side) * 100)}
        onChange={(event) =>
          change({ ...draft, part: withCut(draft.part, side, Number(event.currentTarget.value) / 100) })
        }
      />
    ))}
  </fieldset>
);

/** Turns, straightens, brightens and crops, each by mouse and by keys. */
export const PhotoTools = ({ kept, draft, change }: Props) => (
  <div className={styles.tools} role="group" aria-label={t('photo.tools')}>
    <div className={styles.row}>
      <Button
        size="compact-md"
        leftSection={<IconRotate size={16} aria-hidden />}
        onClick={() => change(turned(draft, -1))}
      >
        {t('arrange.turnLeft')}
      </Button>
      <Button
        size="compact-md"
        leftSection={<IconRotateClockwise size={16} aria-hidden />}
        onClick={() => change(turned(draft, 1))}
      >
        {t('arrange.turnRight')}
      </Button>
    </div>
    <Slide
      label={t('arrange.straighten')}
      most={15}
      step={0.5}
      value={draft.straightenDeg}
      onChange={(straightenDeg) => change({ ...draft, straightenDeg })}
    />
    <Slide
      label={t('arrange.brighten')}
      most={100}
      step={5}
      value={draft.brighten}
      onChange={(brighten) => change({ ...draft, brighten })}
    />
    <CutFields draft={draft} change={change} />
    <div className={styles.row}>
      <Button size="compact-sm" disabled={!isChanged(kept, draft)} onClick={() => change(draftOf(kept))}>
        {t('arrange.asItWas')}
      </Button>
      <Button size="compact-sm" variant="quiet" onClick={() => change(asTaken(kept))}>
        {t('photo.asTaken')}
      </Button>
    </div>
    {draft.uncut && kept.crop && <p className={styles.soft}>{t('photo.uncut')}</p>}
  </div>
);

import { ActionIcon, Button, NativeSelect, Tooltip } from '@mantine/core';
import { IconRotate, IconRotateClockwise } from '@tabler/icons-react';
import { useState } from 'react';
import type { ItemView, PhotoView } from '../../../api/types.ts';
import { t } from '../../../i18n/t.ts';
import { plainly } from '../../../parts/said.ts';
import { EditPhoto } from './EditPhoto.tsx';
import type { Arrange } from './useArrange.ts';
import styles from './arrange.module.css';

type Props = { item: ItemView; selected: readonly PhotoView[]; others: readonly ItemView[]; arrange: Arrange };

/** A list whose choice is done at once. */
const Choose = ({
  label,
  words,
  others,
  onChoose,
}: {
  label: string;
  words: string;
  others: readonly ItemView[];
  onChoose: (itemId: string) => void;
}) => (
  <NativeSelect
    aria-label={label}
    value=""
    onChange={(event) => onChoose(event.currentTarget.value)}
    data={[
      { value: '', label: words },
      ...others.map(({ itemId, name, title }) => ({ value: itemId, label: plainly(title ?? name) })),
    ]}
  />
);

const Turns = ({ selected, arrange }: Pick<Props, 'selected' | 'arrange'>) =>
  (['turnLeft', 'turnRight'] as const).map((name) => (
    <Tooltip key={name} label={t(`arrange.${name}`)}>
      <ActionIcon
        aria-label={t(`arrange.${name}`)}
        onClick={() => selected.forEach((photo) => arrange.turn(photo, name === 'turnLeft' ? -1 : 1))}
      >
        {name === 'turnLeft' ? <IconRotate size={18} aria-hidden /> : <IconRotateClockwise size={18} aria-hidden />}
      </ActionIcon>
    </Tooltip>
  ));

/** What can be done with the photos that are selected. */
const OfSelected = ({ item, selected, others, arrange }: Props) => {
  const [editing, setEditing] = useState(false);
  const ids = selected.map(({ photoId }) => photoId);
  const asides = selected.every(({ state }) => state === 'aside');
  const [only] = selected;
  return (
    <div className={styles.acts}>
      <span aria-live="polite">{t('arrange.selected', { count: ids.length })}</span>
      {ids.length === 1 && <Button onClick={() => arrange.first(item.itemId, ids)}>{t('arrange.makeMain')}</Button>}
      <Turns selected={selected} arrange={arrange} />
      {ids.length === 1 && <Button onClick={() => setEditing(true)}>{t('arrange.crop')}</Button>}
      {ids.length < item.photos.length && <Button onClick={() => arrange.split(ids)}>{t('arrange.split')}</Button>}
      {others.length > 0 && (
        <Choose
          label={t('arrange.moveHere')}
          words={t('arrange.moveTo')}
          others={others}
          onChoose={(itemId) => itemId !== '' && arrange.move(itemId, ids)}
        />
      )}
      <Button onClick={() => arrange.aside(ids, !asides)}>{asides ? t('arrange.use') : t('arrange.aside')}</Button>
      <Button variant="quiet" onClick={() => arrange.remove(ids)}>
        {t('arrange.takeOut')}
      </Button>
      {editing && only && <EditPhoto photo={only} arrange={arrange} onClose={() => setEditing(false)} />}
    </div>
  );
};

/** What can be done with the selected photos, or with the item as a whole. */
export const ArrangeActs = (props: Props) => {
  const { item, selected, others, arrange } = props;
  if (selected.length > 0) return <OfSelected {...props} />;
  return (
    <div className={styles.acts}>
      {item.guessed && (
        <Button variant="ink" disabled={arrange.busy} onClick={() => arrange.begin([item.itemId])}>
          {t('arrange.begin')}
        </Button>
      )}
      {others.length > 0 && (
        <Choose
          label={t('arrange.joinOther')}
          words={t('arrange.joinWith')}
          others={others}
          onChoose={(itemId) => itemId !== '' && arrange.merge([item.itemId, itemId])}
        />
      )}
    </div>
  );
};

import { ActionIcon, Button, Tooltip } from '@mantine/core';
import {
  IconArrowNarrowLeft,
  IconArrowNarrowRight,
  IconRotate,
  IconRotateClockwise,
  type Icon,
} from '@tabler/icons-react';
import { useState } from 'react';
import type { ItemView } from '../../../api/types.ts';
import { t } from '../../../i18n/t.ts';
import { ChooseItem } from './ChooseItem.tsx';
import { shift } from './photoKeys.ts';
import { UndoButton } from './UndoButton.tsx';
import type { Arrange } from './useArrange.ts';
import type { Picking } from './usePicking.ts';
import styles from './arrange.module.css';

type Props = {
  item: ItemView;
  picking: Picking;
  /** How many other items photos can be moved to. */
  others: number;
  arrange: Arrange;
  onOpen: (photoId: string) => void;
};

const Sign = ({ label, sign: Drawn, onClick }: { label: string; sign: Icon; onClick: () => void }) => (
  <Tooltip label={label}>
    <ActionIcon aria-label={label} onClick={onClick}>
      <Drawn size={18} aria-hidden />
    </ActionIcon>
  </Tooltip>
);

const Signs = ({ item, picking, arrange }: Pick<Props, 'item' | 'picking' | 'arrange'>) => {
  const ids = picking.selected.map(({ photoId }) => photoId);
  const turn = (by: 1 | -1): void => picking.selected.forEach((photo) => arrange.turn(photo, by));
  const move = (by: 1 | -1): void => shift({ item, picking, arrange }, ids, by);
  return (
    <>
      <Sign label={t('arrange.turnLeft')} sign={IconRotate} onClick={() => turn(-1)} />
      <Sign label={t('arrange.turnRight')} sign={IconRotateClockwise} onClick={() => turn(1)} />
      <Sign label={t('arrange.earlier')} sign={IconArrowNarrowLeft} onClick={() => move(-1)} />
      <Sign label={t('arrange.later')} sign={IconArrowNarrowRight} onClick={() => move(1)} />
    </>
  );
};

/** What can be done with the photos that are picked. */
const OfPicked = ({ item, picking, others, arrange, onOpen }: Props) => {
  const [choosing, setChoosing] = useState(false);
  const ids = picking.selected.map(({ photoId }) => photoId);
  const asides = picking.selected.every(({ state }) => state === 'aside');
  const [only] = ids.length === 1 ? ids : [];
  return (
    <div className={styles.acts} data-stays role="toolbar" aria-label={t('arrange.withPicked')}>
      <span aria-live="polite">{t('arrange.selected', { count: ids.length })}</span>
      <Signs item={item} picking={picking} arrange={arrange} />
      {only && (
        <Button size="compact-md" onClick={() => onOpen(only)}>
          {t('photo.look')}
        </Button>
      )}
      {only && (
        <Button size="compact-md" onClick={() => arrange.first(item.itemId, ids)}>
          {t('arrange.makeMain')}
        </Button>
      )}
      {ids.length < item.photos.length && (
        <Button size="compact-md" onClick={() => arrange.split(ids)}>
          {t('arrange.split')}
        </Button>
      )}
      {others > 0 && (
        <Button size="compact-md" onClick={() => setChoosing(true)}>
          {t('arrange.moveTo')}
        </Button>
      )}
      <Button size="compact-md" onClick={() => arrange.aside(ids, !asides)}>
        {asides ? t('arrange.use') : t('arrange.aside')}
      </Button>
      <Button size="compact-md" variant="quiet" onClick={() => arrange.remove(ids)}>
        {t('arrange.takeOut')}
      </Button>
      <UndoButton className={styles.narrowOnly} />
      {choosing && (
        <ChooseItem
          title={t('arrange.moveHere')}
          except={item.itemId}
          of={others}
          onChoose={(itemId) => arrange.move(itemId, ids)}
          onClose={() => setChoosing(false)}
        />
      )}
    </div>
  );
};

/** What can be done with the picked photos, or with the item as a whole. */
export const ArrangeActs = (props: Props) => {
  const { item, picking, others, arrange } = props;
  const [choosing, setChoosing] = useState(false);
  if (picking.selected.length > 0) return <OfPicked {...props} />;
  return (
    <div className={styles.acts}>
      {others > 0 && (
        <Button size="compact-md" onClick={() => setChoosing(true)}>
          {t('arrange.joinWith')}
        </Button>
      )}
      <UndoButton className={styles.narrowOnly} />
      {choosing && (
        <ChooseItem
          title={t('arrange.joinOther')}
          except={item.itemId}
          of={others}
          onChoose={(itemId) => arrange.merge([item.itemId, itemId])}
          onClose={() => setChoosing(false)}
        />
      )}
    </div>
  );
};

import { Modal, TextInput, ActionIcon, Button, Tooltip } from '@mantine/core';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { arrangeableQuery } from '../../../api/itemQueries.ts';
import type { ItemSummary, ItemView } from '../../../api/call.ts';
import { t } from '../../../i18n.ts';
import { escapedText } from '../../../components/text/UntrustedText.tsx';
import { Picture } from '../../../components/Picture.tsx';
import styles from './arrange.module.css';
import {
  IconArrowNarrowLeft,
  IconArrowNarrowRight,
  IconRotate,
  IconRotateClockwise,
  type Icon,
} from '@tabler/icons-react';
import { movePicked, type PhotoSelection } from './photoSelection.ts';
import { UndoButton, type Arrange } from './ArrangeBar.tsx';

/** How many items the dialog lists; the search finds the others. */
export const shownAtOnce = 60;
const findFrom = 8;

type ChooseItemProps = {
  title: string;
  except: string;
  /** The number of other items. */
  of: number;
  onChoose: (itemId: string) => void;
  onClose: () => void;
};

/** Chooses another item by photo and name. Enter in the search field chooses the first match. */
const ChooseItem = ({ title, except, of, onChoose, onClose }: ChooseItemProps) => {
  const client = useQueryClient();
  const [find, setFind] = useState('');
  const query = arrangeableQuery(find, shownAtOnce);
  const rows = useQuery({ ...query, placeholderData: keepPreviousData }).data?.rows ?? [];
  const others = (all: readonly ItemSummary[]) => all.filter(({ itemId }) => itemId !== except);
  const choose = (itemId: string): void => {
    onClose();
    onChoose(itemId);
  };
  const chooseFirst = async (): Promise<void> => {
    const [first] = others((await client.fetchQuery(query)).rows);
    if (first) choose(first.itemId);
  };
  return (
    <Modal opened onClose={onClose} title={title} size={420} padding="lg">
      {of >= findFrom && (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            chooseFirst().catch(() => undefined);
          }}
        >
          <TextInput
            data-autofocus
            aria-label={t('items.find')}
            placeholder={t('items.findShort')}
            value={find}
            onChange={(event) => setFind(event.currentTarget.value)}
          />
        </form>
      )}
      <ul className={styles.choices}>
        {others(rows).map((item) => (
          <li key={item.itemId}>
            <button type="button" onClick={() => choose(item.itemId)}>
              {item.thumbUrl ? (
                <Picture src={item.thumbUrl} alt="" width={40} height={40} />
              ) : (
                <span className={styles.noPhoto} />
              )}
              <span>{escapedText(item.title ?? item.name)}</span>
            </button>
          </li>
        ))}
      </ul>
    </Modal>
  );
};

type ArrangeActsProps = {
  item: ItemView;
  picking: PhotoSelection;
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

const Signs = ({ item, picking, arrange }: Pick<ArrangeActsProps, 'item' | 'picking' | 'arrange'>) => {
  const ids = picking.selected.map(({ photoId }) => photoId);
  const turn = (by: 1 | -1): void => picking.selected.forEach((photo) => arrange.turn(photo, by));
  const move = (by: 1 | -1): void => movePicked({ item, picking, arrange }, ids, by);
  return (
    <>
      <Sign label={t('arrange.turnLeft')} sign={IconRotate} onClick={() => turn(-1)} />
      <Sign label={t('arrange.turnRight')} sign={IconRotateClockwise} onClick={() => turn(1)} />
      <Sign label={t('arrange.earlier')} sign={IconArrowNarrowLeft} onClick={() => move(-1)} />
      <Sign label={t('arrange.later')} sign={IconArrowNarrowRight} onClick={() => move(1)} />
    </>
  );
};

const OfPicked = ({ item, picking, others, arrange, onOpen }: ArrangeActsProps) => {
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

/** Actions for the selected photos, or for the whole item if no photo is selected. */
export const ArrangeActs = (props: ArrangeActsProps) => {
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

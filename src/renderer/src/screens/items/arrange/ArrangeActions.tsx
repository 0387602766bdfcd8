import { Modal, TextInput, ActionIcon, Button, Tooltip } from '@mantine/core';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { createArrangeableItemsQuery } from '../../../api/itemQueries.ts';
import type { ItemSummary, ItemView } from '../../../api/call.ts';
import { t } from '../../../i18n.ts';
import { escapeHiddenText } from '../../../components/text/UntrustedText.tsx';
import { CorePicture } from '../../../components/CorePicture.tsx';
import styles from './arrange.module.css';
import {
  IconArrowNarrowLeft,
  IconArrowNarrowRight,
  IconRotate,
  IconRotateClockwise,
  type Icon,
} from '@tabler/icons-react';
import { movePickedPhotos, type PhotoSelection } from './photoSelection.ts';
import { UndoArrangeButton, type ArrangeCommands } from './ArrangeBar.tsx';

/** The maximum number of items in the dialog. The search finds the other items. */
export const maxListedItems = 60;
const minItemsForFilter = 8;

type ItemChooserDialogProps = {
  title: string;
  except: string;
  of: number;
  onChoose: (itemId: string) => void;
  onClose: () => void;
};

const ItemChooserDialog = ({ title, except, of, onChoose, onClose }: ItemChooserDialogProps) => {
  const client = useQueryClient();
  const [find, setFind] = useState('');
  const query = createArrangeableItemsQuery(find, maxListedItems);
  const rows = useQuery({ ...query, placeholderData: keepPreviousData }).data?.rows ?? [];
  const excludeOwnItem = (all: readonly ItemSummary[]) => all.filter(({ itemId }) => itemId !== except);
  const chooseItem = (itemId: string): void => {
    onClose();
    onChoose(itemId);
  };
  const chooseFirstItem = async (): Promise<void> => {
    const [first] = excludeOwnItem((await client.fetchQuery(query)).rows);
    if (first) chooseItem(first.itemId);
  };
  return (
    <Modal opened onClose={onClose} title={title} size={420} padding="lg">
      {of >= minItemsForFilter && (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            chooseFirstItem().catch(() => undefined);
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
        {excludeOwnItem(rows).map((item) => (
          <li key={item.itemId}>
            <button type="button" onClick={() => chooseItem(item.itemId)}>
              {item.thumbUrl ? (
                <CorePicture src={item.thumbUrl} alt="" width={40} height={40} />
              ) : (
                <span className={styles.noPhoto} />
              )}
              <span>{escapeHiddenText(item.title ?? item.name)}</span>
            </button>
          </li>
        ))}
      </ul>
    </Modal>
  );
};

type ArrangeActionsProps = {
  item: ItemView;
  picking: PhotoSelection;
  others: number;
  arrange: ArrangeCommands;
  onOpen: (photoId: string) => void;
};

const IconActionButton = ({ label, sign: Drawn, onClick }: { label: string; sign: Icon; onClick: () => void }) => (
  <Tooltip label={label}>
    <ActionIcon aria-label={label} onClick={onClick}>
      <Drawn size={18} aria-hidden />
    </ActionIcon>
  </Tooltip>
);

const PhotoIconButtons = ({ item, picking, arrange }: Pick<ArrangeActionsProps, 'item' | 'picking' | 'arrange'>) => {
  const ids = picking.selected.map(({ photoId }) => photoId);
  const turnSelectedPhotos = (by: 1 | -1): void => arrange.turn(ids, by);
  const moveSelectedPhotos = (by: 1 | -1): void => movePickedPhotos({ item, picking, arrange }, ids, by);
  return (
    <>
      <IconActionButton label={t('arrange.turnLeft')} sign={IconRotate} onClick={() => turnSelectedPhotos(-1)} />
      <IconActionButton
        label={t('arrange.turnRight')}
        sign={IconRotateClockwise}
        onClick={() => turnSelectedPhotos(1)}
      />
      <IconActionButton
        label={t('arrange.earlier')}
        sign={IconArrowNarrowLeft}
        onClick={() => moveSelectedPhotos(-1)}
      />
      <IconActionButton label={t('arrange.later')} sign={IconArrowNarrowRight} onClick={() => moveSelectedPhotos(1)} />
    </>
  );
};

const SelectedPhotoActions = ({ item, picking, others, arrange, onOpen }: ArrangeActionsProps) => {
  const [choosing, setChoosing] = useState(false);
  const ids = picking.selected.map(({ photoId }) => photoId);
  const areAllAside = picking.selected.every(({ state }) => state === 'aside');
  const [only] = ids.length === 1 ? ids : [];
  return (
    <div className={styles.acts} data-stays role="toolbar" aria-label={t('arrange.withPicked')}>
      <span aria-live="polite">{t('arrange.selected', { count: ids.length })}</span>
      <PhotoIconButtons item={item} picking={picking} arrange={arrange} />
      {only && (
        <Button size="compact-md" onClick={() => onOpen(only)}>
          {t('photo.look')}
        </Button>
      )}
      {only && (
        <Button size="compact-md" onClick={() => arrange.setOrder(item.itemId, ids)}>
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
      <Button size="compact-md" onClick={() => arrange.setAside(ids, !areAllAside)}>
        {areAllAside ? t('arrange.use') : t('arrange.aside')}
      </Button>
      <Button size="compact-md" variant="quiet" onClick={() => arrange.remove(ids)}>
        {t('arrange.takeOut')}
      </Button>
      <UndoArrangeButton className={styles.narrowOnly} />
      {choosing && (
        <ItemChooserDialog
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

/** The actions apply to the selected photos, or to the whole item if no photo is selected. */
export const ArrangeActions = (props: ArrangeActionsProps) => {
  const { item, picking, others, arrange } = props;
  const [choosing, setChoosing] = useState(false);
  if (picking.selected.length > 0) return <SelectedPhotoActions {...props} />;
  return (
    <div className={styles.acts}>
      {others > 0 && (
        <Button size="compact-md" onClick={() => setChoosing(true)}>
          {t('arrange.joinWith')}
        </Button>
      )}
      <UndoArrangeButton className={styles.narrowOnly} />
      {choosing && (
        <ItemChooserDialog
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

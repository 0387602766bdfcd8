import { useCoreQuery, useItemMutation } from '../../../api/useCall.ts';
import { deselectItems } from '../../../api/itemSelection.ts';
import { callCore, type ItemView, type PhotoView } from '../../../api/call.ts';
import type { PhotoEdits } from '../photo/photoDraft.ts';
import { Button } from '@mantine/core';
import { t, translateMessage } from '../../../i18n.ts';
import styles from './arrange.module.css';
import { useScreenKeys } from '../../../components/Keys.tsx';
import { openLabelsDialog } from '../../../api/labelTargets.ts';
import { SelectionRow } from '../../../components/lists/SelectionBar.tsx';
import { createLazyComponent } from '../../../components/createLazyComponent.tsx';
import { useMemo, useState } from 'react';
import { Link } from 'wouter';
import type { ItemCounts } from '../../../../../core/storage/tables/itemRecord.ts';
import type { ItemSelection } from '../../../api/itemSelection.ts';

type EditablePhoto = Pick<PhotoView, 'photoId' | 'edits'>;

export type ArrangeCommands = {
  busy: boolean;
  begin: (itemIds?: string[]) => void;
  merge: (itemIds: string[]) => void;
  split: (photoIds: string[]) => void;
  /** Moves photos to an item, either before the photo `before` or to the end. */
  move: (itemId: string, photoIds: string[], before?: string | null) => void;
  setOrder: (itemId: string, photoIds: string[]) => void;
  setAside: (photoIds: string[], aside: boolean) => void;
  remove: (photoIds: string[]) => void;
  restore: (photoIds: string[]) => void;
  edit: (photo: EditablePhoto, more: Partial<PhotoEdits>) => void;
  /** 1 rotates to the right, -1 to the left. */
  turn: (photoIds: string[], by: 1 | -1) => void;
  undo: () => void;
};

type ChangeItems = (act: () => Promise<unknown>) => void;

const createArrangeCommands = (runChange: ChangeItems): Omit<ArrangeCommands, 'busy'> => {
  const editPhoto = ({ photoId, edits }: EditablePhoto, more: Partial<PhotoEdits>): void =>
    runChange(() => callCore('photos.edit', { photoId, edits: { ...edits, ...more } }));
  return {
    begin: (itemIds?: string[]) => runChange(() => callCore('items.begin', itemIds ? { itemIds } : {})),
    merge: (itemIds: string[]) => runChange(() => callCore('items.merge', { itemIds })),
    split: (photoIds: string[]) => runChange(() => callCore('items.split', { photoIds })),
    move: (itemId: string, photoIds: string[], before: string | null = null) =>
      runChange(() => callCore('items.movePhotos', { itemId, photoIds, before })),
    setOrder: (itemId: string, photoIds: string[]) => runChange(() => callCore('items.order', { itemId, photoIds })),
    setAside: (photoIds: string[], aside: boolean) => runChange(() => callCore('photos.aside', { photoIds, aside })),
    remove: (photoIds: string[]) => runChange(() => callCore('photos.remove', { photoIds })),
    restore: (photoIds: string[]) => runChange(() => callCore('photos.restore', { photoIds })),
    edit: editPhoto,
    turn: (photoIds: string[], by: 1 | -1) => runChange(() => callCore('photos.turn', { photoIds, by })),
    undo: () => runChange(() => callCore('items.undo', {})),
  };
};

/** All except `busy` stay the same, so that rows can get them. A mutation of each row would take a tenth of its work. */
export const useArrangeCommands = (): ArrangeCommands => {
  const { mutate, isPending } = useItemMutation((act: () => Promise<unknown>) => act());
  const commands = useMemo(() => createArrangeCommands((act) => mutate(act)), [mutate]);
  return { ...commands, busy: isPending };
};

const useLastArrangeChange = () => useCoreQuery(['items', 'lastChange'], 'items.lastChange', {}).data ?? null;

export const UndoArrangeButton = ({ className }: { className?: string | undefined }) => {
  const arrange = useArrangeCommands();
  const last = useLastArrangeChange();
  if (last === null) return null;
  return (
    <Button className={className} size="compact-md" variant="quiet" disabled={arrange.busy} onClick={arrange.undo}>
      {t('arrange.undo', { what: translateMessage(last.says, last.label) })}
    </Button>
  );
};

/** Loaded separately, because few items look like a live listing. */
export const LiveDuplicateDialog = createLazyComponent(
  async () => (await import('../review/LiveDuplicate.tsx')).LiveDuplicateDialog,
);

const CompareButton = ({ itemId }: { itemId: string }) => {
  const [isComparing, setComparing] = useState(false);
  return (
    <>
      <Button variant="ink" aria-haspopup="dialog" onClick={() => setComparing(true)}>
        {t('arrange.compare')}
      </Button>
      {isComparing && <LiveDuplicateDialog target={{ itemId }} close={() => setComparing(false)} />}
    </>
  );
};

export const DeferredItemNotice = ({ item: { itemId, reviewReason } }: { item: ItemView }) => {
  const arrange = useArrangeCommands();
  const isLiveAlready = reviewReason === 'liveDuplicate';
  if (reviewReason === null || reviewReason === 'replacingPhotos') return null;
  return (
    <div className={styles.acts}>
      <p className={styles.why}>
        {t(`arrange.reviewReason.${reviewReason === 'arranged' ? 'grouped' : reviewReason}`)}
      </p>
      {isLiveAlready && <CompareButton itemId={itemId} />}
      <Button
        variant={isLiveAlready ? 'default' : 'ink'}
        disabled={arrange.busy}
        onClick={() => arrange.begin([itemId])}
      >
        {t('arrange.begin')}
      </Button>
    </div>
  );
};

const ShelfActs = createLazyComponent(async () => (await import('../../listings/bulk/ShelfActs.tsx')).ShelfActs);
const TemplateMenu = createLazyComponent(async () => (await import('./TemplateMenu.tsx')).TemplateMenu);

export const SelectedItemActions = ({ selection, onShow }: { selection: ItemSelection; onShow: () => void }) => {
  const arrange = useArrangeCommands();
  const { groups } = selection;
  const shown = groups.filter(({ hidden }) => !hidden);
  const ids = shown.map(({ itemId }) => itemId);
  const startable = shown.filter((item) => item.startable).map(({ itemId }) => itemId);
  const runAndDeselect = (act: (itemIds: string[]) => void, itemIds: string[]) => (): void => {
    act(itemIds);
    deselectItems(itemIds);
  };
  return (
    <SelectionRow
      summary={t('items.selected', { count: groups.length })}
      hidden={{ count: groups.length - shown.length, show: onShow }}
      clear={{ label: t('items.clear'), run: selection.clear }}
    >
      {ids.length > 1 && (
        <Button size="compact-sm" disabled={arrange.busy} onClick={runAndDeselect(arrange.merge, ids)}>
          {t('arrange.merge', { count: ids.length })}
        </Button>
      )}
      {startable.length > 0 && (
        <Button size="compact-sm" disabled={arrange.busy} onClick={runAndDeselect(arrange.begin, startable)}>
          {t('arrange.beginPicked', { count: startable.length })}
        </Button>
      )}
      {ids.length > 0 && <TemplateMenu itemIds={ids} />}
      {ids.length > 0 && <ShelfActs targets={{ itemIds: ids }} currency={null} />}
      {ids.length > 0 && (
        <Button size="compact-sm" variant="quiet" onClick={() => openLabelsDialog({ itemIds: ids })}>
          {t('labels.open')}
        </Button>
      )}
    </SelectionRow>
  );
};

/** The path contains this value instead of an item id when the contact sheet is open. */
export const contactSheetId = 'grouping';

type ArrangeBarProps = { counts: Pick<ItemCounts, 'deferred' | 'duplicates'>; selecting: boolean };

export const ArrangeBar = ({ counts: { deferred, duplicates }, selecting }: ArrangeBarProps) => {
  const arrange = useArrangeCommands();
  const last = useLastArrangeChange();
  const startable = deferred - duplicates;
  // Calls `undo` without a check, because the last change might not be loaded yet.
  useScreenKeys({ 'mod+z': arrange.undo });
  if (deferred === 0 && last === null) return null;
  return (
    <div className={styles.bar}>
      {startable > 0 && <p>{t('arrange.deferred', { count: startable })}</p>}
      {duplicates > 0 && <p>{t('arrange.duplicates', { count: duplicates })}</p>}
      {deferred > 0 && (
        <Button component={Link} href={`/items/${contactSheetId}`} size="compact-md">
          {t('sheet.title')}
        </Button>
      )}
      {startable > 0 && (
        <Button
          size="compact-md"
          variant={selecting ? 'default' : 'ink'}
          disabled={arrange.busy}
          onClick={() => arrange.begin()}
        >
          {t('arrange.beginAll', { count: startable })}
        </Button>
      )}
      <UndoArrangeButton />
    </div>
  );
};

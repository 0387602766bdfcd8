import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call, sentenceOf, type ItemView, type PhotoView } from '../../../api/call.ts';
import { quarters, type Edits } from '../photo/photoDraft.ts';
import { Button } from '@mantine/core';
import { t, translate } from '../../../i18n.ts';
import styles from './arrange.module.css';
import { useKeys } from '../../../components/Keys.tsx';
import { Link } from 'wouter';
import type { Selection } from '../SelectBar.tsx';

/** A photo and its current edits. */
type Edited = Pick<PhotoView, 'photoId' | 'edits'>;

export type Arrange = {
  busy: boolean;
  begin: (itemIds?: string[]) => void;
  merge: (itemIds: string[]) => void;
  split: (photoIds: string[]) => void;
  /** Moves photos to another item or within their own: before the photo `before`, or to the end. */
  move: (itemId: string, photoIds: string[], before?: string | null) => void;
  first: (itemId: string, photoIds: string[]) => void;
  aside: (photoIds: string[], aside: boolean) => void;
  remove: (photoIds: string[]) => void;
  restore: (photoIds: string[]) => void;
  edit: (photo: Edited, more: Partial<Edits>) => void;
  /** A quarter turn: right (1) or left (-1). */
  turn: (photo: Edited, by: 1 | -1) => void;
  undo: () => void;
};

/** The commands that arrange photos; each can be undone. Shows a refusal as a notification and refetches the list. */
export const useArrange = (): Arrange => {
  const client = useQueryClient();
  const change = useMutation({
    mutationFn: (act: () => Promise<unknown>) => act(),
    onError: (error) => notifications.show({ message: sentenceOf(error), color: 'amber' }),
    onSettled: () => client.invalidateQueries({ queryKey: ['items'] }),
  });
  const run = (act: () => Promise<unknown>): void => change.mutate(act);
  const edit = ({ photoId, edits }: Edited, more: Partial<Edits>): void =>
    run(() => call('photos.edit', { photoId, edits: { ...edits, ...more } }));
  return {
    busy: change.isPending,
    begin: (itemIds?: string[]) => run(() => call('items.begin', itemIds ? { itemIds } : {})),
    merge: (itemIds: string[]) => run(() => call('items.merge', { itemIds })),
    split: (photoIds: string[]) => run(() => call('items.split', { photoIds })),
    move: (itemId: string, photoIds: string[], before: string | null = null) =>
      run(() => call('items.movePhotos', { itemId, photoIds, before })),
    first: (itemId: string, photoIds: string[]) => run(() => call('items.order', { itemId, photoIds })),
    aside: (photoIds: string[], aside: boolean) => run(() => call('photos.aside', { photoIds, aside })),
    remove: (photoIds: string[]) => run(() => call('photos.remove', { photoIds })),
    restore: (photoIds: string[]) => run(() => call('photos.restore', { photoIds })),
    edit,
    turn: (photo: Edited, by: 1 | -1) => edit(photo, { quarterTurns: quarters(photo.edits.quarterTurns + by) }),
    undo: () => run(() => call('items.undo', {})),
  };
};

const useLastChange = () =>
  useQuery({ queryKey: ['items', 'lastChange'], queryFn: () => call('items.lastChange', {}) }).data ?? null;

/** Undoes the last arrangement change, which it names; renders nothing if there is none. */
export const UndoButton = ({ className }: { className?: string | undefined }) => {
  const arrange = useArrange();
  const last = useLastChange();
  if (last === null) return null;
  return (
    <Button className={className} size="compact-md" variant="quiet" disabled={arrange.busy} onClick={arrange.undo}>
      {t('arrange.undo', { what: translate(last.says, last.label) })}
    </Button>
  );
};

/** Explains why an item is deferred until its photos are checked, and starts it. */
export const Guessed = ({ item: { itemId, hold } }: { item: ItemView }) => {
  const arrange = useArrange();
  return (
    <div className={styles.acts}>
      <p className={styles.why}>
        {hold === null || hold === 'guess' ? t('arrange.guessedOne') : t(`arrange.held.${hold}`)}
      </p>
      <Button variant="ink" disabled={arrange.busy} onClick={() => arrange.begin([itemId])}>
        {t('arrange.begin')}
      </Button>
    </div>
  );
};

const PickedItems = ({ selection, arrange }: { selection: Selection; arrange: Arrange }) => {
  const ids = selection.groups.map(({ itemId }) => itemId);
  const guessed = selection.groups.filter((item) => item.guessed).map(({ itemId }) => itemId);
  const hidden = selection.groups.filter((item) => item.hidden).length;
  const then = (act: () => void) => (): void => {
    act();
    selection.clear();
  };
  return (
    <div className={styles.acts}>
      <span aria-live="polite">
        {t('items.selected', { count: ids.length })}
        {hidden > 0 && ` · ${t('items.selectedHidden', { count: hidden })}`}
      </span>
      {ids.length > 1 && (
        <Button size="compact-md" disabled={arrange.busy} onClick={then(() => arrange.merge(ids))}>
          {t('arrange.merge', { count: ids.length })}
        </Button>
      )}
      {guessed.length > 0 && (
        <Button size="compact-md" disabled={arrange.busy} onClick={then(() => arrange.begin(guessed))}>
          {t('arrange.beginPicked', { count: guessed.length })}
        </Button>
      )}
      <Button size="compact-md" variant="quiet" onClick={selection.clear}>
        {t('items.clear')}
      </Button>
    </div>
  );
};

/** The value in the path, in place of an item id, that opens the contact sheet. No item has this id. */
export const sheetId = 'grouping';

type Props = { guessed: number; selection: Selection };

/** Above the list: starts the deferred items, merges selected items, and undoes the last change. */
export const ArrangeBar = ({ guessed, selection }: Props) => {
  const arrange = useArrange();
  const last = useLastChange();
  // Undo without checking for a change here: the last one may not be loaded yet.
  useKeys({ 'mod+z': arrange.undo });
  const picked = selection.groups.length > 0;
  if (guessed === 0 && last === null && !picked) return null;
  return (
    <div className={styles.bar}>
      {guessed > 0 && <p>{t('arrange.guessed', { count: guessed })}</p>}
      {picked && <PickedItems selection={selection} arrange={arrange} />}
      {guessed > 0 && !picked && (
        <Button component={Link} href={`/items/${sheetId}`} size="compact-md">
          {t('sheet.title')}
        </Button>
      )}
      {guessed > 0 && !picked && (
        <Button size="compact-md" variant="ink" disabled={arrange.busy} onClick={() => arrange.begin()}>
          {t('arrange.beginAll', { count: guessed })}
        </Button>
      )}
      <UndoButton />
    </div>
  );
};

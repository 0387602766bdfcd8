import { Button } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import {
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type CSSProperties,
  type KeyboardEvent,
  type RefObject,
} from 'react';
import { Link, useLocation } from 'wouter';
import type { SheetItem } from '../../../api/call.ts';
import { useContactSheet, useItemCounts, type KnownPhotos } from '../../../api/itemQueries.ts';
import { useScreenKeys } from '../../../components/Keys.tsx';
import { hasSteadyScrollBar } from '../../../components/showElement.ts';
import { formatNumber } from '../../../components/text/format.ts';
import { t } from '../../../i18n.ts';
import { UndoArrangeButton, useArrangeCommands, type ArrangeCommands } from '../arrange/ArrangeBar.tsx';
import {
  handleSheetKey,
  createSheetActions,
  findPhotoTile,
  useSheetSelection,
  type SheetSelection,
} from './sheetKeys.ts';
import { getSheetPhotoNavigationOptions } from './sheetPlace.ts';
import { photoSizes, useNearItems, useSheetLayout, type PhotoSize } from './sheetView.ts';
import { MemoSheetRow, type SheetRowActions } from './SheetRow.tsx';
import styles from './sheet.module.css';

type PhotoSizeSliderProps = { size: PhotoSize; onChoose: (size: PhotoSize) => void };

const PhotoSizeSlider = ({ size, onChoose }: PhotoSizeSliderProps) => (
  <input
    type="range"
    className={styles.slider}
    aria-label={t('sheet.size')}
    aria-valuetext={t('settings.pixels', { count: size })}
    min={0}
    max={photoSizes.length - 1}
    value={photoSizes.indexOf(size)}
    onChange={(event) => onChoose(photoSizes[event.currentTarget.valueAsNumber] ?? photoSizes[0])}
  />
);

type ContactSheetHeaderProps = {
  rows: readonly SheetItem[];
  arrange: ArrangeCommands;
  slider: PhotoSizeSliderProps;
};

/** Says what happens to the items that the person has started. */
const NothingToCheck = () => {
  const running = useItemCounts()?.running ?? 0;
  return running > 0 ? t('sheet.started', { count: running }) : t('sheet.empty');
};

const ContactSheetHeader = ({ rows, arrange, slider }: ContactSheetHeaderProps) => {
  const unsure = rows.reduce((sum, { unsureIds }) => sum + unsureIds.length, 0);
  const startable = rows.filter(({ reviewReason }) => reviewReason !== 'liveDuplicate');
  const duplicates = rows.length - startable.length;
  return (
    <header className={styles.top}>
      <Link href="/" className={styles.back} aria-label={t('items.back')}>
        <IconArrowLeft size={20} aria-hidden />
      </Link>
      <div className={styles.words}>
        <h1>{t('sheet.title')}</h1>
        <p aria-live="polite">
          {rows.length === 0 ? <NothingToCheck /> : t('sheet.found', { count: rows.length })}{' '}
          {unsure > 0 && (
            <span className={styles.unsure}>{t('sheet.unsure', { count: unsure, number: formatNumber(unsure) })}</span>
          )}{' '}
          {duplicates > 0 && t('arrange.duplicates', { count: duplicates })}
        </p>
      </div>
      <UndoArrangeButton />
      {rows.length === 0 && (
        <Button component={Link} href="/" variant="ink">
          {t('sheet.toItems')}
        </Button>
      )}
      {rows.length > 0 && <PhotoSizeSlider {...slider} />}
      {startable.length > 0 && (
        <Button
          variant="ink"
          disabled={arrange.busy}
          onClick={() => arrange.begin(startable.map(({ itemId }) => itemId))}
        >
          {t('arrange.beginAll', { count: startable.length })}
        </Button>
      )}
    </header>
  );
};

/**
 * Restores the focus after a change moves the focused photo. If that photo no longer exists, focuses the current photo.
 */
const useRestoredPhotoFocus = ({ here }: SheetSelection, rows: readonly SheetItem[]) => {
  const hadFocus = useRef(false);
  useLayoutEffect(() => {
    if (hadFocus.current && document.activeElement === document.body && here !== null) findPhotoTile(here)?.focus();
  }, [rows, here]);
  return {
    onFocus: (): void => void (hadFocus.current = true),
    // Removing the focused element fires no blur event. A blur to another element means that the person left the
    // contact sheet.
    onBlur: ({ relatedTarget }: { relatedTarget: EventTarget | null }): void => {
      if (relatedTarget !== null) hadFocus.current = false;
    },
  };
};

/** The functions keep their references but use the latest rows and selection. */
const useStableRowActions = (
  rows: readonly SheetItem[],
  selection: SheetSelection,
  arrange: ArrangeCommands,
): SheetRowActions => {
  const latest = useRef({ acts: createSheetActions(rows, arrange), selection, arrange });
  useEffect(() => {
    latest.current = { acts: createSheetActions(rows, arrange), selection, arrange };
  });
  return useMemo(
    () => ({
      pick: (photoId, how) => latest.current.selection.pick(photoId, how),
      splitBefore: (photoId) => {
        latest.current.selection.goTo(photoId);
        latest.current.acts.splitBefore(photoId);
      },
      joinBefore: (itemId) => latest.current.acts.joinBefore(itemId),
      dragged: (photoId) => (latest.current.selection.has(photoId) ? latest.current.selection.ids : [photoId]),
      drop: (itemId, photoIds, before) => {
        latest.current.arrange.move(itemId, photoIds, before);
        latest.current.selection.clear();
      },
    }),
    [],
  );
};

const noRows: SheetItem[] = [];

/** Focuses the current photo when the list appears, unless the focus is elsewhere. */
const useFirstPhotoFocus = (list: RefObject<HTMLElement | null>, isLaidOut: boolean): void =>
  useLayoutEffect(() => {
    if (isLaidOut && document.activeElement === document.body)
      list.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus();
  }, [list, isLaidOut]);

export const ContactSheet = () => {
  const sheet = useContactSheet();
  const rows = sheet ?? noRows;
  const [, go] = useLocation();
  const arrange = useArrangeCommands();
  const selection = useSheetSelection(rows);
  const acts = useStableRowActions(rows, selection, arrange);
  const focus = useRestoredPhotoFocus(selection, rows);
  useScreenKeys({ 'mod+z': arrange.undo, Escape: () => go('/') });
  const [known] = useState<KnownPhotos>(() => new Map());
  const list = useRef<HTMLUListElement>(null);
  const { size, choose, layout } = useSheetLayout(rows, list);
  const near = useNearItems(list, layout, selection.current);
  useFirstPhotoFocus(list, layout.lines.length > 0);
  if (!sheet) return null;
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    if (!(event.target instanceof HTMLElement) || event.target.dataset.tile === undefined) return;
    const openItemPhoto = (itemId: string, photoId: string): void =>
      go(`/items/${encodeURIComponent(itemId)}`, getSheetPhotoNavigationOptions(photoId));
    if (
      !handleSheetKey(event, {
        ...{ rows, selection, layout },
        ...{ acts: createSheetActions(rows, arrange), open: openItemPhoto },
      })
    )
      return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <section className={styles.sheet} aria-label={t('sheet.title')} {...focus}>
      <ContactSheetHeader rows={rows} arrange={arrange} slider={{ size, onChoose: choose }} />
      {rows.length > 0 && <p className={styles.hint}>{t('sheet.hint')}</p>}
      <ul
        ref={list}
        className={styles.rows}
        data-long={hasSteadyScrollBar(rows.length)}
        style={{ '--photo': `${size}px`, '--length': `${layout.height}px` } as CSSProperties}
        aria-label={t('sheet.rows')}
        onKeyDown={onKeyDown}
        data-own-keys={selection.ids.length > 0 ? 'Escape' : ''}
      >
        {near.map((at) => {
          const [row, place] = [rows[at], layout.places[at]];
          if (!row || !place) return null;
          return (
            <MemoSheetRow
              key={row.itemId}
              {...{ row, at, place, acts, known }}
              total={rows.length}
              picked={row.photoIds.filter(selection.has).join(' ')}
              here={at === selection.current ? selection.here : null}
            />
          );
        })}
      </ul>
    </section>
  );
};

import { Button } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { useMergedRef } from '@mantine/hooks';
import {
  startTransition,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  type CSSProperties,
  type KeyboardEvent,
  type RefObject,
  useState,
} from 'react';
import { Link, useLocation } from 'wouter';
import type { ContactSheetOrder } from '../../../api/call.ts';
import { useContactSheet, useItemCounts } from '../../../api/itemQueries.ts';
import { useScreenKeys } from '../../../components/Keys.tsx';
import { t } from '../../../i18n.ts';
import { UndoArrangeButton, useArrangeCommands, type ArrangeCommands } from '../arrange/ArrangeBar.tsx';
import {
  handleSheetKey,
  createSheetActions,
  findPhotoTile,
  type PhotoGrid,
  type SheetItem,
  useSheetSelection,
  type SheetSelection,
} from './sheetKeys.ts';
import { getSheetPhotoNavigationOptions } from './sheetPlace.ts';
import { MemoSheetRow, type SheetRowActions } from './SheetRow.tsx';
import styles from './sheet.module.css';

/** The widths of a photo in the contact sheet. */
export const photoSizes = [72, 96, 128, 160] as const;
export type PhotoSize = (typeof photoSizes)[number];

/** The same sizes as in the style sheet. */
const photoGap = 6;
const itemStart = 20;
const textLine = 16;
const rowGap = 4;
/** Between the lines of one item. */
const lineGap = 3;

type Room = { width: number; height: number };

const countPhotosPerLine = (size: PhotoSize, { width }: Room): number =>
  Math.max(1, Math.floor((width - itemStart + photoGap) / (size + photoGap)));

const measureRows = (photoCounts: readonly number[], size: PhotoSize, room: Room): number => {
  const { width } = room;
  const pitch = size + photoGap;
  const perLine = countPhotosPerLine(size, room);
  let lines = 0;
  let used = Infinity;
  for (const count of photoCounts) {
    const itemWidth = Math.min(width, itemStart + count * pitch - photoGap);
    if (used + itemWidth > width) {
      lines += Math.ceil(count / perLine);
      used = itemWidth;
    } else used += itemWidth;
  }
  return lines * (textLine + size + rowGap);
};

const createPhotoGrid = (size: PhotoSize, room: Room | null): PhotoGrid => ({
  perLine: room === null ? Infinity : countPhotosPerLine(size, room),
  pitch: size + photoGap,
  lineHeight: textLine + size + lineGap,
});

/** Returns the largest size at which all photos are visible at once, or the smallest size. */
export const findLargestPhotoSize = (photoCounts: readonly number[], room: Room): PhotoSize =>
  photoSizes.findLast((size) => measureRows(photoCounts, size, room) <= room.height) ?? photoSizes[0];

/** The size follows the window until the person chooses one. */
export const usePhotoSize = (photoCounts: readonly number[]) => {
  const [chosen, choose] = useState<PhotoSize | null>(null);
  const [room, setRoom] = useState<Room | null>(null);
  const list = useRef<HTMLElement | null>(null);
  const isThere = photoCounts.length > 0;
  const measure = useCallback((): void => {
    const element = list.current;
    if (element === null) return;
    const { paddingInline, paddingBlockEnd } = getComputedStyle(element);
    const width = element.clientWidth - 2 * Number.parseFloat(paddingInline);
    setRoom({ width, height: element.clientHeight - Number.parseFloat(paddingBlockEnd) });
  }, []);
  useLayoutEffect(() => {
    measure();
    const observer = new ResizeObserver(measure);
    if (list.current) observer.observe(list.current);
    return () => observer.disconnect();
  }, [measure, isThere]);
  const size = chosen ?? (room === null ? photoSizes[0] : findLargestPhotoSize(photoCounts, room));
  return { size, choose, list, grid: createPhotoGrid(size, room) };
};

/** Observes which items are near the visible part of the list. Only these render their photos. */
const useNearItems = (list: RefObject<HTMLElement | null>, rows: readonly SheetItem[]): ReadonlySet<string> => {
  const [near, setNear] = useState<ReadonlySet<string>>(new Set());
  const observer = useRef<IntersectionObserver | null>(null);
  useEffect(() => {
    if (list.current === null) return;
    const updateNearItems = (entries: readonly IntersectionObserverEntry[]): void =>
      startTransition(() =>
        setNear((before) => {
          const next = new Set(before);
          for (const { target, isIntersecting } of entries) {
            const itemId = (target instanceof HTMLElement && target.dataset.item) || '';
            if (isIntersecting) next.add(itemId);
            else next.delete(itemId);
          }
          return next;
        }),
      );
    observer.current ??= new IntersectionObserver(updateNearItems, { root: list.current, rootMargin: '100% 0px' });
    // An element that is already observed stays so.
    for (const item of list.current.children) observer.current.observe(item);
  }, [list, rows]);
  useEffect(
    () => () => {
      observer.current?.disconnect();
      observer.current = null;
    },
    [],
  );
  return near;
};

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
  sheet: ContactSheetOrder;
  arrange: ArrangeCommands;
  slider: PhotoSizeSliderProps;
};

/** Says what happens to the items that the person has started. */
const NothingToCheck = () => {
  const running = useItemCounts()?.running ?? 0;
  return running > 0 ? t('sheet.started', { count: running }) : t('sheet.empty');
};

const ContactSheetHeader = ({ sheet: { rows, unsureIds }, arrange, slider }: ContactSheetHeaderProps) => {
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
          {unsureIds.length > 0 && (
            <span className={styles.unsure}>{t('sheet.unsure', { count: unsureIds.length })}</span>
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

/** As many items as a large screen shows. */
const firstRows = 100;

/** Renders the items of the first screen at once, and those after them in parts that block no frame. */
const useRowsInParts = (rows: SheetItem[], here: string | null): SheetItem[] => {
  const [isWhole, setWhole] = useState(false);
  const isThere = rows.length > 0;
  useEffect(() => {
    if (isThere) startTransition(() => setWhole(true));
  }, [isThere]);
  if (isWhole) return rows;
  const current = rows.findIndex(({ photoIds }) => here !== null && photoIds.includes(here));
  return rows.slice(0, current + firstRows);
};

export const ContactSheet = () => {
  const sheet = useContactSheet();
  const rows = sheet?.rows ?? noRows;
  const [, go] = useLocation();
  const arrange = useArrangeCommands();
  const selection = useSheetSelection(rows);
  const acts = useStableRowActions(rows, selection, arrange);
  const focus = useRestoredPhotoFocus(selection, rows);
  useScreenKeys({ 'mod+z': arrange.undo, Escape: () => go('/') });
  const isThere = rows.length > 0;
  const photoSize = usePhotoSize(useMemo(() => rows.map(({ photoIds }) => photoIds.length), [rows]));
  const begin = useCallback((list: HTMLElement | null) => {
    if (document.activeElement === document.body) list?.querySelector<HTMLElement>('[tabindex="0"]')?.focus();
  }, []);
  const listRef = useMergedRef(begin, photoSize.list);
  const shown = useRowsInParts(rows, selection.here);
  const near = useNearItems(photoSize.list, shown);
  if (!sheet) return null;
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    if (!(event.target instanceof HTMLElement) || event.target.dataset.tile === undefined) return;
    const openItemPhoto = (itemId: string, photoId: string): void =>
      go(`/items/${encodeURIComponent(itemId)}`, getSheetPhotoNavigationOptions(photoId));
    if (
      !handleSheetKey(event, {
        ...{ ...sheet, selection, grid: photoSize.grid },
        ...{ acts: createSheetActions(rows, arrange), open: openItemPhoto },
      })
    )
      return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <section className={styles.sheet} aria-label={t('sheet.title')} {...focus}>
      <ContactSheetHeader
        sheet={sheet}
        arrange={arrange}
        slider={{ size: photoSize.size, onChoose: photoSize.choose }}
      />
      {isThere && <p className={styles.hint}>{t('sheet.hint')}</p>}
      <ul
        ref={listRef}
        className={styles.rows}
        style={{ '--photo': `${photoSize.size}px` } as CSSProperties}
        aria-label={t('sheet.rows')}
        onKeyDown={onKeyDown}
        data-own-keys={selection.ids.length > 0 ? 'Escape' : ''}
      >
        {shown.map((row, at) => {
          const here = row.photoIds.find((photoId) => photoId === selection.here) ?? null;
          return (
            <MemoSheetRow
              key={row.itemId}
              row={row}
              at={at}
              lines={Math.ceil(row.photoIds.length / photoSize.grid.perLine)}
              isNear={here !== null || near.has(row.itemId)}
              picked={row.photoIds.filter(selection.has).join(' ')}
              here={here}
              acts={acts}
            />
          );
        })}
      </ul>
    </section>
  );
};

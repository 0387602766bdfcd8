import { ActionIcon, Tooltip } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconChevronDown, IconX } from '@tabler/icons-react';
import {
  type CSSProperties,
  type KeyboardEvent,
  type MouseEvent,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  memo,
  type RefObject,
} from 'react';
import { RowLink } from '../../components/lists/RowLink.tsx';
import type { ItemSummary } from '../../api/call.ts';
import { findListingCurrency } from '../../../../contract/currency.ts';
import {
  formatCents,
  formatDay,
  formatDaysAgo,
  formatNumber,
  getSiteCountryName,
} from '../../components/text/format.ts';
import { FirstNextStep, formatItemError, ItemProgress, isItemInProgress, useItemAction } from './NextSteps.tsx';
import { UntrustedText, escapeHiddenText } from '../../components/text/UntrustedText.tsx';
import { formatListingLock } from '../approvals/approvalText.ts';
import { useListingLock } from '../approvals/usePrompts.ts';
import { createPhotoDropTarget } from './arrange/PhotoTile.tsx';
import { useArrangeCommands, type ArrangeCommands } from './arrange/ArrangeBar.tsx';
import type { ItemSelection } from '../../api/itemSelection.ts';
import { SelectItemCheckbox, isItemSelectable } from './SelectBar.tsx';
import { t, translateMessage } from '../../i18n.ts';
import { SmallPicture } from '../../components/SmallPicture.tsx';
import styles from './itemRow.module.css';
import { useVirtualizer } from '@tanstack/react-virtual';
import { getLongListOptions, hasSteadyScrollBar, useTopOfSearch } from '../../components/showElement.ts';
import { sections, type Section, type ShownItems } from '../../api/itemQueries.ts';
import type { ScrollToRow } from './useItemKeys.ts';

const CancelItemButton = ({ item }: { item: ItemSummary }) => {
  const cancel = useItemAction('items.cancel');
  return (
    <Tooltip label={t('items.cancel')}>
      <ActionIcon
        className={styles.cancel}
        aria-label={t('items.cancelOne', { name: escapeHiddenText(item.name) })}
        disabled={cancel.isPending}
        onClick={() => cancel.mutate(item.itemId)}
      >
        <IconX size={16} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
};

/** A plain button, because the UI kit's button would take a tenth of the work of a row. */
const StartItemButton = ({ item, onStart }: { item: ItemSummary; onStart: () => void }) => (
  <button
    type="button"
    className={styles.start}
    aria-label={t('arrange.startOne', { name: escapeHiddenText(item.name) })}
    onClick={onStart}
  >
    {t('arrange.start')}
  </button>
);

const ItemThumbnail = ({ item }: { item: ItemSummary }) => {
  return item.thumbUrl ? <SmallPicture src={item.thumbUrl} px={40} /> : <span className={styles.noPhoto} />;
};

type HeadProps = { section: Section; count: number; fold: LiveSectionFold | null };
export type LiveSectionFold = { folded: boolean; toggleFold: () => void };

const getRowPositionStyle = (start = 0): CSSProperties => ({
  position: 'absolute',
  insetInline: 0,
  transform: `translateY(${start}px)`,
});

type RowCommands = Pick<ArrangeCommands, 'begin' | 'move'>;

type ItemRowProps = RowCommands & {
  item: ItemSummary;
  here: boolean;
  chosen: boolean;
  toggle: ItemSelection['toggle'];
  /** Set only on the first item of a section. `count` is the number of items in the section. */
  section: Section | null;
  count: number;
  fold: LiveSectionFold | null;
  /** `at`, `of` and `start` are set only in a virtualized list. */
  at?: number;
  of?: number;
  start?: number;
};

const getRowSelectionHandlers = (item: ItemSummary, toggle: ItemSelection['toggle']) =>
  isItemSelectable(item) && {
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key !== ' ') return;
      event.preventDefault();
      if (!event.repeat) toggle(item.itemId, event.shiftKey);
    },
    onClick: (event: MouseEvent) => {
      if (!event.shiftKey) return;
      event.preventDefault();
      toggle(item.itemId, true);
    },
  };

const ItemRowFigures = ({ item }: { item: ItemSummary }) => {
  const { photoCount, warningCount: count, price, createdAt, shelf } = item;
  const place = shelf?.sku ?? shelf?.place ?? null;
  const site = price?.site ?? null;
  return (
    <span className={styles.figures}>
      {price && (
        <span className={styles.price}>{formatCents(price.cents, findListingCurrency({ marketplaceId: site }))}</span>
      )}
      <span className={styles.age} title={t('items.addedOn', { day: formatDay(createdAt) })}>
        {formatDaysAgo(createdAt, Date.now())}
      </span>
      {(site !== null || place !== null) && (
        <span className={styles.site}>
          {site !== null && getSiteCountryName(site)}
          {place !== null && (
            <span className={styles.place}>
              <UntrustedText text={place} fold={60} flag={false} />
            </span>
          )}
        </span>
      )}
      <span className={styles.facts}>
        {count > 0 && (
          <span className={styles.warnings} title={t('items.warningCount', { count })}>
            <IconAlertTriangle size={14} aria-hidden />
            {formatNumber(count)}
          </span>
        )}
        <span className={styles.photos}>{t('items.photoCount', { count: photoCount })}</span>
      </span>
    </span>
  );
};

const showsProgress = (item: ItemSummary): boolean =>
  isItemInProgress(item) || (item.stop !== null && item.step !== 'review');

/** Returns whether the heading above the row already says the item's state. */
const isUsualState = ({ section, step, stop, reviewReason }: ItemSummary): boolean =>
  section === 'toCheck' ? step === 'review' && stop === null && reviewReason === null : section !== 'working';

type ItemRowTextsProps = { item: ItemSummary; words: string; usual: boolean };

const ItemRowTexts = ({ item, words, usual }: ItemRowTextsProps) => {
  const inProgress = showsProgress(item);
  const hasStateLine = !usual || inProgress || item.checked;
  return (
    <>
      <span className={styles.texts}>
        <span className={styles.name} data-lines={hasStateLine ? 1 : 2}>
          <UntrustedText text={item.title ?? item.name} fold={10_000} flag={false} />
        </span>
        <span className={hasStateLine ? styles.line : 'unseen'}>
          <span
            className={styles.words}
            data-look={item.stop !== null || undefined}
            data-live={item.section === 'live' || undefined}
          >
            {item.checked && <IconCheck size={14} aria-hidden />}
            {item.stop ? <UntrustedText text={formatItemError(item.stop)} fold={10_000} flag={false} /> : words}
          </span>
          {isItemInProgress(item) && <ItemProgress item={item} />}
        </span>
      </span>
      {!inProgress && <ItemRowFigures item={item} />}
    </>
  );
};

const isWaitingToStart = (item: ItemSummary): boolean => item.reviewReason !== null && item.stop === null;
const canCancelItem = (item: ItemSummary): boolean => isItemInProgress(item) && item.reviewReason === null;

const formatRowState = ({ checked, reviewReason, stop, says, words }: ItemSummary): string => {
  if (checked) return t('items.checked');
  return reviewReason === 'liveDuplicate' && stop === null ? t('items.liveDuplicate') : translateMessage(says, words);
};

const ItemRow = ({ item, here, chosen, toggle, begin, move, at, of, start, ...head }: ItemRowProps) => {
  const lock = useListingLock(item.listingId);
  const state = formatRowState(item);
  const words = lock ? formatListingLock(lock) : state;
  return (
    <li
      aria-label={`${escapeHiddenText(item.title ?? item.name)} – ${words}`}
      {...(at !== undefined && {
        style: getRowPositionStyle(start),
        'aria-posinset': at + 1,
        'aria-setsize': of,
      })}
    >
      {head.section && <SectionHeading {...head} section={head.section} />}
      <div
        className={styles.row}
        data-here={here || undefined}
        data-begin={isWaitingToStart(item) || undefined}
        data-cancel={canCancelItem(item) || undefined}
        data-chosen={(isItemSelectable(item) && chosen) || undefined}
        {...(item.arrangeable && createPhotoDropTarget((photoIds) => move(item.itemId, photoIds)))}
      >
        <RowLink
          to={`/items/${encodeURIComponent(item.itemId)}`}
          className={styles.open}
          data-item={item.itemId}
          aria-current={here || undefined}
          {...getRowSelectionHandlers(item, toggle)}
        >
          <ItemThumbnail item={item} />
          <ItemRowTexts item={item} words={words} usual={lock === null && isUsualState(item)} />
        </RowLink>
        {isItemSelectable(item) && <SelectItemCheckbox item={item} chosen={chosen} toggle={toggle} />}
        {isWaitingToStart(item) && <StartItemButton item={item} onStart={() => begin([item.itemId])} />}
        {canCancelItem(item) && <CancelItemButton item={item} />}
        {item.stop && !here && (
          <div className={styles.step}>
            <FirstNextStep item={item} stop={item.stop} />
          </div>
        )}
      </div>
    </li>
  );
};

/** While many items are prepared, the list renders often, but most rows stay the same. */
const MemoItemRow = memo(ItemRow);

const maxUnvirtualizedRows = 30;
/** The heights that the styles give to each row and each heading. Measured rows would delay the first frame of a list. */
const rowPx = 56;
const headingPx = 40;
/** The height that the list leaves free at its end. */
const selectionBarPx = 104;

const SectionHeading = ({ section, count, fold }: HeadProps) => {
  const text = (
    <>
      {t(`items.section.${section}`)} <span>{formatNumber(count)}</span>
    </>
  );
  if (section !== 'live' || fold === null) return <h2 className={styles.section}>{text}</h2>;
  return (
    <h2 className={styles.section}>
      <button type="button" aria-expanded={!fold.folded} onClick={fold.toggleFold}>
        {text}
        <IconChevronDown size={16} aria-hidden />
      </button>
    </h2>
  );
};

type Props = {
  items: ShownItems;
  openId: string | null;
  selection: ItemSelection;
  fold: LiveSectionFold | null;
  /** The list stores its scroll function here. */
  scrollTo: RefObject<ScrollToRow | null>;
};

/** The sections by the place of their first item. */
type Headings = ReadonlyMap<number, Section>;

const findHeadings = (counts: ShownItems['sections']): Headings => {
  const headings = new Map<number, Section>();
  let from = 0;
  for (const section of sections) {
    if (counts[section] > 0) headings.set(from, section);
    from += counts[section];
  }
  return headings;
};

const FoldedLiveSection = ({ items, fold }: Pick<Props, 'items' | 'fold'>) =>
  fold?.folded && items.sections.live > 0 ? (
    <SectionHeading section="live" count={items.sections.live} fold={fold} />
  ) : null;

/** The props keep their references so that `memo` works. */
const getItemRowProps = (
  { items, openId, selection, fold, begin, move }: Props & RowCommands,
  item: ItemSummary,
  section: Section | null = null,
) => ({
  ...{ item, begin, move, fold, section },
  here: item.itemId === openId,
  chosen: selection.has(item.itemId),
  toggle: selection.toggle,
  count: section === null ? 0 : items.sections[section],
});

const VirtualItemList = (props: Props & RowCommands & { headings: Headings }) => {
  const { items, fold, headings, scrollTo } = props;
  const frame = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: items.total,
    getScrollElement: () => frame.current,
    estimateSize: (at) => rowPx + (headings.has(at) ? headingPx : 0),
    // A new function makes the virtualizer compute the places of all rows again, so it changes only with the headings.
    getItemKey: useCallback((at: number) => headings.get(at) ?? at, [headings]),
    overscan: 2,
    scrollPaddingEnd: selectionBarPx,
    ...getLongListOptions(),
  });
  useTopOfSearch(rows, items.find);
  const drawn = rows.getVirtualItems();
  const [first, last] = [drawn[0]?.index ?? 0, drawn.at(-1)?.index ?? 0];
  const { show } = items;
  useEffect(() => show(first, last), [show, first, last]);
  useEffect(() => {
    scrollTo.current = (at) => rows.scrollToIndex(at);
    return () => void (scrollTo.current = null);
  }, [rows, scrollTo]);
  return (
    <div ref={frame} className={styles.scroll} data-long={hasSteadyScrollBar(items.total)} tabIndex={-1}>
      <ul
        className={styles.list}
        aria-label={t('items.title')}
        style={{ height: rows.getTotalSize(), position: 'relative' }}
      >
        {drawn.map(({ index, start }) => {
          const [item, key] = [items.row(index), items.keyOf(index)];
          if (!item)
            return (
              <li
                key={key}
                className={styles.row}
                style={{ ...getRowPositionStyle(start), height: rowPx }}
                aria-hidden
              />
            );
          const place = { at: index, of: items.total, start };
          return <MemoItemRow key={key} {...getItemRowProps(props, item, headings.get(index))} {...place} />;
        })}
      </ul>
      <FoldedLiveSection items={items} fold={fold} />
    </div>
  );
};

/** Memoized because the screen renders for each key of a search and for each photo that comes in. */
export const ItemList = memo((props: Props) => {
  const { items, fold } = props;
  const { begin, move } = useArrangeCommands();
  const headings = useMemo(() => findHeadings(items.sections), [items.sections]);
  if (items.total > maxUnvirtualizedRows) return <VirtualItemList {...props} {...{ headings, begin, move }} />;
  if (items.total === 0 && items.find !== '')
    return (
      <p className={styles.none} role="status">
        {t('find.nothing')}
      </p>
    );
  const rows = Array.from({ length: items.total }, (_, at) => items.row(at)).filter((item) => item !== undefined);
  return (
    <div className={styles.scroll}>
      <ul className={styles.list} aria-label={t('items.title')}>
        {rows.map((item, at) => (
          <MemoItemRow key={item.itemId} {...getItemRowProps({ ...props, begin, move }, item, headings.get(at))} />
        ))}
      </ul>
      <FoldedLiveSection items={items} fold={fold} />
    </div>
  );
});

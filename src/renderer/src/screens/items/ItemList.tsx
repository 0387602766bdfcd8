import { ActionIcon, Button, Tooltip } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconChevronDown, IconX } from '@tabler/icons-react';
import {
  type CSSProperties,
  type KeyboardEvent,
  type MouseEvent,
  type Ref,
  useEffect,
  useRef,
  memo,
  type RefObject,
} from 'react';
import { Link } from 'wouter';
import type { ItemSummary } from '../../api/call.ts';
import { currencyOf } from '../../../../contract/currency.ts';
import { formatCents, formatNumber } from '../../components/text/format.ts';
import { ItemProgress, isMoving, NextSteps, useItemAct } from './NextSteps.tsx';
import { UntrustedText, escapedText } from '../../components/text/UntrustedText.tsx';
import { lockText } from '../approvals/approvalText.ts';
import { useLock } from '../approvals/useQuestions.ts';
import { photoDropTarget } from './arrange/PhotoTile.tsx';
import { useArrange } from './arrange/ArrangeBar.tsx';
import { SelectTick, isPickable, type Selection } from './SelectBar.tsx';
import { t, translate } from '../../i18n.ts';
import { Picture } from '../../components/Picture.tsx';
import { SmallPicture } from '../../components/SmallPicture.tsx';
import styles from './itemRow.module.css';
import { useIntakeProgress, type Intake } from '../../api/intakes.ts';
import { useVirtualizer } from '@tanstack/react-virtual';
import { sections, type Section, type ShownItems } from '../../api/itemQueries.ts';
import type { ScrollTo } from './useItemKeys.ts';

const CancelButton = ({ item }: { item: ItemSummary }) => {
  const cancel = useItemAct('items.cancel');
  return (
    <Tooltip label={t('items.cancel')}>
      <ActionIcon
        className={styles.cancel}
        aria-label={t('items.cancelOne', { name: escapedText(item.name) })}
        disabled={cancel.isPending}
        onClick={() => cancel.mutate(item.itemId)}
      >
        <IconX size={16} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
};

const StartButton = ({ item, onStart }: { item: ItemSummary; onStart: () => void }) => (
  <Button
    className={styles.start}
    size="compact-sm"
    aria-label={t('arrange.startOne', { name: escapedText(item.name) })}
    onClick={onStart}
  >
    {t('arrange.start')}
  </Button>
);

const Thumb = ({ item }: { item: ItemSummary }) => {
  return item.thumbUrl ? <SmallPicture src={item.thumbUrl} px={48} /> : <span className={styles.noPhoto} />;
};

type HeadProps = { section: Section; count: number; fold: Fold | null };
/** Whether the section of live items is folded, and the function to toggle it; null while a search is active. */
export type Fold = { folded: boolean; turn: () => void };

const drawnAt = (start = 0): CSSProperties => ({
  position: 'absolute',
  insetInline: 0,
  transform: `translateY(${start}px)`,
});

type ItemRowProps = {
  item: ItemSummary;
  here: boolean;
  chosen: boolean;
  some: boolean;
  toggle: Selection['toggle'];
  /** Set on the first item of a section, with the count of that section; null for all other items. */
  section: Section | null;
  count: number;
  fold: Fold | null;
  /** The index in a virtualised list. */
  at?: number;
  of?: number;
  start?: number;
  measure?: Ref<HTMLLIElement>;
};

/** Returns handlers that select a row on Space or Shift-click instead of opening it. */
const selecting = (item: ItemSummary, toggle: Selection['toggle']) =>
  isPickable(item) && {
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

/** The photo count and the number of warnings; while the item is in progress, its progress. */
const Facts = ({ item }: { item: ItemSummary }) => {
  if (isMoving(item) || (item.stop !== null && item.step !== 'review')) return <ItemProgress item={item} />;
  const { photoCount, warningCount: count } = item;
  return (
    <span className={styles.facts}>
      {count > 0 && (
        <span className={styles.warnings} title={t('items.warningCount', { count })}>
          <IconAlertTriangle size={14} aria-hidden />
          {formatNumber(count)}
        </span>
      )}
      {t('items.photoCount', { count: photoCount })}
    </span>
  );
};

const RowTexts = ({ item, words }: { item: ItemSummary; words: string }) => (
  <span className={styles.texts}>
    <span className={styles.line}>
      <span className={styles.name}>
        <UntrustedText text={item.title ?? item.name} fold={10_000} flag={false} />
      </span>
      {item.price && (
        <span className={styles.price}>
          {formatCents(item.price.cents, currencyOf({ marketplaceId: item.price.site }))}
        </span>
      )}
    </span>
    <span className={styles.line}>
      <span className={styles.words} data-look={item.section === 'toCheck' || item.stop !== null || undefined}>
        {item.checked && <IconCheck size={14} aria-hidden />}
        {words}
      </span>
      <Facts item={item} />
    </span>
  </span>
);

const isToBegin = (item: ItemSummary): boolean => item.guessed && item.stop === null;
const canCancel = (item: ItemSummary): boolean => isMoving(item) && !item.guessed;

/** A row of the list: photo, title, state, and the next steps if the item has stopped. */
const ItemRow = ({ item, here, chosen, some, toggle, at, of, start, measure, ...head }: ItemRowProps) => {
  const arrange = useArrange();
  const lock = useLock(item.listingId);
  const state = item.checked ? t('items.checked') : translate(item.says, item.words);
  const words = lock ? lockText(lock) : state;
  return (
    <li
      aria-label={`${escapedText(item.title ?? item.name)} – ${words}`}
      {...(at !== undefined && {
        ref: measure,
        style: drawnAt(start),
        'data-index': at,
        'aria-posinset': at + 1,
        'aria-setsize': of,
      })}
    >
      {head.section && <SectionHead {...head} section={head.section} />}
      <div
        className={styles.row}
        data-here={here || undefined}
        data-begin={isToBegin(item) || undefined}
        data-cancel={canCancel(item) || undefined}
        data-chosen={(isPickable(item) && chosen) || undefined}
        {...(item.arrangeable && photoDropTarget((photoIds) => arrange.move(item.itemId, photoIds)))}
      >
        <Link
          href={`/items/${encodeURIComponent(item.itemId)}`}
          className={styles.open}
          data-item={item.itemId}
          aria-current={here || undefined}
          {...selecting(item, toggle)}
        >
          <Thumb item={item} />
          <RowTexts item={item} words={words} />
        </Link>
        {isPickable(item) && <SelectTick item={item} chosen={chosen} some={some} toggle={toggle} />}
        {isToBegin(item) && <StartButton item={item} onStart={() => arrange.begin([item.itemId])} />}
        {canCancel(item) && <CancelButton item={item} />}
        {item.stop && !here && <NextSteps item={item} stop={item.stop} />}
      </div>
    </li>
  );
};

/** Memoised: while many items are prepared, some row changes all the time. */
const MemoItemRow = memo(ItemRow);

const IntakeRow = memo(({ intake }: { intake: Intake }) => {
  const { sent, thumbUrl } = useIntakeProgress(intake.intakeId);
  const words = t('items.bringing', { sent, count: intake.total });
  return (
    <li className={styles.row} aria-label={`${escapedText(intake.name)} – ${words}`}>
      <span className={styles.open}>
        {thumbUrl ? (
          <Picture src={thumbUrl} alt="" width={48} height={48} loading="lazy" decoding="async" />
        ) : (
          <span className={styles.noPhoto} />
        )}
        <span className={styles.texts}>
          <span className={styles.name}>
            <UntrustedText text={intake.name} fold={10_000} flag={false} />
          </span>
          <span className={styles.words}>{words}</span>
          <progress className={styles.sent} value={sent} max={intake.total} aria-label={words} />
        </span>
      </span>
    </li>
  );
});

/** Rows for photos that the browser is still sending, so that a drop is visible at once. Each re-renders alone. */
export const IntakeRows = memo(({ intakes }: { intakes: readonly Intake[] }) =>
  intakes.length === 0 ? null : (
    <ul className={styles.list} aria-label={t('items.comingIn')}>
      {intakes.map((intake) => (
        <IntakeRow key={intake.intakeId} intake={intake} />
      ))}
    </ul>
  ),
);

/** Above this count, the list is virtualised. */
const plainUpTo = 30;
const usualRowPx = 69;
const usualHeadPx = 40.5;

/** The name and count of a section. The heading of the live section also folds it. */
const SectionHead = ({ section, count, fold }: HeadProps) => {
  const text = (
    <>
      {t(`items.section.${section}`)} <span>{formatNumber(count)}</span>
    </>
  );
  if (section !== 'live' || fold === null) return <h2 className={styles.section}>{text}</h2>;
  return (
    <h2 className={styles.section}>
      <button type="button" aria-expanded={!fold.folded} onClick={fold.turn}>
        {text}
        <IconChevronDown size={16} aria-hidden />
      </button>
    </h2>
  );
};

type Props = {
  items: ShownItems;
  openId: string | null;
  selection: Selection;
  fold: Fold | null;
  /** Receives the function that scrolls a row into view. */
  scrollTo: RefObject<ScrollTo | null>;
};

/** Returns the section that starts at a position and its count; null if none starts there. */
const headAt = ({ items }: Pick<Props, 'items'>, at: number): { section: Section | null; count: number } => {
  let from = 0;
  for (const section of sections) {
    const count = items.sections[section];
    if (from === at && count > 0) return { section, count };
    from += count;
  }
  return { section: null, count: 0 };
};

/** The heading of the folded live section, below all rows. */
const FoldedLive = ({ items, fold }: Pick<Props, 'items' | 'fold'>) =>
  fold?.folded && items.sections.live > 0 ? (
    <SectionHead section="live" count={items.sections.live} fold={fold} />
  ) : null;

/** Row props; referentially stable so that memo works. */
const rowOf = ({ items, openId, selection, fold }: Props, item: ItemSummary, at: number) => ({
  item,
  here: item.itemId === openId,
  chosen: selection.has(item.itemId),
  some: selection.some,
  toggle: selection.toggle,
  fold,
  ...headAt({ items }, at),
});

const LongList = (props: Props) => {
  const { items, fold, scrollTo } = props;
  const frame = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: items.total,
    getScrollElement: () => frame.current,
    // An accurate estimate avoids a second render after the measurement.
    estimateSize: (at) => usualRowPx + (headAt(props, at).section === null ? 0 : usualHeadPx),
    getItemKey: items.keyOf,
    overscan: 4,
    // The assumed height before the first measurement, so that rows are rendered over several frames.
    initialRect: { width: 0, height: window.innerHeight },
    // Rows that scroll into view wait for the next frame; rows within the overscan are already rendered.
    useFlushSync: false,
  });
  const drawn = rows.getVirtualItems();
  const [first, last] = [drawn[0]?.index ?? 0, drawn.at(-1)?.index ?? 0];
  const { show } = items;
  useEffect(() => show(first, last), [show, first, last]);
  useEffect(() => {
    scrollTo.current = (at) => rows.scrollToIndex(at);
    return () => void (scrollTo.current = null);
  }, [rows, scrollTo]);
  return (
    <div ref={frame} className={styles.scroll} tabIndex={-1}>
      <ul
        className={styles.list}
        aria-label={t('items.title')}
        style={{ height: rows.getTotalSize(), position: 'relative' }}
      >
        {drawn.map(({ index, start, key }) => {
          const item = items.row(index);
          // A row that is still loading keeps its space.
          if (!item)
            return (
              <li key={key} className={styles.row} style={{ ...drawnAt(start), height: usualRowPx }} aria-hidden />
            );
          const { measureElement: measure } = rows;
          const place = { at: index, of: items.total, start, measure };
          return <MemoItemRow key={key} {...rowOf(props, item, index)} {...place} />;
        })}
      </ul>
      <FoldedLive items={items} fold={fold} />
    </div>
  );
};

export const ItemList = (props: Props) => {
  const { items, fold } = props;
  if (items.total > plainUpTo) return <LongList {...props} />;
  const rows = Array.from({ length: items.total }, (_, at) => items.row(at)).filter((item) => item !== undefined);
  return (
    <div className={styles.scroll}>
      <ul className={styles.list} aria-label={t('items.title')}>
        {rows.map((item, at) => (
          <MemoItemRow key={item.itemId} {...rowOf(props, item, at)} />
        ))}
      </ul>
      <FoldedLive items={items} fold={fold} />
    </div>
  );
};

import { ActionIcon, Button, Tooltip } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import {
  type CSSProperties,
  type KeyboardEvent,
  type MouseEvent,
  type Ref,
  useEffect,
  useRef,
  type RefObject,
} from 'react';
import { Link } from 'wouter';
import type { ItemSummary } from '../../api/call.ts';
import { ItemProgress, isMoving, NextSteps, useItemAct } from './NextSteps.tsx';
import { UntrustedText, escapedText } from '../../components/text/UntrustedText.tsx';
import { lockText } from '../approvals/approvalText.ts';
import { useLock } from '../approvals/useQuestions.ts';
import { photoDropTarget } from './arrange/PhotoTile.tsx';
import { useArrange } from './arrange/ArrangeBar.tsx';
import { SelectTick, isPickable, type Selection } from './SelectBar.tsx';
import { t, translate } from '../../i18n.ts';
import { Picture } from '../../components/Picture.tsx';
import styles from './itemRow.module.css';
import type { Intake } from '../../api/addPhotos.ts';
import { useVirtualizer } from '@tanstack/react-virtual';
import type { ShownItems } from '../../api/itemQueries.ts';
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
  return item.thumbUrl ? (
    <Picture src={item.thumbUrl} alt="" width={56} height={56} />
  ) : (
    <span className={styles.noPhoto} />
  );
};

type ItemRowProps = {
  item: ItemSummary;
  here: boolean;
  selection: Selection;
  place?: { at: number; of: number; style: CSSProperties; measure: Ref<HTMLLIElement> };
};

/** Space on a row, or a click with Shift, selects it instead of opening it. */
const selecting = (item: ItemSummary, selection: Selection) =>
  isPickable(item) && {
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key !== ' ') return;
      event.preventDefault();
      selection.toggle(item.itemId, event.shiftKey);
    },
    onClick: (event: MouseEvent) => {
      if (!event.shiftKey) return;
      event.preventDefault();
      selection.toggle(item.itemId, true);
    },
  };

/** One item of the list: its photo, what it is, where it stands, and what to do when it stands still. */
const ItemRow = ({ item, here, selection, place }: ItemRowProps) => {
  const arrange = useArrange();
  const lock = useLock(item.listingId);
  const words = lock ? lockText(lock) : translate(item.says, item.words);
  return (
    <li
      className={styles.row}
      aria-label={`${escapedText(item.title ?? item.name)} – ${words}`}
      data-here={here || undefined}
      data-guessed={item.guessed || undefined}
      data-chosen={(isPickable(item) && selection.has(item.itemId)) || undefined}
      {...(item.arrangeable && photoDropTarget((photoIds) => arrange.move(item.itemId, photoIds)))}
      {...(place && {
        ref: place.measure,
        style: place.style,
        'data-index': place.at,
        'aria-posinset': place.at + 1,
        'aria-setsize': place.of,
      })}
    >
      <Link
        href={`/items/${encodeURIComponent(item.itemId)}`}
        className={styles.open}
        data-item={item.itemId}
        aria-current={here || undefined}
        {...selecting(item, selection)}
      >
        <Thumb item={item} />
        <span className={styles.texts}>
          <span className={styles.name}>
            <UntrustedText text={item.title ?? item.name} fold={10_000} flag={false} />
          </span>
          <span className={styles.words} data-look={item.stop !== null || item.step === 'review' || undefined}>
            {words}
          </span>
          <ItemProgress item={item} />
        </span>
      </Link>
      {isPickable(item) && <SelectTick item={item} selection={selection} />}
      {item.guessed && !item.stop && <StartButton item={item} onStart={() => arrange.begin([item.itemId])} />}
      {isMoving(item) && !item.guessed && <CancelButton item={item} />}
      {item.stop && !here && <NextSteps item={item} stop={item.stop} />}
    </li>
  );
};

const intakeText = ({ sent, total }: Intake): string => t('items.bringing', { sent, count: total });

/** Rows for what is still on its way from the browser, so that a drop is seen at once. */
export const IntakeRows = ({ intakes }: { intakes: readonly Intake[] }) => {
  if (intakes.length === 0) return null;
  return (
    <ul className={styles.list} aria-label={t('items.comingIn')}>
      {intakes.map((intake) => (
        <li
          key={intake.intakeId}
          className={styles.row}
          aria-label={`${escapedText(intake.name)} – ${intakeText(intake)}`}
        >
          <span className={styles.open}>
            {intake.thumbUrl ? (
              <Picture src={intake.thumbUrl} alt="" width={56} height={56} />
            ) : (
              <span className={styles.noPhoto} />
            )}
            <span className={styles.texts}>
              <span className={styles.name}>
                <UntrustedText text={intake.name} fold={10_000} flag={false} />
              </span>
              <span className={styles.words}>{intakeText(intake)}</span>
              <progress
                className={styles.sent}
                value={intake.sent}
                max={intake.total}
                aria-label={intakeText(intake)}
              />
            </span>
          </span>
        </li>
      ))}
    </ul>
  );
};

/** Up to here every row is drawn; beyond, only those in sight. */
const plainUpTo = 60;
const usualRowPx = 89;

type Props = {
  items: ShownItems;
  openId: string | null;
  selection: Selection;
  /** Is given what brings a row into sight. */
  scrollTo: RefObject<ScrollTo | null>;
};

const LongList = ({ items, openId, selection, scrollTo }: Props) => {
  const frame = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: items.total,
    getScrollElement: () => frame.current,
    estimateSize: () => usualRowPx,
    getItemKey: items.keyOf,
    overscan: 8,
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
          const style: CSSProperties = { position: 'absolute', insetInline: 0, transform: `translateY(${start}px)` };
          // A row that is on its way keeps its place.
          if (!item)
            return <li key={key} className={styles.row} style={{ ...style, height: usualRowPx }} aria-hidden />;
          const place = { at: index, of: items.total, style, measure: rows.measureElement };
          return <ItemRow key={key} item={item} here={item.itemId === openId} selection={selection} place={place} />;
        })}
      </ul>
    </div>
  );
};

/** All items, newest first as the core has them. */
export const ItemList = ({ items, openId, selection, scrollTo }: Props) => {
  if (items.total > plainUpTo)
    return <LongList items={items} openId={openId} selection={selection} scrollTo={scrollTo} />;
  const rows = Array.from({ length: items.total }, (_, at) => items.row(at)).filter((item) => item !== undefined);
  return (
    <div className={styles.scroll}>
      <ul className={styles.list} aria-label={t('items.title')}>
        {rows.map((item) => (
          <ItemRow key={item.itemId} item={item} here={item.itemId === openId} selection={selection} />
        ))}
      </ul>
    </div>
  );
};

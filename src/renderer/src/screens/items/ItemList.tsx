import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, type CSSProperties, type RefObject } from 'react';
import type { ShownItems } from '../../api/itemQueries.ts';
import { ItemRow } from './ItemRow.tsx';
import type { Selection } from './select/useSelection.ts';
import type { ScrollTo } from './useItemKeys.ts';
import { t } from '../../i18n/t.ts';
import styles from './itemRow.module.css';

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

import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef } from 'react';
import type { ItemView } from '../../api/types.ts';
import { ItemRow } from './ItemRow.tsx';
import type { Selection } from './select/useSelection.ts';
import { t } from '../../i18n/t.ts';
import styles from './itemRow.module.css';

/** Up to here every row is drawn; beyond, only those in sight. */
const plainUpTo = 60;
const usualRowPx = 89;

type Props = { items: readonly ItemView[]; openId: string | null; selection: Selection };

const LongList = ({ items, openId, selection }: Props) => {
  const frame = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: items.length,
    getScrollElement: () => frame.current,
    estimateSize: () => usualRowPx,
    getItemKey: (at) => items[at]?.itemId ?? at,
    overscan: 8,
  });
  return (
    <div ref={frame} className={styles.scroll} tabIndex={-1}>
      <ul
        className={styles.list}
        aria-label={t('items.title')}
        style={{ height: rows.getTotalSize(), position: 'relative' }}
      >
        {rows.getVirtualItems().map(({ index, start }) => {
          const item = items[index];
          if (!item) return null;
          const style = { position: 'absolute', insetInline: 0, transform: `translateY(${start}px)` } as const;
          const place = { at: index, of: items.length, style, measure: rows.measureElement };
          return (
            <ItemRow key={item.itemId} item={item} here={item.itemId === openId} selection={selection} place={place} />
          );
        })}
      </ul>
    </div>
  );
};

/** All items, newest first as the core has them. */
export const ItemList = ({ items, openId, selection }: Props) => {
  if (items.length > plainUpTo) return <LongList items={items} openId={openId} selection={selection} />;
  return (
    <div className={styles.scroll}>
      <ul className={styles.list} aria-label={t('items.title')}>
        {items.map((item) => (
          <ItemRow key={item.itemId} item={item} here={item.itemId === openId} selection={selection} />
        ))}
      </ul>
    </div>
  );
};

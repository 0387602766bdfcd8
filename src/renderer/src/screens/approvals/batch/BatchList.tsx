import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, useState, type RefObject } from 'react';
import type { BatchRow } from '../../../api/types.ts';
import { BatchLine } from './BatchLine.tsx';
import { standOf } from './batchRows.ts';
import { t } from '../../../i18n/t.ts';
import styles from './batch.module.css';

/** Up to here every line is drawn; beyond, only those in sight. */
const plainUpTo = 60;
const usualRowPx = 73;

type Props = {
  rows: readonly BatchRow[];
  sending: boolean;
  off: ReadonlySet<string>;
  onTick: (listingIds: readonly string[], on: boolean) => void;
  /** What scrolls. */
  frame: RefObject<HTMLDivElement | null>;
};

const lineOf = (row: BatchRow, { sending, off, onTick }: Props) => ({
  row,
  stand: standOf(row, sending, off),
  ticked: !off.has(row.listingId),
  onTick: (on: boolean) => onTick([row.listingId], on),
});

const LongList = (props: Props) => {
  const { rows, frame } = props;
  const list = useRef<HTMLUListElement>(null);
  const [above, setAbove] = useState(0);
  useEffect(() => setAbove(list.current?.offsetTop ?? 0), []);
  const lines = useVirtualizer({
    count: rows.length,
    getScrollElement: () => frame.current,
    estimateSize: () => usualRowPx,
    getItemKey: (at) => rows[at]?.listingId ?? at,
    scrollMargin: above,
    overscan: 6,
  });
  return (
    <ul
      ref={list}
      className={styles.list}
      aria-label={t('approvals.batch.list')}
      style={{ height: lines.getTotalSize(), position: 'relative' }}
    >
      {lines.getVirtualItems().map(({ index, start }) => {
        const row = rows[index];
        if (!row) return null;
        const style = { position: 'absolute', insetInline: 0, transform: `translateY(${start - above}px)` } as const;
        const place = { at: index, of: rows.length, style, measure: lines.measureElement };
        return <BatchLine key={row.listingId} {...lineOf(row, props)} place={place} />;
      })}
    </ul>
  );
};

/** The lines of a batch. */
export const BatchList = (props: Props) => {
  if (props.rows.length > plainUpTo) return <LongList {...props} />;
  return (
    <ul className={styles.list} aria-label={t('approvals.batch.list')}>
      {props.rows.map((row) => (
        <BatchLine key={row.listingId} {...lineOf(row, props)} />
      ))}
    </ul>
  );
};

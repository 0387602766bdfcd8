import { IconAlertTriangle, IconArrowBackUp } from '@tabler/icons-react';
import { UntrustedText } from '../../../components/text/UntrustedText.tsx';
import { headOf, type BatchGroup, onceOf, inOrder, isSending, standOf } from './batchRows.ts';
import receipt from '../receipt.module.css';
import styles from './batch.module.css';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useId, useLayoutEffect, useRef, useState, type RefObject } from 'react';
import type { BatchRow, BatchView } from '../../../api/types.ts';
import { BatchLine } from './BatchLine.tsx';
import type { Ticks } from './useBatches.ts';

type GroupHeadProps = {
  group: BatchGroup;
  id: string;
  /** The only group: its act stands above already. */
  alone: boolean;
  /** What follows from a yes is said until it has followed. */
  over: boolean;
};

/** The act of a group, what follows from a yes to it, and whether it can be undone. */
const GroupHead = ({ group, id, alone, over }: GroupHeadProps) => {
  const isFinal = group.rows.some(({ approval }) => approval?.prompt.final);
  const sentences = (which: 'consequence' | 'undo'): string[] => (over ? [] : onceOf(group.rows, which));
  return (
    <header className={alone && over ? receipt.unseen : styles.groupHead}>
      <h3 id={id} className={alone ? receipt.unseen : undefined}>
        <UntrustedText text={headOf(group)} flag={false} />
      </h3>
      {sentences('consequence').map((sentence) => (
        <p key={sentence}>
          <UntrustedText text={sentence} />
        </p>
      ))}
      {sentences('undo').map((sentence) => (
        <p key={sentence} className={isFinal ? receipt.final : receipt.undo}>
          {isFinal ? <IconAlertTriangle size={16} aria-hidden /> : <IconArrowBackUp size={16} aria-hidden />}
          <span>
            <UntrustedText text={sentence} />
          </span>
        </p>
      ))}
    </header>
  );
};

/** Up to here every line is drawn; beyond, only those in sight. */
const plainUpTo = 60;
const usualRowPx = 73;

type BatchListProps = Ticks & {
  batch: BatchView;
  group: BatchGroup;
  alone: boolean;
  /** What scrolls. */
  frame: RefObject<HTMLDivElement | null>;
};
type ListProps = BatchListProps & { rows: readonly BatchRow[]; labelId: string };

const lineOf = (row: BatchRow, { batch, group, off, onTick }: BatchListProps) => ({
  row,
  group,
  stand: standOf(row, isSending(batch), off),
  ticked: !off.has(row.listingId),
  onTick: (on: boolean) => onTick([row.listingId], on),
});

const LongList = (props: ListProps) => {
  const { rows, frame, labelId } = props;
  const list = useRef<HTMLUListElement>(null);
  const [above, setAbove] = useState(0);
  // What is above grows when one of its lines is unfolded.
  useLayoutEffect(() => setAbove(list.current?.offsetTop ?? 0));
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
      aria-labelledby={labelId}
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

/** Whether nothing of it is asked or held any more. */
const isOver = ({ state, rows }: BatchView): boolean =>
  !['waiting', 'held'].includes(state) && !rows.some(({ approval }) => approval?.state === 'pending');

/** The lines of one act, headed by it. */
export const BatchList = (props: BatchListProps) => {
  const { batch, group, alone, off } = props;
  const id = useId();
  const rows = inOrder(batch, group.rows, off);
  return (
    <section aria-labelledby={id}>
      <GroupHead group={group} id={id} alone={alone} over={isOver(batch)} />
      {rows.length > plainUpTo ? (
        <LongList {...props} rows={rows} labelId={id} />
      ) : (
        <ul className={styles.list} aria-labelledby={id}>
          {rows.map((row) => (
            <BatchLine key={row.listingId} {...lineOf(row, props)} />
          ))}
        </ul>
      )}
    </section>
  );
};

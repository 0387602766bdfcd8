import { IconAlertTriangle, IconArrowBackUp } from '@tabler/icons-react';
import { useFocusBack } from '../../../components/Keys.tsx';
import { UntrustedText } from '../../../components/text/UntrustedText.tsx';
import {
  batchHeading,
  countedRows,
  groupHeading,
  type BatchGroup,
  commonSentences,
  orderedRows,
  isSending,
  rowStateOf,
  arePublishes,
  groupRows,
  tickedRows,
} from './batchRows.ts';
import receipt from '../receipt.module.css';
import styles from './batch.module.css';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useId, useLayoutEffect, useRef, useState, type RefObject } from 'react';
import type { BatchRow, BatchView } from '../../../api/call.ts';
import { BatchLine } from './BatchLine.tsx';
import { type Ticks, useBatchActs } from './useBatches.ts';
import { Modal } from '@mantine/core';
import { PromptFrame } from '../Decide.tsx';
import { StatedReason, WhoAsks } from '../Receipt.tsx';
import { t } from '../../../i18n.ts';
import { type Follow, useWaitingQuestions } from '../useQuestions.ts';
import { BatchFooter } from './BatchFooter.tsx';

type GroupHeadProps = {
  group: BatchGroup;
  counted: readonly BatchRow[];
  id: string;
  /** Whether this is the only group; then the heading of the batch names its act already. */
  alone: boolean;
  /** The consequence is shown only until the act has happened. */
  over: boolean;
};

/** The act of a group, its consequence and whether it can be undone. */
const GroupHead = ({ group, counted, id, alone, over }: GroupHeadProps) => {
  const isFinal = group.rows.some(({ approval }) => approval?.prompt.final);
  const sentences = (which: 'consequence' | 'undo'): string[] => (over ? [] : commonSentences(group.rows, which));
  return (
    <header className={alone && over ? 'unseen' : styles.groupHead}>
      <h3 id={id} className={alone ? 'unseen' : undefined}>
        <UntrustedText text={groupHeading(group, counted)} flag={false} />
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

/** A longer list is virtualised. */
const plainUpTo = 60;
const usualRowPx = 73;

type BatchListProps = Ticks & {
  batch: BatchView;
  group: BatchGroup;
  alone: boolean;
  frame: RefObject<HTMLDivElement | null>;
};
type ListProps = BatchListProps & { rows: readonly BatchRow[]; labelId: string };

const lineOf = (row: BatchRow, { batch, group, off, onTick }: BatchListProps) => ({
  row,
  group,
  stand: rowStateOf(row, isSending(batch), off),
  ticked: !off.has(row.listingId),
  onTick: (on: boolean) => onTick([row.listingId], on),
});

const LongList = (props: ListProps) => {
  const { rows, frame, labelId } = props;
  const list = useRef<HTMLUListElement>(null);
  const [above, setAbove] = useState(0);
  // The content above the list grows when one of its rows is unfolded.
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

/** Returns whether no row is pending or in its undo window. */
const isOver = ({ state, rows }: BatchView): boolean =>
  !['waiting', 'held'].includes(state) && !rows.some(({ approval }) => approval?.state === 'pending');

export const BatchList = (props: BatchListProps) => {
  const { batch, group, alone, off } = props;
  const id = useId();
  const rows = orderedRows(batch, group.rows, off);
  return (
    <section aria-labelledby={id}>
      <GroupHead group={group} counted={countedRows(batch, off)} id={id} alone={alone} over={isOver(batch)} />
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

type BatchHeadProps = Ticks & { batch: BatchView };

const everyRow: ReadonlySet<string> = new Set();

const TickAll = ({ batch, off, onTick }: BatchHeadProps) => {
  const can = tickedRows(batch.rows, everyRow);
  const ticked = tickedRows(batch.rows, off).length;
  const count = batch.rows.filter(({ approval }) => approval === null).length;
  if (can.length === 0 || isSending(batch)) return null;
  return (
    <div className={styles.all}>
      <label>
        <input
          type="checkbox"
          checked={ticked === can.length}
          ref={(box) => {
            if (box) box.indeterminate = ticked > 0 && ticked < can.length;
          }}
          onChange={(event) =>
            onTick(
              can.map(({ listingId }) => listingId),
              event.currentTarget.checked,
            )
          }
        />
        {t('approvals.batch.ticked', { count: ticked, of: can.length })}
      </label>
      {count > 0 && (
        <span className={styles.unable}>
          {t(arePublishes(batch.rows) ? 'approvals.batch.unable' : 'approvals.batch.unableOther', { count })}
        </span>
      )}
    </div>
  );
};

/** The asker, the time, the heading of the batch and an assistant's reason. */
export const BatchHead = (props: BatchHeadProps) => {
  const { batch, off } = props;
  return (
    <div className={`${receipt.receipt} ${styles.head}`}>
      <WhoAsks {...batch} />
      <section className={receipt.section}>
        <Modal.Title className={receipt.act}>
          <UntrustedText text={batchHeading(batch, off)} flag={false} />
        </Modal.Title>
      </section>
      <StatedReason reason={batch.reason} />
      <TickAll {...props} />
    </div>
  );
};

type BatchSheetProps = Ticks & { batch: BatchView; onFollow: Follow; onClose: () => void };

/** The prompt for a batch: a group for each act, a row for each listing and one approve button. */
export const BatchSheet = ({ batch, off, onTick, onFollow, onClose }: BatchSheetProps) => {
  useFocusBack();
  const frame = useRef<HTMLDivElement>(null);
  const acts = useBatchActs(batch, onClose);
  const others = useWaitingQuestions().filter(({ id }) => id !== batch.batchId);
  /**
   * Escape closes the prompt of an assistant's request, withdraws the person's own request, and closes a finished
   * batch.
   */
  const onEscape = (): void => {
    const waits = batch.state === 'waiting';
    const isOwn = batch.by.kind === 'person' && waits && !acts.approve.isPending;
    const isOver = !waits && !isSending(batch) && tickedRows(batch.rows, off).length === 0;
    if (isOwn || isOver) acts.close.mutate('no');
    else onClose();
  };
  return (
    <PromptFrame widthPx={640} onEscape={onEscape}>
      <Modal.Body ref={frame} tabIndex={0} aria-label={t('approvals.asked')} className={styles.frame}>
        <BatchHead batch={batch} off={off} onTick={onTick} />
        {groupRows(batch.rows).map((group, _at, { length }) => (
          <BatchList key={group.route} {...{ batch, group, off, onTick, frame }} alone={length === 1} />
        ))}
      </Modal.Body>
      <BatchFooter {...{ batch, off, acts, others, onFollow, onClose }} />
    </PromptFrame>
  );
};

import { IconAlertTriangle, IconArrowBackUp } from '@tabler/icons-react';
import { isEditingField, KeyCap, useFocusRestore } from '../../../components/Keys.tsx';
import { UntrustedText } from '../../../components/text/UntrustedText.tsx';
import {
  formatBatchHeading,
  formatBatchResult,
  listCountedRows,
  formatGroupHeading,
  type BatchGroup,
  listCommonSentences,
  orderBatchRows,
  findNextWeakRow,
  isBatchInFlight,
  isRowWeak,
  getBatchRowState,
  isPublishOnlyBatch,
  groupRowsByRoute,
  filterTickedRows,
  noUnticked,
} from './batchRows.ts';
import promptStyles from '../prompt.module.css';
import footerStyles from '../promptFooter.module.css';
import styles from './batch.module.css';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useEffectEvent, useId, useLayoutEffect, useRef, useState, type RefObject } from 'react';
import type { BatchRow, BatchView } from '../../../api/call.ts';
import { BatchRowLine } from './BatchRowLine.tsx';
import { type BatchTickProps, useBatchPromptActions } from './useBatches.ts';
import { Button, Modal } from '@mantine/core';
import { PromptModalFrame } from '../ApprovalAnswerButtons.tsx';
import { StatedReasonSection, AskerHeader } from '../PromptContent.tsx';
import { t } from '../../../i18n.ts';
import { type FollowPrompt, usePendingApprovals } from '../usePrompts.ts';
import { BatchPromptFooter } from './BatchPromptFooter.tsx';

type GroupHeadingProps = {
  group: BatchGroup;
  counted: readonly BatchRow[];
  id: string;
  /** True if the batch has only this group. The heading of the batch then names the action. */
  alone: boolean;
  /** True if the batch is finished. The text about the consequence is then hidden. */
  over: boolean;
};

const BatchGroupHeading = ({ group, counted, id, alone, over }: GroupHeadingProps) => {
  const isFinal = group.rows.some(({ approval }) => approval?.prompt.final);
  const listGroupSentences = (which: 'consequence' | 'undo'): string[] =>
    over ? [] : listCommonSentences(group.rows, which);
  return (
    <header className={alone && over ? 'unseen' : styles.groupHead}>
      <h3 id={id} className={alone ? 'unseen' : undefined}>
        <UntrustedText text={formatGroupHeading(group, counted)} flag={false} />
      </h3>
      {listGroupSentences('consequence').map((sentence) => (
        <p key={sentence}>
          <UntrustedText text={sentence} />
        </p>
      ))}
      {listGroupSentences('undo').map((sentence) => (
        <p key={sentence} className={isFinal ? footerStyles.final : footerStyles.undo}>
          {isFinal ? <IconAlertTriangle size={16} aria-hidden /> : <IconArrowBackUp size={16} aria-hidden />}
          <span>
            <UntrustedText text={sentence} />
          </span>
        </p>
      ))}
    </header>
  );
};

/** A list with more rows is virtualized. */
const maxPlainRows = 60;
const estimatedRowPx = 73;

type BatchListProps = BatchTickProps & {
  batch: BatchView;
  group: BatchGroup;
  alone: boolean;
  frame: RefObject<HTMLDivElement | null>;
  /** A virtual list with weak rows stores its scroll function here. */
  scrollTo: RefObject<ScrollToListing | null>;
};
type ScrollToListing = (listingId: string) => void;
type VirtualListProps = BatchListProps & { rows: readonly BatchRow[]; labelId: string };

/** Returns whether the person has already decided about a row of the batch. */
const isBatchAnswered = ({ rows }: BatchView): boolean =>
  rows.some(({ approval }) => approval !== null && approval.decidedAt !== null);

const toBatchRowProps = (row: BatchRow, { batch, group, off, onTick }: BatchListProps) => ({
  row,
  group,
  stand: getBatchRowState(row, isBatchInFlight(batch), off),
  answered: isBatchAnswered(batch),
  ticked: !off.has(row.listingId),
  onTick: (on: boolean) => onTick([row.listingId], on),
});

const VirtualBatchList = (props: VirtualListProps) => {
  const { rows, frame, labelId, scrollTo } = props;
  const list = useRef<HTMLUListElement>(null);
  const [above, setAbove] = useState(0);
  // The offset changes when content above the list unfolds.
  useLayoutEffect(() => setAbove(list.current?.offsetTop ?? 0));
  const lines = useVirtualizer({
    count: rows.length,
    getScrollElement: () => frame.current,
    estimateSize: () => estimatedRowPx,
    getItemKey: (at) => rows[at]?.listingId ?? at,
    scrollMargin: above,
    overscan: 6,
  });
  useEffect(() => {
    if (!rows.some(isRowWeak)) return;
    scrollTo.current = (listingId) => lines.scrollToIndex(rows.findIndex((row) => row.listingId === listingId));
    return () => void (scrollTo.current = null);
  }, [rows, lines, scrollTo]);
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
        return <BatchRowLine key={row.listingId} {...toBatchRowProps(row, props)} place={place} />;
      })}
    </ul>
  );
};

const isBatchFinished = ({ state, rows }: BatchView): boolean =>
  !['waiting', 'held'].includes(state) && !rows.some(({ approval }) => approval?.state === 'pending');

export const BatchGroupList = (props: BatchListProps) => {
  const { batch, group, alone, off } = props;
  const id = useId();
  const rows = orderBatchRows(batch, group.rows, off);
  return (
    <section aria-labelledby={id}>
      <BatchGroupHeading
        group={group}
        counted={listCountedRows(batch, off)}
        id={id}
        alone={alone}
        over={isBatchFinished(batch)}
      />
      {rows.length > maxPlainRows ? (
        <VirtualBatchList {...props} rows={rows} labelId={id} />
      ) : (
        <ul className={styles.list} aria-labelledby={id}>
          {rows.map((row) => (
            <BatchRowLine key={row.listingId} {...toBatchRowProps(row, props)} />
          ))}
        </ul>
      )}
    </section>
  );
};

type BatchHeaderProps = BatchTickProps & { batch: BatchView; onNextWeak: () => void };

const NextWeakButton = ({ count, onNext }: { count: number; onNext: () => void }) => (
  <Button
    size="compact-sm"
    variant="quiet"
    aria-keyshortcuts="W"
    leftSection={<IconAlertTriangle size={14} className={styles.look} aria-hidden />}
    rightSection={<KeyCap>W</KeyCap>}
    onClick={onNext}
  >
    {t('approvals.batch.nextWeak', { count })}
  </Button>
);

const TickAllCheckbox = ({ batch, off, onTick, onNextWeak }: BatchHeaderProps) => {
  const can = filterTickedRows(batch.rows, noUnticked);
  const ticked = filterTickedRows(batch.rows, off).length;
  const count = batch.rows.filter(({ approval }) => approval === null).length;
  const weak = can.filter(isRowWeak).length;
  if (can.length === 0 || isBatchInFlight(batch)) return null;
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
      {weak > 0 && <NextWeakButton count={weak} onNext={onNextWeak} />}
      {count > 0 && (
        <span className={styles.unable}>
          {t(isPublishOnlyBatch(batch.rows) ? 'approvals.batch.unable' : 'approvals.batch.unableOther', { count })}
        </span>
      )}
    </div>
  );
};

export const BatchPromptHeader = (props: BatchHeaderProps) => {
  const { batch, off } = props;
  const result = formatBatchResult(batch, off);
  return (
    <div className={`${promptStyles.content} ${styles.head}`}>
      <AskerHeader {...batch} />
      <StatedReasonSection reason={batch.reason} />
      <section role={result === null ? undefined : 'status'}>
        <Modal.Title className={promptStyles.act}>
          <UntrustedText text={result ?? formatBatchHeading(batch, off)} flag={false} />
        </Modal.Title>
      </section>
      <TickAllCheckbox {...props} />
    </div>
  );
};

/** The maximum number of frames to wait until a row that was out of view is rendered. */
const maxFrames = 60;

const findRowCheckbox = (frame: HTMLElement | null, listingId: string): HTMLElement | null =>
  frame?.querySelector<HTMLElement>(`[data-listing="${CSS.escape(listingId)}"] input`) ?? null;

/** Returns a function that focuses the next weak row, and its scroll function for a virtual list. */
const useNextWeakRow = (rows: readonly BatchRow[], frame: RefObject<HTMLElement | null>) => {
  const scrollTo = useRef<ScrollToListing>(null);
  /** A virtual list can remove the focused row, and the focus with it. */
  const last = useRef<string>(null);
  const focusWhenRendered = (listingId: string, frames: number): void => {
    const box = findRowCheckbox(frame.current, listingId);
    box?.focus({ preventScroll: true });
    box?.closest('li')?.scrollIntoView({ block: 'nearest' });
    if (!box && frames > 0) requestAnimationFrame(() => focusWhenRendered(listingId, frames - 1));
  };
  const focusNextWeak = (): void => {
    const here = document.activeElement?.closest<HTMLElement>('[data-listing]')?.dataset.listing;
    const next = findNextWeakRow(rows, here ?? last.current);
    if (next === null) return;
    last.current = next.listingId;
    if (findRowCheckbox(frame.current, next.listingId) === null) scrollTo.current?.(next.listingId);
    focusWhenRendered(next.listingId, maxFrames);
  };
  const onKeyDown = useEffectEvent((event: KeyboardEvent): void => {
    const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey && !event.repeat;
    if (event.key === 'w' && isPlain && !isEditingField()) focusNextWeak();
  });
  useEffect(() => {
    const handleKeyDown = (event: KeyboardEvent): void => onKeyDown(event);
    window.addEventListener('keydown', handleKeyDown);
    return () => window.removeEventListener('keydown', handleKeyDown);
  }, []);
  return { scrollTo, focusNextWeak };
};

type BatchPromptProps = BatchTickProps & { batch: BatchView; onFollow: FollowPrompt; onClose: () => void };

export const BatchPrompt = ({ batch, off, onTick, onFollow, onClose }: BatchPromptProps) => {
  useFocusRestore();
  const frame = useRef<HTMLDivElement>(null);
  const acts = useBatchPromptActions(batch, onClose);
  const others = usePendingApprovals().filter(({ id }) => id !== batch.batchId);
  const groups = groupRowsByRoute(batch.rows);
  const { scrollTo, focusNextWeak } = useNextWeakRow(
    groups.flatMap(({ rows }) => orderBatchRows(batch, rows, off)),
    frame,
  );
  /**
   * Escape closes the prompt of an assistant's request, withdraws the person's own request, and closes a finished
   * batch.
   */
  const handleEscapeKey = (): void => {
    const waits = batch.state === 'waiting';
    const isOwn = batch.by.kind === 'person' && waits && !acts.approve.isPending;
    const isOver = !waits && !isBatchInFlight(batch) && filterTickedRows(batch.rows, off).length === 0;
    if (isOwn || isOver) acts.close.mutate('no');
    else onClose();
  };
  return (
    <PromptModalFrame widthPx={640} onEscape={handleEscapeKey}>
      <Modal.Body ref={frame} tabIndex={0} aria-label={t('approvals.asked')} className={styles.frame}>
        <BatchPromptHeader batch={batch} off={off} onTick={onTick} onNextWeak={focusNextWeak} />
        {groups.map((group, _at, { length }) => (
          <BatchGroupList key={group.route} {...{ batch, group, off, onTick, frame, scrollTo }} alone={length === 1} />
        ))}
      </Modal.Body>
      <BatchPromptFooter {...{ batch, off, acts, others, onFollow, onClose }} list={frame} />
    </PromptModalFrame>
  );
};

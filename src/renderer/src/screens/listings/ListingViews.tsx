import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { type KeyboardEvent, type ReactNode, type Ref, memo, useEffect, useRef, useState } from 'react';
import type { ListingRow } from '../../api/call.ts';
import { t } from '../../i18n.ts';
import { formatCents, formatDay, formatNumber, getSiteCountryName } from '../../components/text/format.ts';
import { formatCondition } from '../../components/text/formatCondition.ts';
import { ShelfPlace } from '../../components/text/ShelfPlace.tsx';
import { UntrustedText, escapeHiddenText } from '../../components/text/UntrustedText.tsx';
import { formatListingLock } from '../approvals/approvalText.ts';
import { maxBatchListings } from '../approvals/batch/useBatches.ts';
import { useListingLock } from '../approvals/usePrompts.ts';
import {
  type ColumnName,
  type ListingSelection,
  type ListingSearch,
  type Sort,
  type VisibleRows,
} from './useListings.ts';
import { formatStatusWithTime } from './listingStatus.ts';
import { SellAgainButtons } from './SellAgainButtons.tsx';
import styles from './listingViews.module.css';
import { useVirtualizer } from '@tanstack/react-virtual';
import { getLongListOptions, hasSteadyScrollBar, useTopOfSearch } from '../../components/showElement.ts';
import { RowLink } from '../../components/lists/RowLink.tsx';
import { CorePicture } from '../../components/CorePicture.tsx';
import { useElementSize, useMediaQuery } from '@mantine/hooks';

export const formatListingTitle = ({ title }: ListingRow): string => title ?? t('listings.untitled');

export const formatListingPrice = ({ priceCents, currency }: ListingRow): string =>
  priceCents === null ? '' : formatCents(priceCents, currency);

const ListingStatusText = ({ row }: { row: ListingRow }) => {
  const lock = useListingLock(row.listingId);
  const [now] = useState(() => Date.now());
  if (lock) return formatListingLock(lock);
  return row.isMissing ? t('listings.unknownStatus') : formatStatusWithTime(row, now);
};

const isListingLive = ({ isMissing, status }: ListingRow): boolean => !isMissing && status === 'published';

const getStatusStyle = ({ isMissing, status }: ListingRow) => (isMissing ? 'failed' : status);

const renderUntrustedText = (text: string | null): ReactNode =>
  text !== null && <UntrustedText text={text} fold={80} flag={false} />;

const columnCells: Readonly<
  Record<ColumnName, { width: string; end?: boolean; show: (row: ListingRow) => ReactNode }>
> = {
  status: { width: 'minmax(140px, 184px)', show: (row) => <ListingStatusText row={row} /> },
  site: { width: 'minmax(96px, 0.6fr)', show: (row) => row.site && getSiteCountryName(row.site) },
  price: { width: '104px', end: true, show: formatListingPrice },
  quantity: { width: '80px', end: true, show: (row) => row.quantity !== null && formatNumber(row.quantity) },
  condition: { width: '144px', show: (row) => row.condition && renderUntrustedText(formatCondition(row.condition)) },
  category: { width: 'minmax(144px, 0.6fr)', show: (row) => renderUntrustedText(row.categoryName) },
  sku: { width: '112px', show: (row) => renderUntrustedText(row.shelf?.sku ?? row.sku) },
  place: { width: '112px', show: (row) => renderUntrustedText(row.shelf?.place ?? null) },
  listed: { width: '120px', end: true, show: (row) => formatDay(row.listedAt) },
  changed: { width: '120px', end: true, show: (row) => formatDay(row.changedAt) },
};

/** Each value stays the same until the row changes, so that `memo` works. */
type RowProps = { row: ListingRow; at: number; isChosen: boolean; toggle: ListingSelection['toggle'] };

const SelectListingCheckbox = ({ row, at, isChosen, toggle }: RowProps) => (
  <label className={styles.tick}>
    <input
      type="checkbox"
      aria-label={t('listings.select', { name: escapeHiddenText(formatListingTitle(row)) })}
      checked={isChosen}
      onChange={({ nativeEvent }) => toggle(row, at, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)}
    />
  </label>
);

const rowPx = 48;
/** The height that the list leaves free at its end for the bar of the selection. */
const selectionBarPx = 72;

type ListProps = {
  found: ListingSearch;
  total: number;
  chosen: ListingSelection;
  onSight: (sight: VisibleRows) => void;
};

/** The person must find a sold item, so its place comes first. */
const TitleWithPlace = ({ row }: { row: ListingRow }) => (
  <>
    {row.status === 'sold' && <ShelfPlace shelf={row.shelf} />}
    <UntrustedText text={formatListingTitle(row)} fold={10_000} flag={false} />
  </>
);

const ListingRowPhoto = ({ row }: { row: ListingRow }) =>
  row.photoUrl ? (
    <CorePicture src={row.photoUrl} alt="" width={32} height={32} loading="lazy" />
  ) : (
    <span className={styles.noPhoto} />
  );

const PriceAndStatus = ({ row }: { row: ListingRow }) => (
  <span className={styles.cardFacts}>
    {row.priceCents !== null && <b>{formatListingPrice(row)}</b>}
    <span data-state={getStatusStyle(row)} data-live={isListingLive(row) || undefined}>
      <ListingStatusText row={row} />
    </span>
  </span>
);

type CellsProps = RowProps & { columns: readonly ColumnName[] };

export const clickFocusedCheckbox = (shiftKey: boolean): void => {
  const here = document.activeElement?.closest('[role=row], li');
  const tick = here?.querySelector<HTMLInputElement>('input[type=checkbox]');
  tick?.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, shiftKey }));
};

/** Space has no effect on a link, so it selects the row instead. */
const selectRowOnSpace = (event: KeyboardEvent): void => {
  if (event.key !== ' ' || !(event.target instanceof HTMLElement) || !event.target.matches('[data-listing]')) return;
  event.preventDefault();
  if (!event.repeat) clickFocusedCheckbox(event.shiftKey);
};

type ScrollerProps = { frame: Ref<HTMLDivElement>; total: number; children: ReactNode };

const ListingScroller = ({ frame, total, children }: ScrollerProps) => (
  <div
    ref={frame}
    className={styles.scroll}
    data-long={hasSteadyScrollBar(total)}
    tabIndex={-1}
    onKeyDown={selectRowOnSpace}
  >
    {children}
  </div>
);

/** Memoized so that neither scrolling nor further rows render visible rows again. */
const ListingRowCells = memo(({ columns, ...of }: CellsProps) => (
  <>
    <div role="cell">
      <SelectListingCheckbox {...of} />
    </div>
    <div role="cell" className={styles.what}>
      <ListingRowPhoto row={of.row} />
      <RowLink to={`/listings/${encodeURIComponent(of.row.listingId)}`} data-listing={of.row.listingId}>
        <TitleWithPlace row={of.row} />
      </RowLink>
      {columns.length === 0 && <PriceAndStatus row={of.row} />}
      <SellAgainButtons of={of.row} />
    </div>
    {columns.map((name) => (
      <div
        key={name}
        role="cell"
        data-end={columnCells[name].end}
        data-state={name === 'status' ? getStatusStyle(of.row) : undefined}
        data-live={(name === 'status' && isListingLive(of.row)) || undefined}
        className={styles.cell}
      >
        {columnCells[name].show(of.row)}
      </div>
    ))}
  </>
));
ListingRowCells.displayName = 'Cells';

/** A column without an entry can be filtered instead of sorted. */
const columnSorts: Partial<Record<ColumnName | 'title', readonly [up: Sort, down: Sort]>> = {
  title: ['title', 'titleDown'],
  status: ['status', 'statusDown'],
  price: ['cheapest', 'dearest'],
  listed: ['oldest', 'newest'],
};

type SortProps = { sort: Sort; onSort: (sort: Sort) => void };

const SortableColumnHeader = ({ name, sort, onSort }: SortProps & { name: ColumnName | 'title' }) => {
  const end = name === 'title' ? undefined : columnCells[name].end;
  const [up, down] = columnSorts[name] ?? [];
  const label = t(`listings.column.${name}`);
  if (up === undefined || down === undefined)
    return (
      <span role="columnheader" data-end={end}>
        {label}
      </span>
    );
  const order = sort === up ? 'ascending' : sort === down ? 'descending' : null;
  const Sign = order === 'ascending' ? IconArrowUp : IconArrowDown;
  return (
    <span role="columnheader" data-end={end} aria-sort={order ?? 'none'}>
      <button type="button" className={styles.sort} onClick={() => onSort(sort === up ? down : up)}>
        {label}
        {order && <Sign size={14} aria-hidden />}
      </button>
    </span>
  );
};

type AllProps = Pick<ListProps, 'chosen' | 'total'> & { onAll: () => void };

const SelectAllListingsCheckbox = ({ chosen, total, onAll }: AllProps) => {
  const count = chosen.rows.length;
  const isAll = count > 0 && count >= Math.min(total, maxBatchListings);
  return (
    <label className={styles.tick}>
      <input
        type="checkbox"
        aria-label={t('listings.selectAll')}
        checked={isAll}
        ref={(field) => {
          if (field) field.indeterminate = count > 0 && !isAll;
        }}
        onChange={() => (isAll ? chosen.clear() : onAll())}
      />
    </label>
  );
};

const noColumns: readonly ColumnName[] = [];

type TableProps = ListProps & SortProps & AllProps & { columns: readonly ColumnName[] };

export const ListingTable = ({ found, total, chosen, columns: wanted, onSight, sort, onSort, onAll }: TableProps) => {
  // In a narrower window, the columns that are shown by default do not fit.
  const isNarrow = useMediaQuery('(max-width: 740px)', undefined, { getInitialValueInEffect: false });
  const columns = isNarrow ? noColumns : wanted;
  const frame = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: total,
    getScrollElement: () => frame.current,
    estimateSize: () => rowPx,
    overscan: 3,
    scrollPaddingEnd: selectionBarPx,
    ...getLongListOptions(),
  });
  useTopOfSearch(rows, found.asked);
  const seen = rows.getVirtualItems();
  const [first, last] = [seen[0]?.index ?? 0, seen.at(-1)?.index ?? 0];
  useEffect(() => onSight({ first, last }), [first, last, onSight]);
  const template = [
    '32px',
    isNarrow ? 'minmax(0, 1fr)' : 'minmax(160px, 1fr)',
    ...columns.map((name) => columnCells[name].width),
  ].join(' ');
  return (
    <ListingScroller frame={frame} total={total}>
      <div
        role="table"
        aria-label={t('listings.title')}
        aria-rowcount={total + 1}
        className={styles.table}
        data-narrow={isNarrow || undefined}
      >
        <div role="row" aria-rowindex={1} className={styles.headRow} style={{ gridTemplateColumns: template }}>
          <span role="columnheader">
            <span className="unseen">{t('listings.selection')}</span>
            <SelectAllListingsCheckbox {...{ chosen, total, onAll }} />
          </span>
          {(['title', ...columns] as const).map((name) => (
            <SortableColumnHeader key={name} {...{ name, sort, onSort }} />
          ))}
        </div>
        <div role="rowgroup" style={{ height: rows.getTotalSize(), position: 'relative' }}>
          {seen.map(({ index, start }) => {
            const row = found.row(index);
            return (
              <div
                key={index}
                role="row"
                aria-rowindex={index + 2}
                className={styles.row}
                data-chosen={(row && chosen.has(row.listingId)) || undefined}
                style={{ gridTemplateColumns: template, height: rowPx, transform: `translateY(${start}px)` }}
              >
                {row ? (
                  <ListingRowCells
                    row={row}
                    at={index}
                    columns={columns}
                    isChosen={chosen.has(row.listingId)}
                    toggle={chosen.toggle}
                  />
                ) : (
                  <div role="cell" className={styles.coming} aria-busy />
                )}
              </div>
            );
          })}
        </div>
      </div>
    </ListingScroller>
  );
};

const cardPx = 176;
const cardTextPx = 92;

const ListingCard = memo((of: RowProps) => (
  <div className={styles.card} data-chosen={of.isChosen || undefined}>
    <RowLink to={`/listings/${encodeURIComponent(of.row.listingId)}`} data-listing={of.row.listingId}>
      {of.row.photoUrl ? (
        <CorePicture src={of.row.photoUrl} alt="" loading="lazy" />
      ) : (
        <span className={styles.noPhoto} />
      )}
      <span className={styles.cardTitle}>
        {of.row.status !== 'sold' && <ShelfPlace shelf={{ place: of.row.shelf?.place ?? null, sku: null }} />}
        <TitleWithPlace row={of.row} />
      </span>
      <PriceAndStatus row={of.row} />
    </RowLink>
    <SelectListingCheckbox {...of} />
    <span className={styles.cardActs}>
      <SellAgainButtons of={of.row} />
    </span>
  </div>
));
ListingCard.displayName = 'Card';

export const ListingGrid = ({ found, total, chosen, onSight }: ListProps) => {
  const frame = useRef<HTMLDivElement>(null);
  // Measures the list, because the space beside the list differs between windows.
  const { ref, width } = useElementSize<HTMLUListElement>();
  const across = Math.max(1, Math.floor(width / cardPx));
  const linePx = Math.round(width / across) - 16 + cardTextPx;
  const lines = useVirtualizer({
    count: Math.ceil(total / across),
    getScrollElement: () => frame.current,
    estimateSize: () => linePx,
    overscan: 3,
    ...getLongListOptions(),
  });
  useEffect(() => lines.measure(), [linePx, lines]);
  useTopOfSearch(lines, found.asked);
  const seen = lines.getVirtualItems();
  const [first, last] = [(seen[0]?.index ?? 0) * across, ((seen.at(-1)?.index ?? 0) + 1) * across];
  useEffect(() => onSight({ first, last }), [first, last, onSight]);
  return (
    <ListingScroller frame={frame} total={total}>
      <ul
        ref={ref}
        aria-label={t('listings.title')}
        className={styles.grid}
        style={{ height: lines.getTotalSize(), position: 'relative' }}
      >
        {seen.flatMap(({ index, start }) =>
          Array.from({ length: Math.min(across, total - index * across) }, (_, at) => {
            const place = index * across + at;
            const row = found.row(place);
            return (
              <li
                key={place}
                className={styles.place}
                style={{ width: `${100 / across}%`, left: `${(100 / across) * at}%`, height: linePx, top: start }}
              >
                {row ? (
                  <ListingCard row={row} at={place} isChosen={chosen.has(row.listingId)} toggle={chosen.toggle} />
                ) : (
                  <div className={styles.card} aria-busy />
                )}
              </li>
            );
          }),
        )}
      </ul>
    </ListingScroller>
  );
};

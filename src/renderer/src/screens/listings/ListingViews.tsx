import { type ReactNode, memo, useEffect, useRef } from 'react';
import type { ListingRow } from '../../api/call.ts';
import { t } from '../../i18n.ts';
import { conditionText, formatCents, formatDay, formatNumber, regionName } from '../../components/text/format.ts';
import { UntrustedText, escapedText } from '../../components/text/UntrustedText.tsx';
import { lockText } from '../approvals/approvalText.ts';
import { useLock } from '../approvals/useQuestions.ts';
import type { ColumnName, ListingSelection, ListingSearch, VisibleRows } from './useListings.ts';
import styles from './listings.module.css';
import { useVirtualizer } from '@tanstack/react-virtual';
import { Link } from 'wouter';
import { Picture } from '../../components/Picture.tsx';
import { useElementSize, useMergedRef } from '@mantine/hooks';

export const titleOf = ({ title }: ListingRow): string => title ?? t('listings.untitled');

/** The status of a listing as the person reads it. */
export const statusText = (status: ListingRow['status']): string => t(`listings.status.${status}`);
/** The price of a listing with its currency; empty where it has none. */
export const priceText = ({ priceCents, currency }: ListingRow): string =>
  priceCents === null ? '' : formatCents(priceCents, currency);

/** How a listing stands; while it is being decided, what is going on with it. */
const Status = ({ row }: { row: ListingRow }) => {
  const lock = useLock(row.listingId);
  return lock ? lockText(lock) : statusText(row.status);
};

const untrusted = (text: string | null): ReactNode =>
  text !== null && <UntrustedText text={text} fold={80} flag={false} />;

/** What stands in each column, and how wide it is. */
const cells: Readonly<Record<ColumnName, { width: string; end?: boolean; show: (row: ListingRow) => ReactNode }>> = {
  status: { width: '128px', show: (row) => <Status row={row} /> },
  site: { width: 'minmax(120px, 0.6fr)', show: (row) => row.site && regionName(row.site) },
  price: { width: '112px', end: true, show: priceText },
  quantity: { width: '80px', end: true, show: (row) => row.quantity !== null && formatNumber(row.quantity) },
  condition: { width: '144px', show: (row) => row.condition && untrusted(conditionText(row.condition)) },
  category: { width: 'minmax(144px, 0.6fr)', show: (row) => untrusted(row.categoryName) },
  sku: { width: '112px', show: (row) => untrusted(row.sku) },
  listed: { width: '120px', end: true, show: (row) => formatDay(row.listedAt) },
  changed: { width: '120px', end: true, show: (row) => formatDay(row.changedAt) },
};

/** Selects one listing. */
const SelectCheckbox = ({ row, chosen }: { row: ListingRow; chosen: ListingSelection }) => (
  <label className={styles.tick}>
    <input
      type="checkbox"
      aria-label={t('listings.select', { name: escapedText(titleOf(row)) })}
      checked={chosen.has(row.listingId)}
      onChange={() => chosen.toggle(row)}
    />
  </label>
);

const rowPx = 56;

type ListProps = {
  found: ListingSearch;
  total: number;
  chosen: ListingSelection;
  onSight: (sight: VisibleRows) => void;
};

const Photo = ({ row }: { row: ListingRow }) =>
  row.photoUrl ? (
    <Picture src={row.photoUrl} alt="" width={40} height={40} loading="lazy" />
  ) : (
    <span className={styles.noPhoto} />
  );

type CellsProps = { row: ListingRow; columns: readonly ColumnName[]; chosen: ListingSelection };

/** Drawn once while it is in sight, however far the list is scrolled. */
const Cells = memo(({ row, columns, chosen }: CellsProps) => (
  <>
    <div role="cell">
      <SelectCheckbox row={row} chosen={chosen} />
    </div>
    <div role="cell" className={styles.what}>
      <Photo row={row} />
      <Link href={`/listings/${encodeURIComponent(row.listingId)}`} data-listing={row.listingId}>
        <UntrustedText text={titleOf(row)} fold={10_000} flag={false} />
      </Link>
    </div>
    {columns.map((name) => (
      <div
        key={name}
        role="cell"
        data-end={cells[name].end}
        data-state={name === 'status' ? row.status : undefined}
        className={styles.cell}
      >
        {cells[name].show(row)}
      </div>
    ))}
  </>
));
Cells.displayName = 'Cells';

/** The listings as a table. Only the rows in sight are drawn, and only their pages are read. */
export const Table = ({ found, total, chosen, columns, onSight }: ListProps & { columns: readonly ColumnName[] }) => {
  const frame = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: total,
    getScrollElement: () => frame.current,
    estimateSize: () => rowPx,
    overscan: 12,
  });
  const seen = rows.getVirtualItems();
  const [first, last] = [seen[0]?.index ?? 0, seen.at(-1)?.index ?? 0];
  useEffect(() => onSight({ first, last }), [first, last, onSight]);
  const template = ['32px', 'minmax(200px, 1fr)', ...columns.map((name) => cells[name].width)].join(' ');
  return (
    <div ref={frame} className={styles.scroll} tabIndex={-1}>
      <div role="table" aria-label={t('listings.title')} aria-rowcount={total + 1} className={styles.table}>
        <div role="row" aria-rowindex={1} className={styles.headRow} style={{ gridTemplateColumns: template }}>
          <span role="columnheader">
            <span className={styles.unseen}>{t('listings.selection')}</span>
          </span>
          <span role="columnheader">{t('listings.column.title')}</span>
          {columns.map((name) => (
            <span key={name} role="columnheader" data-end={cells[name].end}>
              {t(`listings.column.${name}`)}
            </span>
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
                  <Cells row={row} columns={columns} chosen={chosen} />
                ) : (
                  <div role="cell" className={styles.coming} aria-busy />
                )}
              </div>
            );
          })}
        </div>
      </div>
    </div>
  );
};

const cardPx = 200;
const lineOfTextPx = 92;

const Card = ({ row, chosen }: { row: ListingRow | undefined; chosen: ListProps['chosen'] }) => {
  if (!row) return <div className={styles.card} aria-busy />;
  return (
    <div className={styles.card} data-chosen={chosen.has(row.listingId) || undefined}>
      <Link href={`/listings/${encodeURIComponent(row.listingId)}`} data-listing={row.listingId}>
        {row.photoUrl ? <Picture src={row.photoUrl} alt="" loading="lazy" /> : <span className={styles.noPhoto} />}
        <span className={styles.cardTitle}>
          <UntrustedText text={titleOf(row)} fold={10_000} flag={false} />
        </span>
        <span className={styles.cardFacts}>
          <b>{priceText(row)}</b>
          <span data-state={row.status}>
            <Status row={row} />
          </span>
        </span>
      </Link>
      <SelectCheckbox row={row} chosen={chosen} />
    </div>
  );
};

/** The listings as photos, as many beside each other as there is room. */
export const Grid = ({ found, total, chosen, onSight }: ListProps) => {
  const frame = useRef<HTMLDivElement>(null);
  const { ref, width } = useElementSize<HTMLDivElement>();
  const across = Math.max(1, Math.floor((width - 40) / cardPx));
  const linePx = Math.round((width - 40) / across) - 16 + lineOfTextPx;
  const lines = useVirtualizer({
    count: Math.ceil(total / across),
    getScrollElement: () => frame.current,
    estimateSize: () => linePx,
    overscan: 3,
  });
  useEffect(() => lines.measure(), [linePx, lines]);
  const seen = lines.getVirtualItems();
  const [first, last] = [(seen[0]?.index ?? 0) * across, ((seen.at(-1)?.index ?? 0) + 1) * across];
  useEffect(() => onSight({ first, last }), [first, last, onSight]);
  return (
    <div ref={useMergedRef(frame, ref)} className={styles.scroll} tabIndex={-1}>
      <ul
        aria-label={t('listings.title')}
        className={styles.grid}
        style={{ height: lines.getTotalSize(), position: 'relative' }}
      >
        {seen.flatMap(({ index, start }) =>
          Array.from({ length: Math.min(across, total - index * across) }, (_, at) => {
            const place = index * across + at;
            return (
              <li
                key={place}
                className={styles.place}
                style={{ width: `${100 / across}%`, left: `${(100 / across) * at}%`, height: linePx, top: start }}
              >
                <Card row={found.row(place)} chosen={chosen} />
              </li>
            );
          }),
        )}
      </ul>
    </div>
  );
};

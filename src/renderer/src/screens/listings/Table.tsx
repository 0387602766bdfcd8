import { useVirtualizer } from '@tanstack/react-virtual';
import { memo, useEffect, useRef } from 'react';
import { Link } from 'wouter';
import type { ListingRow } from '../../api/types.ts';
import { t } from '../../i18n/t.ts';
import { UntrustedText } from '../../components/text/UntrustedText.tsx';
import { cells, titleOf, SelectCheckbox } from './cells.tsx';
import type { ListingSelection } from './useListingSelection.ts';
import type { ListingSearch, VisibleRows } from './useListingSearch.ts';
import type { ColumnName } from './useView.ts';
import { Picture } from '../../components/Picture.tsx';
import styles from './listings.module.css';

const rowPx = 56;

export type ListProps = {
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

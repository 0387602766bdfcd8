import { useElementSize, useMergedRef } from '@mantine/hooks';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef } from 'react';
import { Link } from 'wouter';
import type { ListingRow } from '../../api/types.ts';
import { t } from '../../i18n/t.ts';
import { UntrustedText } from '../../components/text/UntrustedText.tsx';
import { priceWords, Status, titleOf, SelectCheckbox } from './cells.tsx';
import type { ListProps } from './Table.tsx';
import { Picture } from '../../components/Picture.tsx';
import styles from './listings.module.css';

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
          <b>{priceWords(row)}</b>
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

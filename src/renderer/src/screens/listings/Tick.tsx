import type { ListingRow } from '../../api/types.ts';
import { t } from '../../i18n/t.ts';
import { plainly } from '../../parts/untrustedText.ts';
import { titleOf } from './cells.tsx';
import type { Chosen } from './useChosen.ts';
import styles from './listings.module.css';

/** Selects one listing. */
export const Tick = ({ row, chosen }: { row: ListingRow; chosen: Chosen }) => (
  <label className={styles.tick}>
    <input
      type="checkbox"
      aria-label={t('listings.select', { name: plainly(titleOf(row)) })}
      checked={chosen.has(row.listingId)}
      onChange={() => chosen.toggle(row)}
    />
  </label>
);

import type { ReactNode } from 'react';
import type { ListingRow } from '../../api/types.ts';
import { dayWords, number, regionName } from '../../i18n/locale.ts';
import { t } from '../../i18n/t.ts';
import { conditionWords, formatCents } from '../../components/text/format.ts';
import { UntrustedText } from '../../components/text/UntrustedText.tsx';
import { lockWords } from '../approvals/questions.ts';
import { useLock } from '../approvals/useQuestions.ts';
import type { ColumnName } from './useView.ts';
import { plainly } from '../../components/text/untrustedText.ts';
import type { ListingSelection } from './useListingSelection.ts';
import styles from './listings.module.css';

export const titleOf = ({ title }: ListingRow): string => title ?? t('listings.untitled');

/** The status of a listing as the person reads it. */
export const statusWords = (status: ListingRow['status']): string => t(`listings.status.${status}`);
/** The price of a listing with its currency; empty where it has none. */
export const priceWords = ({ priceCents, currency }: ListingRow): string =>
  priceCents === null ? '' : formatCents(priceCents, currency);

/** How a listing stands; while it is being decided, what is going on with it. */
export const Status = ({ row }: { row: ListingRow }) => {
  const lock = useLock(row.listingId);
  return lock ? lockWords(lock) : statusWords(row.status);
};

const said = (text: string | null): ReactNode => text !== null && <UntrustedText text={text} fold={80} flag={false} />;

/** What stands in each column, and how wide it is. */
export const cells: Readonly<
  Record<ColumnName, { width: string; end?: boolean; show: (row: ListingRow) => ReactNode }>
> = {
  status: { width: '128px', show: (row) => <Status row={row} /> },
  site: { width: 'minmax(120px, 0.6fr)', show: (row) => row.site && regionName(row.site) },
  price: { width: '112px', end: true, show: priceWords },
  quantity: { width: '80px', end: true, show: (row) => row.quantity !== null && number(row.quantity) },
  condition: { width: '144px', show: (row) => row.condition && said(conditionWords(row.condition)) },
  category: { width: 'minmax(144px, 0.6fr)', show: (row) => said(row.categoryName) },
  sku: { width: '112px', show: (row) => said(row.sku) },
  listed: { width: '120px', end: true, show: (row) => dayWords(row.listedAt) },
  changed: { width: '120px', end: true, show: (row) => dayWords(row.changedAt) },
};

/** Selects one listing. */
export const SelectCheckbox = ({ row, chosen }: { row: ListingRow; chosen: ListingSelection }) => (
  <label className={styles.tick}>
    <input
      type="checkbox"
      aria-label={t('listings.select', { name: plainly(titleOf(row)) })}
      checked={chosen.has(row.listingId)}
      onChange={() => chosen.toggle(row)}
    />
  </label>
);

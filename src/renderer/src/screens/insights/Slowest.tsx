import { Link } from 'wouter';
import { dayWords } from '../../i18n/locale.ts';
import { t } from '../../i18n/t.ts';
import { DataTable } from '../../parts/DataTable.tsx';
import { formatCents } from '../../parts/money.ts';
import { UntrustedText } from '../../parts/UntrustedText.tsx';
import { useSlowest } from './useInsights.ts';
import styles from './insights.module.css';

/** Live listings that have waited longest. */
export const Slowest = () => {
  const rows = useSlowest().data?.rows;
  if (!rows) return null;
  return (
    <section aria-label={t('insights.slow')} className={styles.section}>
      <h2>{t('insights.slow')}</h2>
      <p className={styles.soft}>{t('insights.slowText')}</p>
      {rows.length === 0 ? (
        <p>{t('insights.noneLive')}</p>
      ) : (
        <DataTable
          name={t('insights.slow')}
          file="longest-live"
          rows={rows}
          columns={[
            {
              name: t('insights.item'),
              show: (row) => (
                <Link href={`/listings/${encodeURIComponent(row.listingId)}`}>
                  <UntrustedText text={row.title ?? row.listingId} fold={120} flag={false} />
                </Link>
              ),
              cell: (row) => row.title,
            },
            {
              name: t('insights.price'),
              show: (row) => row.priceCents !== null && formatCents(row.priceCents, row.currency),
              cell: (row) => (row.priceCents === null ? null : row.priceCents / 100),
              end: true,
            },
            {
              name: t('insights.since'),
              show: (row) => dayWords(row.listedAt),
              cell: (row) => new Date(row.listedAt).toISOString(),
              end: true,
            },
          ]}
        />
      )}
    </section>
  );
};

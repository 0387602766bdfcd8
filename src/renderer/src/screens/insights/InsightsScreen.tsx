import { t } from '../../i18n.ts';
import { DataTable } from '../../components/DataTable.tsx';
import { ProblemLine, ScreenPage } from '../../components/ScreenPage.tsx';
import { type Inventory as Counts, useInsightsRefresh, useInventoryCounts, useSlowestListings } from './useInsights.ts';
import { describeInsightError, SalesSection, DaySalesSection, ItemSalesSection } from './SalesSection.tsx';
import styles from './insights.module.css';
import { Link } from 'wouter';
import { formatCents, formatNumber, formatDay } from '../../components/text/format.ts';
import { UntrustedText } from '../../components/text/UntrustedText.tsx';
import { useState } from 'react';

const listInventoryRows = ({ listed, sold, unsold, notYetLive }: Counts): { name: string; count: number }[] => [
  { name: t('insights.listed'), count: listed },
  { name: t('insights.soldOut'), count: sold },
  { name: t('insights.unsold'), count: unsold },
  ...(typeof notYetLive === 'number' ? [{ name: t('insights.notYetLive'), count: notYetLive }] : []),
];

export const InventorySection = () => {
  const { data, error } = useInventoryCounts();
  const rows = data ? listInventoryRows(data) : [];
  const most = Math.max(1, ...rows.map(({ count }) => count));
  return (
    <section aria-label={t('insights.inventory')} className={styles.section} aria-busy={!data && !error}>
      <h2>{t('insights.inventory')}</h2>
      {error && <ProblemLine>{describeInsightError(error)}</ProblemLine>}
      {!data && !error && <div className={styles.coming} />}
      {data && (
        <DataTable
          name={t('insights.inventory')}
          file="inventory"
          rows={rows}
          columns={[
            {
              name: t('insights.state'),
              show: (row) => (
                <span className={styles.barCell}>
                  {row.name}
                  <span className={styles.bar} style={{ width: `${(row.count / most) * 100}%` }} aria-hidden />
                </span>
              ),
              cell: (row) => row.name,
            },
            {
              name: t('insights.count'),
              show: (row) => formatNumber(row.count),
              cell: (row) => row.count,
              end: true,
            },
          ]}
        />
      )}
    </section>
  );
};

export const SlowestListings = () => {
  const rows = useSlowestListings().data?.rows;
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
              show: (row) => formatDay(row.listedAt),
              cell: (row) => new Date(row.listedAt).toISOString(),
              end: true,
            },
          ]}
        />
      )}
    </section>
  );
};

export const InsightsScreen = () => {
  const [now] = useState(() => Date.now());
  useInsightsRefresh();
  return (
    <ScreenPage title={t('insights.title')} wide>
      <SalesSection now={now} />
      <InventorySection />
      <SlowestListings />
      <ItemSalesSection />
      <DaySalesSection now={now} />
    </ScreenPage>
  );
};

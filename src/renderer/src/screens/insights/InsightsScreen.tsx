import { t } from '../../i18n.ts';
import { DataTable } from '../../components/lists/DataTable.tsx';
import { ProblemLine, ScreenPage } from '../../components/ScreenPage.tsx';
import {
  type Inventory as Counts,
  useAskingValue,
  useInsightsRefresh,
  useInventoryCounts,
  useSlowestListings,
} from './useInsights.ts';
import { describeInsightError, SalesSection, DaySalesSection, ItemSalesSection } from './SalesSection.tsx';
import styles from './insights.module.css';
import { Link } from 'wouter';
import { formatCents, formatNumber, formatDay } from '../../components/text/format.ts';
import { UntrustedText } from '../../components/text/UntrustedText.tsx';
import { useState } from 'react';

type InventoryRow = { id: 'listed' | 'sold' | 'unsold' | 'notYetLive'; name: string; count: number };

const listInventoryRows = ({ listed, sold, unsold, notYetLive }: Counts): InventoryRow[] => [
  { id: 'listed', name: t('insights.listed'), count: listed },
  { id: 'sold', name: t('insights.soldOut'), count: sold },
  { id: 'unsold', name: t('insights.unsold'), count: unsold },
  ...(typeof notYetLive === 'number'
    ? [{ id: 'notYetLive' as const, name: t('insights.notYetLive'), count: notYetLive }]
    : []),
];

/** One bar for the whole inventory. The names and figures below it contain the same information. */
const InventoryBar = ({ rows }: { rows: readonly InventoryRow[] }) => (
  <>
    <div className={styles.stack} aria-hidden>
      {rows
        .filter(({ count }) => count > 0)
        .map(({ id, count }) => (
          <span key={id} data-part={id} style={{ flexGrow: count }} />
        ))}
    </div>
    <ul className={styles.legend}>
      {rows.map(({ id, name, count }) => (
        <li key={id}>
          <i data-part={id} aria-hidden />
          <span>{name}</span> <b>{formatNumber(count)}</b>
        </li>
      ))}
    </ul>
  </>
);

const AskingValueLine = () => {
  const values = useAskingValue();
  if (values.length === 0) return null;
  const amounts = values.map(({ currency, cents }) => formatCents(cents, currency));
  return <p>{t('insights.asking', { amounts: amounts.join(' · ') })}</p>;
};

const InventoryTable = ({ rows }: { rows: readonly InventoryRow[] }) => (
  <details className={styles.more}>
    <summary>{t('insights.asTable')}</summary>
    <DataTable
      name={t('insights.inventory')}
      file="inventory"
      rows={rows}
      columns={[
        { name: t('insights.state'), show: (row) => row.name, cell: (row) => row.name },
        { name: t('insights.count'), show: (row) => formatNumber(row.count), cell: (row) => row.count, end: true },
      ]}
    />
  </details>
);

export const InventorySection = () => {
  const { data, error } = useInventoryCounts();
  const rows = data ? listInventoryRows(data) : [];
  return (
    <section aria-label={t('insights.inventory')} className={styles.section} aria-busy={!data && !error}>
      <h2>{t('insights.inventory')}</h2>
      {error && <ProblemLine>{describeInsightError(error)}</ProblemLine>}
      {!data && !error && <div className={styles.coming} />}
      {data && (
        <>
          <InventoryBar rows={rows} />
          <AskingValueLine />
          <InventoryTable rows={rows} />
        </>
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

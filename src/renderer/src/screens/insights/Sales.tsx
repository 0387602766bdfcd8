import { NativeSelect } from '@mantine/core';
import { useState } from 'react';
import { CallError, sentenceOf } from '../../api/call.ts';
import { locale, number } from '../../i18n/locale.ts';
import { t } from '../../i18n/t.ts';
import { DataTable, type Column } from '../../components/DataTable.tsx';
import { formatMinor } from '../../components/text/format.ts';
import { ProblemLine } from '../../components/ProblemLine.tsx';
import { lazyComponent } from '../../components/lazyComponent.tsx';
import { type Totals, inCurrency, sumsOf, type Span, useSales, type Part } from './useInsights.ts';
import styles from './insights.module.css';

/** Loaded with the first chart that is drawn. */
const SalesChart = lazyComponent(
  async () => (await import('./SalesChart.tsx')).SalesChart,
  <div className={styles.chartRoom} />,
);

const periods = [7, 30, 90, 365] as const;

/** "3–7 Nov": the days of a part. They are days of the service, which counts in UTC. */
const spanWords = ({ from, to }: Span): string =>
  new Intl.DateTimeFormat(locale(), { day: 'numeric', month: 'short', timeZone: 'UTC' }).formatRange(
    Date.parse(from),
    Date.parse(to),
  );

const money = ({ revenueMinor, currency }: Totals): string => formatMinor(revenueMinor, currency);

const figures = <Row extends Totals>(): Column<Row>[] => [
  { name: t('insights.sales'), show: (row) => number(row.sales), cell: (row) => row.sales, end: true },
  { name: t('insights.items'), show: (row) => number(row.items), cell: (row) => row.items, end: true },
  { name: t('insights.revenue'), show: money, cell: (row) => row.revenueMinor / 100, end: true },
];

const OverTime = ({ parts, currency }: { parts: readonly Part[]; currency: string }) => {
  const rows = inCurrency(parts, currency);
  return (
    <div className={styles.beside}>
      <div role="img" aria-label={t('insights.chart', { currency })}>
        <SalesChart
          currency={currency}
          bars={rows.map((row) => ({ name: spanWords(row.span), minor: row.revenueMinor }))}
        />
      </div>
      <DataTable
        name={t('insights.overTime')}
        file={`sales-${currency}`}
        rows={rows}
        columns={[
          { name: t('insights.part'), show: (row) => spanWords(row.span), cell: (row) => row.span.from },
          ...figures<(typeof rows)[number]>(),
        ]}
      />
    </div>
  );
};

const Shown = ({ parts }: { parts: readonly Part[] }) => {
  const sums = sumsOf(parts);
  const [wanted, setWanted] = useState<string | null>(null);
  const currency = sums.find((one) => one.currency === wanted)?.currency ?? sums[0]?.currency;
  if (currency === undefined) return <p>{t('insights.noSales')}</p>;
  return (
    <>
      <ul className={styles.sums}>
        {sums.map((sum) => (
          <li key={sum.currency}>
            <b>{money(sum)}</b>
            <span>
              {t('insights.salesCount', { count: sum.sales, number: number(sum.sales) })}
              {' · '}
              {t('insights.itemsCount', { count: sum.items, number: number(sum.items) })}
            </span>
          </li>
        ))}
      </ul>
      {sums.length > 1 && (
        <NativeSelect
          className={styles.pick}
          label={t('insights.currency')}
          value={currency}
          data={sums.map((sum) => sum.currency)}
          onChange={(event) => setWanted(event.currentTarget.value)}
        />
      )}
      <OverTime parts={parts} currency={currency} />
    </>
  );
};

/** A refusal in its own words; an answer of another shape is said to be one. */
export const insightProblem = (error: unknown): string =>
  error instanceof CallError ? sentenceOf(error) : t('insights.notYet');

/** What was sold in a time: the sums of each currency, and how they came about. */
export const Sales = ({ now }: { now: number }) => {
  const [days, setDays] = useState<number>(30);
  const { parts, error } = useSales(days, now);
  return (
    <section aria-label={t('insights.sold')} className={styles.section} aria-busy={parts === null && error === null}>
      <div className={styles.head}>
        <h2>{t('insights.sold')}</h2>
        <NativeSelect
          aria-label={t('insights.period')}
          value={String(days)}
          data={periods.map((count) => ({ value: String(count), label: t('insights.days', { count }) }))}
          onChange={(event) => setDays(Number(event.currentTarget.value))}
        />
      </div>
      <p className={styles.soft}>{t('insights.soldText')}</p>
      {error && <ProblemLine>{insightProblem(error)}</ProblemLine>}
      {parts ? <Shown key={days} parts={parts} /> : !error && <div className={styles.coming} />}
    </section>
  );
};

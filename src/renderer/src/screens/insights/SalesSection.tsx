import { NativeSelect, Button, TextInput } from '@mantine/core';
import { useId, useState, type FormEvent, type KeyboardEvent } from 'react';
import { CallError, getErrorSentence, readServiceAnswer } from '../../api/call.ts';
import { getCurrentLocale, t } from '../../i18n.ts';
import { DataTable, type Column } from '../../components/lists/DataTable.tsx';
import { formatMinorAmount, formatNumber, formatDay, formatPercent } from '../../components/text/format.ts';
import { ProblemLine } from '../../components/ScreenPage.tsx';
import { createLazyComponent } from '../../components/createLazyComponent.tsx';
import {
  type Totals,
  selectCurrencyTotals,
  type Span,
  useSalesBySpan,
  useTotalsBefore,
  listMonthsUpTo,
  type Period,
  type SpanTotals,
  daySalesSchema,
  type Sale,
  itemSalesListSchema,
  type ItemSales as Row,
} from './useInsights.ts';
import styles from './insights.module.css';
import { useMutation } from '@tanstack/react-query';
import { UntrustedText } from '../../components/text/UntrustedText.tsx';
import { Link } from 'wouter';

const SalesChart = createLazyComponent(
  async () => (await import('./SalesChart.tsx')).SalesChart,
  <div className={styles.chartRoom} />,
);

const periodDays = [7, 30, 90, 365] as const;
const monthPattern = /^\d{4}-\d{2}$/;

/** For example "November 2026". The service counts in UTC. */
const formatCalendarMonth = (month: string): string =>
  new Intl.DateTimeFormat(getCurrentLocale(), { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    Date.parse(`${month}-01`),
  );

const parsePeriodValue = (value: string): Period =>
  monthPattern.test(value) ? { month: value } : { days: Number(value) };

const listPeriodChoices = (now: number) => [
  ...periodDays.map((count) => ({ value: String(count), label: t('insights.days', { count }) })),
  {
    group: t('insights.months'),
    items: listMonthsUpTo(now).map((month) => ({ value: month, label: formatCalendarMonth(month) })),
  },
];

/** For example "3–7 Nov". The service counts in UTC. */
const formatDaySpan = ({ from, to }: Span): string =>
  new Intl.DateTimeFormat(getCurrentLocale(), { day: 'numeric', month: 'short', timeZone: 'UTC' }).formatRange(
    Date.parse(from),
    Date.parse(to),
  );

const formatRevenue = ({ revenueMinor, currency }: Totals): string => formatMinorAmount(revenueMinor, currency);

const listFigureColumns = <Row extends Totals>(): Column<Row>[] => [
  { name: t('insights.sales'), show: (row) => formatNumber(row.sales), cell: (row) => row.sales, end: true },
  { name: t('insights.items'), show: (row) => formatNumber(row.items), cell: (row) => row.items, end: true },
  { name: t('insights.revenue'), show: formatRevenue, cell: (row) => row.revenueMinor / 100, end: true },
];

/** `parts` is null until all days are loaded. */
type SalesOverTimeProps = { parts: readonly SpanTotals[] | null; currency: string };

const SalesFigures = ({ parts, currency }: SalesOverTimeProps) => {
  const rows = selectCurrencyTotals(parts ?? [], currency);
  return (
    <details className={styles.more}>
      <summary>{t('insights.asTable')}</summary>
      <p className={styles.soft}>{t('insights.soldText')}</p>
      <DataTable
        name={t('insights.overTime')}
        file={`sales-${currency}`}
        rows={rows}
        columns={[
          { name: t('insights.part'), show: (row) => formatDaySpan(row.span), cell: (row) => row.span.from },
          { name: t('insights.partEnd'), inFileOnly: true, cell: (row) => row.span.to },
          ...listFigureColumns<(typeof rows)[number]>(),
          { name: t('insights.currency'), inFileOnly: true, cell: () => currency },
        ]}
      />
    </details>
  );
};

const SalesOverTime = ({ parts, currency }: SalesOverTimeProps) => (
  <>
    <div role="img" aria-label={t('insights.chart', { currency })} className={styles.chartRoom}>
      {parts && (
        <SalesChart
          currency={currency}
          bars={selectCurrencyTotals(parts, currency).map((row) => ({
            name: formatDaySpan(row.span),
            minor: row.revenueMinor,
          }))}
        />
      )}
    </div>
    <SalesFigures parts={parts} currency={currency} />
  </>
);

const formatChange = (now: Totals, before: readonly Totals[]): string => {
  const was = before.find(({ currency }) => currency === now.currency)?.revenueMinor ?? 0;
  if (was === 0) return t('insights.changeNew');
  const percent = Math.round((now.revenueMinor / was - 1) * 100);
  if (percent === 0) return t('insights.changeNone');
  return t(percent > 0 ? 'insights.changeUp' : 'insights.changeDown', { percent: formatPercent(percent) });
};

type CurrencyTabProps = {
  sum: Totals;
  before: readonly Totals[] | null;
  panelId: string;
  isChosen: boolean;
  onChoose: () => void;
};

const CurrencyTab = ({ sum, before, panelId, isChosen, onChoose }: CurrencyTabProps) => (
  <button
    type="button"
    role="tab"
    className={styles.tab}
    aria-selected={isChosen}
    aria-controls={panelId}
    tabIndex={isChosen ? 0 : -1}
    onClick={onChoose}
  >
    <b>{formatRevenue(sum)}</b>
    <span>
      {t('insights.salesCount', { count: sum.sales, number: formatNumber(sum.sales) })}
      {' · '}
      {t('insights.itemsCount', { count: sum.items, number: formatNumber(sum.items) })}
    </span>
    {/* The empty line reserves space, because the period before loads a little later. */}
    <span>{before === null ? '\u00A0' : formatChange(sum, before)}</span>
  </button>
);

type SalesSummaryProps = {
  sums: readonly Totals[];
  parts: SalesOverTimeProps['parts'];
  before: readonly Totals[] | null;
};

const SalesSummary = ({ sums, parts, before }: SalesSummaryProps) => {
  const panelId = useId();
  const [wanted, setWanted] = useState<string | null>(null);
  const at = Math.max(
    0,
    sums.findIndex((one) => one.currency === wanted),
  );
  const currency = sums[at]?.currency;
  if (currency === undefined) return <p>{t('insights.noSales')}</p>;
  const moveToTab = ({ key, currentTarget }: KeyboardEvent<HTMLElement>): void => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[key];
    if (by === undefined) return;
    const next = (at + by + sums.length) % sums.length;
    setWanted(sums[next]?.currency ?? null);
    currentTarget.querySelectorAll<HTMLElement>('[role=tab]')[next]?.focus();
  };
  return (
    <>
      <div role="tablist" aria-label={t('insights.currency')} className={styles.tabs} onKeyDown={moveToTab}>
        {sums.map((sum) => (
          <CurrencyTab
            key={sum.currency}
            sum={sum}
            before={before}
            panelId={panelId}
            isChosen={sum.currency === currency}
            onChoose={() => setWanted(sum.currency)}
          />
        ))}
      </div>
      <div key={currency} role="tabpanel" id={panelId} aria-label={currency} className={styles.panel}>
        <SalesOverTime parts={parts} currency={currency} />
      </div>
    </>
  );
};

/** Any error that is not a `CallError` means that the answer had an unknown shape. */
export const describeInsightError = (error: unknown): string =>
  error instanceof CallError ? getErrorSentence(error) : t('insights.notYet');

export const SalesSection = ({ now }: { now: number }) => {
  const [chosen, choose] = useState('30');
  const period = parsePeriodValue(chosen);
  const { sums, parts, error } = useSalesBySpan(period, now);
  const before = useTotalsBefore(period, now);
  return (
    <section aria-label={t('insights.sold')} className={styles.section} aria-busy={parts === null && error === null}>
      <div className={styles.head}>
        <h2>{t('insights.sold')}</h2>
        <NativeSelect
          aria-label={t('insights.period')}
          value={chosen}
          data={listPeriodChoices(now)}
          onChange={(event) => choose(event.currentTarget.value)}
        />
      </div>
      {error && <ProblemLine>{describeInsightError(error)}</ProblemLine>}
      {sums ? (
        <SalesSummary key={chosen} sums={sums} parts={parts} before={before} />
      ) : (
        !error && <div className={styles.coming} />
      )}
    </section>
  );
};

const formatSaleTime = ({ at }: Sale): string =>
  at ? new Intl.DateTimeFormat(getCurrentLocale(), { timeStyle: 'short' }).format(Date.parse(at)) : '';

export const DaySalesSection = ({ now }: { now: number }) => {
  const [day, setDay] = useState(() => new Date(now).toISOString().slice(0, 10));
  const sales = useMutation({
    mutationFn: async (wanted: string) =>
      daySalesSchema.parse(await readServiceAnswer('readDaySales', { query: { day: wanted } })).sales,
  });
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    if (day !== '') sales.mutate(day);
  };
  return (
    <section aria-label={t('insights.day')} className={styles.section}>
      <h2>{t('insights.day')}</h2>
      <p className={styles.soft}>{t('insights.dayText')}</p>
      <form className={styles.line} onSubmit={onSubmit}>
        <TextInput
          type="date"
          aria-label={t('insights.dayField')}
          value={day}
          max={new Date(now).toISOString().slice(0, 10)}
          onChange={(event) => setDay(event.currentTarget.value)}
        />
        <Button type="submit" loading={sales.isPending} disabled={day === ''}>
          {t('insights.showDay')}
        </Button>
      </form>
      {sales.error && <ProblemLine>{describeInsightError(sales.error)}</ProblemLine>}
      {sales.data?.length === 0 && <p>{t('insights.noneThatDay')}</p>}
      {sales.data && sales.data.length > 0 && (
        <DataTable
          name={t('insights.day')}
          file={`sales-${sales.variables}`}
          rows={sales.data}
          columns={[
            { name: t('insights.listing'), inFileOnly: true, cell: (row) => row.listingId ?? null },
            { name: t('insights.time'), show: formatSaleTime, cell: (row) => row.at ?? null },
            {
              name: t('insights.item'),
              show: (row) => <UntrustedText text={row.title} fold={120} flag={false} />,
              cell: (row) => row.title,
            },
            {
              name: t('insights.items'),
              show: (row) => formatNumber(row.quantity),
              cell: (row) => row.quantity,
              end: true,
            },
            {
              name: t('insights.price'),
              show: (row) => formatMinorAmount(row.unitCents, row.currency),
              cell: (row) => row.unitCents / 100,
              end: true,
            },
            {
              name: t('insights.total'),
              show: (row) => formatMinorAmount(row.unitCents * row.quantity, row.currency),
              cell: (row) => (row.unitCents * row.quantity) / 100,
              end: true,
            },
            { name: t('insights.currency'), inFileOnly: true, cell: (row) => row.currency },
          ]}
        />
      )}
    </section>
  );
};

const ItemSalesTitle = ({ row }: { row: Row }) => {
  const title = <UntrustedText text={row.title} fold={120} flag={false} />;
  return row.listingId ? <Link href={`/listings/${encodeURIComponent(row.listingId)}`}>{title}</Link> : title;
};

const formatLastSoldDay = ({ lastSoldAt }: Row): string => (lastSoldAt ? formatDay(Date.parse(lastSoldAt)) : '');

export const ItemSalesSection = () => {
  const items = useMutation({
    mutationFn: async () => itemSalesListSchema.parse(await readServiceAnswer('readItemSales', {})).items,
  });
  const rows = (items.data ?? []).toSorted((a, b) => b.revenueMinor - a.revenueMinor);
  return (
    <section aria-label={t('insights.best')} className={styles.section}>
      <h2>{t('insights.best')}</h2>
      <p className={styles.soft}>{t('insights.bestText')}</p>
      <div>
        <Button loading={items.isPending} onClick={() => items.mutate()}>
          {t(items.data ? 'insights.readItemsAgain' : 'insights.readItems')}
        </Button>
      </div>
      {items.error && <ProblemLine>{describeInsightError(items.error)}</ProblemLine>}
      {items.data && rows.length === 0 && <p>{t('insights.noSales')}</p>}
      {rows.length > 0 && (
        <DataTable
          name={t('insights.best')}
          file="items-sold"
          rows={rows}
          columns={[
            { name: t('insights.item'), show: (row) => <ItemSalesTitle row={row} />, cell: (row) => row.title },
            { name: t('insights.items'), show: (row) => formatNumber(row.sold), cell: (row) => row.sold, end: true },
            {
              name: t('insights.revenue'),
              show: (row) => formatMinorAmount(row.revenueMinor, row.currency),
              cell: (row) => row.revenueMinor / 100,
              end: true,
            },
            { name: t('insights.currency'), inFileOnly: true, cell: (row) => row.currency },
            { name: t('insights.lastSold'), show: formatLastSoldDay, cell: (row) => row.lastSoldAt ?? null, end: true },
          ]}
        />
      )}
    </section>
  );
};

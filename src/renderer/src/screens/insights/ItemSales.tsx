import { Button, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { read } from '../../api/call.ts';
import { locale, number, dayWords } from '../../i18n/locale.ts';
import { t } from '../../i18n/t.ts';
import { DataTable } from '../../components/DataTable.tsx';
import { formatMinor } from '../../components/text/format.ts';
import { ProblemLine } from '../../components/ProblemLine.tsx';
import { UntrustedText } from '../../components/text/UntrustedText.tsx';
import { dayShape, type Sale, itemsShape, type ItemSales as Row } from './useInsights.ts';
import { insightProblem } from './Sales.tsx';
import styles from './insights.module.css';
import { Link } from 'wouter';

const timeOf = ({ at }: Sale): string =>
  at ? new Intl.DateTimeFormat(locale(), { timeStyle: 'short' }).format(Date.parse(at)) : '';

/** The sales of one day, read when the person asks for it. */
export const DaySales = ({ now }: { now: number }) => {
  const [day, setDay] = useState(() => new Date(now).toISOString().slice(0, 10));
  const sales = useMutation({
    mutationFn: async (wanted: string) => dayShape.parse(await read('readDaySales', { query: { day: wanted } })).sales,
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
      {sales.error && <ProblemLine>{insightProblem(sales.error)}</ProblemLine>}
      {sales.data?.length === 0 && <p>{t('insights.noneThatDay')}</p>}
      {sales.data && sales.data.length > 0 && (
        <DataTable
          name={t('insights.day')}
          file={`sales-${sales.variables}`}
          rows={sales.data}
          columns={[
            { name: t('insights.time'), show: timeOf, cell: (row) => row.at ?? null },
            {
              name: t('insights.item'),
              show: (row) => <UntrustedText text={row.title} fold={120} flag={false} />,
              cell: (row) => row.title,
            },
            { name: t('insights.items'), show: (row) => number(row.quantity), cell: (row) => row.quantity, end: true },
            {
              name: t('insights.price'),
              show: (row) => formatMinor(row.unitCents, row.currency),
              cell: (row) => row.unitCents / 100,
              end: true,
            },
          ]}
        />
      )}
    </section>
  );
};

const Title = ({ row }: { row: Row }) => {
  const said = <UntrustedText text={row.title} fold={120} flag={false} />;
  return row.listingId ? <Link href={`/listings/${encodeURIComponent(row.listingId)}`}>{said}</Link> : said;
};

const lastSold = ({ lastSoldAt }: Row): string => (lastSoldAt ? dayWords(Date.parse(lastSoldAt)) : '');

/** What each item brought in, read from the marketplace only when the person asks. */
export const ItemSales = () => {
  const items = useMutation({ mutationFn: async () => itemsShape.parse(await read('readItemSales', {})).items });
  const rows = (items.data ?? []).toSorted((a, b) => b.revenueMinor - a.revenueMinor);
  return (
    <section aria-label={t('insights.best')} className={styles.section}>
      <h2>{t('insights.best')}</h2>
      <p className={styles.soft}>{t('insights.bestText')}</p>
      {!items.data && (
        <div>
          <Button loading={items.isPending} onClick={() => items.mutate()}>
            {t('insights.readItems')}
          </Button>
        </div>
      )}
      {items.error && <ProblemLine>{insightProblem(items.error)}</ProblemLine>}
      {items.data && rows.length === 0 && <p>{t('insights.noSales')}</p>}
      {rows.length > 0 && (
        <DataTable
          name={t('insights.best')}
          file="items-sold"
          rows={rows}
          columns={[
            { name: t('insights.item'), show: (row) => <Title row={row} />, cell: (row) => row.title },
            { name: t('insights.items'), show: (row) => number(row.sold), cell: (row) => row.sold, end: true },
            {
              name: t('insights.revenue'),
              show: (row) => formatMinor(row.revenueMinor, row.currency),
              cell: (row) => row.revenueMinor / 100,
              end: true,
            },
            { name: t('insights.lastSold'), show: lastSold, cell: (row) => row.lastSoldAt ?? null, end: true },
          ]}
        />
      )}
    </section>
  );
};

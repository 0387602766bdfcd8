import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link } from 'wouter';
import { read } from '../../api/perform.ts';
import { dayWords, number } from '../../i18n/locale.ts';
import { t } from '../../i18n/t.ts';
import { DataTable } from '../../parts/DataTable.tsx';
import { formatMinor } from '../../parts/money.ts';
import { ProblemLine } from '../../parts/ProblemLine.tsx';
import { UntrustedText } from '../../parts/UntrustedText.tsx';
import { itemsShape, type ItemSales as Row } from './answers.ts';
import { insightProblem } from './Sales.tsx';
import styles from './insights.module.css';

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

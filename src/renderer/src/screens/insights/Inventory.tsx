import { t } from '../../i18n/t.ts';
import { number } from '../../i18n/locale.ts';
import { DataTable } from '../../parts/DataTable.tsx';
import { ProblemLine } from '../../parts/ProblemLine.tsx';
import type { Inventory as Counts } from './answers.ts';
import { insightProblem } from './Sales.tsx';
import { useInventory } from './useInsights.ts';
import styles from './insights.module.css';

const rowsOf = ({ listed, sold, unsold, notYetLive }: Counts): { name: string; count: number }[] => [
  { name: t('insights.listed'), count: listed },
  { name: t('insights.soldOut'), count: sold },
  { name: t('insights.unsold'), count: unsold },
  ...(typeof notYetLive === 'number' ? [{ name: t('insights.notYetLive'), count: notYetLive }] : []),
];

/** How much is live, sold, and left over: a bar each in the table itself. */
export const Inventory = () => {
  const { data, error } = useInventory();
  const rows = data ? rowsOf(data) : [];
  const most = Math.max(1, ...rows.map(({ count }) => count));
  return (
    <section aria-label={t('insights.inventory')} className={styles.section} aria-busy={!data && !error}>
      <h2>{t('insights.inventory')}</h2>
      {error && <ProblemLine>{insightProblem(error)}</ProblemLine>}
      {!data && !error && <div className={styles.coming} />}
      {data && (
        <DataTable
          name={t('insights.inventory')}
          file="inventory"
          rows={rows}
          columns={[
            { name: t('insights.state'), show: (row) => row.name, cell: (row) => row.name },
            {
              name: t('insights.count'),
              show: (row) => (
                <span className={styles.barCell}>
                  <span className={styles.bar} style={{ width: `${(row.count / most) * 100}%` }} aria-hidden />
                  {number(row.count)}
                </span>
              ),
              cell: (row) => row.count,
            },
          ]}
        />
      )}
    </section>
  );
};

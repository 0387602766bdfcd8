import { formatMinor } from '../../../parts/money.ts';
import type { Totals } from './totals.ts';
import { t } from '../../../i18n/t.ts';
import tables from '../tables.module.css';
import styles from './batch.module.css';

/** The money of the ticked lines, a line each currency. It always stands there, whatever is asked. */
export const BatchTotal = ({ totals: { sums, free, unknown, count } }: { totals: Totals }) => (
  <table
    className={`${tables.fees} ${styles.total}`}
    data-several={sums.length + Number(free > 0) + Number(unknown > 0) > 1 || undefined}
    aria-label={t('approvals.fees.name')}
  >
    <tfoot>
      {sums.map((sum) => (
        <tr key={sum.currency}>
          <th scope="row">{t('approvals.batch.totalOf', { count: sum.count })}</th>
          <td>{formatMinor(sum.totalMinor, sum.currency)}</td>
        </tr>
      ))}
      {free > 0 && (
        <tr>
          <th scope="row">{t('approvals.batch.listings', { count: free })}</th>
          <td>{t('approvals.fees.free')}</td>
        </tr>
      )}
      {unknown > 0 && (
        <tr data-words>
          <th scope="row">{t('approvals.batch.listings', { count: unknown })}</th>
          <td>{t('approvals.batch.feeUnchecked')}</td>
        </tr>
      )}
      {count === 0 && (
        <tr data-words>
          <th scope="row">{t('approvals.fees.total')}</th>
          <td>{t('approvals.batch.noneTicked')}</td>
        </tr>
      )}
    </tfoot>
  </table>
);

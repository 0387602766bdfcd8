import { number } from '../../i18n/locale.ts';
import { t } from '../../i18n/t.ts';
import { fieldWords } from '../../api/unknownRecord.ts';
import { plainly } from '../../components/text/untrustedText.ts';
import { quotas, type Quota } from '../../../../contract/index.ts';
import type { Budget } from './answers.ts';
import { useBudgets } from './useSelling.ts';
import styles from './selling.module.css';

const isQuota = (name: string): name is Quota => quotas.some((quota) => quota === name);

const nameOf = (quota: string): string =>
  isQuota(quota) ? t(`selling.budgets.quota.${quota}`) : plainly(fieldWords(quota));

const wordsOf = ({ quota, remaining, limit }: Budget): string =>
  limit === null
    ? t('selling.budgets.bare', { name: nameOf(quota), left: number(remaining) })
    : t('selling.budgets.one', { name: nameOf(quota), left: number(remaining), of: number(limit) });

const isLow = ({ remaining, limit }: Budget): boolean => remaining <= (limit ?? 0) / 10;

/** What is left of the marketplace's daily budgets: a quiet line, and nothing at all when it is not known. */
export const Budgets = () => {
  const { data: budgets, isPending } = useBudgets();
  if (isPending) return <div className={styles.coming} style={{ height: 40 }} />;
  if (!budgets || budgets.length === 0) return null;
  return (
    <p className={styles.budgets} aria-label={t('selling.budgets.title')}>
      {t('selling.budgets.lead')}{' '}
      {budgets.map((budget) => (
        <span key={budget.quota} data-look={isLow(budget) || undefined}>
          {wordsOf(budget)}
          {isLow(budget) && ` (${t('selling.budgets.low')})`}
        </span>
      ))}
      <span>{t('selling.budgets.resets')}</span>
    </p>
  );
};

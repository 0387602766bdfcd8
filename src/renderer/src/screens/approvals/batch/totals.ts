import type { Money } from '../../../api/types.ts';
import { formatMinor } from '../../../parts/money.ts';
import { t } from '../../../i18n/t.ts';

export type Sum = { currency: string; totalMinor: number; count: number };
/** The money of several acts. Currencies are never added up; free and unknown fees are counted apart. */
export type Totals = { sums: Sum[]; free: number; unknown: number; count: number };

/** Adds up fees, each currency on its own, in the order in which they come. */
export const totalsOf = (moneys: readonly (Money | null)[]): Totals => {
  const sums = new Map<string, Sum>();
  const totals: Totals = { sums: [], free: 0, unknown: 0, count: moneys.length };
  for (const money of moneys) {
    if (money?.state === 'free') totals.free += 1;
    else if (money?.state !== 'fee' || money.totalMinor === null || money.currency === null) totals.unknown += 1;
    else {
      const before = sums.get(money.currency) ?? { currency: money.currency, totalMinor: 0, count: 0 };
      const totalMinor = before.totalMinor + money.totalMinor;
      sums.set(money.currency, { currency: money.currency, totalMinor, count: before.count + 1 });
    }
  }
  return { ...totals, sums: [...sums.values()] };
};

/** The yes of a batch, with its number and its money: "Publish 3 for US$1.05". */
export const yesOf = ({ sums, free, unknown, count }: Totals): string => {
  if (count === 0) return t('approvals.batch.yes.none');
  if (free === count) return t('approvals.batch.yes.allFree', { count });
  if (unknown === count) return t('approvals.batch.yes.unknown', { count });
  const amounts = sums.map((sum) => formatMinor(sum.totalMinor, sum.currency)).join(' + ');
  const rest = [
    ...(free > 0 ? [t('approvals.batch.yes.free', { count: free })] : []),
    ...(unknown > 0 ? [t('approvals.batch.yes.feesUnknown', { count: unknown })] : []),
  ];
  return [
    amounts === '' ? t('approvals.batch.yes.plain', { count }) : t('approvals.batch.yes.for', { count, amounts }),
    ...rest,
  ].join(', ');
};

/** The yes to changes that cost nothing. */
export const yesToChanges = (count: number): string =>
  count === 0 ? t('approvals.batch.yes.noneOther') : t('approvals.batch.yes.other', { count });

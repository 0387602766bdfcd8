import type { Money } from '../../../api/call.ts';
import { formatMinor } from '../../../components/text/format.ts';
import { t } from '../../../i18n.ts';
import { groupRows, type AskedRow, type BatchGroup } from './batchRows.ts';

/** The total of the fees in one currency, in its minor unit, and of how many listings. */
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

const free: Money = { state: 'free', currency: null, totalMinor: 0, lines: [], reason: null, quotedAt: 0 };

/** The fee of a row. What has none by its kind costs nothing; a publish of which nothing is known is unknown. */
export const feeOf = ({ approval: { prompt } }: AskedRow, { act }: Pick<BatchGroup, 'act'>): Money | null =>
  prompt.money ?? (act === 'publish' ? null : free);

/** The money of all ticked rows, whatever they are about. */
export const totalsOfRows = (rows: readonly AskedRow[]): Totals =>
  totalsOf(askedGroups(rows).flatMap((group) => group.asked.map((row) => feeOf(row, group))));

type AskedGroup = BatchGroup & { asked: AskedRow[] };
const askedGroups = (rows: readonly AskedRow[]): AskedGroup[] =>
  groupRows(rows).map((group) => ({ ...group, asked: rows.filter(({ route }) => route === group.route) }));

/** An act with its money: "Publish 3 for US$0.35, 1 free, fee unknown for 1". */
const withMoney = (act: string, { sums, free: none, unknown, count }: Totals): string => {
  if (none === count) return t('approvals.batch.yes.allFree', { act });
  if (unknown === count) return t('approvals.batch.yes.unknown', { act });
  const amounts = sums.map((sum) => formatMinor(sum.totalMinor, sum.currency)).join(' + ');
  return [
    amounts === '' ? act : t('approvals.batch.yes.for', { act, amounts }),
    ...(none > 0 ? [t('approvals.batch.yes.free', { count: none })] : []),
    ...(unknown > 0 ? [t('approvals.batch.yes.feesUnknown', { count: unknown })] : []),
  ].join(', ');
};

/** The yes of a batch, with its acts and their money: "Publish 4 for US$1.40, end 2". */
export const approveLabel = (rows: readonly AskedRow[]): string => {
  if (rows.length === 0) return t('approvals.batch.yes.none');
  const parts = askedGroups(rows).map((group, at) => {
    const { act, name, asked } = group;
    const words = t(`approvals.batch.${at === 0 ? 'first' : 'next'}.${act}`, { act: name, count: asked.length });
    const costs = act === 'publish' || asked.some(({ approval }) => approval.prompt.money !== null);
    return costs ? withMoney(words, totalsOf(asked.map((row) => feeOf(row, group)))) : words;
  });
  // Money that is itself a list stands apart from the next act.
  return parts.join(parts.slice(0, -1).some((part) => part.includes(', ')) ? '; ' : ', ');
};

/** The money at a glance: "US$1.40 + €0.35"; without any, that it is free or not checked. */
export const sumText = ({ sums, unknown }: Totals): string => {
  if (sums.length > 0) return sums.map((sum) => formatMinor(sum.totalMinor, sum.currency)).join(' + ');
  return unknown > 0 ? t('approvals.fees.uncheckedShort') : t('approvals.fees.free');
};

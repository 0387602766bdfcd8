import type { Totals } from './answers.ts';
import type { Part } from './useInsights.ts';

/** The totals of all parts, each currency on its own, the largest first. */
export const sumsOf = (parts: readonly Part[]): Totals[] => {
  const sums = new Map<string, Totals>();
  for (const { currency, sales, items, revenueMinor } of parts.flatMap(({ totals }) => totals)) {
    const before = sums.get(currency) ?? { currency, sales: 0, items: 0, revenueMinor: 0 };
    sums.set(currency, {
      currency,
      sales: before.sales + sales,
      items: before.items + items,
      revenueMinor: before.revenueMinor + revenueMinor,
    });
  }
  return [...sums.values()].sort((a, b) => b.revenueMinor - a.revenueMinor);
};

const none = { sales: 0, items: 0, revenueMinor: 0 };

/** One currency in each part. */
export const inCurrency = (parts: readonly Part[], currency: string): (Totals & Pick<Part, 'span'>)[] =>
  parts.map(({ span, totals }) => ({
    ...none,
    ...totals.find((one) => one.currency === currency),
    currency,
    span,
  }));

import { textToCents } from '../../parts/money.ts';

export type DayLimits = { publishesPerDay: number | null; moneyCentsPerDay: number | null };

/** The limits as typed; an empty field is no limit. Or what is wrong, in words. */
export const limitsFrom = (publishes: string, money: string): DayLimits | string => {
  const count = publishes.trim();
  if (count !== '' && !/^\d{1,5}$/.test(count)) return 'Publishes a day is a whole number, or nothing for no limit.';
  const cents = money.trim() === '' ? null : textToCents(money);
  if (cents === null && money.trim() !== '') return 'US$ a day is an amount like 5.00, or nothing for no limit.';
  return { publishesPerDay: count === '' ? null : Number(count), moneyCentsPerDay: cents };
};

import type { Assistant } from '../../api/types.ts';
import { t } from '../../i18n/t.ts';
import { centsToText, textToCents } from '../../parts/money.ts';

export type DayLimits = { publishesPerDay: number | null; moneyCentsPerDay: number | null };
export type Limits = DayLimits & Pick<Assistant, 'scope' | 'touches'>;

/** The limits as typed; an empty field is no limit. Or what is wrong, in words. */
export const limitsFrom = (publishes: string, money: string): DayLimits | string => {
  const count = publishes.trim();
  if (count !== '' && !/^\d{1,5}$/.test(count)) return t('assistants.limits.publishesWrong');
  const cents = money.trim() === '' ? null : textToCents(money);
  if (cents === null && money.trim() !== '') return t('assistants.limits.moneyWrong', { example: centsToText(500) });
  return { publishesPerDay: count === '' ? null : Number(count), moneyCentsPerDay: cents };
};

/** Only what differs from what the assistant has. */
export const changedOf = ({ budget, scope, touches }: Assistant, wanted: Limits): Partial<Limits> => {
  const now: Limits = { ...budget, scope, touches };
  return {
    ...(wanted.publishesPerDay === now.publishesPerDay ? {} : { publishesPerDay: wanted.publishesPerDay }),
    ...(wanted.moneyCentsPerDay === now.moneyCentsPerDay ? {} : { moneyCentsPerDay: wanted.moneyCentsPerDay }),
    ...(wanted.scope === scope ? {} : { scope: wanted.scope }),
    ...(wanted.touches === touches ? {} : { touches: wanted.touches }),
  };
};

import type { Assistant } from '../../api/types.ts';
import { t } from '../../i18n/t.ts';
import { centsToText, textToCents, formatMinor } from '../../components/text/format.ts';

export type DayLimits = { publishesPerDay: number | null; moneyCentsPerDay: number | null };
export type AssistantLimits = DayLimits & Pick<Assistant, 'scope' | 'touches'>;

/** The limits as typed; an empty field is no limit. Or what is wrong, in words. */
export const limitsFrom = (publishes: string, money: string): DayLimits | string => {
  const count = publishes.trim();
  if (count !== '' && !/^\d{1,5}$/.test(count)) return t('assistants.limits.publishesWrong');
  const cents = money.trim() === '' ? null : textToCents(money);
  if (cents === null && money.trim() !== '') return t('assistants.limits.moneyWrong', { example: centsToText(500) });
  return { publishesPerDay: count === '' ? null : Number(count), moneyCentsPerDay: cents };
};

/** Only what differs from what the assistant has. */
export const changedOf = ({ budget, scope, touches }: Assistant, wanted: AssistantLimits): Partial<AssistantLimits> => {
  const now: AssistantLimits = { ...budget, scope, touches };
  return {
    ...(wanted.publishesPerDay === now.publishesPerDay ? {} : { publishesPerDay: wanted.publishesPerDay }),
    ...(wanted.moneyCentsPerDay === now.moneyCentsPerDay ? {} : { moneyCentsPerDay: wanted.moneyCentsPerDay }),
    ...(wanted.scope === scope ? {} : { scope: wanted.scope }),
    ...(wanted.touches === touches ? {} : { touches: wanted.touches }),
  };
};

const ofMost = (used: string, most: string | null): string =>
  most === null ? used : t('assistants.of', { used, most });

/** What an assistant has used today, of what it may. */
export const usedWords = ({ budget }: Assistant): string => {
  const most = budget.moneyCentsPerDay === null ? null : formatMinor(budget.moneyCentsPerDay, 'USD');
  const publishes = budget.publishesPerDay === null ? null : String(budget.publishesPerDay);
  return t('assistants.today', {
    count: budget.publishesToday,
    publishes: ofMost(String(budget.publishesToday), publishes),
    money: ofMost(formatMinor(budget.moneyCentsToday, 'USD'), most),
  });
};

/** What an assistant may do, to which listings, and whose photos it may use. */
export const mayWords = ({ scope, touches, folders }: Assistant): string =>
  [
    t(`assistants.may.${scope}`),
    touches === 'own' ? t('assistants.touchesOwn') : t('assistants.touchesAll'),
    ...(folders.length > 0 ? [t('assistants.folders.count', { count: folders.length })] : []),
  ].join(' · ');

import type { Assistant } from '../../api/types.ts';
import { t } from '../../i18n/t.ts';
import { formatMinor } from '../../parts/money.ts';

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

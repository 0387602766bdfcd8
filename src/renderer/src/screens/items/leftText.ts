import type { AppState } from '../../api/call.ts';
import { formatDay } from '../../components/text/format.ts';
import { t } from '../../i18n.ts';

/** When the listings of the plan come again, as a day; null where the service does not say. */
const resetDay = (resetsAt: string | null): string | null => {
  const at = Date.parse(resetsAt ?? '');
  return Number.isNaN(at) ? null : formatDay(at, 'long');
};

/** How many listings are left, and until when; or from when on there are some again. */
export const leftText = ({ remaining: count, credits, resetsAt }: NonNullable<AppState['allowance']>): string => {
  const day = resetDay(resetsAt);
  if (count + credits <= 0) return day === null ? t('items.noneLeft') : t('items.noneLeftUntil', { day });
  const listings = day === null ? t('items.left', { count }) : t('items.leftUntil', { count, day });
  return credits > 0 ? t('items.withPrepaid', { listings, credits }) : listings;
};

import type { Listing, ListingRow } from '../../api/call.ts';
import { findTextField } from '../../api/unknownRecord.ts';
import { dayMs } from '../../components/text/format.ts';
import { formatRelativeTime } from '../../components/text/RelativeTime.tsx';
import { t } from '../../i18n.ts';

export const formatListingStatus = (status: ListingRow['status']): string => t(`listings.status.${status}`);

type StatusTimes = Pick<ListingRow, 'status' | 'liveAt' | 'endedAt'>;

const parseTimeField = (listing: Listing, name: string): number | null => {
  const at = Date.parse(findTextField(listing, name) ?? '');
  return Number.isNaN(at) ? null : at;
};

/** The interface does not document the times, so they can be missing. */
export const readStatusTimes = (listing: Listing): StatusTimes => ({
  status: listing.status,
  liveAt: parseTimeField(listing, 'publishedAt'),
  endedAt: parseTimeField(listing, 'endedAt'),
});

const hourMs = 3_600_000;

/** Formats a status with its time, for example as "Live for 12 days". */
export const formatStatusWithTime = ({ status, liveAt, endedAt }: StatusTimes, now: number): string => {
  const words = formatListingStatus(status);
  if (status === 'published' && liveAt !== null) {
    const past = Math.max(0, now - liveAt);
    if (past < hourMs) return t('listings.liveNow');
    return past < dayMs
      ? t('listings.liveHours', { count: Math.floor(past / hourMs) })
      : t('listings.liveDays', { count: Math.floor(past / dayMs) });
  }
  return (status === 'sold' || status === 'ended') && endedAt !== null
    ? `${words} · ${formatRelativeTime(endedAt, now)}`
    : words;
};

import { useQuery } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import { t } from '../../i18n/t.ts';
import { RecordList } from '../approvals/record/RecordList.tsx';
import styles from './listings.module.css';

/** What was asked, answered and sent about one listing, newest first. */
export const ListingHistory = ({ listingId }: { listingId: string }) => {
  const rows = useQuery({
    queryKey: ['approvals', 'record', 'of', listingId],
    queryFn: () => call('history.search', { listingId, limit: 100 }),
  }).data?.rows;
  if (!rows) return null;
  return (
    <section aria-label={t('listings.history')}>
      <h3>{t('listings.history')}</h3>
      {rows.length === 0 && <p className={styles.soft}>{t('listings.noHistory')}</p>}
      <RecordList label={t('listings.history')} rows={rows} />
    </section>
  );
};

import { IconHourglass } from '@tabler/icons-react';
import { lockWords } from '../../approvals/locks.ts';
import { useLock } from '../../approvals/useLock.ts';
import { t } from '../../../i18n/t.ts';
import styles from './review.module.css';

/** What is going on with a listing that takes no changes just now, and what becomes of those that are made meanwhile. */
export const LockLine = ({ listingId }: { listingId: string }) => {
  const lock = useLock(listingId);
  if (lock === null) return null;
  return (
    <p role="status" className={styles.lock}>
      <IconHourglass size={16} aria-hidden />
      <span>
        <b>{lockWords(lock)}.</b> {t('approvals.lock.kept')}
      </span>
    </p>
  );
};

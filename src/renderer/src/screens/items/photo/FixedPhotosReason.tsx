import type { Listing } from '../../../api/call.ts';
import { t } from '../../../i18n.ts';
import styles from '../pane.module.css';

const formatReason = (status: Listing['status']): string | null => {
  if (status === 'published') return t('listingPhotos.live');
  if (status === 'sold' || status === 'ended') return t('listingPhotos.ended.left');
  return status === 'pending_review' ? t('listingPhotos.elsewhere') : null;
};

/** Says why the photos of a written listing cannot be changed here. */
export const FixedPhotosReason = ({ status }: { status: Listing['status'] }) => {
  const reason = formatReason(status);
  return reason && <p className={styles.soft}>{reason}</p>;
};

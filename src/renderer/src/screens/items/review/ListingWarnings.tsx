import { IconAlertTriangle } from '@tabler/icons-react';
import type { CallAnswer } from '../../../../../ipc/calls.ts';
import { t, translateMessage } from '../../../i18n.ts';
import styles from './review.module.css';

/** Says why a listing is weak, before it is published. */
export const ListingWarnings = ({ warnings }: { warnings: CallAnswer<'listings.warnings'> }) =>
  warnings.length === 0 ? null : (
    <ul className={styles.warnings} aria-label={t('review.warnings')}>
      {warnings.map(({ code, says, sentence }) => (
        <li key={code}>
          <IconAlertTriangle size={14} aria-hidden />
          {translateMessage(says, sentence)}
        </li>
      ))}
    </ul>
  );

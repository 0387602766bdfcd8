import { IconAlertTriangle } from '@tabler/icons-react';
import { UnstyledButton } from '@mantine/core';
import { useState } from 'react';
import type { CallAnswer } from '../../../../../ipc/calls.ts';
import { t, translateMessage } from '../../../i18n.ts';
import { LiveDuplicateDialog } from '../arrange/ArrangeBar.tsx';
import styles from './review.module.css';

type Props = { listingId: string; warnings: CallAnswer<'listings.warnings'> };

/** Says why a listing is weak, before it is published. */
export const ListingWarnings = ({ listingId, warnings }: Props) => {
  const [isComparing, setComparing] = useState(false);
  if (warnings.length === 0) return null;
  return (
    <>
      <ul className={styles.warnings} aria-label={t('review.warnings')}>
        {warnings.map(({ code, says, sentence }) => (
          <li key={code}>
            <IconAlertTriangle size={14} aria-hidden />
            {code === 'LIVE_ALREADY' ? (
              <UnstyledButton className={styles.compare} aria-haspopup="dialog" onClick={() => setComparing(true)}>
                {translateMessage(says, sentence)}
              </UnstyledButton>
            ) : (
              translateMessage(says, sentence)
            )}
          </li>
        ))}
      </ul>
      {isComparing && <LiveDuplicateDialog target={{ listingId }} close={() => setComparing(false)} />}
    </>
  );
};

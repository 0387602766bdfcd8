import { Button } from '@mantine/core';
import { t } from '../../i18n/t.ts';
import styles from './receipt.module.css';

type Props = { busy: boolean; onUnlock: () => void };

/** Lets go of a listing of which nobody could find out for ten minutes what became of it, with what that means. */
export const Unlock = ({ busy, onUnlock }: Props) => (
  <div className={styles.unlock}>
    <p>{t('approvals.unlock.means')}</p>
    <div>
      <Button loading={busy} onClick={onUnlock}>
        {t('approvals.unlock.button')}
      </Button>
    </div>
  </div>
);

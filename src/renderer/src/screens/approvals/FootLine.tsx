import { IconAlertTriangle } from '@tabler/icons-react';
import { timeLeft } from '../../parts/ago.ts';
import { useNow } from '../../parts/useNow.ts';
import { t } from '../../i18n/t.ts';
import styles from './receipt.module.css';

type Props = { final: boolean; until: number; more: number };

/** Above the answers, where it cannot be scrolled away: that it is for good, how long there is, and what comes after. */
export const FootLine = ({ final, until, more }: Props) => {
  const now = useNow(1_000);
  return (
    <p className={styles.footLine}>
      {final && (
        <span className={styles.final}>
          <IconAlertTriangle size={16} aria-hidden />
          {t('approvals.cannotUndo')}
        </span>
      )}
      <span>{timeLeft(until, now)}</span>
      {more > 0 && <span>{t('approvals.moreAfter', { count: more })}</span>}
    </p>
  );
};

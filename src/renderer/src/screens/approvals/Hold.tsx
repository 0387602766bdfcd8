import { Button } from '@mantine/core';
import { useEffect, useId, useRef } from 'react';
import { secondsLeft } from '../../parts/ago.ts';
import { useNow } from '../../parts/useNow.ts';
import { t } from '../../i18n/t.ts';
import styles from './receipt.module.css';

type Props = {
  until: number;
  /** What happens in so many seconds: "Ending in 4 s". */
  words: (seconds: number) => string;
  busy: boolean;
  onTakeBack: () => void;
  onClose: () => void;
};

/**
 * The seconds after the yes to something that cannot be undone, in the place of the answers. The focus goes to what takes
 * it back. A screen reader hears of it once, not every second.
 */
export const Hold = ({ until, words, busy, onTakeBack, onClose }: Props) => {
  const now = useNow(200);
  const id = useId();
  const back = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    // While the yes is still being answered it cannot take the focus.
    if (!busy) back.current?.focus();
  }, [busy]);
  const left = secondsLeft(until, now);
  return (
    <div className={styles.foot}>
      <div className={styles.hold}>
        <b aria-hidden>{left > 0 ? words(left) : t('approvals.state.sending')}</b>
        <span className={styles.small}>{t('approvals.hold.means')}</span>
        <span role="status" id={id} className={styles.unseen}>
          {t('approvals.hold.said')}
        </span>
      </div>
      <div className={styles.answers}>
        <Button size="md" variant="quiet" onClick={onClose}>
          {t('approvals.close')}
        </Button>
        <Button
          ref={back}
          data-autofocus
          aria-describedby={id}
          className={styles.yes}
          variant="ink"
          size="md"
          loading={busy}
          disabled={left === 0}
          onClick={onTakeBack}
        >
          {t('approvals.hold.takeBack')}
        </Button>
      </div>
    </div>
  );
};

import { countSecondsLeft, useTimeLeft } from '../../components/text/RelativeTime.tsx';
import { t } from '../../i18n.ts';
import { usePinWaitEnd } from './useProofs.ts';
import styles from './proof.module.css';

/** The ceremony page has its own copy, because a shared module would become a script that both pages load. */
const formatCountdown = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;

/** A timer is no live region, so a screen reader does not read it out every second. */
const PinTimer = ({ until }: { until: number }) => {
  const seconds = countSecondsLeft(useTimeLeft(until, 1_000));
  if (seconds === 0) return null;
  return (
    <span role="timer" className={styles.small}>
      {t('proof.section.pinWaits', { time: formatCountdown(seconds) })}
    </span>
  );
};

/** Counts down until the next PIN can be entered, if wrong ones started a wait. */
export const PinWait = () => {
  const until = usePinWaitEnd();
  return until === null ? null : <PinTimer until={until} />;
};

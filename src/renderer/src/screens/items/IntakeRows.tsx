import { memo } from 'react';
import { useIntakeProgress, type Intake } from '../../api/intakes.ts';
import { CorePicture } from '../../components/CorePicture.tsx';
import { UntrustedText, escapeHiddenText } from '../../components/text/UntrustedText.tsx';
import { t } from '../../i18n.ts';
import styles from './itemRow.module.css';

const IntakeRow = memo(({ intake }: { intake: Intake }) => {
  const { sent, thumbUrl } = useIntakeProgress(intake.intakeId);
  const words = t('items.bringing', { sent, count: intake.total });
  return (
    <li className={styles.row} aria-label={`${escapeHiddenText(intake.name)} – ${words}`}>
      <span className={styles.open}>
        {thumbUrl ? (
          <CorePicture src={thumbUrl} alt="" width={40} height={40} loading="lazy" decoding="async" />
        ) : (
          <span className={styles.noPhoto} />
        )}
        <span className={styles.texts}>
          <span className={styles.name}>
            <UntrustedText text={intake.name} fold={10_000} flag={false} />
          </span>
          <span className={styles.words}>{words}</span>
          <progress className={styles.sent} value={sent} max={intake.total} aria-label={words} />
        </span>
      </span>
    </li>
  );
});

/** Shows the photos that the browser is still sending, so that a drop is visible at once. */
export const IntakeRows = memo(({ intakes }: { intakes: readonly Intake[] }) =>
  intakes.length === 0 ? null : (
    <ul className={`${styles.list} ${styles.comingIn}`} aria-label={t('items.comingIn')} tabIndex={0}>
      {intakes.map((intake) => (
        <IntakeRow key={intake.intakeId} intake={intake} />
      ))}
    </ul>
  ),
);

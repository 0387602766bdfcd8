import type { Intake } from '../../api/addPhotos.ts';
import { UntrustedText } from '../../components/text/UntrustedText.tsx';
import { plainly } from '../../components/text/untrustedText.ts';
import { t } from '../../i18n/t.ts';
import { Picture } from '../../components/Picture.tsx';
import styles from './itemRow.module.css';

const wordsOf = ({ sent, total }: Intake): string => t('items.bringing', { sent, count: total });

/** Rows for what is still on its way from the browser, so that a drop is seen at once. */
export const IntakeRows = ({ intakes }: { intakes: readonly Intake[] }) => {
  if (intakes.length === 0) return null;
  return (
    <ul className={styles.list} aria-label={t('items.comingIn')}>
      {intakes.map((intake) => (
        <li key={intake.intakeId} className={styles.row} aria-label={`${plainly(intake.name)} – ${wordsOf(intake)}`}>
          <span className={styles.open}>
            {intake.thumbUrl ? (
              <Picture src={intake.thumbUrl} alt="" width={56} height={56} />
            ) : (
              <span className={styles.noPhoto} />
            )}
            <span className={styles.texts}>
              <span className={styles.name}>
                <UntrustedText text={intake.name} fold={10_000} flag={false} />
              </span>
              <span className={styles.words}>{wordsOf(intake)}</span>
              <progress className={styles.sent} value={intake.sent} max={intake.total} aria-label={wordsOf(intake)} />
            </span>
          </span>
        </li>
      ))}
    </ul>
  );
};

import { UntrustedText } from '../../parts/UntrustedText.tsx';
import { t } from '../../i18n/t.ts';
import styles from './receipt.module.css';

/** Why an assistant asks, as its own words. */
export const OwnWords = ({ reason }: { reason: string | null }) =>
  reason ? (
    <section className={styles.section}>
      <h3 className={styles.label}>{t('approvals.ownWords')}</h3>
      <blockquote className={styles.reason}>
        <UntrustedText text={reason} fold={240} />
      </blockquote>
    </section>
  ) : null;

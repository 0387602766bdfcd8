import type { HistoryPage } from '../../../api/types.ts';
import { t } from '../../../i18n/t.ts';
import styles from './record.module.css';

/** As people compare it, and as the command line takes it. */
const shortKey = (fingerprint: string): string => (fingerprint.slice(0, 20).match(/.{4}/g) ?? []).join(' ');

/** Which key signs the rows; the whole fingerprint is in the title. */
export const SigningLine = ({ signing: { fingerprint, keychain } }: Pick<HistoryPage, 'signing'>) => (
  <p className={styles.signing}>
    <span title={fingerprint}>{t('approvals.record.signedBy', { key: shortKey(fingerprint) })}</span>
    {keychain === 'memory' && <span>{t('approvals.record.thisRunOnly')}</span>}
  </p>
);

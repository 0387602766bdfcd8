import { DropHere } from './DropHere.tsx';
import { t } from '../../i18n/t.ts';
import styles from './items.module.css';

/** The empty list: what will be here, and the first step. */
export const FirstItems = () => (
  <div className={styles.firstItems}>
    <h1>{t('items.firstTitle')}</h1>
    <p>{t('items.firstText')}</p>
    <DropHere large />
  </div>
);

import { Button } from '@mantine/core';
import { CallError, sentenceOf } from '../api/callError.ts';
import { t } from '../i18n/t.ts';
import styles from './frame.module.css';

const titles = {
  LINK_USED: () => t('app.locked.LINK_USED'),
  LINK_ENDED: () => t('app.locked.LINK_ENDED'),
  LINK_MISSING: () => t('app.locked.LINK_MISSING'),
};
type Locked = CallError & { code: keyof typeof titles };

/** Whether the companion does not know this tab of the browser, or not any more. */
export const isLocked = (error: unknown): error is Locked =>
  error instanceof CallError && Object.hasOwn(titles, error.code);

/** What a tab shows that came without a link, or by one that does not work: why, and the next step. */
export const LockedTab = ({ error }: { error: Locked }) => (
  <main className={styles.locked}>
    <div className={styles.lockedInner}>
      <p className={styles.lockedName}>Listing Companion</p>
      <h1>{titles[error.code]()}</h1>
      <p>{sentenceOf(error)}</p>
      <Button onClick={() => location.reload()}>{t('app.tryAgain')}</Button>
    </div>
  </main>
);

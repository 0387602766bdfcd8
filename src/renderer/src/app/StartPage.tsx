import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { StartView } from '../../../ipc/startCalls.ts';
import { callCore } from '../api/call.ts';
import { ErrorLine } from '../components/ScreenPage.tsx';
import { t } from '../i18n.ts';
import styles from './frame.module.css';

/** Shows what a long start does, and how far it is. */
export const StartPage = ({ start, error }: { start: StartView; error: unknown }) => {
  const cancel = useMutation({ mutationFn: () => callCore('start.cancel', {}) });
  const { name, progress, isCancellable } = start;
  return (
    <main className={styles.locked}>
      <div className={styles.lockedInner}>
        <p className={styles.lockedName}>Listing Companion</p>
        <h1>{t('start.title')}</h1>
        <p role="status">{t(`start.${name}`)}</p>
        <progress
          className={styles.startProgress}
          aria-label={t('start.progress')}
          {...(progress && progress.total > 0 ? { value: progress.done, max: progress.total } : {})}
        />
        <p className={styles.lockedName}>{t('start.safe')}</p>
        {isCancellable && (
          <Button loading={cancel.isPending} onClick={() => cancel.mutate()}>
            {t('start.cancel')}
          </Button>
        )}
        <ErrorLine error={cancel.error ?? error} />
      </div>
    </main>
  );
};

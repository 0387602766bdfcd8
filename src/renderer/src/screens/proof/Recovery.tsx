import { Button } from '@mantine/core';
import { useState } from 'react';
import { ConfirmButton } from '../../components/ConfirmButton.tsx';
import { ErrorLine } from '../../components/ScreenPage.tsx';
import { t } from '../../i18n.ts';
import { SignInAgain } from './SignInAgain.tsx';
import { useRecoveryStart, type ProofState } from './useProofs.ts';
import styles from './proof.module.css';

/** Without its key or PIN, the person waits 24 hours, so that they can cancel a recovery that a program started. */
export const RecoveryStart = ({ state: { isSignInFresh, isLost } }: { state: ProofState }) => {
  const [isOpen, setOpen] = useState(isLost);
  const start = useRecoveryStart();
  return (
    <div className={styles.adding}>
      <div className={styles.line}>
        <Button variant="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {t('proof.recovery.start')}
        </Button>
      </div>
      {isOpen && (
        <>
          <p>{t('proof.recovery.text')}</p>
          {isSignInFresh ? (
            <div className={styles.line}>
              <ConfirmButton sure={t('proof.recovery.sure')} busy={start.isPending} onSure={() => start.mutate()}>
                {t('proof.recovery.begin')}
              </ConfirmButton>
            </div>
          ) : (
            <SignInAgain why={t('proof.signIn.recovery')} />
          )}
        </>
      )}
      <ErrorLine error={start.error} />
    </div>
  );
};

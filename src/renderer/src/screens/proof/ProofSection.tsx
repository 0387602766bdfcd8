import { ProblemLine, ErrorLine } from '../../components/ScreenPage.tsx';
import { t } from '../../i18n.ts';
import { SettingsSection } from '../settings/SettingsSection.tsx';
import { AddProof } from './AddProof.tsx';
import { SignInAgain } from './SignInAgain.tsx';
import { useProofState, type ProofState, useProofRelaxing, useRecoveryStart, useProofRemoval } from './useProofs.ts';
import { NativeSelect, Button } from '@mantine/core';
import styles from './proof.module.css';
import { useState, type ReactNode } from 'react';
import { ConfirmButton } from '../../components/ConfirmButton.tsx';
import { formatDay } from '../../components/text/format.ts';
import { UntrustedText } from '../../components/text/UntrustedText.tsx';
import { PinWait } from './PinWait.tsx';

type ProofLineProps = { name: ReactNode; about?: ReactNode; isLast: boolean; busy: boolean; onRemove: () => void };

const ProofLine = ({ name, about, isLast, busy, onRemove }: ProofLineProps) => (
  <li className={styles.proof}>
    <span className={styles.name}>
      {name}
      {about}
      {isLast && <span className={styles.small}>{t('proof.section.removesLast')}</span>}
    </span>
    <ConfirmButton variant="quiet" sure={t('proof.section.removeSure')} busy={busy} onSure={onRemove}>
      {t('proof.section.remove')}
    </ConfirmButton>
  </li>
);

const PinNotice = ({ keychain }: Pick<NonNullable<ProofState['pin']>, 'keychain'>) => (
  <>
    {keychain === 'memory' && <span className={styles.small}>{t('proof.section.pinMemory')}</span>}
    <PinWait />
  </>
);

export const ProofList = ({ state: { kinds, passkeys, pin } }: { state: ProofState }) => {
  const { mutate, isPending, error } = useProofRemoval();
  const count = passkeys.length + (kinds.includes('system') ? 1 : 0) + (pin === null ? 0 : 1);
  const shared = { isLast: count === 1, busy: isPending };
  return (
    <>
      <ul className={styles.proofs} aria-label={t('proof.section.list')}>
        {passkeys.map(({ credentialId, label, addedAt }) => (
          <ProofLine
            key={credentialId}
            name={label === '' ? t('proof.section.unnamed') : <UntrustedText text={label} fold={100} flag={false} />}
            about={<span className={styles.small}>{t('proof.section.added', { when: formatDay(addedAt) })}</span>}
            {...shared}
            onRemove={() => mutate({ kind: 'passkey', credentialId })}
          />
        ))}
        {kinds.includes('system') && (
          <ProofLine name={t('proof.section.system')} {...shared} onRemove={() => mutate({ kind: 'system' })} />
        )}
        {pin !== null && (
          <ProofLine
            name={t('proof.section.pin')}
            about={<PinNotice keychain={pin.keychain} />}
            {...shared}
            onRemove={() => mutate({ kind: 'pin' })}
          />
        )}
      </ul>
      {kinds.length === 1 && passkeys.length === 1 && <p className={styles.small}>{t('proof.section.second')}</p>}
      <ErrorLine error={error} />
    </>
  );
};

/**
 * A person who has lost the passkey or the PIN waits 24 hours, so that they can cancel a recovery that a program
 * started.
 */
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

const times = [0, 5, 15] as const;

const formatChoice = (minutes: ProofState['relaxedMinutes']): string =>
  minutes === 0 ? t('proof.relax.each') : t('proof.relax.once', { minutes });

/** Lets one confirmation count for the person's own acts of a few minutes. */
export const RelaxChoice = ({ state: { relaxedMinutes } }: { state: ProofState }) => {
  const { mutate, isPending, error } = useProofRelaxing();
  return (
    <div className={styles.form} aria-busy={isPending}>
      <NativeSelect
        label={t('proof.relax.label')}
        description={t('proof.relax.help')}
        value={String(relaxedMinutes)}
        data={times.map((minutes) => ({ value: String(minutes), label: formatChoice(minutes) }))}
        onChange={({ currentTarget: { value } }) => {
          const minutes = times.find((time) => String(time) === value);
          if (minutes !== undefined && !isPending) mutate(minutes);
        }}
      />
      {relaxedMinutes > 0 && <p className={styles.weaker}>{t('proof.relax.weaker', { minutes: relaxedMinutes })}</p>}
      <ErrorLine error={error} />
    </div>
  );
};

const ProofContent = ({ state }: { state: ProofState }) => {
  const { isSetUp, isLost, isSignInFresh, kinds, recoveryLeftMs } = state;
  return (
    <>
      {isLost && <ProblemLine>{t('proof.lost')}</ProblemLine>}
      {kinds.length > 0 && <ProofList state={state} />}
      {!isSetUp && <p>{t('proof.section.none')}</p>}
      {isSetUp || isSignInFresh ? !isLost && <AddProof state={state} /> : <SignInAgain why={t('proof.signIn.setUp')} />}
      {kinds.length > 0 && <RelaxChoice state={state} />}
      {isSetUp && recoveryLeftMs === null && <RecoveryStart key={String(isLost)} state={state} />}
    </>
  );
};

/** What the person set up to prove that it is them. */
export const ProofSection = () => {
  const state = useProofState();
  return (
    <SettingsSection title={t('proof.section.title')} help={t('proof.section.help')} isLoading={!state}>
      {state && <ProofContent state={state} />}
    </SettingsSection>
  );
};

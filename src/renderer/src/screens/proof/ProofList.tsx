import type { ReactNode } from 'react';
import { ConfirmButton } from '../../components/ConfirmButton.tsx';
import { ErrorLine } from '../../components/ScreenPage.tsx';
import { formatDay } from '../../components/text/format.ts';
import { UntrustedText } from '../../components/text/UntrustedText.tsx';
import { t } from '../../i18n.ts';
import { PinWait } from './PinWait.tsx';
import { useProofRemoval, type ProofState } from './useProofs.ts';
import styles from './proof.module.css';

type ProofLineProps = { name: ReactNode; about?: ReactNode; busy: boolean; onRemove: () => void };

const ProofLine = ({ name, about, busy, onRemove }: ProofLineProps) => (
  <li className={styles.proof}>
    <span className={styles.name}>
      {name}
      {about}
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
  return (
    <>
      <ul className={styles.proofs} aria-label={t('proof.section.list')}>
        {passkeys.map(({ credentialId, label, addedAt }) => (
          <ProofLine
            key={credentialId}
            name={label === '' ? t('proof.section.unnamed') : <UntrustedText text={label} fold={100} flag={false} />}
            about={<span className={styles.small}>{t('proof.section.added', { when: formatDay(addedAt) })}</span>}
            busy={isPending}
            onRemove={() => mutate({ kind: 'passkey', credentialId })}
          />
        ))}
        {kinds.includes('system') && (
          <ProofLine name={t('proof.section.system')} busy={isPending} onRemove={() => mutate({ kind: 'system' })} />
        )}
        {pin !== null && (
          <ProofLine
            name={t('proof.section.pin')}
            about={<PinNotice keychain={pin.keychain} />}
            busy={isPending}
            onRemove={() => mutate({ kind: 'pin' })}
          />
        )}
      </ul>
      {kinds.length === 1 && passkeys.length === 1 && <p className={styles.small}>{t('proof.section.second')}</p>}
      <ErrorLine error={error} />
    </>
  );
};

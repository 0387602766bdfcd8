import type { ReactNode } from 'react';
import { ConfirmButton } from '../../components/ConfirmButton.tsx';
import { ErrorLine } from '../../components/ScreenPage.tsx';
import { formatWaitTime } from '../../components/text/RelativeTime.tsx';
import { formatDay } from '../../components/text/format.ts';
import { UntrustedText } from '../../components/text/UntrustedText.tsx';
import { t } from '../../i18n.ts';
import { useProofRemoval, type ProofState } from './useProofs.ts';
import styles from './proof.module.css';

type ProofLineProps = { name: ReactNode; about: string | null; busy: boolean; onRemove: () => void };

const ProofLine = ({ name, about, busy, onRemove }: ProofLineProps) => (
  <li className={styles.proof}>
    <span className={styles.name}>
      {name}
      {about !== null && <span className={styles.small}>{about}</span>}
    </span>
    <ConfirmButton variant="quiet" sure={t('proof.section.removeSure')} busy={busy} onSure={onRemove}>
      {t('proof.section.remove')}
    </ConfirmButton>
  </li>
);

const formatPinNotice = ({ keychain, waitLeftMs }: NonNullable<ProofState['pin']>): string | null => {
  if (waitLeftMs > 0) return t('proof.section.pinWaits', { time: formatWaitTime(waitLeftMs / 1_000) });
  return keychain === 'memory' ? t('proof.section.pinMemory') : null;
};

export const ProofList = ({ state: { kinds, passkeys, pin } }: { state: ProofState }) => {
  const { mutate, isPending, error } = useProofRemoval();
  return (
    <>
      <ul className={styles.proofs} aria-label={t('proof.section.list')}>
        {passkeys.map(({ credentialId, label, addedAt }) => (
          <ProofLine
            key={credentialId}
            name={label === '' ? t('proof.section.unnamed') : <UntrustedText text={label} fold={100} flag={false} />}
            about={t('proof.section.added', { when: formatDay(addedAt) })}
            busy={isPending}
            onRemove={() => mutate({ kind: 'passkey', credentialId })}
          />
        ))}
        {kinds.includes('system') && (
          <ProofLine
            name={t('proof.section.system')}
            about={null}
            busy={isPending}
            onRemove={() => mutate({ kind: 'system' })}
          />
        )}
        {pin !== null && (
          <ProofLine
            name={t('proof.section.pin')}
            about={formatPinNotice(pin)}
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

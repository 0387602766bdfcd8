import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { CallInput } from '../../../../ipc/calls.ts';
import { ErrorLine } from '../../components/ScreenPage.tsx';
import { t } from '../../i18n.ts';
import { canUsePasskeys, isSignInMissing, useProofRegistration, type ProofState } from './useProofs.ts';
import styles from './proof.module.css';

type AddProps = { busy: boolean; onAdd: (proof: CallInput<'proofs.register'>) => void };

const PasskeyForm = ({ busy, onAdd }: AddProps) => {
  const [label, setLabel] = useState('');
  return (
    <form
      className={styles.form}
      aria-label={t('proof.section.addPasskey')}
      onSubmit={(event) => {
        event.preventDefault();
        if (!busy) onAdd({ kind: 'passkey', label: label.trim() });
      }}
    >
      <TextInput
        label={t('proof.section.label')}
        description={t('proof.section.labelHelp')}
        maxLength={100}
        value={label}
        onChange={(event) => setLabel(event.currentTarget.value)}
      />
      <div className={styles.line}>
        <Button type="submit" disabled={busy}>
          {t('proof.section.addPasskey')}
        </Button>
        <span className={styles.small}>{t('proof.section.addPasskeyHelp')}</span>
      </div>
    </form>
  );
};

type OtherProofProps = AddProps & { kind: 'system' | 'pin'; label: string; help: string };

const OtherProofLine = ({ busy, onAdd, kind, label, help }: OtherProofProps) => (
  <div className={styles.line}>
    <Button disabled={busy} onClick={() => onAdd({ kind })}>
      {label}
    </Button>
    <span className={styles.small}>{help}</span>
  </div>
);

/** Offers only what works here. A PIN is no longer offered once something stronger is set up. */
export const AddProof = ({ state: { kinds, pin, hasSystemPrompt } }: { state: ProofState }) => {
  const { mutate, isPending, error } = useProofRegistration();
  const isStrong = kinds.includes('passkey') || kinds.includes('system');
  const add = { busy: isPending, onAdd: (proof: CallInput<'proofs.register'>) => mutate(proof) };
  return (
    <div className={styles.adding} aria-busy={isPending}>
      {canUsePasskeys() ? <PasskeyForm {...add} /> : <p>{t('proof.section.noPasskeys')}</p>}
      {hasSystemPrompt && !kinds.includes('system') && (
        <OtherProofLine
          {...add}
          kind="system"
          label={t('proof.section.useSystem')}
          help={t('proof.section.useSystemHelp')}
        />
      )}
      {!isStrong && (
        <OtherProofLine
          {...add}
          kind="pin"
          label={t(pin === null ? 'proof.section.setPin' : 'proof.section.changePin')}
          help={t('proof.section.setPinHelp')}
        />
      )}
      {!isSignInMissing(error) && <ErrorLine error={error} />}
    </div>
  );
};

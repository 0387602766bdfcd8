import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Trans } from 'react-i18next';
import { callCore, type AppState } from '../../api/call.ts';
import { useAppState } from '../../api/queries.ts';
import { ExternalLink } from '../../components/ExternalLink.tsx';
import { ErrorLine } from '../../components/ScreenPage.tsx';
import { useRetryWait } from '../../components/text/RelativeTime.tsx';
import { UntrustedText } from '../../components/text/UntrustedText.tsx';
import { t } from '../../i18n.ts';
import { useProofChange } from './useProofs.ts';
import { SignInCodeInput } from '../connect/SignInCodeInput.tsx';
import styles from './proof.module.css';

const SentNotice = ({ state: { person, service } }: { state: AppState }) => (
  <>
    <p>
      <Trans
        i18nKey="proof.signIn.sent"
        components={{ email: <UntrustedText text={person?.email ?? ''} fold={254} flag={false} /> }}
      />
    </p>
    {service.kind === 'practice' && (
      <p>
        <Trans
          i18nKey="proof.signIn.practice"
          components={{ page: <ExternalLink url={new URL('/practice', service.url).href}>{null}</ExternalLink> }}
        />
      </p>
    )}
  </>
);

type CodeFormProps = { state: AppState; challengeId: string; onNewCode: () => void };

const CodeForm = ({ state, challengeId, onNewCode }: CodeFormProps) => {
  const [code, setCode] = useState('');
  const signIn = useProofChange((digits: string) => callCore('proofs.signIn', { challengeId, code: digits }));
  const wait = useRetryWait(signIn.error);
  const digits = code.replace(/\D/g, '');
  const isComplete = digits.length === 6 && wait === 0;
  return (
    <form
      className={styles.form}
      aria-label={t('proof.signIn.title')}
      onSubmit={(event) => {
        event.preventDefault();
        if (isComplete && !signIn.isPending) signIn.mutate(digits);
      }}
    >
      <SentNotice state={state} />
      <SignInCodeInput code={code} onChange={setCode} error={signIn.error} wait={wait} />
      <div className={styles.line}>
        <Button type="submit" loading={signIn.isPending} disabled={!isComplete}>
          {t('proof.signIn.confirm')}
        </Button>
        <Button variant="quiet" onClick={onNewCode} disabled={wait > 0}>
          {t('connect.newCode')}
        </Button>
      </div>
    </form>
  );
};

/** Lets the person sign in with a code from an e-mail, which an assistant in the window cannot read. */
export const SignInAgain = ({ why }: { why: string }) => {
  const state = useAppState().data;
  const start = useMutation({ mutationFn: () => callCore('proofs.startSignIn', {}) });
  if (!state) return null;
  if (state.connection !== 'connected') return <p>{t('proof.signIn.notConnected')}</p>;
  const challengeId = start.data?.challengeId;
  return (
    <>
      <p>{why}</p>
      {challengeId === undefined ? (
        <div className={styles.line}>
          <Button loading={start.isPending} onClick={() => start.mutate()}>
            {t('connect.sendCode')}
          </Button>
        </div>
      ) : (
        <CodeForm key={challengeId} state={state} challengeId={challengeId} onNewCode={() => start.mutate()} />
      )}
      <ErrorLine error={start.error} />
    </>
  );
};

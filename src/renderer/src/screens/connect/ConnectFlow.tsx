import { useAppStateMutation } from '../../api/useCall.ts';
import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { CallAnswer } from '../../../../ipc/calls.ts';
import { callCore, getErrorSentence, type AppState } from '../../api/call.ts';
import { Trans } from 'react-i18next';
import { ExternalLink } from '../../components/ExternalLink.tsx';
import { Button, TextInput } from '@mantine/core';
import { RetryCountdown, useRetryWait } from '../../components/text/RelativeTime.tsx';
import { createEscapeHandler } from '../../components/Keys.tsx';
import { HowItWorks } from '../../components/HowItWorks.tsx';
import { ErrorLine, ProblemLine } from '../../components/ScreenPage.tsx';
import { t, translateMessage } from '../../i18n.ts';
import { useAppState } from '../../api/queries.ts';
import { KeyConnectForm } from './KeyConnectForm.tsx';
import { PracticeConnectHelp } from './PracticeConnectHelp.tsx';
import { SignInCodeInput } from './SignInCodeInput.tsx';
import styles from './connect.module.css';

/** `name` is used only if the service creates an account. */
type AccountIdentity = { email: string; name: string };
type Challenge = CallAnswer<'connect.start'> & AccountIdentity;

const useCodeConnection = (onConnected: () => void) => {
  const [challenge, setChallenge] = useState<Challenge | null>(null);
  const start = useMutation({
    mutationFn: async ({ email, name }: AccountIdentity) => ({
      ...(await callCore('connect.start', { email, name })),
      email,
      name,
    }),
    onSuccess: setChallenge,
  });
  const verify = useAppStateMutation(
    (code: string) =>
      callCore('connect.verify', { challengeId: challenge?.challengeId ?? '', email: challenge?.email ?? '', code }),
    { onDone: onConnected },
  );
  const restartConnection = () => {
    setChallenge(null);
    start.reset();
    verify.reset();
  };
  return { challenge, start, verify, restart: restartConnection };
};

const LegalPageLink = ({ url, children }: { url: string | null; children?: ReactNode }) =>
  url === null ? children : <ExternalLink url={url}>{children}</ExternalLink>;

const TermsNotice = ({ challenge }: { challenge: Challenge }) => (
  <p>
    <Trans
      i18nKey="connect.terms"
      components={{
        email: <b>{challenge.email}</b>,
        terms: <LegalPageLink url={challenge.termsUrl} />,
        privacy: <LegalPageLink url={challenge.privacyUrl} />,
      }}
    />
  </p>
);

type CodeEntryStepProps = {
  challenge: Challenge;
  busy: boolean;
  error: unknown;
  onCode: (code: string) => void;
  onNewCode: () => void;
  onOtherAddress: () => void;
};

const CodeEntryStep = ({ challenge, busy, error, onCode, onNewCode, onOtherAddress }: CodeEntryStepProps) => {
  const [code, setCode] = useState('');
  const wait = useRetryWait(error);
  const digits = code.replace(/\D/g, '');
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (digits.length === 6 && wait === 0) onCode(digits);
      }}
    >
      <TermsNotice challenge={challenge} />
      <SignInCodeInput code={code} onChange={setCode} description={t('connect.codeHelp')} error={error} wait={wait} />
      <Button type="submit" variant="ink" loading={busy} disabled={digits.length !== 6 || wait > 0}>
        {t('connect.connect')}
      </Button>
      <div className={styles.others}>
        <Button variant="quiet" onClick={onNewCode} disabled={wait > 0}>
          {t('connect.newCode')}
        </Button>
        <Button variant="quiet" onClick={onOtherAddress}>
          {t('connect.otherAddress')}
        </Button>
      </div>
    </form>
  );
};

type EmailEntryStepProps = { busy: boolean; error: unknown; onEmail: (who: AccountIdentity) => void };

const EmailEntryStep = ({ busy, error, onEmail }: EmailEntryStepProps) => {
  const [email, setEmail] = useState('');
  const [name, setName] = useState('');
  const wait = useRetryWait(error);
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (email.trim() !== '' && wait === 0) onEmail({ email: email.trim(), name: name.trim() });
      }}
    >
      <TextInput
        label={t('connect.email')}
        description={t('connect.emailHelp')}
        type="email"
        autoComplete="email"
        value={email}
        onChange={(event) => setEmail(event.currentTarget.value)}
        data-autofocus
      />
      <p className={styles.soft}>{t('connect.emailNext')}</p>
      <TextInput
        label={t('connect.name')}
        description={t('connect.nameHelp')}
        autoComplete="name"
        maxLength={200}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      {error !== null && (
        <ProblemLine>
          {getErrorSentence(error)} <RetryCountdown left={wait} />
        </ProblemLine>
      )}
      <Button type="submit" variant="ink" loading={busy} disabled={email.trim() === '' || wait > 0}>
        {t('connect.sendCode')}
      </Button>
    </form>
  );
};

const RealConnectFlow = ({ onConnected }: { onConnected: () => void }) => {
  const { challenge, start, verify, restart } = useCodeConnection(onConnected);
  if (!challenge)
    return (
      <>
        <EmailEntryStep busy={start.isPending} error={start.error} onEmail={(who) => start.mutate(who)} />
        <KeyConnectForm onConnected={onConnected} />
      </>
    );
  return (
    <CodeEntryStep
      key={challenge.challengeId}
      challenge={challenge}
      busy={verify.isPending}
      error={verify.error ?? start.error}
      onCode={(code) => verify.mutate(code)}
      onNewCode={() => {
        verify.reset();
        start.mutate(challenge);
      }}
      onOtherAddress={restart}
    />
  );
};

/** The practice service supports neither an e-mailed code nor a key. */
export const ConnectFlow = ({ onConnected }: { onConnected: () => void }) =>
  useAppState().data?.service.kind === 'practice' ? (
    <PracticeConnectHelp onConnected={onConnected} />
  ) : (
    <RealConnectFlow onConnected={onConnected} />
  );

type FirstRunChoicesProps = { isPractice: boolean; cameBack: boolean; onConnect: () => void };

const FirstRunChoices = ({ isPractice, cameBack, onConnect }: FirstRunChoicesProps) => {
  const practice = useAppStateMutation((shop: 'stocked' | 'empty') => callCore('connect.practice', { shop }));
  return (
    <>
      <HowItWorks />
      <div className={styles.choice}>
        <div className={styles.shops}>
          <Button variant="ink" loading={practice.isPending} onClick={() => practice.mutate('stocked')}>
            {t('connect.practice')}
          </Button>
          <Button variant="quiet" disabled={practice.isPending} onClick={() => practice.mutate('empty')}>
            {t('connect.emptyShop')}
          </Button>
        </div>
        <p className={styles.soft}>{t('connect.lookAroundText')}</p>
        <ErrorLine error={practice.error} />
      </div>
      <div className={styles.choice}>
        <h2>{t('connect.forReal')}</h2>
        {!isPractice && <p className={styles.soft}>{t('connect.forRealText')}</p>}
        <Button autoFocus={cameBack} onClick={onConnect}>
          {isPractice ? t('connect.real.how') : t('connect.title')}
        </Button>
      </div>
    </>
  );
};

const focusFirstField = (section: HTMLElement | null): void => section?.querySelector('input')?.focus();

export const FirstRunScreen = ({ state }: { state: AppState }) => {
  const [at, setAt] = useState<'start' | 'connecting' | 'back'>('start');
  const leaveConnectForm = (): void => setAt('back');
  return (
    <main className={styles.first}>
      <div className={styles.inner}>
        <h1 className={styles.title}>Listing Companion</h1>
        <p className={styles.lead}>{t('connect.lead')}</p>
        {state.keychain.kind === 'memory' && state.keychain.problem && (
          <ProblemLine>{translateMessage(state.keychain.says, state.keychain.problem)}</ProblemLine>
        )}
        {at === 'connecting' ? (
          <section
            ref={focusFirstField}
            className={styles.connect}
            aria-label={t('connect.forReal')}
            onKeyDown={createEscapeHandler(leaveConnectForm)}
          >
            <h2>{state.service.kind === 'practice' ? t('connect.forReal') : t('connect.title')}</h2>
            <ConnectFlow onConnected={() => undefined} />
            <Button variant="quiet" onClick={leaveConnectForm}>
              {t('connect.back')}
            </Button>
          </section>
        ) : (
          <FirstRunChoices
            isPractice={state.service.kind === 'practice'}
            cameBack={at === 'back'}
            onConnect={() => setAt('connecting')}
          />
        )}
      </div>
    </main>
  );
};

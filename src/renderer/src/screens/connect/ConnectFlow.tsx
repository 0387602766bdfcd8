import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { CallAnswer } from '../../../../ipc/calls.ts';
import { call, sentenceOf } from '../../api/call.ts';
import { Trans } from 'react-i18next';
import { ExternalLink } from '../../components/ExternalLink.tsx';
import { Button, TextInput } from '@mantine/core';
import { Countdown, useWait } from '../../components/text/RelativeTime.tsx';
import { ProblemLine } from '../../components/ProblemLine.tsx';
import { t } from '../../i18n/t.ts';
import styles from './connect.module.css';

type Challenge = CallAnswer<'connect.start'> & { email: string };

/** Connecting by an e-mailed code: ask for the code, then give it. */
const useConnect = (onConnected: () => void) => {
  const client = useQueryClient();
  const [challenge, setChallenge] = useState<Challenge | null>(null);
  const start = useMutation({
    mutationFn: async (email: string) => ({ ...(await call('connect.start', { email })), email }),
    onSuccess: setChallenge,
  });
  const verify = useMutation({
    mutationFn: (code: string) =>
      call('connect.verify', { challengeId: challenge?.challengeId ?? '', email: challenge?.email ?? '', code }),
    onSuccess: (state) => {
      client.setQueryData(['app'], state);
      onConnected();
    },
  });
  const restart = () => {
    setChallenge(null);
    start.reset();
    verify.reset();
  };
  return { challenge, start, verify, restart };
};

const Page = ({ url, children }: { url: string | null; children?: ReactNode }) =>
  url === null ? children : <ExternalLink url={url}>{children}</ExternalLink>;

/** What connecting agrees to; shown before the code is asked for. */
const Terms = ({ challenge }: { challenge: Challenge }) => (
  <p>
    <Trans
      i18nKey="connect.terms"
      components={{
        email: <b>{challenge.email}</b>,
        terms: <Page url={challenge.termsUrl} />,
        privacy: <Page url={challenge.privacyUrl} />,
      }}
    />
  </p>
);

type CodeStepProps = {
  challenge: Challenge;
  busy: boolean;
  error: unknown;
  onCode: (code: string) => void;
  onNewCode: () => void;
  onOtherAddress: () => void;
};

/** Second step: the terms, then the code. */
const CodeStep = ({ challenge, busy, error, onCode, onNewCode, onOtherAddress }: CodeStepProps) => {
  const [code, setCode] = useState('');
  const wait = useWait(error);
  const digits = code.replace(/\D/g, '');
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (digits.length === 6 && wait === 0) onCode(digits);
      }}
    >
      <Terms challenge={challenge} />
      <TextInput
        label={t('connect.code')}
        description={t('connect.codeHelp')}
        classNames={{ input: styles.code }}
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={12}
        value={code}
        onChange={(event) => setCode(event.currentTarget.value)}
        autoFocus
        aria-invalid={error !== null || undefined}
      />
      {error !== null && (
        <ProblemLine>
          {sentenceOf(error)} <Countdown left={wait} />
        </ProblemLine>
      )}
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

type EmailStepProps = { busy: boolean; error: unknown; onEmail: (email: string) => void };

/** First step: the address that the code goes to, and what will happen. */
const EmailStep = ({ busy, error, onEmail }: EmailStepProps) => {
  const [email, setEmail] = useState('');
  const wait = useWait(error);
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (email.trim() !== '' && wait === 0) onEmail(email.trim());
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
      {error !== null && (
        <ProblemLine>
          {sentenceOf(error)} <Countdown left={wait} />
        </ProblemLine>
      )}
      <p className={styles.soft}>{t('connect.emailNext')}</p>
      <Button type="submit" variant="ink" loading={busy} disabled={email.trim() === '' || wait > 0}>
        {t('connect.sendCode')}
      </Button>
    </form>
  );
};

/** E-mail, then code. */
export const ConnectFlow = ({ onConnected }: { onConnected: () => void }) => {
  const { challenge, start, verify, restart } = useConnect(onConnected);
  if (!challenge)
    return <EmailStep busy={start.isPending} error={start.error} onEmail={(email) => start.mutate(email)} />;
  return (
    <CodeStep
      key={challenge.challengeId}
      challenge={challenge}
      busy={verify.isPending}
      error={verify.error ?? start.error}
      onCode={(code) => verify.mutate(code)}
      onNewCode={() => {
        verify.reset();
        start.mutate(challenge.email);
      }}
      onOtherAddress={restart}
    />
  );
};

import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { sentenceOf } from '../../api/callError.ts';
import { Countdown, useWait } from '../../parts/Countdown.tsx';
import { ProblemLine } from '../../parts/ProblemLine.tsx';
import { t } from '../../i18n/t.ts';
import styles from './connect.module.css';

type Props = { busy: boolean; error: unknown; onEmail: (email: string) => void };

/** First step: the address that the code goes to, and what will happen. */
export const EmailStep = ({ busy, error, onEmail }: Props) => {
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

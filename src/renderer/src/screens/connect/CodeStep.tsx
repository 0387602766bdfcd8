import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { sentenceOf } from '../../api/callError.ts';
import { Countdown, useWait } from '../../parts/Countdown.tsx';
import { ProblemLine } from '../../parts/ProblemLine.tsx';
import { Terms } from './Terms.tsx';
import type { Challenge } from './useConnect.ts';
import { t } from '../../i18n/t.ts';
import styles from './connect.module.css';

type Props = {
  challenge: Challenge;
  busy: boolean;
  error: unknown;
  onCode: (code: string) => void;
  onNewCode: () => void;
  onOtherAddress: () => void;
};

/** Second step: the terms, then the code. */
export const CodeStep = ({ challenge, busy, error, onCode, onNewCode, onOtherAddress }: Props) => {
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

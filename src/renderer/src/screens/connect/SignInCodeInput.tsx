import { TextInput } from '@mantine/core';
import { getErrorSentence } from '../../api/call.ts';
import { ProblemLine } from '../../components/ScreenPage.tsx';
import { RetryCountdown } from '../../components/text/RelativeTime.tsx';
import { t } from '../../i18n.ts';
import styles from './connect.module.css';

type SignInCodeInputProps = {
  code: string;
  onChange: (code: string) => void;
  description?: string;
  /** The error of the last attempt, or null. */
  error: unknown;
  /** The seconds until the next attempt is allowed. */
  wait: number;
};

/** The field for the code from the e-mail, with the error of the last attempt. */
export const SignInCodeInput = ({ code, onChange, description, error, wait }: SignInCodeInputProps) => (
  <>
    <TextInput
      label={t('connect.code')}
      description={description}
      classNames={{ input: styles.code }}
      inputMode="numeric"
      autoComplete="one-time-code"
      maxLength={12}
      value={code}
      onChange={(event) => onChange(event.currentTarget.value)}
      autoFocus
      aria-invalid={error !== null || undefined}
    />
    {error !== null && (
      <ProblemLine>
        {getErrorSentence(error)} <RetryCountdown left={wait} />
      </ProblemLine>
    )}
  </>
);

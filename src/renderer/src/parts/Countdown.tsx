import { useEffect, useState } from 'react';
import { CallError } from '../api/callError.ts';
import { waitInWords } from './ago.ts';
import { t } from '../i18n/t.ts';

/** Seconds still to wait after a refusal that named a wait; 0 when there is none. */
export const useWait = (error: unknown): number => {
  const wait = error instanceof CallError ? (error.retryAfterS ?? 0) : 0;
  const [state, setState] = useState({ error, left: wait });
  if (state.error !== error) setState({ error, left: wait });
  useEffect(() => {
    if (wait <= 0) return;
    const until = Date.now() + wait * 1000;
    const timer = setInterval(() => {
      const left = Math.max(0, Math.ceil((until - Date.now()) / 1000));
      setState({ error, left });
      if (left === 0) clearInterval(timer);
    }, 1000);
    return () => clearInterval(timer);
  }, [error, wait]);
  return state.error === error ? state.left : wait;
};

/** What a wait says: "Try again in 42 s." */
export const Countdown = ({ left }: { left: number }) =>
  left > 0 ? <span>{t('parts.tryAgainIn', { wait: waitInWords(left) })}</span> : null;

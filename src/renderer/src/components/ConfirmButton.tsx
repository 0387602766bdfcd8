import { Button } from '@mantine/core';
import { useState, type KeyboardEvent, type ReactNode } from 'react';
import { t } from '../i18n.ts';
import styles from './lists/row.module.css';

type Props = {
  children: ReactNode;
  sure: string;
  onSure: () => void;
  busy?: boolean;
  variant?: 'default' | 'quiet';
  size?: 'sm' | 'compact-sm';
};

/** Asks again before an act. Escape is no, and the focus stays at the button. */
export const ConfirmButton = ({ children, sure, onSure, busy = false, variant = 'default', size = 'sm' }: Props) => {
  const [state, setState] = useState<'first' | 'asked' | 'answered'>('first');
  if (state !== 'asked')
    return (
      <Button
        autoFocus={state === 'answered'}
        size={size}
        variant={variant}
        disabled={busy}
        onClick={() => setState('asked')}
      >
        {children}
      </Button>
    );
  const cancelOnEscape = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    setState('answered');
  };
  return (
    <span className={styles.row} onKeyDown={cancelOnEscape}>
      <Button autoFocus size={size} onClick={() => setState('answered')}>
        {t('parts.keep')}
      </Button>
      <Button
        size={size}
        variant="filled"
        color="red"
        disabled={busy}
        onClick={() => {
          setState('answered');
          onSure();
        }}
      >
        {sure}
      </Button>
    </span>
  );
};

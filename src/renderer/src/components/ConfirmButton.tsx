import { Button } from '@mantine/core';
import { useRef, useState, type ReactNode } from 'react';
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

export const ConfirmButton = ({ children, sure, onSure, busy = false, variant = 'default', size = 'sm' }: Props) => {
  const [asked, setAsked] = useState(false);
  const first = useRef<HTMLButtonElement>(null);
  if (!asked)
    return (
      <Button ref={first} size={size} variant={variant} disabled={busy} onClick={() => setAsked(true)}>
        {children}
      </Button>
    );
  return (
    <span className={styles.row}>
      <Button autoFocus size={size} onClick={() => setAsked(false)}>
        {t('parts.keep')}
      </Button>
      <Button
        size={size}
        variant="filled"
        color="red"
        disabled={busy}
        onClick={() => {
          setAsked(false);
          onSure();
        }}
      >
        {sure}
      </Button>
    </span>
  );
};

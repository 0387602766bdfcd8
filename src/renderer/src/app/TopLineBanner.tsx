import { Button } from '@mantine/core';
import type { Icon } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import styles from './frame.module.css';

type BannerAction = { label: string; act: () => void; quiet?: boolean; loading?: boolean; disabled?: boolean };

type Props = {
  icon: Icon;
  look?: boolean;
  /** Screen readers announce an alarm at once. */
  alarm?: boolean;
  /** Screen readers do not announce changes, because the text changes all the time. */
  quiet?: boolean;
  children: ReactNode;
  actions?: readonly BannerAction[];
};

/** A line above the screen, with what the person can do about it. */
export const TopLineBanner = ({
  icon: Sign,
  look = false,
  alarm = false,
  quiet = false,
  children,
  actions = [],
}: Props) => (
  <div
    className={styles.topLine}
    data-look={look || undefined}
    data-alarm={alarm || undefined}
    role={alarm ? 'alert' : 'status'}
    aria-live={quiet ? 'off' : undefined}
  >
    <Sign size={16} aria-hidden />
    <span>{children}</span>
    {actions.length > 0 && (
      <span className={styles.lineActs}>
        {actions.map(({ label, act, quiet: isQuiet, ...state }) => (
          <Button key={label} size="compact-sm" {...(isQuiet ? { variant: 'quiet' } : {})} {...state} onClick={act}>
            {label}
          </Button>
        ))}
      </span>
    )}
  </div>
);

import { Button } from '@mantine/core';
import type { Icon } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import styles from './frame.module.css';

/** A button of a banner. */
type Action = { label: string; act: () => void; quiet?: boolean; loading?: boolean; disabled?: boolean };

type Props = {
  icon: Icon;
  look?: boolean;
  /** Something is wrong: it is said at once, and looks so. */
  alarm?: boolean;
  /** Its words change all the time: only what it holds is read out, when it is looked at. */
  quiet?: boolean;
  children: ReactNode;
  actions?: readonly Action[];
};

/** One quiet line above every screen. */
export const Banner = ({ icon: Sign, look = false, alarm = false, quiet = false, children, actions = [] }: Props) => (
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

import type { ReactNode } from 'react';
import styles from './frame.module.css';

type Props = {
  icon: ReactNode;
  look?: boolean;
  /** Something is wrong: it is said at once, and looks so. */
  alarm?: boolean;
  /** Its words change all the time: only what it holds is read out, when it is looked at. */
  quiet?: boolean;
  children: ReactNode;
  action?: ReactNode;
};

/** One quiet line above every screen. */
export const Banner = ({ icon, look = false, alarm = false, quiet = false, children, action }: Props) => (
  <div
    className={styles.topLine}
    data-look={look || undefined}
    data-alarm={alarm || undefined}
    role={alarm ? 'alert' : 'status'}
    aria-live={quiet ? 'off' : undefined}
  >
    {icon}
    <span>{children}</span>
    {action}
  </div>
);

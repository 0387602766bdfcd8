import type { ReactNode } from 'react';
import styles from './frame.module.css';

type Props = { icon: ReactNode; look?: boolean; children: ReactNode; action?: ReactNode };

/** One quiet line above every screen. */
export const Line = ({ icon, look = false, children, action }: Props) => (
  <div className={styles.topLine} data-look={look || undefined} role="status">
    {icon}
    <span>{children}</span>
    {action}
  </div>
);

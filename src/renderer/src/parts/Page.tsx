import type { ReactNode } from 'react';
import styles from './page.module.css';

/** A screen of one column: its name as the heading, then its sections. */
export const Page = ({ title, wide = false, children }: { title: string; wide?: boolean; children?: ReactNode }) => (
  <div className={styles.page}>
    <div className={styles.column} data-wide={wide || undefined}>
      <h1 className={styles.title}>{title}</h1>
      {children}
    </div>
  </div>
);

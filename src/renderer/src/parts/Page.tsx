import type { ReactNode } from 'react';
import styles from './page.module.css';

/** A screen of one column: its name as the heading, then its sections. */
export const Page = ({ title, children }: { title: string; children?: ReactNode }) => (
  <div className={styles.page}>
    <div className={styles.column}>
      <h1 className={styles.title}>{title}</h1>
      {children}
    </div>
  </div>
);

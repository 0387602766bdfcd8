import type { ReactNode } from 'react';
import styles from './lines.module.css';

/** What will be here, and the first step towards it. */
export const EmptyScreen = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className={styles.empty}>
    <h2>{title}</h2>
    {children}
  </section>
);

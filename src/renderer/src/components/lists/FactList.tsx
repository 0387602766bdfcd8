import type { ReactNode } from 'react';
import styles from './factList.module.css';

/** One line with a label and a value. Nothing is shown without a value. */
export const FactRow = ({ name, children }: { name: ReactNode; children: ReactNode }) =>
  children === null || children === undefined || children === '' ? null : (
    <div className={styles.row}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );

export const FactList = ({ label, children }: { label: string; children: ReactNode }) => (
  <section aria-label={label}>
    <dl className={styles.list}>{children}</dl>
  </section>
);

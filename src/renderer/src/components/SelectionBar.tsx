import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import styles from './selectionBar.module.css';

type RowProps = {
  summary: string;
  clear?: { label: string; run: () => void } | null;
  children: ReactNode;
};

/** One line of the bar: what is selected, and what can be done with it. */
export const SelectionRow = ({ summary, clear = null, children }: RowProps) => (
  <div className={styles.row}>
    <span aria-live="polite">{summary}</span>
    {children}
    {clear && (
      <Button className={styles.clear} size="compact-sm" variant="quiet" onClick={clear.run}>
        {clear.label}
      </Button>
    )}
  </div>
);

/** Floats over the end of the nearest positioned list, so that selecting a row moves no other row. */
export const SelectionBar = ({ children }: { children: ReactNode }) => (
  <div className={styles.place}>
    <div className={styles.bar}>{children}</div>
  </div>
);

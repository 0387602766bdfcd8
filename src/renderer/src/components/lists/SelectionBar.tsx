import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '../../i18n.ts';
import styles from './selectionBar.module.css';

type RowProps = {
  summary: string;
  clear?: { label: string; run: () => void } | null;
  /** The selected rows that the list does not show now. */
  hidden?: { count: number; show: () => void } | null;
  children: ReactNode;
};

/** One line of the bar: what is selected, and what can be done with it. Actions leave hidden rows out. */
export const SelectionRow = ({ summary, clear = null, hidden = null, children }: RowProps) => (
  <div className={styles.row}>
    <span aria-live="polite">
      {hidden && hidden.count > 0 ? `${summary} · ${t('parts.notInView', { count: hidden.count })}` : summary}
    </span>
    {hidden && hidden.count > 0 && (
      <Button size="compact-sm" variant="default" onClick={hidden.show}>
        {t('parts.showSelected')}
      </Button>
    )}
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

import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import styles from './field.module.css';

type Props = {
  id: string;
  label: string;
  /** Beside the label: a count, a suggestion. */
  hint?: ReactNode;
  /** That it is saved, or will be. */
  note?: string | null;
  problems?: readonly string[];
  children: ReactNode;
};

/** A field of the review: its label, what stands beside it, and the sentences about it below. */
export const FieldFrame = ({ id, label, hint, note = null, problems = [], children }: Props) => (
  <div className={styles.field}>
    <div className={styles.head}>
      <label htmlFor={id}>{label}</label>
      <span className={styles.saved} aria-live="polite">
        {note}
      </span>
      <span className={styles.hint}>{hint}</span>
    </div>
    {children}
    <div id={`${id}-problems`} aria-live="polite">
      {problems.map((problem) => (
        <p key={problem} className={styles.problem}>
          <IconAlertTriangle size={15} aria-hidden />
          {problem}
        </p>
      ))}
    </div>
  </div>
);

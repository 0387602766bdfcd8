import { IconAlertTriangle } from '@tabler/icons-react';
import { useRef, type ReactNode } from 'react';
import { getErrorSentence, isNotConfirmed } from '../api/call.ts';
import { SectionIndex } from './SectionIndex.tsx';
import styles from './page.module.css';

export const ProblemLine = ({ children, id }: { children: ReactNode; id?: string }) => (
  <p className={styles.problem} role="status" id={id}>
    <IconAlertTriangle size={16} stroke={1.75} aria-hidden />
    <span>{children}</span>
  </p>
);

/** What the person chose not to confirm is no problem, so it is said without a warning. */
export const ErrorLine = ({ error }: { error: unknown }) => {
  if (!error) return null;
  const sentence = getErrorSentence(error);
  return isNotConfirmed(error) ? <p role="status">{sentence}</p> : <ProblemLine>{sentence}</ProblemLine>;
};

export const EmptyScreen = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className={styles.empty}>
    <h2>{title}</h2>
    {children}
  </section>
);

/** A page of sections with a list of them at the left. */
export const SectionsPage = ({ title, children }: { title: string; children: ReactNode }) => {
  const sections = useRef<HTMLDivElement>(null);
  return (
    <div className={styles.page}>
      <div className={styles.withIndex}>
        <h1 className={styles.title}>{title}</h1>
        <SectionIndex sections={sections} />
        <div ref={sections} className={styles.sections}>
          {children}
        </div>
      </div>
    </div>
  );
};

export const ScreenPage = ({
  title,
  wide = false,
  children,
}: {
  title: string;
  wide?: boolean;
  children?: ReactNode;
}) => (
  <div className={styles.page}>
    <div className={styles.column} data-wide={wide || undefined}>
      <h1 className={styles.title}>{title}</h1>
      {children}
    </div>
  </div>
);

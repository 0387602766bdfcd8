import { IconAlertTriangle } from '@tabler/icons-react';
import { useRef, type ReactNode, useEffect, useState, type RefObject } from 'react';
import { getErrorSentence, isNotConfirmed } from '../api/call.ts';
import styles from './page.module.css';
import { t } from '../i18n.ts';
import { showElement } from './showElement.ts';

const listHeadings = (sections: HTMLElement): HTMLElement[] => [...sections.querySelectorAll('h2')];

/** Reads the titles again when a section appears or its title changes. */
const useSectionTitles = (sections: RefObject<HTMLElement | null>): readonly string[] => {
  const [titles, setTitles] = useState<readonly string[]>([]);
  useEffect(() => {
    const element = sections.current;
    if (element === null) return undefined;
    const readTitles = (): void => {
      const now = listHeadings(element).map((heading) => heading.textContent);
      setTitles((before) => (before.join('\n') === now.join('\n') ? before : now));
    };
    readTitles();
    const observer = new MutationObserver(readTitles);
    observer.observe(element, { childList: true, subtree: true, characterData: true });
    return () => observer.disconnect();
  }, [sections]);
  return titles;
};

/** The list of the sections of a long screen. Each entry scrolls to its section. */
export const SectionIndex = ({ sections }: { sections: RefObject<HTMLElement | null> }) => {
  const titles = useSectionTitles(sections);
  const openSection = (at: number): void => {
    const heading = sections.current && listHeadings(sections.current)[at];
    if (heading) showElement(heading);
  };
  return (
    <nav className={styles.index} aria-label={t('parts.sections')}>
      {titles.map((title, at) => (
        <button key={title} type="button" onClick={() => openSection(at)}>
          {title}
        </button>
      ))}
    </nav>
  );
};

export const ProblemLine = ({ children, id }: { children: ReactNode; id?: string }) => (
  <p className={styles.problem} role="status" id={id}>
    <IconAlertTriangle size={16} stroke={1.75} aria-hidden />
    <span>{children}</span>
  </p>
);

/** If the person chose not to confirm, nothing failed, so the message is no warning. */
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

import { useEffect, useState, type RefObject } from 'react';
import { t } from '../i18n.ts';
import styles from './page.module.css';

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

const focusHeading = (heading: HTMLElement | undefined): void => {
  if (heading === undefined) return;
  heading.tabIndex = -1;
  heading.scrollIntoView({ block: 'start' });
  heading.focus({ preventScroll: true });
};

/** The list of the sections of a long screen. Each entry scrolls to its section. */
export const SectionIndex = ({ sections }: { sections: RefObject<HTMLElement | null> }) => {
  const titles = useSectionTitles(sections);
  const openSection = (at: number): void => {
    if (sections.current) focusHeading(listHeadings(sections.current)[at]);
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

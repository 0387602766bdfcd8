import { useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { takeInDrop } from '../api/intake/takeIn.ts';
import { useTakeIn } from '../api/intake/useTakeIn.ts';
import { t } from '../i18n/t.ts';
import styles from './frame.module.css';

const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') ?? false;

/** The whole window takes photos: it lights up while files are dragged over it, on every screen. */
export const DropEverywhere = () => {
  const [over, setOver] = useState(false);
  const { mutate } = useTakeIn();
  const [, go] = useLocation();
  useEffect(() => {
    const listening = new AbortController();
    const on = (name: 'dragover' | 'dragleave' | 'drop', act: (event: DragEvent) => void) =>
      window.addEventListener(name, act, { signal: listening.signal });
    on('dragover', (event) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setOver(true);
    });
    // Leaving the window has no element to go to; leaving one element for another inside it has.
    on('dragleave', (event) => event.relatedTarget === null && setOver(false));
    on('drop', (event) => {
      const transfer = event.dataTransfer;
      if (!hasFiles(event) || !transfer) return;
      event.preventDefault();
      setOver(false);
      go('/');
      const added = takeInDrop(transfer);
      mutate(() => added);
    });
    return () => listening.abort();
  }, [mutate, go]);
  return over ? (
    <div className={styles.dropping} aria-hidden>
      <p>{t('app.drop')}</p>
    </div>
  ) : null;
};

import { useEffect, useState } from 'react';
import { useSettledItems } from '../api/itemQueries.ts';
import { plainly } from '../components/text/untrustedText.ts';
import { translate } from '../i18n/language.ts';
import styles from './frame.module.css';
import { useLocation } from 'wouter';
import { addDroppedPhotos, useAddPhotos } from '../api/addPhotos.ts';
import { t } from '../i18n/t.ts';
import { screenAt } from '../../../ipc/screens.ts';
import type { AppState } from '../api/types.ts';
import { Tour } from '../screens/connect/Tour.tsx';
import { KeysHelp } from './KeysHelp.tsx';
import { Sidebar } from './Sidebar.tsx';
import { screenOf } from './screens.ts';
import { Banners } from './Banners.tsx';
import { loadTheRest } from '../components/lazyComponent.tsx';
import { PromptHost } from '../screens/approvals/PromptHost.tsx';
import { HeldEdits } from '../screens/items/review/HeldEdits.tsx';

/** Says to a screen reader what has become ready, gone live or stopped; what merely moves stays quiet. */
export const Announcer = () => {
  const settled = useSettledItems()?.items;
  const [words, setWords] = useState('');
  useEffect(() => {
    const news = (settled ?? []).map(
      (item) => `${plainly(item.title ?? item.name)}: ${translate(item.says, item.words)}`,
    );
    if (news.length > 0) setWords(news.join('. '));
  }, [settled]);
  return (
    <div className={styles.unseen} aria-live="polite">
      {words}
    </div>
  );
};

const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') ?? false;

/** The whole window takes photos: it lights up while files are dragged over it, on every screen. */
export const WindowDropZone = () => {
  const [over, setOver] = useState(false);
  const { mutate } = useAddPhotos();
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
      const added = addDroppedPhotos(transfer);
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

/** The screen that the address names. */
const CurrentScreen = () => {
  const [path] = useLocation();
  const { id, openId } = screenAt(path);
  const { Component } = screenOf(id);
  return <Component openId={openId} />;
};

/** The sidebar, the banners and the screen. The whole of it is the drop zone. */
export const Frame = ({ state }: { state: AppState }) => (
  <div className={styles.frame}>
    <Sidebar state={state} />
    <div className={styles.main}>
      <Banners state={state} />
      <Tour seen={state.settings.tourSeen} />
      <main className={styles.screen}>
        <CurrentScreen />
      </main>
    </div>
    <WindowDropZone />
    <Announcer />
    <KeysHelp />
  </div>
);

/** What a connected person works in: the screens in their frame, and the questions above them. */
export const Home = ({ state }: { state: AppState }) => {
  useEffect(loadTheRest, []);
  return (
    <PromptHost>
      <HeldEdits />
      <Frame state={state} />
    </PromptHost>
  );
};

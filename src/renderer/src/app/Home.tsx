import { Button } from '@mantine/core';
import { useCallback, useEffect, useRef, useState, type KeyboardEvent } from 'react';
import { useQuery } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { useFocusMemory, useKeys, usePressOnce } from '../components/Keys.tsx';
import { useApprovalHistory, useSaveSettings } from '../api/queries.ts';
import { t, translate } from '../i18n.ts';
import tourStyles from './tour.module.css';
import { itemQuery, useItemCounts, useIsAnyToReview, useSettledItems } from '../api/itemQueries.ts';
import { escapedText } from '../components/text/UntrustedText.tsx';
import styles from './frame.module.css';
import { addDroppedPhotos, useAddPhotos } from '../api/addPhotos.ts';
import { useIntakes } from '../api/intakes.ts';
import { sheetId } from '../screens/items/arrange/ArrangeBar.tsx';
import { screenAt } from '../../../ipc/screens.ts';
import type { AppState } from '../api/call.ts';
import { Sidebar } from './Sidebar.tsx';
import { screenOf } from './screens.ts';
import { Banners } from './Banners.tsx';
import { lazyComponent, preloadComponents } from '../components/lazyComponent.tsx';
import { PromptHost } from '../screens/approvals/PromptHost.tsx';
import { Find } from '../screens/find/Find.tsx';
import { HeldEdits } from '../screens/items/review/HeldEdits.tsx';

const steps = ['drop', 'look', 'yes'] as const;

/** Whether this is the review window, which shows only one prompt. */
const isCompact = (): boolean => new URLSearchParams(window.location.search).has('approval');

/** Ends the tour on Escape, unless Escape closes an open item or listing. */
const useEsc = (end: () => void): ((event: KeyboardEvent) => void) => {
  const [path] = useLocation();
  const isOpen = /^\/(items|listings)\/./.test(path);
  useKeys(isOpen ? {} : { Escape: end });
  return (event) => {
    if (event.key === 'Escape' && !event.defaultPrevented) end();
  };
};

const useIsLooking = (): boolean => {
  const [path] = useLocation();
  const { id, openId } = screenAt(path);
  const itemId = id === 'items' && openId !== sheetId ? openId : null;
  const item = useQuery({ ...itemQuery(itemId ?? ''), enabled: itemId !== null }).data;
  return itemId !== null && item?.step === 'review';
};

/**
 * Returns the progress since the tour began: whether photos were added, and how many steps are done. The first is done
 * when a new item is ready for review, the second when it was opened, the last when an approval was answered.
 */
const useDone = (): { came: boolean; done: number } => {
  const counts = useItemCounts();
  const intakes = useIntakes();
  const history = useApprovalHistory().data;
  const [since] = useState(() => Date.now());
  const [first, setFirst] = useState<number | null>(null);
  const [looked, setLooked] = useState(false);
  const all = counts?.all ?? null;
  useEffect(() => setFirst((before) => before ?? all), [all]);
  const isThere = first !== null && all !== null && all > first;
  const isWritten = useIsAnyToReview() && isThere;
  const looks = useIsLooking() && isThere;
  useEffect(() => {
    if (looks) setLooked(true);
  }, [looks]);
  const answered = history?.some(({ decidedAt }) => decidedAt !== null && decidedAt >= since) ?? false;
  const done = answered ? steps.length : looked ? 2 : isWritten ? 1 : 0;
  return { came: isThere || intakes.length > 0, done };
};

/** Moves the focus to the screen after the focused element was removed. */
const focusScreen = (): void => {
  requestAnimationFrame(() => {
    if (document.activeElement === document.body) document.querySelector<HTMLElement>('main')?.focus();
  });
};

const stepKey = 'tourStep';

/** The step of the tour; it survives a reload, for example after a crash. */
const useStep = () => {
  const [at, setAt] = useState(() => Number(sessionStorage.getItem(stepKey)));
  useEffect(() => sessionStorage.setItem(stepKey, String(at)), [at]);
  return [at, setAt] as const;
};

const Band = () => {
  const [at, setAt] = useStep();
  const next = useRef<HTMLButtonElement>(null);
  const { mutate } = useSaveSettings();
  const { came, done } = useDone();
  const end = useCallback((): void => {
    sessionStorage.removeItem(stepKey);
    mutate({ tourSeen: true });
  }, [mutate]);
  useEffect(() => setAt((before) => Math.max(before, Math.min(done, steps.length - 1))), [done, setAt]);
  const isOver = done === steps.length;
  useEffect(() => {
    if (isOver) end();
  }, [isOver, end]);
  useEffect(() => focusScreen, []);
  const onKeyDown = useEsc(end);
  const step = steps[at] ?? 'drop';
  const words = step === 'drop' && came ? 'came' : step;
  const isLast = at === steps.length - 1;
  useEffect(() => {
    if (document.activeElement === document.body) next.current?.focus({ preventScroll: true });
  }, []);
  return (
    <section className={tourStyles.band} aria-label={t('connect.tour.name')} onKeyDown={onKeyDown}>
      <p className={tourStyles.words} aria-live="polite">
        <span className={tourStyles.at}>{t('connect.tour.at', { at: at + 1, of: steps.length })}</span>
        <b>{t(`connect.tour.${words}Title`)}</b> {t(`connect.tour.${words}`)}
      </p>
      <div className={tourStyles.acts}>
        {!isLast && (
          <Button size="compact-sm" variant="quiet" onClick={end}>
            {t('connect.tour.skip')}
          </Button>
        )}
        {at > 0 && (
          <Button size="compact-sm" onClick={() => setAt(at - 1)}>
            {t('connect.tour.back')}
          </Button>
        )}
        <Button ref={next} size="compact-sm" variant="ink" onClick={() => (isLast ? end() : setAt(at + 1))}>
          {t(isLast ? 'connect.tour.done' : 'connect.tour.next')}
        </Button>
      </div>
    </section>
  );
};

/** A tour of three short steps above the first screen, shown once and again from Help. It blocks nothing. */
export const Tour = ({ seen }: { seen: boolean }) => (seen || isCompact() ? null : <Band />);

/** Announces to screen readers when items become ready, go live or fail; mere progress is not announced. */
export const Announcer = () => {
  const settled = useSettledItems()?.items;
  const [words, setWords] = useState('');
  useEffect(() => {
    const news = (settled ?? []).map(
      (item) => `${escapedText(item.title ?? item.name)}: ${translate(item.says, item.words)}`,
    );
    if (news.length > 0) setWords(news.join('. '));
  }, [settled]);
  return (
    <div className="unseen" aria-live="polite">
      {words}
    </div>
  );
};

const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') ?? false;

/** Makes the whole window a drop zone for photos and highlights it during a drag, on every screen. */
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
    // On leaving the window, relatedTarget is null; between elements of the page it is not.
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

const KeysDialog = lazyComponent(async () => (await import('../screens/help/KeysTable.tsx')).KeysDialog);

const KeysHelp = () => {
  /** Null until it is first opened: a closed dialog would still cost a second render at the start. */
  const [open, setOpen] = useState<boolean | null>(null);
  useKeys({ '?': () => setOpen(true) });
  return open === null ? null : <KeysDialog opened={open} onClose={() => setOpen(false)} />;
};

const CurrentScreen = () => {
  const [path] = useLocation();
  const { id, openId } = screenAt(path);
  const { Component } = screenOf(id);
  return <Component openId={openId} />;
};

/** The sidebar, the banners and the current screen. The whole frame is a drop zone. */
export const Frame = ({ state }: { state: AppState }) => (
  <div className={styles.frame}>
    <Sidebar state={state} />
    <div className={styles.main}>
      <Banners state={state} />
      <Tour seen={state.settings.tourSeen} />
      <main className={styles.screen} tabIndex={-1}>
        <CurrentScreen />
      </main>
    </div>
    <WindowDropZone />
    <Announcer />
    <KeysHelp />
    <Find />
  </div>
);

/** The screens of a connected person, with the prompts above them. */
export const Home = ({ state }: { state: AppState }) => {
  usePressOnce();
  useFocusMemory();
  useEffect(preloadComponents, []);
  return (
    <PromptHost>
      <HeldEdits />
      <Frame state={state} />
    </PromptHost>
  );
};

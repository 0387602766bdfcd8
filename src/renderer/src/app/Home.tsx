import { ActionIcon, Button, Tooltip } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import {
  startTransition,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
  type KeyboardEvent,
} from 'react';
import { useQuery } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { useFocusMemory, useScreenKeys, usePressHeldKeyOnce } from '../components/Keys.tsx';
import { useApprovalHistory, useSaveSettings } from '../api/queries.ts';
import { t, translateMessage } from '../i18n.ts';
import { createItemQuery, useItemCounts, useHasItemToReview, useFinishedItems } from '../api/itemQueries.ts';
import { escapeHiddenText } from '../components/text/UntrustedText.tsx';
import styles from './frame.module.css';
import { labelTargets } from '../api/labelTargets.ts';
import { addDroppedPhotos, useAddPhotos, useRepeatQuestions } from '../api/addPhotos.ts';
import { useIntakeRows } from '../api/intakes.ts';
import { contactSheetId } from '../screens/items/arrange/ArrangeBar.tsx';
import { getScreenAt } from '../../../ipc/screens.ts';
import type { AppState } from '../api/call.ts';
import { AppSidebar } from './AppSidebar.tsx';
import { getScreen } from './screens.ts';
import { NoticeBar } from './NoticeBar.tsx';
import { createLazyComponent, preloadComponents } from '../components/createLazyComponent.tsx';
import { PromptHost } from '../screens/approvals/PromptHost.tsx';
import { FindDialogLauncher } from '../screens/find/FindDialogLauncher.tsx';
import { ScanHost } from '../screens/find/ScanHost.tsx';
import { QueuedEdits } from '../screens/items/review/QueuedEdits.tsx';

const tourSteps = ['drop', 'look', 'yes'] as const;

/** The review window is compact. It is the only window with an approval in its URL. */
const isCompactWindow = (): boolean => new URLSearchParams(window.location.search).has('approval');

/** While an item or listing is open, Escape closes it and does not end the tour. */
const useEndTourOnEscape = (end: () => void): ((event: KeyboardEvent) => void) => {
  const [path] = useLocation();
  const isOpen = /^\/(items|listings)\/./.test(path);
  useScreenKeys(isOpen ? {} : { Escape: end });
  return (event) => {
    if (event.key === 'Escape' && !event.defaultPrevented) end();
  };
};

const useIsReviewingItem = (): boolean => {
  const [path] = useLocation();
  const { id, openId } = getScreenAt(path);
  const itemId = id === 'items' && openId !== contactSheetId ? openId : null;
  const item = useQuery({ ...createItemQuery(itemId ?? ''), enabled: itemId !== null }).data;
  return itemId !== null && item?.step === 'review';
};

/**
 * `done` is the number of finished steps: 1 when a new item is ready for review, 2 when the person has opened it, and
 * all steps when they have answered an approval.
 */
const useTourProgress = (): { came: boolean; done: number } => {
  const counts = useItemCounts();
  const intakes = useIntakeRows();
  const history = useApprovalHistory().data;
  const [since] = useState(() => Date.now());
  const [first, setFirst] = useState<number | null>(null);
  const [looked, setLooked] = useState(false);
  const all = counts?.all ?? null;
  useEffect(() => setFirst((before) => before ?? all), [all]);
  const isThere = first !== null && all !== null && all > first;
  const isWritten = useHasItemToReview() && isThere;
  const looks = useIsReviewingItem() && isThere;
  useEffect(() => {
    if (looks) setLooked(true);
  }, [looks]);
  const answered = history?.some(({ decidedAt }) => decidedAt !== null && decidedAt >= since) ?? false;
  const done = answered ? tourSteps.length : looked ? 2 : isWritten ? 1 : 0;
  return { came: isThere || intakes.length > 0, done };
};

const focusCurrentScreen = (): void => {
  requestAnimationFrame(() => {
    if (document.activeElement === document.body) document.querySelector<HTMLElement>('main')?.focus();
  });
};

const stepKey = 'tourStep';

/** The step survives a reload, for example after a crash. */
const useTourStep = () => {
  const [at, setAt] = useState(() => Number(sessionStorage.getItem(stepKey)));
  useEffect(() => sessionStorage.setItem(stepKey, String(at)), [at]);
  return [at, setAt] as const;
};

const TourBand = () => {
  const [at, setAt] = useTourStep();
  const next = useRef<HTMLButtonElement>(null);
  const { mutate } = useSaveSettings();
  const { came, done } = useTourProgress();
  const endTour = useCallback((): void => {
    sessionStorage.removeItem(stepKey);
    mutate({ tourSeen: true });
  }, [mutate]);
  useEffect(() => setAt((before) => Math.max(before, Math.min(done, tourSteps.length - 1))), [done, setAt]);
  const isOver = done === tourSteps.length;
  useEffect(() => {
    if (isOver) endTour();
  }, [isOver, endTour]);
  useEffect(() => focusCurrentScreen, []);
  const onKeyDown = useEndTourOnEscape(endTour);
  const step = tourSteps[at] ?? 'drop';
  const words = step === 'drop' && came ? 'came' : step;
  const isLast = at === tourSteps.length - 1;
  useEffect(() => {
    if (document.activeElement === document.body) next.current?.focus({ preventScroll: true });
  }, []);
  return (
    <section className={styles.tour} aria-label={t('connect.tour.name')} onKeyDown={onKeyDown}>
      <p className={styles.lineWords} aria-live="polite">
        <span className={styles.tourAt}>{t('connect.tour.at', { at: at + 1, of: tourSteps.length })}</span>{' '}
        <b>{t(`connect.tour.${words}Title`)}</b> {t(`connect.tour.${words}`)}
      </p>
      <div className={styles.lineActs}>
        {at > 0 && (
          <Button size="compact-sm" onClick={() => setAt(at - 1)}>
            {t('connect.tour.back')}
          </Button>
        )}
        <Button ref={next} size="compact-sm" variant="ink" onClick={() => (isLast ? endTour() : setAt(at + 1))}>
          {t(isLast ? 'connect.tour.done' : 'connect.tour.next')}
        </Button>
        {!isLast && (
          <Tooltip label={t('connect.tour.skip')}>
            <ActionIcon size="md" aria-label={t('connect.tour.skip')} onClick={endTour}>
              <IconX size={16} aria-hidden />
            </ActionIcon>
          </Tooltip>
        )}
      </div>
    </section>
  );
};

export const GuidedTour = ({ seen }: { seen: boolean }) => (seen || isCompactWindow() ? null : <TourBand />);

/** Screen readers hear when items become ready, go live or fail, but do not hear other progress. */
export const StatusAnnouncer = () => {
  const settled = useFinishedItems()?.items;
  const [words, setWords] = useState('');
  useEffect(() => {
    const news = (settled ?? []).map(
      (item) => `${escapeHiddenText(item.title ?? item.name)}: ${translateMessage(item.says, item.words)}`,
    );
    if (news.length > 0) setWords(news.join('. '));
  }, [settled]);
  return (
    <div className="unseen" aria-live="polite">
      {words}
    </div>
  );
};

const hasDraggedFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') ?? false;

/** Some photos are drop targets themselves. */
const isOverFileTarget = ({ target }: DragEvent): boolean =>
  target instanceof Element && target.closest('[data-takes-files]') !== null;

export const WindowDropZone = () => {
  const [over, setOver] = useState(false);
  const { mutate } = useAddPhotos();
  const [, go] = useLocation();
  useEffect(() => {
    const listening = new AbortController();
    const listenForDrag = (name: 'dragover' | 'dragleave' | 'drop', act: (event: DragEvent) => void) =>
      window.addEventListener(name, act, { signal: listening.signal });
    listenForDrag('dragover', (event) => {
      if (!hasDraggedFiles(event)) return;
      event.preventDefault();
      setOver(!isOverFileTarget(event));
    });
    // `relatedTarget` is null only when the drag leaves the window.
    listenForDrag('dragleave', (event) => event.relatedTarget === null && setOver(false));
    listenForDrag('drop', (event) => {
      const transfer = event.dataTransfer;
      setOver(false);
      if (!hasDraggedFiles(event) || !transfer || isOverFileTarget(event)) return;
      event.preventDefault();
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

const RepeatedPhotosDialog = createLazyComponent(
  async () => (await import('./RepeatedPhotosDialog.tsx')).RepeatedPhotosDialog,
);

const LabelsDialog = createLazyComponent(async () => (await import('../screens/labels/LabelsDialog.tsx')).LabelsDialog);

const OpenLabelsDialog = () => {
  const targets = useSyncExternalStore(labelTargets.subscribe, labelTargets.get);
  return targets && <LabelsDialog targets={targets} onClose={() => labelTargets.set(null)} />;
};

const RepeatedPhotos = () => {
  const [first] = useRepeatQuestions();
  return first ? <RepeatedPhotosDialog question={first} /> : null;
};

const KeysDialog = createLazyComponent(async () => (await import('../screens/help/KeysTable.tsx')).KeysDialog);

const KeysHelpDialog = () => {
  /** Null until the person opens the dialog, because even a closed dialog renders twice at the start. */
  const [open, setOpen] = useState<boolean | null>(null);
  useScreenKeys({ '?': () => setOpen(true) });
  return open === null ? null : <KeysDialog opened={open} onClose={() => setOpen(false)} />;
};

/** An entry of the shown screen opens at once. Another screen renders in parts, so that it blocks no frame. */
const CurrentScreen = () => {
  const [path] = useLocation();
  const [shownPath, setShownPath] = useState(path);
  const [next, shown] = [getScreenAt(path), getScreenAt(shownPath)];
  const isSameScreen = next.id === shown.id && ![next.openId, shown.openId].includes(contactSheetId);
  if (isSameScreen && path !== shownPath) setShownPath(path);
  useLayoutEffect(() => startTransition(() => setShownPath(path)), [path]);
  const { id, openId } = isSameScreen ? next : shown;
  const { Component } = getScreen(id);
  return <Component openId={openId} />;
};

export const ScreenFrame = ({ state }: { state: AppState }) => (
  <div className={styles.frame}>
    <AppSidebar state={state} />
    <div className={styles.main}>
      <NoticeBar state={state} />
      <GuidedTour seen={state.settings.tourSeen} />
      <main className={styles.screen} tabIndex={-1}>
        <CurrentScreen />
      </main>
    </div>
    <WindowDropZone />
    <StatusAnnouncer />
    <KeysHelpDialog />
    <FindDialogLauncher />
    <ScanHost />
    <RepeatedPhotos />
    <OpenLabelsDialog />
  </div>
);

export const Home = ({ state }: { state: AppState }) => {
  usePressHeldKeyOnce();
  useFocusMemory();
  useEffect(preloadComponents, []);
  return (
    <PromptHost>
      <QueuedEdits />
      <ScreenFrame state={state} />
    </PromptHost>
  );
};

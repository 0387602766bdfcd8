import { Button, useMantineColorScheme, MantineProvider } from '@mantine/core';
import { CallError, sentenceOf, type AppState, styleNonce } from '../api/call.ts';
import { t, useLanguage } from '../i18n.ts';
import styles from './frame.module.css';
import { useEffect } from 'react';
import { useAppState, useTopics } from '../api/queries.ts';
import { ProblemLine } from '../components/Page.tsx';
import { FirstRun } from '../screens/connect/ConnectFlow.tsx';
import { QueryClientProvider } from '@tanstack/react-query';
import './uiKit.css';
import '@mantine/notifications/styles.css';
import './tokens.css';
import { lazyComponent } from '../components/lazyComponent.tsx';
import { Router } from 'wouter';
import { useHashLocation } from 'wouter/use-hash-location';
import { Home, queryClient } from './firstScreen.ts';
import { theme } from './theme.ts';

const titles = {
  LINK_USED: () => t('app.locked.LINK_USED'),
  LINK_ENDED: () => t('app.locked.LINK_ENDED'),
  LINK_MISSING: () => t('app.locked.LINK_MISSING'),
};
type Locked = CallError & { code: keyof typeof titles };

/** Whether the companion does not know this browser tab, or no longer knows it. */
const isLocked = (error: unknown): error is Locked => error instanceof CallError && Object.hasOwn(titles, error.code);

/** Shown in a tab that was opened without a valid link: the reason and the next step. */
const LockedTab = ({ error }: { error: Locked }) => (
  <main className={styles.locked}>
    <div className={styles.lockedInner}>
      <p className={styles.lockedName}>Listing Companion</p>
      <h1>{titles[error.code]()}</h1>
      <p>{sentenceOf(error)}</p>
      <Button onClick={() => location.reload()}>{t('app.tryAgain')}</Button>
    </div>
  </main>
);

const useThemeOf = (wanted: AppState['settings']['theme'] | undefined): void => {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  useEffect(() => {
    const scheme = wanted === 'system' ? 'auto' : wanted;
    // Setting the same scheme again would recompute all styles.
    if (scheme && scheme !== colorScheme) setColorScheme(scheme);
    // The setter changes with every render; only a new setting matters.
  }, [wanted]);
};

/** The first run, or the screens. During the first run the screens are preloaded. */
const Start = () => {
  const { data: state, error, refetch } = useAppState();
  useThemeOf(state?.settings.theme);
  const language = useLanguage(state?.settings.language);
  const isFirstRun = state?.connection === 'none';
  useEffect(() => {
    if (isFirstRun) requestIdleCallback(() => void Home.load());
  }, [isFirstRun]);
  if (isLocked(error)) return language === null ? null : <LockedTab key={language} error={error} />;
  if (error)
    return (
      <main className={styles.broken}>
        <ProblemLine>{sentenceOf(error)}</ProblemLine>
        <Button onClick={() => void refetch()}>{t('app.tryAgain')}</Button>
      </main>
    );
  if (!state || language === null) return null;
  if (isFirstRun) return <FirstRun key={language} state={state} />;
  return <Home key={language} state={state} />;
};

const Listening = () => {
  useTopics();
  return <Start />;
};

// Loaded late: there are no messages at the first paint, which this code would delay.
const Toasts = lazyComponent(async () => (await import('./Toasts.tsx')).Toasts);

/** The whole window: theme, data and routing around the first screen. */
export const App = () => (
  <MantineProvider theme={theme} defaultColorScheme="auto" getStyleNonce={styleNonce}>
    <QueryClientProvider client={queryClient}>
      <Router hook={useHashLocation}>
        <Listening />
        <Toasts />
      </Router>
    </QueryClientProvider>
  </MantineProvider>
);

import { Button, useMantineColorScheme, MantineProvider } from '@mantine/core';
import { CallError, getErrorSentence, type AppState, getStyleNonce } from '../api/call.ts';
import { t, useScreenLanguage } from '../i18n.ts';
import styles from './frame.module.css';
import { useEffect } from 'react';
import { useAppState, useTopicInvalidation } from '../api/queries.ts';
import { ErrorLine } from '../components/ScreenPage.tsx';
import { FirstRunScreen } from '../screens/connect/ConnectFlow.tsx';
import { QueryClientProvider } from '@tanstack/react-query';
import './uiKit.css';
import '@mantine/notifications/styles.css';
import './tokens.css';
import { useStart } from '../api/start.ts';
import { StartPage } from './StartPage.tsx';
import { ToastHost } from './ToastHost.tsx';
import { Router } from 'wouter';
import { useHashLocation } from 'wouter/use-hash-location';
import { Home, queryClient } from './firstScreen.ts';
import { isProofOffered } from '../api/ceremony.ts';
import { theme } from './theme.ts';
import { CeremonyHost } from '../screens/proof/CeremonyHost.tsx';

const lockedTitles = {
  LINK_USED: () => t('app.locked.LINK_USED'),
  LINK_ENDED: () => t('app.locked.LINK_ENDED'),
  LINK_MISSING: () => t('app.locked.LINK_MISSING'),
};
type LockedTabError = CallError & { code: keyof typeof lockedTitles };

const isLockedTabError = (error: unknown): error is LockedTabError =>
  error instanceof CallError && Object.hasOwn(lockedTitles, error.code);

const LockedTab = ({ error }: { error: LockedTabError }) => (
  <main className={styles.locked}>
    <div className={styles.lockedInner}>
      <p className={styles.lockedName}>Listing Companion</p>
      <h1>{lockedTitles[error.code]()}</h1>
      <p>{getErrorSentence(error)}</p>
      <Button onClick={() => location.reload()}>{t('app.tryAgain')}</Button>
    </div>
  </main>
);

const useThemeSetting = (wanted: AppState['settings']['theme'] | undefined): void => {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  useEffect(() => {
    const scheme = wanted === 'system' ? 'auto' : wanted;
    // Setting an equal scheme again would recompute all styles.
    if (scheme && scheme !== colorScheme) setColorScheme(scheme);
    // The setter changes with every render, so it is not a dependency.
  }, [wanted]);
};

/** During the first run, the other screens are preloaded. */
const FirstRunOrHome = () => {
  const { start, error: startError } = useStart();
  const { data: state, error, refetch } = useAppState();
  useThemeSetting(state?.settings.theme);
  const language = useScreenLanguage(state?.settings.language);
  const isFirstRun = state?.connection === 'none';
  useEffect(() => {
    if (!isFirstRun) return;
    isProofOffered.set(true);
    requestIdleCallback(() => void Home.load());
  }, [isFirstRun]);
  if (start) return <StartPage start={start} error={startError} />;
  if (isLockedTabError(error)) return language === null ? null : <LockedTab key={language} error={error} />;
  if (error)
    return (
      <main className={styles.broken}>
        <ErrorLine error={error} />
        <Button onClick={() => void refetch()}>{t('app.tryAgain')}</Button>
      </main>
    );
  if (!state || language === null) return null;
  if (isFirstRun) return <FirstRunScreen key={language} state={state} />;
  return <Home key={language} state={state} />;
};

const TopicListener = () => {
  useTopicInvalidation();
  return <FirstRunOrHome />;
};

export const App = () => (
  <MantineProvider theme={theme} defaultColorScheme="auto" getStyleNonce={getStyleNonce}>
    <QueryClientProvider client={queryClient}>
      <Router hook={useHashLocation}>
        <TopicListener />
        <ToastHost />
        <CeremonyHost />
      </Router>
    </QueryClientProvider>
  </MantineProvider>
);

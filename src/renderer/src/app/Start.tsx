import { Button } from '@mantine/core';
import { useEffect } from 'react';
import { sentenceOf } from '../api/callError.ts';
import { firstState } from '../api/firstState.ts';
import { useAppState } from '../api/queries.ts';
import { late } from '../parts/late.tsx';
import { ProblemLine } from '../parts/ProblemLine.tsx';
import { FirstRun } from '../screens/connect/FirstRun.tsx';
import { isLocked, LockedTab } from './Locked.tsx';
import { useThemeOf } from './useThemeOf.ts';
import { t } from '../i18n/t.ts';
import { useLanguage } from '../i18n/language.ts';
import styles from './frame.module.css';

const loadHome = async () => (await import('./Home.tsx')).Home;
const Home = late(loadHome);
// Who is connected needs it at once; a failure is told by whoever reads the state.
firstState
  .then(async ({ connection }) => {
    if (connection !== 'none') await loadHome();
  })
  .catch(() => undefined);

/** The first run, or the screens. What is behind the first run is loaded while it is read. */
export const Start = () => {
  const { data: state, error, refetch } = useAppState();
  useThemeOf(state?.settings.theme);
  const language = useLanguage(state?.settings.language);
  const isFirstRun = state?.connection === 'none';
  useEffect(() => {
    if (isFirstRun) requestIdleCallback(() => void loadHome());
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

import { Button, useMantineColorScheme } from '@mantine/core';
import { CallError, sentenceOf } from '../api/call.ts';
import { t } from '../i18n/t.ts';
import styles from './frame.module.css';
import { useEffect } from 'react';
import type { AppState } from '../api/types.ts';
import { firstState } from '../api/firstState.ts';
import { useAppState } from '../api/queries.ts';
import { lazyComponent } from '../components/lazyComponent.tsx';
import { ProblemLine } from '../components/ProblemLine.tsx';
import { FirstRun } from '../screens/connect/FirstRun.tsx';
import { useLanguage } from '../i18n/language.ts';

const titles = {
  LINK_USED: () => t('app.locked.LINK_USED'),
  LINK_ENDED: () => t('app.locked.LINK_ENDED'),
  LINK_MISSING: () => t('app.locked.LINK_MISSING'),
};
type Locked = CallError & { code: keyof typeof titles };

/** Whether the companion does not know this tab of the browser, or not any more. */
const isLocked = (error: unknown): error is Locked => error instanceof CallError && Object.hasOwn(titles, error.code);

/** What a tab shows that came without a link, or by one that does not work: why, and the next step. */
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

/** Makes the window look as the settings say. */
const useThemeOf = (wanted: AppState['settings']['theme'] | undefined): void => {
  const { setColorScheme } = useMantineColorScheme();
  useEffect(() => {
    if (wanted) setColorScheme(wanted === 'system' ? 'auto' : wanted);
    // The setter is made anew in every render; only a new wish matters.
  }, [wanted]);
};

const loadHome = async () => (await import('./Home.tsx')).Home;
const Home = lazyComponent(loadHome);
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

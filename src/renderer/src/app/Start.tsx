import { Button } from '@mantine/core';
import { sentenceOf } from '../api/callError.ts';
import { useAppState } from '../api/queries.ts';
import { ProblemLine } from '../parts/ProblemLine.tsx';
import { FirstRun } from '../screens/connect/FirstRun.tsx';
import { BatchHost } from '../screens/approvals/batch/BatchHost.tsx';
import { PromptHost } from '../screens/approvals/PromptHost.tsx';
import { Frame } from './Frame.tsx';
import { useThemeOf } from './useThemeOf.ts';
import { t } from '../i18n/t.ts';
import { useLanguage } from '../i18n/useLanguage.ts';
import styles from './frame.module.css';

/** The first run, or the frame with its screens. */
export const Start = () => {
  const { data: state, error, refetch } = useAppState();
  useThemeOf(state?.settings.theme);
  const language = useLanguage(state?.settings.language);
  if (error)
    return (
      <main className={styles.broken}>
        <ProblemLine>{sentenceOf(error)}</ProblemLine>
        <Button onClick={() => void refetch()}>{t('app.tryAgain')}</Button>
      </main>
    );
  if (!state || language === null) return null;
  if (state.connection === 'none') return <FirstRun key={language} state={state} />;
  return (
    <PromptHost key={language}>
      <BatchHost>
        <Frame state={state} />
      </BatchHost>
    </PromptHost>
  );
};

import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { call, companion, sentenceOf } from '../../api/call.ts';
import type { AppState } from '../../api/types.ts';
import { ProblemLine } from '../../components/ProblemLine.tsx';
import { saveFile } from '../../components/saveFile.ts';
import { Facts } from './Facts.tsx';
import { Update } from './Update.tsx';
import { useShell } from './useShell.ts';
import { t } from '../../i18n/t.ts';
import styles from './settings.module.css';

/** The version, updates, and what somebody who helps needs to see. */
export const Care = ({ state }: { state: AppState }) => {
  const update = useShell().data?.update;
  const logs = useMutation({ mutationFn: () => call('app.showLogs', {}) });
  const diagnostics = useMutation({ mutationFn: () => call('app.diagnostics', {}), onSuccess: saveFile });
  const error = logs.error ?? diagnostics.error;
  return (
    <section aria-label={t('settings.care.title')} className={styles.plan}>
      <h2>{t('settings.care.title')}</h2>
      <Facts
        facts={[
          [t('settings.version'), state.version],
          [t('settings.address'), state.bridgeUrl ?? t('settings.notOpen')],
        ]}
      />
      {update && <Update update={update} />}
      <div className={styles.line}>
        {companion().host === 'electron' && (
          <Button onClick={() => logs.mutate()}>{t('settings.care.showLogs')}</Button>
        )}
        <Button loading={diagnostics.isPending} onClick={() => diagnostics.mutate()}>
          {t('settings.care.diagnostics')}
        </Button>
        <span className={styles.small}>{t('settings.care.diagnosticsHelp')}</span>
      </div>
      {error && <ProblemLine>{sentenceOf(error)}</ProblemLine>}
    </section>
  );
};

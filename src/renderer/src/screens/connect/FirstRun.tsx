import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call, sentenceOf } from '../../api/call.ts';
import type { AppState } from '../../api/types.ts';
import { ProblemLine } from '../../components/ProblemLine.tsx';
import { ConnectFlow } from './ConnectFlow.tsx';
import { t } from '../../i18n/t.ts';
import { translate } from '../../i18n/language.ts';
import styles from './connect.module.css';

const Choice = ({ onConnect }: { onConnect: () => void }) => {
  const client = useQueryClient();
  const practice = useMutation({
    mutationFn: () => call('connect.practice', {}),
    onSuccess: (state) => client.setQueryData(['app'], state),
  });
  return (
    <div className={styles.choices}>
      <section>
        <h2>{t('connect.lookAround')}</h2>
        <p className={styles.soft}>{t('connect.lookAroundText')}</p>
        <Button variant="ink" loading={practice.isPending} onClick={() => practice.mutate()}>
          {t('connect.practice')}
        </Button>
        {practice.error && <ProblemLine>{sentenceOf(practice.error)}</ProblemLine>}
      </section>
      <section>
        <h2>{t('connect.forReal')}</h2>
        <p className={styles.soft}>{t('connect.forRealText')}</p>
        <Button onClick={onConnect}>{t('connect.title')}</Button>
      </section>
    </div>
  );
};

/** The first thing a new person sees: what this is, and two ways to begin. */
export const FirstRun = ({ state }: { state: AppState }) => {
  const [connecting, setConnecting] = useState(false);
  return (
    <main className={styles.first}>
      <div className={styles.inner}>
        <h1 className={styles.title}>Listing Companion</h1>
        <p className={styles.lead}>{t('connect.lead')}</p>
        {state.keychain.kind === 'memory' && state.keychain.problem && (
          <ProblemLine>{translate(state.keychain.says, state.keychain.problem)}</ProblemLine>
        )}
        {connecting ? (
          <section className={styles.connect} aria-label={t('connect.title')}>
            <h2>{t('connect.title')}</h2>
            <ConnectFlow onConnected={() => undefined} />
            <Button variant="quiet" onClick={() => setConnecting(false)}>
              {t('connect.back')}
            </Button>
          </section>
        ) : (
          <Choice onConnect={() => setConnecting(true)} />
        )}
      </div>
    </main>
  );
};

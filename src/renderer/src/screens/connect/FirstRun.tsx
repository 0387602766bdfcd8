import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/call.ts';
import { sentenceOf } from '../../api/callError.ts';
import type { AppState } from '../../api/types.ts';
import { ProblemLine } from '../../parts/ProblemLine.tsx';
import { ConnectFlow } from './ConnectFlow.tsx';
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
        <h2>Look around first</h2>
        <p className={styles.soft}>
          A practice service runs on this computer. No account, no money, nothing leaves it.
        </p>
        <Button variant="ink" loading={practice.isPending} onClick={() => practice.mutate()}>
          Try it with practice data
        </Button>
        {practice.error && <ProblemLine>{sentenceOf(practice.error)}</ProblemLine>}
      </section>
      <section>
        <h2>Sell for real</h2>
        <p className={styles.soft}>
          With the e-mail address of your account at the service; a free one is made if you have none.
        </p>
        <Button onClick={onConnect}>Connect my account</Button>
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
        <p className={styles.lead}>
          Drop folders of photos. Each becomes a written listing. You look it over, and nothing is published or paid
          before your yes.
        </p>
        {state.keychain.kind === 'memory' && state.keychain.problem && (
          <ProblemLine>{state.keychain.problem}</ProblemLine>
        )}
        {connecting ? (
          <section className={styles.connect} aria-label="Connect my account">
            <h2>Connect my account</h2>
            <ConnectFlow onConnected={() => undefined} />
            <Button variant="quiet" onClick={() => setConnecting(false)}>
              Back
            </Button>
          </section>
        ) : (
          <Choice onConnect={() => setConnecting(true)} />
        )}
      </div>
    </main>
  );
};

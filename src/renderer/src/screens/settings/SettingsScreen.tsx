import { Button } from '@mantine/core';
import { useState } from 'react';
import { useAppState } from '../../api/queries.ts';
import type { AppState } from '../../api/types.ts';
import { Page } from '../../parts/Page.tsx';
import { ConnectDialog } from '../connect/ConnectDialog.tsx';
import { Disconnect } from './Disconnect.tsx';
import { Facts } from './Facts.tsx';
import { Plan } from './Plan.tsx';
import { Preferences } from './Preferences.tsx';

const keychainWords = ({ keychain }: AppState): string =>
  keychain.kind === 'system'
    ? 'In the system’s keychain'
    : (keychain.problem ?? 'In memory only: it is forgotten when the companion closes.');

const Account = ({ state }: { state: AppState }) => {
  const [connecting, setConnecting] = useState(false);
  const practice = state.service.kind === 'practice';
  return (
    <section aria-label="Account">
      <h2>Account</h2>
      <Facts
        facts={[
          ['Service', practice ? 'Practice service – nothing here is real' : state.service.url],
          ['Connected as', state.person?.email ?? state.person?.name ?? 'Nobody'],
          ['Key', keychainWords(state)],
          ['Address for assistants', state.bridgeUrl ?? 'Not open'],
          ['Version', state.version],
        ]}
      />
      {practice || state.connection !== 'connected' ? (
        <Button mt="md" onClick={() => setConnecting(true)}>
          Connect my account
        </Button>
      ) : null}
      {connecting && <ConnectDialog onClose={() => setConnecting(false)} />}
    </section>
  );
};

/** What the person can set, and what stands. */
export const SettingsScreen = () => {
  const state = useAppState().data;
  if (!state) return <Page title="Settings" />;
  return (
    <Page title="Settings">
      <Preferences settings={state.settings} />
      <Account state={state} />
      {state.connection === 'connected' && <Plan />}
      {state.connection !== 'none' && <Disconnect practice={state.service.kind === 'practice'} />}
    </Page>
  );
};

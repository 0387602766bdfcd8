import { Button } from '@mantine/core';
import { useState } from 'react';
import { useAppState } from '../../api/queries.ts';
import type { AppState } from '../../api/types.ts';
import { Page } from '../../parts/Page.tsx';
import { ConnectDialog } from '../connect/ConnectDialog.tsx';
import { Care } from './Care.tsx';
import { Disconnect } from './Disconnect.tsx';
import { Facts } from './Facts.tsx';
import { Notifications } from './Notifications.tsx';
import { Pausing } from './Pausing.tsx';
import { Photos } from './Photos.tsx';
import { Plan } from './Plan.tsx';
import { Preferences } from './Preferences.tsx';
import { ThisComputer } from './ThisComputer.tsx';
import { t } from '../../i18n/t.ts';

const keychainWords = ({ keychain }: AppState): string =>
  keychain.kind === 'system' ? t('settings.inKeychain') : (keychain.problem ?? t('settings.inMemory'));

const Account = ({ state }: { state: AppState }) => {
  const [connecting, setConnecting] = useState(false);
  const practice = state.service.kind === 'practice';
  return (
    <section aria-label={t('settings.account')}>
      <h2>{t('settings.account')}</h2>
      <Facts
        facts={[
          [t('settings.service'), practice ? t('settings.practice') : state.service.url],
          [t('settings.connectedAs'), state.person?.email ?? state.person?.name ?? t('settings.nobody')],
          [t('settings.key'), keychainWords(state)],
          [t('settings.address'), state.bridgeUrl ?? t('settings.notOpen')],
        ]}
      />
      {practice || state.connection !== 'connected' ? (
        <Button mt="md" onClick={() => setConnecting(true)}>
          {t('settings.connect')}
        </Button>
      ) : null}
      {connecting && <ConnectDialog onClose={() => setConnecting(false)} />}
    </section>
  );
};

/** What the person can set, and what stands. */
export const SettingsScreen = () => {
  const state = useAppState().data;
  if (!state) return <Page title={t('settings.title')} />;
  return (
    <Page title={t('settings.title')}>
      <Preferences settings={state.settings} />
      <Photos state={state} />
      <Notifications notify={state.settings.notify} />
      <Pausing paused={state.paused} />
      <ThisComputer />
      <Account state={state} />
      {state.connection === 'connected' && <Plan />}
      <Care version={state.version} />
      {state.connection !== 'none' && <Disconnect practice={state.service.kind === 'practice'} />}
    </Page>
  );
};

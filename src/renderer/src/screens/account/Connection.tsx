import { Button } from '@mantine/core';
import { useState } from 'react';
import type { AppState } from '../../api/types.ts';
import { ConnectDialog } from '../connect/ConnectDialog.tsx';
import { Facts } from '../settings/Facts.tsx';
import { t } from '../../i18n/t.ts';
import { translate } from '../../i18n/language.ts';

const keychainWords = ({ keychain }: AppState): string =>
  keychain.kind === 'system'
    ? t('account.inKeychain')
    : keychain.problem === null
      ? t('account.inMemory')
      : translate(keychain.says, keychain.problem);

/** Who is connected, to which service, and where the key lies. */
export const Connection = ({ state }: { state: AppState }) => {
  const [connecting, setConnecting] = useState(false);
  const practice = state.service.kind === 'practice';
  return (
    <section aria-label={t('account.connection')}>
      <h2>{t('account.connection')}</h2>
      <Facts
        facts={[
          [t('account.service'), practice ? t('account.practice') : state.service.url],
          [t('account.connectedAs'), state.person?.email ?? state.person?.name ?? t('account.nobody')],
          [t('account.key'), keychainWords(state)],
        ]}
      />
      {(practice || state.connection !== 'connected') && (
        <Button mt="md" onClick={() => setConnecting(true)}>
          {t('account.connect')}
        </Button>
      )}
      {connecting && <ConnectDialog onClose={() => setConnecting(false)} />}
    </section>
  );
};

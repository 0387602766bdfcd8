import { Button } from '@mantine/core';
import { useState } from 'react';
import { type AppState, call, sentenceOf } from '../../api/call.ts';
import { ConnectDialog } from '../connect/lazyConnectDialog.ts';
import { Facts } from '../../components/SettingLines.tsx';
import { t, translate } from '../../i18n.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ConfirmButton } from '../../components/ConfirmButton.tsx';
import { ProblemLine, Page } from '../../components/Page.tsx';
import { useAskAccount, useKeysAtService, type Key } from './useAccount.ts';
import styles from '../settings/settings.module.css';
import { RelativeTime } from '../../components/text/RelativeTime.tsx';
import { UntrustedText } from '../../components/text/UntrustedText.tsx';
import own from './account.module.css';
import { useAppState } from '../../api/queries.ts';
import { Billing } from './Billing.tsx';
import { Plan } from './Plan.tsx';
import { Profile, MessagePreferences } from './Profile.tsx';

const keychainText = ({ keychain }: AppState): string =>
  keychain.kind === 'system'
    ? t('account.inKeychain')
    : keychain.problem === null
      ? t('account.inMemory')
      : translate(keychain.says, keychain.problem);

/** The connected person, the service, and where the key is stored. */
export const Connection = ({ state }: { state: AppState }) => {
  const [connecting, setConnecting] = useState(false);
  const practice = state.service.kind === 'practice';
  return (
    <section aria-label={t('account.connection')}>
      <h2>{t('account.connection')}</h2>
      <Facts
        facts={[
          [t('account.service'), practice ? t('account.practice') : state.service.url],
          [t('account.connectedAs'), state.person?.email ?? t('account.nobody')],
          [t('account.key'), keychainText(state)],
        ]}
      />
      {(practice || state.connection !== 'connected') && (
        <Button mt="md" onClick={() => setConnecting(true)}>
          {practice ? t('connect.forReal') : t('account.connect')}
        </Button>
      )}
      {connecting && <ConnectDialog onClose={() => setConnecting(false)} />}
    </section>
  );
};

/** Requests the service to revoke the key. This needs an approval; the local copy is removed with it. */
const EndKey = () => {
  const ask = useAskAccount();
  return (
    <>
      <p className={styles.soft}>{t('account.endKey')}</p>
      <Button loading={ask.isPending} onClick={() => ask.mutate({ route: 'revokeCurrentKey', input: {} })}>
        {t('account.disconnectAsk')}
      </Button>
      {ask.error && <ProblemLine>{sentenceOf(ask.error)}</ProblemLine>}
    </>
  );
};

/** Removes the key from this computer only: in practice mode, or while the service cannot be reached. */
const ForgetKey = ({ why }: { why: string }) => {
  const client = useQueryClient();
  const forget = useMutation({
    mutationFn: () => call('connect.forget', {}),
    onSuccess: (state) => client.setQueryData(['app'], state),
  });
  return (
    <>
      <p className={styles.soft}>{why}</p>
      <ConfirmButton sure={t('account.disconnectSure')} onSure={() => forget.mutate()} busy={forget.isPending}>
        {t('account.disconnect')}
      </ConfirmButton>
      {forget.error && <ProblemLine>{sentenceOf(forget.error)}</ProblemLine>}
    </>
  );
};

/** Ends the connection: at the service if it can be reached, otherwise only on this computer. */
export const Disconnect = ({ state }: { state: AppState }) => {
  const practice = state.service.kind === 'practice';
  const reached = state.connection === 'connected' && state.offline === null;
  return (
    <section aria-label={t('account.disconnect')}>
      <h2>{t('account.disconnect')}</h2>
      {!practice && reached ? (
        <EndKey />
      ) : (
        <ForgetKey why={practice ? t('account.leavePractice') : t('account.forgetKey')} />
      )}
    </section>
  );
};

const How = ({ how }: Pick<Key, 'how'>) => {
  if (how === 'code') return t('account.keys.byCode');
  if (how === 'settings') return t('account.keys.inSettings');
  return how === null ? '–' : <UntrustedText text={how} fold={60} flag={false} />;
};

const Row = ({ name, how, usedAt, current }: Key) => (
  <tr data-current={current || undefined}>
    <th scope="row">
      {name === null ? t('account.keys.unnamed') : <UntrustedText text={name} fold={60} />}
      {current && <span className={own.tag}>{t('account.keys.this')}</span>}
    </th>
    <td>
      <How how={how} />
    </td>
    <td>{usedAt === null ? t('account.keys.never') : <RelativeTime at={usedAt} />}</td>
  </tr>
);

/** Every assistant that holds a key at the service; the key of this companion is marked. */
export const ServiceKeys = () => {
  const { data: keys, error } = useKeysAtService();
  return (
    <section aria-label={t('account.keys.title')} className={styles.plan} aria-busy={!keys && !error}>
      <h2>{t('account.keys.title')}</h2>
      <p className={styles.small}>{t('account.keys.text')}</p>
      {error && <ProblemLine>{sentenceOf(error)}</ProblemLine>}
      {!keys && !error && <div className={own.coming} />}
      {keys && (
        <div className={own.tableFrame} tabIndex={0} role="group" aria-label={t('account.keys.title')}>
          <table className={own.table} data-words>
            <thead>
              <tr>
                <th scope="col">{t('account.keys.name')}</th>
                <th scope="col">{t('account.keys.how')}</th>
                <th scope="col">{t('account.keys.used')}</th>
              </tr>
            </thead>
            <tbody>
              {keys.map((key) => (
                <Row key={key.keyId} {...key} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
};

/** The person's account at the service: connection, plan, billing, profile and connected assistants. */
export const AccountScreen = () => {
  const state = useAppState().data;
  if (!state) return <Page title={t('account.title')} />;
  return (
    <Page title={t('account.title')}>
      <Connection state={state} />
      {state.connection === 'connected' ? (
        <>
          <Plan />
          <Billing />
          <Profile />
          <MessagePreferences />
          <ServiceKeys />
        </>
      ) : (
        <p>{t('account.notConnected')}</p>
      )}
      {state.connection !== 'none' && <Disconnect state={state} />}
    </Page>
  );
};

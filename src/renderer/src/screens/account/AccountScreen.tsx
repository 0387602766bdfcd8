import { SettingsSection } from '../settings/SettingsSection.tsx';
import { useAppStateMutation } from '../../api/useCall.ts';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { type AppState, callCore } from '../../api/call.ts';
import { ConnectDialog } from '../connect/lazyConnectDialog.ts';
import { FactLines } from '../../components/fields/SettingLines.tsx';
import { t, translateMessage } from '../../i18n.ts';
import { ConfirmButton } from '../../components/ConfirmButton.tsx';
import { ErrorLine, ScreenPage, SectionsPage } from '../../components/ScreenPage.tsx';
import { useAccountChangeRequest, useServiceKeys, type ServiceKey } from './useAccount.ts';
import styles from '../settings/settings.module.css';
import { RelativeTime } from '../../components/text/RelativeTime.tsx';
import { UntrustedText } from '../../components/text/UntrustedText.tsx';
import own from './account.module.css';
import { useAppState } from '../../api/queries.ts';
import { BillingSection } from './BillingSection.tsx';
import { PlanSection } from './PlanSection.tsx';
import { ProfileSection, MessagePreferences } from './ProfileSection.tsx';

const describeKeychainState = ({ keychain }: AppState): string =>
  keychain.kind === 'system'
    ? t('account.inKeychain')
    : keychain.problem === null
      ? t('account.inMemory')
      : translateMessage(keychain.says, keychain.problem);

export const ConnectionSection = ({ state }: { state: AppState }) => {
  const [connecting, setConnecting] = useState(false);
  const practice = state.service.kind === 'practice';
  return (
    <section aria-label={t('account.connection')}>
      <h2>{t('account.connection')}</h2>
      <FactLines
        facts={[
          [t('account.service'), practice ? t('account.practice') : state.service.url],
          [t('account.connectedAs'), state.person?.email ?? t('account.nobody')],
          [t('account.key'), describeKeychainState(state)],
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

const RevokeKeyButton = () => {
  const ask = useAccountChangeRequest();
  return (
    <>
      <p className={styles.soft}>{t('account.endKey')}</p>
      <Button loading={ask.isPending} onClick={() => ask.mutate({ route: 'revokeCurrentKey', input: {} })}>
        {t('account.disconnectAsk')}
      </Button>
      <ErrorLine error={ask.error} />
    </>
  );
};

const ForgetKeyButton = ({ why }: { why: string }) => {
  const forget = useAppStateMutation(() => callCore('connect.forget', {}));
  return (
    <>
      <p className={styles.soft}>{why}</p>
      <ConfirmButton sure={t('account.disconnectSure')} onSure={() => forget.mutate()} busy={forget.isPending}>
        {t('account.disconnect')}
      </ConfirmButton>
      <ErrorLine error={forget.error} />
    </>
  );
};

export const DisconnectSection = ({ state }: { state: AppState }) => {
  const practice = state.service.kind === 'practice';
  const reached = state.connection === 'connected' && state.offline === null;
  return (
    <section aria-label={t('account.disconnect')}>
      <h2>{t('account.disconnect')}</h2>
      {!practice && reached ? (
        <RevokeKeyButton />
      ) : (
        <ForgetKeyButton why={practice ? t('account.leavePractice') : t('account.forgetKey')} />
      )}
    </section>
  );
};

const KeyOrigin = ({ how }: Pick<ServiceKey, 'how'>) => {
  if (how === 'code') return t('account.keys.byCode');
  if (how === 'settings') return t('account.keys.inSettings');
  return how === null ? '–' : <UntrustedText text={how} fold={60} flag={false} />;
};

const ServiceKeyRow = ({ name, how, usedAt, current }: ServiceKey) => (
  <tr data-current={current || undefined}>
    <th scope="row">
      {name === null ? t('account.keys.unnamed') : <UntrustedText text={name} fold={60} />}
      {current && <span className={own.tag}>{t('account.keys.this')}</span>}
    </th>
    <td>
      <KeyOrigin how={how} />
    </td>
    <td>{usedAt === null ? t('account.keys.never') : <RelativeTime at={usedAt} />}</td>
  </tr>
);

export const ServiceKeysSection = () => {
  const { data: keys, error } = useServiceKeys();
  return (
    <SettingsSection
      title={t('account.keys.title')}
      help={t('account.keys.text')}
      error={error}
      isLoading={!keys && !error}
    >
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
                <ServiceKeyRow key={key.keyId} {...key} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </SettingsSection>
  );
};

export const AccountScreen = () => {
  const state = useAppState().data;
  if (!state) return <ScreenPage title={t('account.title')} />;
  return (
    <SectionsPage title={t('account.title')}>
      <ConnectionSection state={state} />
      {state.connection === 'connected' ? (
        <>
          <PlanSection />
          <BillingSection />
          <ProfileSection />
          <MessagePreferences />
          <ServiceKeysSection />
        </>
      ) : (
        <p>{t('account.notConnected')}</p>
      )}
      {state.connection !== 'none' && <DisconnectSection state={state} />}
    </SectionsPage>
  );
};

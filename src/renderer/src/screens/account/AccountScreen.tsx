import { useAppState } from '../../api/queries.ts';
import { Page } from '../../components/Page.tsx';
import { Connection } from './Connection.tsx';
import { Disconnect } from './Disconnect.tsx';
import { Keys } from './Keys.tsx';
import { MoneyMatters } from './MoneyMatters.tsx';
import { Plan } from './Plan.tsx';
import { Profile } from './Profile.tsx';
import { MessagePreferences } from './MessagePreferences.tsx';
import { t } from '../../i18n/t.ts';

/** What the service knows of the person: connection, plan, money, profile, and who else is connected. */
export const AccountScreen = () => {
  const state = useAppState().data;
  if (!state) return <Page title={t('account.title')} />;
  return (
    <Page title={t('account.title')}>
      <Connection state={state} />
      {state.connection === 'connected' ? (
        <>
          <Plan />
          <MoneyMatters />
          <Profile />
          <MessagePreferences />
          <Keys />
        </>
      ) : (
        <p>{t('account.notConnected')}</p>
      )}
      {state.connection !== 'none' && <Disconnect state={state} />}
    </Page>
  );
};

import { useAppState } from '../../api/queries.ts';
import { Page } from '../../components/Page.tsx';
import { Backups } from './Backups.tsx';
import { Care } from './Care.tsx';
import { Notifications } from './Notifications.tsx';
import { Pausing } from './Pausing.tsx';
import { Photos } from './Photos.tsx';
import { Preferences } from './Preferences.tsx';
import { ThisComputer } from './ThisComputer.tsx';
import { t } from '../../i18n/t.ts';

/** What the person can set about the companion on this computer. */
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
      <Backups />
      <Care state={state} />
    </Page>
  );
};

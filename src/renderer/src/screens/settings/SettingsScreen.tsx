import { SettingsSection } from './SettingsSection.tsx';
import { useCoreQuery, useAppStateMutation } from '../../api/useCall.ts';
import { type AppState, callCore } from '../../api/call.ts';
import { useRestart } from '../../api/start.ts';
import { RunningExports } from '../../components/RunningExports.tsx';
import { ScreenPage, SectionsPage } from '../../components/ScreenPage.tsx';
import { SwitchLine } from '../../components/fields/SettingLines.tsx';
import { useSaveSettings, usePauseAll, useAppState } from '../../api/queries.ts';
import { t } from '../../i18n.ts';
import styles from './settings.module.css';
import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ConfirmButton } from '../../components/ConfirmButton.tsx';
import { formatBytes, formatTime } from '../../components/text/format.ts';
import { AboutAppSection, ForgetEverythingSection, ThisComputer } from './ThisComputer.tsx';
import { PhotoSettings } from './PhotoSettings.tsx';
import { PreferencesSection } from './PreferencesSection.tsx';
import { ProofSection } from '../proof/ProofSection.tsx';

const notificationKinds = ['approvals', 'written', 'sales', 'connection'] as const;

export const NotificationSettings = ({ notify }: { notify: AppState['settings']['notify'] }) => {
  const { mutate, error } = useSaveSettings();
  return (
    <SettingsSection title={t('settings.notify.title')} error={error}>
      {notificationKinds.map((kind) => (
        <SwitchLine
          key={kind}
          label={t(`settings.notify.${kind}`)}
          help={t(`settings.notify.${kind}Help`)}
          on={notify[kind]}
          set={(on) => mutate({ notify: { [kind]: on } })}
        />
      ))}
    </SettingsSection>
  );
};

export const PauseSection = ({ paused }: { paused: boolean }) => {
  const { mutate, error } = usePauseAll();
  return (
    <SettingsSection title={t('settings.pause.title')} error={error}>
      <SwitchLine label={t('settings.pause.all')} help={t('settings.pause.help')} on={paused} set={mutate} />
    </SettingsSection>
  );
};

/** The button needs a confirmation, because the companion then uses a new shop instead of the current one. */
export const PracticeShopSection = () => {
  const { mutate, isPending, isSuccess, error } = useAppStateMutation((shop: 'stocked' | 'empty') =>
    callCore('connect.practice', { shop, fresh: true }),
  );
  return (
    <SettingsSection title={t('settings.practice.title')} help={t('settings.practice.help')} error={error}>
      {(['stocked', 'empty'] as const).map((shop) => (
        <div key={shop} className={styles.line}>
          <ConfirmButton sure={t('settings.practice.sure')} busy={isPending} onSure={() => mutate(shop)}>
            {t(`settings.practice.${shop}`)}
          </ConfirmButton>
          <span className={styles.small}>{t(`settings.practice.${shop}Help`)}</span>
        </div>
      ))}
      {isSuccess && <p role="status">{t('settings.practice.begun')}</p>}
    </SettingsSection>
  );
};

/** The core reports each new backup, also the daily one, as a change of the app. */
const backupsKey = ['app', 'backups'];

export const BackupsSection = () => {
  const client = useQueryClient();
  const list = useCoreQuery(backupsKey, 'backups.list', {});
  const make = useMutation({
    mutationFn: () => callCore('backups.make', {}),
    onSuccess: (all) => client.setQueryData(backupsKey, all),
  });
  const restore = useMutation({
    mutationFn: ({ name }: { name: string; at: number }) => callCore('backups.restore', { name }),
  });
  const restart = useRestart();
  const error = list.error ?? make.error ?? restore.error ?? restart.error;
  return (
    <SettingsSection title={t('settings.backups.title')} help={t('settings.backups.help')} error={error}>
      {list.data?.length === 0 && <p>{t('settings.backups.none')}</p>}
      <ul className={styles.backups}>
        {list.data?.map(({ name, at, bytes }) => (
          <li key={name} className={styles.line}>
            <span>{formatTime(at)}</span>
            <span className={styles.small}>{formatBytes(bytes)}</span>
            <ConfirmButton
              variant="quiet"
              sure={t('settings.backups.sure')}
              busy={restore.isPending}
              onSure={() => restore.mutate({ name, at })}
            >
              {t('settings.backups.restore')}
            </ConfirmButton>
          </li>
        ))}
      </ul>
      <div className={styles.line}>
        <Button loading={make.isPending} onClick={() => make.mutate()}>
          {t('settings.backups.make')}
        </Button>
        <RunningExports kinds={['backup', 'databaseCheck']} />
      </div>
      {restore.data?.isScheduled && (
        <div className={styles.line}>
          <p role="status">{t('settings.backups.wished', { when: formatTime(restore.variables.at) })}</p>
          <Button loading={restart.isPending} onClick={() => restart.mutate()}>
            {t('start.restartNow')}
          </Button>
        </div>
      )}
    </SettingsSection>
  );
};

export const SettingsScreen = () => {
  const state = useAppState().data;
  if (!state) return <ScreenPage title={t('settings.title')} />;
  return (
    <SectionsPage title={t('settings.title')}>
      <ProofSection />
      <PreferencesSection settings={state.settings} />
      <PhotoSettings state={state} />
      <NotificationSettings notify={state.settings.notify} />
      <PauseSection paused={state.paused} />
      {state.service.kind === 'practice' && state.connection !== 'none' && <PracticeShopSection />}
      <ThisComputer />
      <BackupsSection />
      <AboutAppSection state={state} />
      <ForgetEverythingSection />
    </SectionsPage>
  );
};

import { SettingsSection } from './SettingsSection.tsx';
import { useCoreQuery } from '../../api/useCall.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { CallAnswer, CallInput } from '../../../../ipc/calls.ts';
import { callCore, getCompanionWindow, type AppState } from '../../api/call.ts';
import { Button } from '@mantine/core';
import { ConfirmButton } from '../../components/ConfirmButton.tsx';
import { ErrorLine } from '../../components/ScreenPage.tsx';
import { t } from '../../i18n.ts';
import styles from './settings.module.css';
import { downloadFile } from '../../components/lists/DataTable.tsx';
import { FactLines, SwitchLine } from '../../components/fields/SettingLines.tsx';

type ShellState = CallAnswer<'app.shell'>;

const isUpdateInProgress = (shell: ShellState | undefined): boolean =>
  shell?.update?.state === 'checking' || shell?.update?.state === 'loading';

/** Polls while an update is in progress. */
const useShellState = () =>
  useCoreQuery(
    ['shell'],
    'app.shell',
    {},
    { staleTime: 0, refetchInterval: ({ state }) => (isUpdateInProgress(state.data) ? 2_000 : false) },
  );

function useShellChange<Input>(act: (input: Input) => Promise<ShellState>) {
  const client = useQueryClient();
  return useMutation({ mutationFn: act, onSuccess: (shell) => client.setQueryData(['shell'], shell) });
}

type UpdateState = NonNullable<CallAnswer<'app.shell'>['update']>;
type UpdateStep = { act: CallInput<'app.update'>['act']; label: string };

const findNextUpdateStep = (update: UpdateState): UpdateStep | null => {
  if (update.state === 'found') return { act: 'load', label: t('settings.care.load', { version: update.version }) };
  if (update.state === 'ready')
    return { act: 'install', label: t('settings.care.install', { version: update.version }) };
  if ('version' in update || update.state === 'checking') return null;
  return { act: 'check', label: t('settings.care.look') };
};

const formatUpdateState = (update: UpdateState): string =>
  'version' in update
    ? t(`settings.care.${update.state}`, { version: update.version })
    : t(`settings.care.${update.state}`);

const UpdateControl = ({ update }: { update: UpdateState }) => {
  const { mutate, isPending, error } = useShellChange((act: UpdateStep['act']) => callCore('app.update', { act }));
  const step = findNextUpdateStep(update);
  return (
    <div className={styles.line} role="group" aria-label={t('settings.care.update')}>
      {step && (
        <Button loading={isPending} onClick={() => mutate(step.act)}>
          {step.label}
        </Button>
      )}
      <span className={styles.small} role="status">
        {formatUpdateState(update)}
      </span>
      <ErrorLine error={error} />
    </div>
  );
};

export const AboutAppSection = ({ state }: { state: AppState }) => {
  const update = useShellState().data?.update;
  const logs = useMutation({ mutationFn: () => callCore('app.showLogs', {}) });
  const diagnostics = useMutation({ mutationFn: () => callCore('app.diagnostics', {}), onSuccess: downloadFile });
  const error = logs.error ?? diagnostics.error;
  return (
    <SettingsSection title={t('settings.care.title')} error={error}>
      <FactLines
        facts={[
          [t('settings.version'), state.version],
          [t('settings.address'), state.bridgeUrl ?? t('settings.notOpen')],
        ]}
      />
      {update && <UpdateControl update={update} />}
      <div className={styles.line}>
        {getCompanionWindow().host === 'electron' && (
          <Button onClick={() => logs.mutate()}>{t('settings.care.showLogs')}</Button>
        )}
        <Button loading={diagnostics.isPending} onClick={() => diagnostics.mutate()}>
          {t('settings.care.diagnostics')}
        </Button>
        <span className={styles.small}>{t('settings.care.diagnosticsHelp')}</span>
      </div>
    </SettingsSection>
  );
};

export const ThisComputer = () => {
  const { startAtLogin = null, addFromFileManager = null } = useShellState().data ?? {};
  const { mutate, error } = useShellChange((change: CallInput<'app.changeShell'>) =>
    callCore('app.changeShell', change),
  );
  if (startAtLogin === null && addFromFileManager === null) return null;
  return (
    <SettingsSection title={t('settings.computer.title')} error={error}>
      {startAtLogin !== null && (
        <SwitchLine
          label={t('settings.computer.startAtLogin')}
          help={t('settings.computer.startAtLoginHelp')}
          on={startAtLogin}
          set={(on) => mutate({ startAtLogin: on })}
        />
      )}
      {addFromFileManager !== null && (
        <SwitchLine
          label={t('settings.computer.fileManager')}
          help={t('settings.computer.fileManagerHelp')}
          on={addFromFileManager}
          set={(on) => mutate({ addFromFileManager: on })}
        />
      )}
    </SettingsSection>
  );
};

export const ForgetEverythingSection = () => {
  const { mutate, isPending, isSuccess, error } = useMutation({
    mutationFn: () => callCore('app.forgetEverything', {}),
  });
  return (
    <SettingsSection title={t('settings.forget.title')} help={t('settings.forget.help')} error={error}>
      <div className={styles.line}>
        <ConfirmButton sure={t('settings.forget.sure')} busy={isPending || isSuccess} onSure={() => mutate()}>
          {t('settings.forget.forget')}
        </ConfirmButton>
      </div>
      {isSuccess && <p role="status">{t('settings.forget.closing')}</p>}
    </SettingsSection>
  );
};

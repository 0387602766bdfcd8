import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { CallAnswer, CallInput } from '../../../../ipc/calls.ts';
import { call, sentenceOf, companion, type AppState } from '../../api/call.ts';
import { Button } from '@mantine/core';
import { ConfirmButton } from '../../components/ConfirmButton.tsx';
import { ProblemLine } from '../../components/Page.tsx';
import { t } from '../../i18n.ts';
import styles from './settings.module.css';
import { saveFile } from '../../components/DataTable.tsx';
import { Facts, SwitchLine } from '../../components/SettingLines.tsx';

type Shell = CallAnswer<'app.shell'>;

const isUnderWay = (shell: Shell | undefined): boolean =>
  shell?.update?.state === 'checking' || shell?.update?.state === 'loading';

/** The state of the desktop integration; polled while an update is in progress. */
const useShell = () =>
  useQuery({
    queryKey: ['shell'],
    queryFn: () => call('app.shell', {}),
    staleTime: 0,
    refetchInterval: ({ state }) => (isUnderWay(state.data) ? 2_000 : false),
  });

function useShellAct<Input>(act: (input: Input) => Promise<Shell>) {
  const client = useQueryClient();
  return useMutation({ mutationFn: act, onSuccess: (shell) => client.setQueryData(['shell'], shell) });
}

type UpdateState = NonNullable<CallAnswer<'app.shell'>['update']>;
type Step = { act: CallInput<'app.update'>['act']; label: string };

/** Returns the next step that the person can start; null while a step is in progress. */
const stepOf = (update: UpdateState): Step | null => {
  if (update.state === 'found') return { act: 'load', label: t('settings.care.load', { version: update.version }) };
  if (update.state === 'ready')
    return { act: 'install', label: t('settings.care.install', { version: update.version }) };
  if ('version' in update || update.state === 'checking') return null;
  return { act: 'check', label: t('settings.care.look') };
};

const updateText = (update: UpdateState): string =>
  'version' in update
    ? t(`settings.care.${update.state}`, { version: update.version })
    : t(`settings.care.${update.state}`);

/** The app update: checking, loading and installing each need a click. */
const Update = ({ update }: { update: UpdateState }) => {
  const { mutate, isPending, error } = useShellAct((act: Step['act']) => call('app.update', { act }));
  const step = stepOf(update);
  return (
    <div className={styles.line} role="group" aria-label={t('settings.care.update')}>
      {step && (
        <Button loading={isPending} onClick={() => mutate(step.act)}>
          {step.label}
        </Button>
      )}
      <span className={styles.small} role="status">
        {updateText(update)}
      </span>
      {error && <ProblemLine>{sentenceOf(error)}</ProblemLine>}
    </div>
  );
};

/** The version, updates, logs and diagnostics. */
export const AboutApp = ({ state }: { state: AppState }) => {
  const update = useShell().data?.update;
  const logs = useMutation({ mutationFn: () => call('app.showLogs', {}) });
  const diagnostics = useMutation({ mutationFn: () => call('app.diagnostics', {}), onSuccess: saveFile });
  const error = logs.error ?? diagnostics.error;
  return (
    <section aria-label={t('settings.care.title')} className={styles.plan}>
      <h2>{t('settings.care.title')}</h2>
      <Facts
        facts={[
          [t('settings.version'), state.version],
          [t('settings.address'), state.bridgeUrl ?? t('settings.notOpen')],
        ]}
      />
      {update && <Update update={update} />}
      <div className={styles.line}>
        {companion().host === 'electron' && (
          <Button onClick={() => logs.mutate()}>{t('settings.care.showLogs')}</Button>
        )}
        <Button loading={diagnostics.isPending} onClick={() => diagnostics.mutate()}>
          {t('settings.care.diagnostics')}
        </Button>
        <span className={styles.small}>{t('settings.care.diagnosticsHelp')}</span>
      </div>
      {error && <ProblemLine>{sentenceOf(error)}</ProblemLine>}
    </section>
  );
};

/** The integration with the operating system; renders nothing if the host has none. */
export const ThisComputer = () => {
  const { startAtLogin = null, addFromFileManager = null } = useShell().data ?? {};
  const { mutate, error } = useShellAct((change: CallInput<'app.changeShell'>) => call('app.changeShell', change));
  if (startAtLogin === null && addFromFileManager === null) return null;
  return (
    <section aria-label={t('settings.computer.title')} className={styles.plan}>
      <h2>{t('settings.computer.title')}</h2>
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
      {error && <ProblemLine>{sentenceOf(error)}</ProblemLine>}
    </section>
  );
};

export const ForgetEverything = () => {
  const { mutate, isPending, isSuccess, error } = useMutation({ mutationFn: () => call('app.forgetEverything', {}) });
  return (
    <section aria-label={t('settings.forget.title')} className={styles.plan}>
      <h2>{t('settings.forget.title')}</h2>
      <p className={styles.small}>{t('settings.forget.help')}</p>
      <div className={styles.line}>
        <ConfirmButton sure={t('settings.forget.sure')} busy={isPending || isSuccess} onSure={() => mutate()}>
          {t('settings.forget.forget')}
        </ConfirmButton>
      </div>
      {isSuccess && <p role="status">{t('settings.forget.closing')}</p>}
      {error && <ProblemLine>{sentenceOf(error)}</ProblemLine>}
    </section>
  );
};

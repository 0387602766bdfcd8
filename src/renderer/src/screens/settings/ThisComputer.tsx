import type { CallInput } from '../../../../ipc/calls.ts';
import { call, sentenceOf } from '../../api/call.ts';
import { ProblemLine } from '../../components/ProblemLine.tsx';
import { SwitchLine } from './SwitchLine.tsx';
import { useShell, useShellAct } from './useShell.ts';
import { t } from '../../i18n/t.ts';
import styles from './settings.module.css';

/** How the companion is tied into the system; nothing where the host has no such ties. */
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

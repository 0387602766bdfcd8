import { sentenceOf } from '../../api/call.ts';
import type { AppState } from '../../api/types.ts';
import { ProblemLine } from '../../components/ProblemLine.tsx';
import { SwitchLine } from './SwitchLine.tsx';
import { useSaveSettings } from './useSaveSettings.ts';
import { t } from '../../i18n/t.ts';
import styles from './settings.module.css';

const kinds = ['approvals', 'written', 'sales', 'connection'] as const;

/** What is said outside the window, a switch for each kind. */
export const Notifications = ({ notify }: { notify: AppState['settings']['notify'] }) => {
  const { mutate, error } = useSaveSettings();
  return (
    <section aria-label={t('settings.notify.title')} className={styles.plan}>
      <h2>{t('settings.notify.title')}</h2>
      {kinds.map((kind) => (
        <SwitchLine
          key={kind}
          label={t(`settings.notify.${kind}`)}
          help={t(`settings.notify.${kind}Help`)}
          on={notify[kind]}
          set={(on) => mutate({ notify: { [kind]: on } })}
        />
      ))}
      {error && <ProblemLine>{sentenceOf(error)}</ProblemLine>}
    </section>
  );
};

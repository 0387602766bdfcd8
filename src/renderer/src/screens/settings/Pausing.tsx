import { sentenceOf } from '../../api/call.ts';
import { usePause } from '../../api/usePause.ts';
import { ProblemLine } from '../../components/ProblemLine.tsx';
import { SwitchLine } from './SwitchLine.tsx';
import { t } from '../../i18n/t.ts';
import styles from './settings.module.css';

/** Holds back everything new until it is switched off again. */
export const Pausing = ({ paused }: { paused: boolean }) => {
  const { mutate, error } = usePause();
  return (
    <section aria-label={t('settings.pause.title')} className={styles.plan}>
      <h2>{t('settings.pause.title')}</h2>
      <SwitchLine label={t('settings.pause.all')} help={t('settings.pause.help')} on={paused} set={mutate} />
      {error && <ProblemLine>{sentenceOf(error)}</ProblemLine>}
    </section>
  );
};

import { NativeSelect } from '@mantine/core';
import { ErrorLine } from '../../components/ScreenPage.tsx';
import { t } from '../../i18n.ts';
import { useProofRelaxing, type ProofState } from './useProofs.ts';
import styles from './proof.module.css';

const times = [0, 5, 15] as const;

const formatChoice = (minutes: ProofState['relaxedMinutes']): string =>
  minutes === 0 ? t('proof.relax.each') : t('proof.relax.once', { minutes });

/** Lets one confirmation count for the person's own acts of a few minutes. */
export const RelaxChoice = ({ state: { relaxedMinutes } }: { state: ProofState }) => {
  const { mutate, isPending, error } = useProofRelaxing();
  return (
    <div className={styles.form} aria-busy={isPending}>
      <NativeSelect
        label={t('proof.relax.label')}
        description={t('proof.relax.help')}
        value={String(relaxedMinutes)}
        data={times.map((minutes) => ({ value: String(minutes), label: formatChoice(minutes) }))}
        onChange={({ currentTarget: { value } }) => {
          const minutes = times.find((time) => String(time) === value);
          if (minutes !== undefined && !isPending) mutate(minutes);
        }}
      />
      {relaxedMinutes > 0 && <p className={styles.weaker}>{t('proof.relax.weaker', { minutes: relaxedMinutes })}</p>}
      <ErrorLine error={error} />
    </div>
  );
};

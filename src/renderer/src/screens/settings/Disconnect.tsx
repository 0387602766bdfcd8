import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import { sentenceOf } from '../../api/callError.ts';
import { ConfirmButton } from '../../parts/ConfirmButton.tsx';
import { ProblemLine } from '../../parts/ProblemLine.tsx';
import { t } from '../../i18n/t.ts';
import styles from './settings.module.css';

/** Forgets the key on this computer. */
export const Disconnect = ({ practice }: { practice: boolean }) => {
  const client = useQueryClient();
  const forget = useMutation({
    mutationFn: () => call('connect.forget', {}),
    onSuccess: (state) => client.setQueryData(['app'], state),
  });
  return (
    <section aria-label={t('settings.disconnect')}>
      <h2>{t('settings.disconnect')}</h2>
      <p className={styles.soft}>{practice ? t('settings.leavePractice') : t('settings.forgetKey')}</p>
      <ConfirmButton sure={t('settings.disconnectSure')} onSure={() => forget.mutate()} busy={forget.isPending}>
        {t('settings.disconnect')}
      </ConfirmButton>
      {forget.error && <ProblemLine>{sentenceOf(forget.error)}</ProblemLine>}
    </section>
  );
};

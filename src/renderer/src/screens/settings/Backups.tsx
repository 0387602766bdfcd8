import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call, sentenceOf } from '../../api/call.ts';
import { timeWords } from '../../i18n/locale.ts';
import { t } from '../../i18n/t.ts';
import { ConfirmButton } from '../../components/ConfirmButton.tsx';
import { ProblemLine } from '../../components/ProblemLine.tsx';
import { bytesWords } from './bytesWords.ts';
import styles from './settings.module.css';

const queryKey = ['backups'];

/** The copies of the companion's own data: when they were made, one more, and the way back to one. */
export const Backups = () => {
  const client = useQueryClient();
  const list = useQuery({ queryKey, queryFn: () => call('backups.list', {}) });
  const make = useMutation({
    mutationFn: () => call('backups.make', {}),
    onSuccess: (all) => client.setQueryData(queryKey, all),
  });
  const restore = useMutation({
    mutationFn: ({ name }: { name: string; at: number }) => call('backups.restore', { name }),
  });
  const error = list.error ?? make.error ?? restore.error;
  return (
    <section aria-label={t('settings.backups.title')} className={styles.plan}>
      <h2>{t('settings.backups.title')}</h2>
      <p className={styles.small}>{t('settings.backups.help')}</p>
      {list.data?.length === 0 && <p>{t('settings.backups.none')}</p>}
      <ul className={styles.backups}>
        {list.data?.map(({ name, at, bytes }) => (
          <li key={name} className={styles.line}>
            <span>{timeWords(at)}</span>
            <span className={styles.small}>{bytesWords(bytes)}</span>
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
      </div>
      {restore.isSuccess && (
        <p role="status">{t('settings.backups.wished', { when: timeWords(restore.variables.at) })}</p>
      )}
      {error && <ProblemLine>{sentenceOf(error)}</ProblemLine>}
    </section>
  );
};

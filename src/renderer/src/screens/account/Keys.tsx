import { sentenceOf } from '../../api/call.ts';
import { RelativeTime } from '../../components/text/RelativeTime.tsx';
import { ProblemLine } from '../../components/ProblemLine.tsx';
import { UntrustedText } from '../../components/text/UntrustedText.tsx';
import type { Key } from './answers.ts';
import { useKeysAtService } from './useAccount.ts';
import { t } from '../../i18n/t.ts';
import styles from '../settings/settings.module.css';
import own from './account.module.css';

const How = ({ how }: Pick<Key, 'how'>) => {
  if (how === 'code') return t('account.keys.byCode');
  if (how === 'settings') return t('account.keys.inSettings');
  return how === null ? '–' : <UntrustedText text={how} fold={60} flag={false} />;
};

const Row = ({ name, how, usedAt, current }: Key) => (
  <tr data-current={current || undefined}>
    <th scope="row">
      {name === null ? t('account.keys.unnamed') : <UntrustedText text={name} fold={60} />}
      {current && <span className={own.tag}>{t('account.keys.this')}</span>}
    </th>
    <td>
      <How how={how} />
    </td>
    <td>{usedAt === null ? t('account.keys.never') : <RelativeTime at={usedAt} />}</td>
  </tr>
);

/** Every assistant that holds a key at the service, and which of them is this companion. */
export const Keys = () => {
  const { data: keys, error } = useKeysAtService();
  return (
    <section aria-label={t('account.keys.title')} className={styles.plan} aria-busy={!keys && !error}>
      <h2>{t('account.keys.title')}</h2>
      <p className={styles.small}>{t('account.keys.text')}</p>
      {error && <ProblemLine>{sentenceOf(error)}</ProblemLine>}
      {!keys && !error && <div className={own.coming} />}
      {keys && (
        <div className={own.tableFrame} tabIndex={0} role="group" aria-label={t('account.keys.title')}>
          <table className={own.table} data-words>
            <thead>
              <tr>
                <th scope="col">{t('account.keys.name')}</th>
                <th scope="col">{t('account.keys.how')}</th>
                <th scope="col">{t('account.keys.used')}</th>
              </tr>
            </thead>
            <tbody>
              {keys.map((key) => (
                <Row key={key.keyId} {...key} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
};

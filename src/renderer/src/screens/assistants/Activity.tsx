import { Button, NativeSelect } from '@mantine/core';
import { useState } from 'react';
import { sentenceOf } from '../../api/call.ts';
import { useActivity } from '../../api/queries.ts';
import type { Activity as Row, Assistant } from '../../api/types.ts';
import { t } from '../../i18n/t.ts';
import { RelativeTime } from '../../components/text/RelativeTime.tsx';
import { ProblemLine } from '../../components/ProblemLine.tsx';
import { UntrustedText } from '../../components/text/UntrustedText.tsx';
import { plainly } from '../../components/text/untrustedText.ts';
import styles from './assistants.module.css';

const atOnce = 12;

/** 202 is the bridge's "the person is asked". */
const asksPerson = 202;

const answerWords = ({ status, answeredFrom }: Row): string =>
  status === asksPerson ? t('assistants.activity.waits') : t(`assistants.activity.${answeredFrom}`);

const ActivityRow = ({ row }: { row: Row }) => (
  <li className={styles.act} data-look={row.answeredFrom === 'refused' || undefined}>
    <div>
      <UntrustedText text={row.what} fold={160} flag={false} />
      <p className={styles.soft}>
        <UntrustedText text={row.name} fold={60} flag={false} /> · <code>{`${row.method} ${row.path}`}</code>
      </p>
    </div>
    <div className={styles.answer}>
      <span>{answerWords(row)}</span>
      <p className={styles.soft}>
        {row.status} · <RelativeTime at={row.at} />
      </p>
    </div>
  </li>
);

/** What assistants asked for and how it was answered, as it happens. */
export const Activity = ({ assistants }: { assistants: readonly Assistant[] }) => {
  const [whose, setWhose] = useState('');
  const [most, setMost] = useState(atOnce);
  const { data, error } = useActivity(whose === '' ? null : whose);
  const rows = data?.rows ?? [];
  return (
    <section aria-label={t('assistants.activity.title')}>
      <div className={styles.head}>
        <h2>{t('assistants.activity.title')}</h2>
        {assistants.length > 1 && (
          <NativeSelect
            aria-label={t('assistants.activity.whose')}
            value={whose}
            onChange={(event) => setWhose(event.currentTarget.value)}
            data={[
              { value: '', label: t('assistants.activity.everyone') },
              ...assistants.map((one) => ({ value: one.assistantId, label: plainly(one.name) })),
            ]}
          />
        )}
      </div>
      {error && <ProblemLine>{sentenceOf(error)}</ProblemLine>}
      {data && rows.length === 0 && <p className={styles.soft}>{t('assistants.activity.none')}</p>}
      <ol className={styles.list} aria-label={t('assistants.activity.rows')}>
        {rows.slice(0, most).map((row, at) => (
          <ActivityRow key={`${row.at} ${rows.length - at}`} row={row} />
        ))}
      </ol>
      {rows.length > most && (
        <Button variant="quiet" onClick={() => setMost(most + 50)}>
          {t('assistants.activity.more')}
        </Button>
      )}
    </section>
  );
};

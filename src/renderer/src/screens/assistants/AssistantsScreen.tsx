import { Button, NativeSelect } from '@mantine/core';
import { useState } from 'react';
import { sentenceOf, type Activity as Row, type Assistant } from '../../api/call.ts';
import { useActivity, useAppState, useAssistants } from '../../api/queries.ts';
import { formatEnglish } from '../../../../i18n/english.ts';
import { locale, t, translate } from '../../i18n.ts';
import { RelativeTime } from '../../components/text/RelativeTime.tsx';
import { ProblemLine, EmptyScreen, Page } from '../../components/Page.tsx';
import { UntrustedText, escapedText } from '../../components/text/UntrustedText.tsx';
import styles from './assistants.module.css';
import { AssistantRow } from './AssistantRow.tsx';
import { ClientList } from './ClientList.tsx';
import { Connect } from './Connect.tsx';

const atOnce = 12;

/** The bridge answers 202 while a request waits for the person's approval. */
const asksPerson = 202;

const answerText = ({ status, answeredFrom }: Row): string =>
  status === asksPerson ? t('assistants.activity.waits') : t(`assistants.activity.${answeredFrom}`);

/** Formats the act of a request: "Change a live listing: price, title". */
const actText = ({ what, fields }: Row): string => {
  const act = translate(what, formatEnglish(what));
  if (fields.length === 0) return act;
  const names = fields.map((field) => translate(field, formatEnglish(field)));
  return `${act}: ${new Intl.ListFormat(locale(), { type: 'unit' }).format(names)}`;
};

const ActivityRow = ({ row }: { row: Row }) => (
  <li className={styles.act} data-look={row.answeredFrom === 'refused' || undefined}>
    <div>
      {actText(row)}
      <p className={styles.soft}>
        <UntrustedText text={row.name} fold={60} flag={false} />
        {row.title !== null && (
          <>
            {' · '}
            <UntrustedText text={row.title} fold={100} flag={false} />
          </>
        )}
      </p>
    </div>
    <div className={styles.answer}>
      <span>{answerText(row)}</span>
      <p className={styles.soft}>
        <RelativeTime at={row.at} />
      </p>
    </div>
  </li>
);

/** The requests of the assistants and their answers, live. */
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
              ...assistants.map((one) => ({ value: one.assistantId, label: escapedText(one.name) })),
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

/** The paired assistants, their activity, and how to pair another one. */
export const AssistantsScreen = () => {
  const data = useAssistants().data;
  const bridgeUrl = useAppState().data?.bridgeUrl ?? null;
  if (!data) return <Page title={t('assistants.title')} />;
  const { assistants, pairings } = data;
  return (
    <Page title={t('assistants.title')}>
      {assistants.length > 0 && (
        <section aria-label={t('assistants.pairedAsker')}>
          <h2>{t('assistants.pairedAsker')}</h2>
          <ul className={styles.list}>
            {assistants.map((assistant) => (
              <AssistantRow key={assistant.assistantId} assistant={assistant} />
            ))}
          </ul>
        </section>
      )}
      <ClientList />
      {assistants.length > 0 && <Activity assistants={assistants} />}
      {assistants.length === 0 && pairings.length === 0 && (
        <EmptyScreen title={t('assistants.emptyTitle')}>
          <p>{t('assistants.empty')}</p>
        </EmptyScreen>
      )}
      {bridgeUrl ? <Connect url={bridgeUrl} /> : <p className={styles.soft}>{t('assistants.connect.notOpen')}</p>}
    </Page>
  );
};

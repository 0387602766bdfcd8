import { Button, NativeSelect } from '@mantine/core';
import { useState } from 'react';
import { NoProofLine } from '../proof/NoProofLine.tsx';
import { type Activity as Row, type Assistant } from '../../api/call.ts';
import { useAssistantActivity, useAppState, useAssistantList } from '../../api/queries.ts';
import { formatEnglishMessage } from '../../../../i18n/english.ts';
import { getCurrentLocale, t, translateMessage } from '../../i18n.ts';
import { RelativeTime } from '../../components/text/RelativeTime.tsx';
import { ErrorLine, EmptyScreen, ScreenPage } from '../../components/ScreenPage.tsx';
import { UntrustedText, escapeHiddenText } from '../../components/text/UntrustedText.tsx';
import styles from './assistants.module.css';
import { PairedAssistantRow } from './AssistantRow.tsx';
import { InstalledClientList } from './ClientList.tsx';
import { PairingLines } from './PairingLines.tsx';
import { ConnectAssistantSection } from './ConnectAssistantSection.tsx';

const initialRows = 12;

const pendingApprovalStatus = 202;

const formatActivityResult = ({ status, answeredFrom }: Row): string =>
  status === pendingApprovalStatus ? t('assistants.activity.waits') : t(`assistants.activity.${answeredFrom}`);

const formatActivityAction = ({ what, fields }: Row): string => {
  const act = translateMessage(what, formatEnglishMessage(what));
  if (fields.length === 0) return act;
  const names = fields.map((field) => translateMessage(field, formatEnglishMessage(field)));
  return `${act}: ${new Intl.ListFormat(getCurrentLocale(), { type: 'unit' }).format(names)}`;
};

const AssistantActivityRow = ({ row }: { row: Row }) => (
  <li className={styles.act} data-look={row.answeredFrom === 'refused' || undefined}>
    <div>
      {formatActivityAction(row)}
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
      <span>{formatActivityResult(row)}</span>
      <p className={styles.soft}>
        <RelativeTime at={row.at} />
      </p>
    </div>
  </li>
);

export const AssistantActivityList = ({ assistants }: { assistants: readonly Assistant[] }) => {
  const [assistantFilter, setAssistantFilter] = useState('');
  const [most, setMost] = useState(initialRows);
  const { data, error } = useAssistantActivity(assistantFilter === '' ? null : assistantFilter);
  const rows = data?.rows ?? [];
  return (
    <section aria-label={t('assistants.activity.title')}>
      <div className={styles.head}>
        <h2>{t('assistants.activity.title')}</h2>
        {assistants.length > 1 && (
          <NativeSelect
            aria-label={t('assistants.activity.whose')}
            value={assistantFilter}
            onChange={(event) => setAssistantFilter(event.currentTarget.value)}
            data={[
              { value: '', label: t('assistants.activity.everyone') },
              ...assistants.map((paired) => ({ value: paired.assistantId, label: escapeHiddenText(paired.name) })),
            ]}
          />
        )}
      </div>
      <ErrorLine error={error} />
      {data && rows.length === 0 && <p className={styles.soft}>{t('assistants.activity.none')}</p>}
      <ol className={styles.list} aria-label={t('assistants.activity.rows')}>
        {rows.slice(0, most).map((row, at) => (
          <AssistantActivityRow key={`${row.at} ${rows.length - at}`} row={row} />
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

export const AssistantsScreen = () => {
  const data = useAssistantList().data;
  const bridgeUrl = useAppState().data?.bridgeUrl ?? null;
  if (!data) return <ScreenPage title={t('assistants.title')} />;
  const { assistants, pairings } = data;
  return (
    <ScreenPage title={t('assistants.title')}>
      {pairings.length > 0 && <PairingLines />}
      <NoProofLine />
      {assistants.length > 0 && (
        <section aria-label={t('assistants.pairedAsker')}>
          <h2>{t('assistants.pairedAsker')}</h2>
          <ul className={styles.list}>
            {assistants.map((assistant) => (
              <PairedAssistantRow key={assistant.assistantId} assistant={assistant} />
            ))}
          </ul>
        </section>
      )}
      <InstalledClientList />
      {assistants.length > 0 && <AssistantActivityList assistants={assistants} />}
      {assistants.length === 0 && pairings.length === 0 && (
        <EmptyScreen title={t('assistants.emptyTitle')}>
          <p>{t('assistants.empty')}</p>
        </EmptyScreen>
      )}
      {bridgeUrl ? (
        <ConnectAssistantSection url={bridgeUrl} />
      ) : (
        <p className={styles.soft}>{t('assistants.connect.notOpen')}</p>
      )}
    </ScreenPage>
  );
};

import { useAppState, useAssistants } from '../../api/queries.ts';
import { t } from '../../i18n/t.ts';
import { EmptyScreen } from '../../parts/EmptyScreen.tsx';
import { Page } from '../../parts/Page.tsx';
import { Activity } from './Activity.tsx';
import { AssistantRow } from './AssistantRow.tsx';
import { Connect } from './Connect.tsx';
import { Pairings } from './Pairings.tsx';
import styles from './assistants.module.css';

/** Who may ask through this companion, what they did, and how another is connected. */
export const AssistantsScreen = () => {
  const data = useAssistants().data;
  const bridgeUrl = useAppState().data?.bridgeUrl ?? null;
  if (!data) return <Page title={t('assistants.title')} />;
  const { assistants, pairings } = data;
  return (
    <Page title={t('assistants.title')}>
      {pairings.length > 0 && <Pairings pairings={pairings} />}
      {assistants.length > 0 && (
        <section aria-label={t('assistants.letIn')}>
          <h2>{t('assistants.letIn')}</h2>
          <ul className={styles.list}>
            {assistants.map((assistant) => (
              <AssistantRow key={assistant.assistantId} assistant={assistant} />
            ))}
          </ul>
        </section>
      )}
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

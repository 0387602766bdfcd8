import { Trans } from 'react-i18next';
import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { call, sentenceOf } from '../../api/call.ts';
import type { Assistants } from '../../api/types.ts';
import { timeLeft, useNow } from '../../components/text/RelativeTime.tsx';
import { ProblemLine } from '../../components/ProblemLine.tsx';
import { UntrustedText } from '../../components/text/UntrustedText.tsx';
import { NameLike } from '../approvals/WhoAsks.tsx';
import { t } from '../../i18n/t.ts';
import styles from './assistants.module.css';
import { useAppState, useAssistants } from '../../api/queries.ts';
import { EmptyScreen, Page } from '../../components/Page.tsx';
import { Activity } from './Activity.tsx';
import { AssistantRow } from './AssistantRow.tsx';
import { Connect } from './Connect.tsx';

const Pairing = ({ pairing }: { pairing: Assistants['pairings'][number] }) => {
  const { pairingId } = pairing;
  const now = useNow(5_000);
  const answer = useMutation({
    mutationFn: (name: 'assistants.accept' | 'assistants.refuse') => call(name, { pairingId }),
  });
  return (
    <li className={styles.pairing}>
      <div>
        <Trans
          i18nKey="assistants.wants"
          components={{
            name: (
              <b>
                <UntrustedText text={pairing.name} fold={80} />
              </b>
            ),
          }}
        />
        <NameLike like={pairing.nameLike} />
        <p className={styles.soft}>{timeLeft(pairing.expiresAt, now)}</p>
      </div>
      <output className={styles.code} aria-label={t('assistants.code')}>
        {pairing.code}
      </output>
      <div className={styles.buttons}>
        <Button onClick={() => answer.mutate('assistants.refuse')} disabled={answer.isPending}>
          {t('assistants.refuse')}
        </Button>
        <Button variant="filled" onClick={() => answer.mutate('assistants.accept')} disabled={answer.isPending}>
          {t('assistants.accept')}
        </Button>
      </div>
      {answer.error && <ProblemLine>{sentenceOf(answer.error)}</ProblemLine>}
    </li>
  );
};

/** Assistants that ask to be let in. */
export const Pairings = ({ pairings }: { pairings: Assistants['pairings'] }) => (
  <section aria-label={t('assistants.asking')}>
    <h2>{t('assistants.asking')}</h2>
    <ul className={styles.list}>
      {pairings.map((pairing) => (
        <Pairing key={pairing.pairingId} pairing={pairing} />
      ))}
    </ul>
  </section>
);

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

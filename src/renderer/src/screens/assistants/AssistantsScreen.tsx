import { useMutation } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import { useAppState, useAssistants } from '../../api/queries.ts';
import type { Assistants } from '../../api/types.ts';
import { Ago } from '../../parts/Ago.tsx';
import { ConfirmButton } from '../../parts/ConfirmButton.tsx';
import { CopyLine } from '../../parts/CopyLine.tsx';
import { EmptyScreen } from '../../parts/EmptyScreen.tsx';
import { Page } from '../../parts/Page.tsx';
import { Said } from '../../parts/Said.tsx';
import { Pairings } from './Pairings.tsx';
import styles from './assistants.module.css';

const Assistant = ({ assistant }: { assistant: Assistants['assistants'][number] }) => {
  const { assistantId, lastUsedAt } = assistant;
  const revoke = useMutation({ mutationFn: () => call('assistants.revoke', { assistantId }) });
  return (
    <li className={styles.assistant}>
      <div>
        <b>
          <Said text={assistant.name} fold={80} />
        </b>
        <p className={styles.soft}>
          {lastUsedAt === null ? (
            'Never used'
          ) : (
            <>
              Last used <Ago at={lastUsedAt} />
            </>
          )}{' '}
          · let in <Ago at={assistant.pairedAt} />
        </p>
      </div>
      <ConfirmButton sure="Revoke for good" onSure={() => revoke.mutate()} busy={revoke.isPending}>
        Revoke
      </ConfirmButton>
    </li>
  );
};

const Bridge = ({ url }: { url: string }) => (
  <section aria-label="How an assistant connects">
    <h2>How an assistant connects</h2>
    <p className={styles.soft}>
      Give your assistant this address instead of the service’s. It never holds your key, and what it wants to publish
      or pay is asked here first.
    </p>
    <CopyLine label="Address" text={url} />
    <CopyLine label="Try it" text={`curl ${url}/companion`} />
  </section>
);

/** Who may ask through this companion. */
export const AssistantsScreen = () => {
  const data = useAssistants().data;
  const bridgeUrl = useAppState().data?.bridgeUrl ?? null;
  if (!data) return <Page title="Assistants" />;
  return (
    <Page title="Assistants">
      {data.pairings.length > 0 && <Pairings pairings={data.pairings} />}
      {data.assistants.length > 0 ? (
        <section aria-label="Let in">
          <h2>Let in</h2>
          <ul className={styles.list}>
            {data.assistants.map((assistant) => (
              <Assistant key={assistant.assistantId} assistant={assistant} />
            ))}
          </ul>
        </section>
      ) : (
        data.pairings.length === 0 && (
          <EmptyScreen title="No assistant yet">
            <p>
              An AI assistant on this computer can prepare listings for you. When one asks to be let in, it stands here.
            </p>
          </EmptyScreen>
        )
      )}
      {bridgeUrl ? <Bridge url={bridgeUrl} /> : <p className={styles.soft}>The address for assistants is not open.</p>}
    </Page>
  );
};

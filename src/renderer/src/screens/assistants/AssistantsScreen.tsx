import { useAppState, useAssistants } from '../../api/queries.ts';
import { CopyLine } from '../../parts/CopyLine.tsx';
import { EmptyScreen } from '../../parts/EmptyScreen.tsx';
import { Page } from '../../parts/Page.tsx';
import { AssistantRow } from './AssistantRow.tsx';
import { Pairings } from './Pairings.tsx';
import styles from './assistants.module.css';

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
              <AssistantRow key={assistant.assistantId} assistant={assistant} />
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

import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/call.ts';
import { sentenceOf } from '../../api/callError.ts';
import type { Assistants } from '../../api/types.ts';
import { Ago } from '../../parts/Ago.tsx';
import { ConfirmButton } from '../../parts/ConfirmButton.tsx';
import { ProblemLine } from '../../parts/ProblemLine.tsx';
import { Said } from '../../parts/Said.tsx';
import { Limits, usedWords } from './Limits.tsx';
import { useChange } from './useChange.ts';
import styles from './assistants.module.css';

type Assistant = Assistants['assistants'][number];

const About = ({ assistant }: { assistant: Assistant }) => (
  <div>
    <b>
      <Said text={assistant.name} fold={80} />
    </b>
    {assistant.paused && <span className={styles.paused}> Paused, it can ask for nothing</span>}
    <p className={styles.soft}>
      {assistant.lastUsedAt === null ? (
        'Never used'
      ) : (
        <>
          Last used <Ago at={assistant.lastUsedAt} />
        </>
      )}{' '}
      · let in <Ago at={assistant.pairedAt} />
    </p>
    <p className={styles.soft}>
      {usedWords(assistant)} · {assistant.touches === 'own' ? 'touches only its own listings' : 'touches all listings'}
    </p>
  </div>
);

/** One assistant that was let in: what it used, its limits, and how to pause or revoke it. */
export const AssistantRow = ({ assistant }: { assistant: Assistant }) => {
  const { assistantId, paused } = assistant;
  const [editing, setEditing] = useState(false);
  const change = useChange(assistantId);
  const revoke = useMutation({ mutationFn: () => call('assistants.revoke', { assistantId }) });
  const problem = change.error ?? revoke.error;
  return (
    <li className={styles.assistant}>
      <About assistant={assistant} />
      <div className={styles.buttons}>
        <Button disabled={change.isPending} onClick={() => change.mutate({ paused: !paused })}>
          {paused ? 'Resume' : 'Pause'}
        </Button>
        <Button variant="quiet" disabled={editing} onClick={() => setEditing(true)}>
          Change limits
        </Button>
        <ConfirmButton variant="quiet" sure="Revoke for good" onSure={() => revoke.mutate()} busy={revoke.isPending}>
          Revoke
        </ConfirmButton>
      </div>
      {editing && (
        <Limits
          assistant={assistant}
          busy={change.isPending}
          change={(made, onDone) => change.mutate(made, { onSuccess: onDone })}
          onClose={() => setEditing(false)}
        />
      )}
      {problem && <ProblemLine>{sentenceOf(problem)}</ProblemLine>}
    </li>
  );
};

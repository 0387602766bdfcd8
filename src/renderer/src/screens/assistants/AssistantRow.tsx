import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Trans } from 'react-i18next';
import { call, sentenceOf } from '../../api/call.ts';
import type { Assistant } from '../../api/types.ts';
import { t } from '../../i18n/t.ts';
import { RelativeTime } from '../../components/text/RelativeTime.tsx';
import { ConfirmButton } from '../../components/ConfirmButton.tsx';
import { ProblemLine } from '../../components/ProblemLine.tsx';
import { UntrustedText } from '../../components/text/UntrustedText.tsx';
import { NameLike } from '../approvals/WhoAsks.tsx';
import { Folders } from './Folders.tsx';
import { Limits, useAssistantChange } from './Limits.tsx';
import { mayWords, usedWords } from './dayLimits.ts';
import styles from './assistants.module.css';

/** The rights that are back, whole: what was taken away since must not come into force unseen. */
const Restored = ({ assistant: { folders } }: { assistant: Assistant }) => (
  <div className={styles.restored}>
    <p>{t('assistants.restoredText')}</p>
    {folders.length > 0 && (
      <ul aria-label={t('assistants.folders.title')}>
        {folders.map((folder) => (
          <li key={folder}>
            <UntrustedText text={folder} fold={300} />
          </li>
        ))}
      </ul>
    )}
  </div>
);

const About = ({ assistant }: { assistant: Assistant }) => (
  <div>
    <b>
      <UntrustedText text={assistant.name} fold={80} />
    </b>
    {assistant.paused && (
      <span className={styles.paused}> {t(assistant.restored ? 'assistants.restored' : 'assistants.paused')}</span>
    )}
    <NameLike like={assistant.nameLike} />
    <p className={styles.soft}>
      {assistant.lastUsedAt === null ? (
        t('assistants.neverUsed')
      ) : (
        <Trans i18nKey="assistants.lastUsed" components={{ when: <RelativeTime at={assistant.lastUsedAt} /> }} />
      )}
      {' · '}
      <Trans i18nKey="assistants.letInAt" components={{ when: <RelativeTime at={assistant.pairedAt} /> }} />
    </p>
    <p className={styles.soft}>{mayWords(assistant)}</p>
    <p className={styles.soft}>{usedWords(assistant)}</p>
    {assistant.restored && <Restored assistant={assistant} />}
  </div>
);

/** One assistant that was let in: what it may and used, its limits and folders, and how to pause or revoke it. */
export const AssistantRow = ({ assistant }: { assistant: Assistant }) => {
  const { assistantId, paused, restored, folders } = assistant;
  const [editing, setEditing] = useState(false);
  const change = useAssistantChange(assistantId);
  const revoke = useMutation({ mutationFn: () => call('assistants.revoke', { assistantId }) });
  const problem = change.error ?? revoke.error;
  return (
    <li className={styles.assistant}>
      <About assistant={assistant} />
      <div className={styles.buttons}>
        <Button disabled={change.isPending} onClick={() => change.mutate({ paused: !paused })}>
          {t(restored ? 'assistants.goOn' : paused ? 'assistants.resume' : 'assistants.pause')}
        </Button>
        <Button variant="quiet" aria-expanded={editing} onClick={() => setEditing(!editing)}>
          {t('assistants.changeLimits')}
        </Button>
        <ConfirmButton
          variant="quiet"
          sure={t('assistants.revokeSure')}
          onSure={() => revoke.mutate()}
          busy={revoke.isPending}
        >
          {t('assistants.revoke')}
        </ConfirmButton>
      </div>
      {editing && (
        <div className={styles.editing}>
          <Folders folders={folders} busy={change.isPending} onChange={(next) => change.mutate({ folders: next })} />
          <Limits
            assistant={assistant}
            busy={change.isPending}
            change={(made, onDone) => change.mutate(made, { onSuccess: onDone })}
            onClose={() => setEditing(false)}
          />
        </div>
      )}
      {problem && <ProblemLine>{sentenceOf(problem)}</ProblemLine>}
    </li>
  );
};

import { t } from '../../i18n.ts';
import { ActionIcon, Button, TextInput } from '@mantine/core';
import { IconFolder, IconX } from '@tabler/icons-react';
import { useState, type FormEvent } from 'react';
import { UntrustedText, escapeHiddenText } from '../../components/text/UntrustedText.tsx';
import styles from './assistants.module.css';
import { useMutation } from '@tanstack/react-query';
import { Trans } from 'react-i18next';
import { callCore, type Assistant } from '../../api/call.ts';
import { RelativeTime } from '../../components/text/RelativeTime.tsx';
import { ConfirmButton } from '../../components/ConfirmButton.tsx';
import { ErrorLine } from '../../components/ScreenPage.tsx';
import { SimilarNameWarning } from '../approvals/PromptContent.tsx';
import {
  AssistantLimitsForm,
  useAssistantChange,
  formatAssistantAccess,
  formatUsageToday,
} from './AssistantLimitsForm.tsx';

const isWindows = typeof navigator !== 'undefined' && navigator.userAgent.includes('Windows');

const exampleFolder = isWindows ? 'C:\\Users\\Robin\\Photos' : '/home/robin/photos';

const isAbsolutePath = (path: string): boolean =>
  path.startsWith('/') || /^[A-Za-z]:[\\/]/.test(path) || path.startsWith('\\\\');

/** Returns null if the folder can be added. The core checks whether the folder exists. */
const findFolderProblem = (folder: string, present: readonly string[]): string | null => {
  if (!isAbsolutePath(folder)) return t('assistants.folders.wrong', { example: exampleFolder });
  return present.includes(folder) ? t('assistants.folders.twice') : null;
};

type FoldersFormProps = { folders: readonly string[]; busy: boolean; onChange: (folders: string[]) => void };

const AssistantFoldersForm = ({ folders, busy, onChange }: FoldersFormProps) => {
  const [text, setText] = useState('');
  const [wrong, setWrong] = useState<string | null>(null);
  const addTypedFolder = (event: FormEvent): void => {
    event.preventDefault();
    const folder = text.trim();
    const problem = findFolderProblem(folder, folders);
    setWrong(problem);
    if (problem !== null) return;
    onChange([...folders, folder]);
    setText('');
  };
  return (
    <form className={styles.folders} aria-label={t('assistants.folders.title')} onSubmit={addTypedFolder}>
      <h3>{t('assistants.folders.title')}</h3>
      <p className={styles.soft}>{t('assistants.folders.text')}</p>
      {folders.length === 0 && <p>{t('assistants.folders.none')}</p>}
      <ul>
        {folders.map((folder) => (
          <li key={folder}>
            <IconFolder size={16} aria-hidden />
            <span>
              <UntrustedText text={folder} fold={300} />
            </span>
            <ActionIcon
              aria-label={t('assistants.folders.remove', { folder: escapeHiddenText(folder) })}
              disabled={busy}
              onClick={() => onChange(folders.filter((other) => other !== folder))}
            >
              <IconX size={16} aria-hidden />
            </ActionIcon>
          </li>
        ))}
      </ul>
      <div className={styles.addFolder}>
        <TextInput
          label={t('assistants.folders.add')}
          placeholder={t('assistants.folders.hint', { example: exampleFolder })}
          value={text}
          error={wrong}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Button type="submit" disabled={busy || text.trim() === ''}>
          {t('assistants.folders.addNow')}
        </Button>
      </div>
    </form>
  );
};

/** Lists the restored rights, so that revoked rights do not return unnoticed. */
const RestoredRightsNotice = ({ assistant: { folders } }: { assistant: Assistant }) => (
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

const AssistantSummary = ({ assistant }: { assistant: Assistant }) => (
  <div>
    <b>
      <UntrustedText text={assistant.name} fold={80} />
    </b>
    {assistant.paused && (
      <span className={styles.paused}> {t(assistant.restored ? 'assistants.restored' : 'assistants.paused')}</span>
    )}
    <SimilarNameWarning like={assistant.nameLike} />
    <p className={styles.soft}>
      {assistant.lastUsedAt === null ? (
        t('assistants.neverUsed')
      ) : (
        <Trans i18nKey="assistants.lastUsed" components={{ when: <RelativeTime at={assistant.lastUsedAt} /> }} />
      )}
      {' · '}
      <Trans i18nKey="assistants.letInAt" components={{ when: <RelativeTime at={assistant.pairedAt} /> }} />
    </p>
    <p className={styles.soft}>{formatAssistantAccess(assistant)}</p>
    <p className={styles.soft}>{formatUsageToday(assistant)}</p>
    {assistant.restored && <RestoredRightsNotice assistant={assistant} />}
  </div>
);

export const PairedAssistantRow = ({ assistant }: { assistant: Assistant }) => {
  const { assistantId, paused, restored, folders } = assistant;
  const [editing, setEditing] = useState(false);
  const change = useAssistantChange(assistantId);
  const revoke = useMutation({ mutationFn: () => callCore('assistants.revoke', { assistantId }) });
  const problem = change.error ?? revoke.error;
  return (
    <li className={styles.assistant}>
      <AssistantSummary assistant={assistant} />
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
          <AssistantFoldersForm
            folders={folders}
            busy={change.isPending}
            onChange={(next) => change.mutate({ folders: next })}
          />
          <AssistantLimitsForm
            assistant={assistant}
            busy={change.isPending}
            change={(made, onDone) => change.mutate(made, { onSuccess: onDone })}
            onClose={() => setEditing(false)}
          />
        </div>
      )}
      <ErrorLine error={problem} />
    </li>
  );
};

import { t } from '../../i18n/t.ts';
import { ActionIcon, Button, TextInput } from '@mantine/core';
import { IconFolder, IconX } from '@tabler/icons-react';
import { useState, type FormEvent } from 'react';
import { UntrustedText } from '../../components/text/UntrustedText.tsx';
import { plainly } from '../../components/text/untrustedText.ts';
import styles from './assistants.module.css';

const windows = typeof navigator !== 'undefined' && navigator.userAgent.includes('Windows');

/** A whole path as this computer writes it. */
const exampleFolder = windows ? 'C:\\Users\\Robin\\Photos' : '/home/robin/photos';

const isWhole = (path: string): boolean =>
  path.startsWith('/') || /^[A-Za-z]:[\\/]/.test(path) || path.startsWith('\\\\');

/** Why a folder cannot be added, or null; whether it is there, the core looks. */
const folderProblem = (folder: string, present: readonly string[]): string | null => {
  if (!isWhole(folder)) return t('assistants.folders.wrong', { example: exampleFolder });
  return present.includes(folder) ? t('assistants.folders.twice') : null;
};

type Props = { folders: readonly string[]; busy: boolean; onChange: (folders: string[]) => void };

/** The folders whose photos an assistant may use; each change is kept at once. */
export const Folders = ({ folders, busy, onChange }: Props) => {
  const [text, setText] = useState('');
  const [wrong, setWrong] = useState<string | null>(null);
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    const folder = text.trim();
    const problem = folderProblem(folder, folders);
    setWrong(problem);
    if (problem !== null) return;
    onChange([...folders, folder]);
    setText('');
  };
  return (
    <form className={styles.folders} aria-label={t('assistants.folders.title')} onSubmit={onSubmit}>
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
              aria-label={t('assistants.folders.remove', { folder: plainly(folder) })}
              disabled={busy}
              onClick={() => onChange(folders.filter((one) => one !== folder))}
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

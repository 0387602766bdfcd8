import { t } from '../../i18n/t.ts';

const windows = typeof navigator !== 'undefined' && navigator.userAgent.includes('Windows');

/** A whole path as this computer writes it. */
export const exampleFolder = windows ? 'C:\\Users\\Robin\\Photos' : '/home/robin/photos';

const isWhole = (path: string): boolean =>
  path.startsWith('/') || /^[A-Za-z]:[\\/]/.test(path) || path.startsWith('\\\\');

/** Why a folder cannot be added, or null; whether it is there, the core looks. */
export const folderProblem = (folder: string, present: readonly string[]): string | null => {
  if (!isWhole(folder)) return t('assistants.folders.wrong', { example: exampleFolder });
  return present.includes(folder) ? t('assistants.folders.twice') : null;
};

import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { failpoint } from '../base/failpoints.ts';

/** Does one step with a file; tests end the process before and after it. */
const runStep = (name: string, work: () => void): void => {
  failpoint(`before: ${name}`);
  work();
  failpoint(`after: ${name}`);
};

/** Renames a file or folder, within one file system. */
export const renameFile = (from: string, to: string): void =>
  runStep(`rename ${basename(from)}`, () => renameSync(from, to));

/** Removes a file, if it is there. */
export const removeFile = (file: string): void =>
  runStep(`remove ${basename(file)}`, () => rmSync(file, { force: true }));

type Sync = (opened: number) => void;

const syncOpened = (opened: number, sync: Sync = fsyncSync): void => {
  try {
    sync(opened);
  } finally {
    closeSync(opened);
  }
};

/** Waits until a file is on disk. */
export const syncFile = (file: string): void =>
  runStep(`sync ${basename(file)}`, () => syncOpened(openSync(file, 'r+')));

/** What systems answer that cannot put a folder on disk by itself: Windows, and some network drives. */
const cannotSyncFolders = new Set(['EPERM', 'EACCES', 'EISDIR', 'EINVAL', 'EBADF', 'ENOTSUP']);

/** Waits until the names in a folder are on disk. Where the system cannot do that, they reach the disk a moment later. */
export const syncFolder = (folder: string, sync?: Sync): void =>
  runStep(`sync the folder ${basename(folder)}`, () => {
    try {
      syncOpened(openSync(folder, 'r'), sync);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && cannotSyncFolders.has(String(error.code)))) throw error;
    }
  });

/** Writes a file that is there whole or not at all. */
export const writeFileWhole = (file: string, text: string): void => {
  const part = `${file}.part`;
  writeFileSync(part, text, { mode: 0o600 });
  syncFile(part);
  renameFile(part, file);
  syncFolder(dirname(file));
};

import { closeSync, writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { discardFileSync, putInPlaceSync, removeFileSync } from '../../disk/changeFiles.ts';
import { retryHeldSync, systemDisk, type Disk } from '../../disk/disk.ts';
import { failpoint } from '../base/failpoints.ts';

/** Runs one file operation between two failpoints. */
const runStep = (name: string, work: () => void): void => {
  failpoint(`before: ${name}`);
  work();
  failpoint(`after: ${name}`);
};

/** Renames a file or folder within one file system. */
export const renameFile = (from: string, to: string, disk: Disk = systemDisk): void =>
  runStep(`rename ${basename(from)}`, () => putInPlaceSync(from, to, disk));

/** Removes a file if it exists. */
export const removeFile = (file: string): void => runStep(`remove ${basename(file)}`, () => removeFileSync(file));

const syncPath = (path: string, flags: string, disk: Disk): void => {
  const opened = retryHeldSync(disk, () => disk.openSync(path, flags));
  try {
    disk.fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
};

/** Syncs a file to disk. */
export const syncFile = (file: string, disk: Disk = systemDisk): void =>
  runStep(`sync ${basename(file)}`, () => syncPath(file, 'r+', disk));

/** The error codes of systems that cannot sync a folder, such as some network drives. */
const cannotSyncFolders = new Set(['EPERM', 'EACCES', 'EISDIR', 'EINVAL', 'EBADF', 'ENOTSUP']);

/**
 * Syncs the names in a folder to disk. Does nothing where the system cannot; the names then reach the disk slightly
 * later.
 */
export const syncFolder = (folder: string, disk: Disk = systemDisk): void =>
  runStep(`sync the folder ${basename(folder)}`, () => {
    // Windows can never sync a folder, so retries would only waste time.
    if (disk.isWindows) return;
    try {
      syncPath(folder, 'r', disk);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && cannotSyncFolders.has(String(error.code)))) throw error;
    }
  });

/** Writes a file atomically. */
export const writeFileWhole = (file: string, text: string, disk: Disk = systemDisk): void => {
  const part = `${file}.part`;
  try {
    writeFileSync(part, text, { mode: 0o600 });
    syncFile(part, disk);
    renameFile(part, file, disk);
  } catch (error) {
    discardFileSync(part, disk);
    throw error;
  }
  syncFolder(dirname(file), disk);
};

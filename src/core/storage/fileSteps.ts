import { closeSync, writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { discardFileSync, putInPlaceSync, removeFileSync } from '../../disk/changeFiles.ts';
import { retryHeldSync, systemDisk, type Disk } from '../../disk/disk.ts';
import { failpoint } from '../base/failpoints.ts';

/** Does one step with a file; tests end the process before and after it. */
const runStep = (name: string, work: () => void): void => {
  failpoint(`before: ${name}`);
  work();
  failpoint(`after: ${name}`);
};

/** Renames a file or folder, within one file system. */
export const renameFile = (from: string, to: string, disk: Disk = systemDisk): void =>
  runStep(`rename ${basename(from)}`, () => putInPlaceSync(from, to, disk));

/** Removes a file, if it is there. */
export const removeFile = (file: string): void => runStep(`remove ${basename(file)}`, () => removeFileSync(file));

const syncPath = (path: string, flags: string, disk: Disk): void => {
  const opened = retryHeldSync(disk, () => disk.openSync(path, flags));
  try {
    disk.fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
};

/** Waits until a file is on disk. */
export const syncFile = (file: string, disk: Disk = systemDisk): void =>
  runStep(`sync ${basename(file)}`, () => syncPath(file, 'r+', disk));

/** What systems answer that cannot put a folder on disk by itself, as on some network drives. */
const cannotSyncFolders = new Set(['EPERM', 'EACCES', 'EISDIR', 'EINVAL', 'EBADF', 'ENOTSUP']);

/** Waits until the names in a folder are on disk. Where the system cannot do that, they reach the disk a moment later. */
export const syncFolder = (folder: string, disk: Disk = systemDisk): void =>
  runStep(`sync the folder ${basename(folder)}`, () => {
    // Windows never can, and trying again would only take time.
    if (disk.isWindows) return;
    try {
      syncPath(folder, 'r', disk);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && cannotSyncFolders.has(String(error.code)))) throw error;
    }
  });

/** Writes a file that is there whole or not at all. */
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

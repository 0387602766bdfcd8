import { closeSync, fstatSync, fsyncSync, openSync, readSync, writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { discardFileSync, replaceFileSync, removeFileSync } from '../../disk/changeFiles.ts';
import { retryWhileFileOpenSync, systemDisk, type Disk } from '../../disk/disk.ts';
import { publishFailpoint } from '../base/failpoints.ts';
import { createProblem, findDiskProblem } from '../base/problem.ts';
import type { TaskProgress } from './startStages.ts';

const runFileStep = (name: string, work: () => void): void => {
  publishFailpoint(`before: ${name}`);
  work();
  publishFailpoint(`after: ${name}`);
};

/** Renames a file or folder within one file system. */
export const renameFileDurably = (from: string, to: string, disk: Disk = systemDisk): void =>
  runFileStep(`rename ${basename(from)}`, () => replaceFileSync(from, to, disk));

export const removeFileIfPresent = (file: string): void =>
  runFileStep(`remove ${basename(file)}`, () => removeFileSync(file));

const syncPathToDisk = (path: string, flags: string, disk: Disk): void => {
  const opened = retryWhileFileOpenSync(disk, () => disk.openSync(path, flags));
  try {
    disk.fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
};

export const syncFileToDisk = (file: string, disk: Disk = systemDisk): void =>
  runFileStep(`sync ${basename(file)}`, () => syncPathToDisk(file, 'r+', disk));

/** A part is on disk before the next one is read, so that the progress is real. */
const partBytes = 16 * 2 ** 20;

/** Copies a file to disk in parts. */
export const copyFileDurably = (from: string, to: string, onProgress: (progress: TaskProgress) => void): void => {
  const source = openSync(from, 'r');
  const part = Buffer.allocUnsafe(partBytes);
  try {
    const target = openSync(to, 'w', 0o600);
    try {
      const total = fstatSync(source).size;
      for (let done = 0, bytes = -1; bytes !== 0; done += bytes) {
        onProgress({ done, total });
        bytes = readSync(source, part, 0, partBytes, done);
        writeFileSync(target, part.subarray(0, bytes));
        fsyncSync(target);
        publishFailpoint(`after: copy a part to ${basename(to)}`);
      }
    } finally {
      closeSync(target);
    }
  } finally {
    closeSync(source);
  }
};

/** Some network drives cannot sync a folder and fail with one of these codes. */
const cannotSyncFolders = new Set(['EPERM', 'EACCES', 'EISDIR', 'EINVAL', 'EBADF', 'ENOTSUP']);

/** Syncs the names in a folder to disk, if the operating system can sync folders. */
export const syncFolderToDisk = (folder: string, disk: Disk = systemDisk): void =>
  runFileStep(`sync the folder ${basename(folder)}`, () => {
    // Windows can never sync a folder, so retries would only waste time.
    if (disk.isWindows) return;
    try {
      syncPathToDisk(folder, 'r', disk);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && cannotSyncFolders.has(String(error.code)))) throw error;
    }
  });

export const writeFileAtomically = (file: string, text: string, disk: Disk = systemDisk): void => {
  const part = `${file}.part`;
  try {
    writeFileSync(part, text, { mode: 0o600 });
    syncFileToDisk(part, disk);
    renameFileDurably(part, file, disk);
  } catch (error) {
    discardFileSync(part, disk);
    throw error;
  }
  syncFolderToDisk(dirname(file), disk);
};

const unwritableCodes = new Set(['EACCES', 'EPERM', 'ENOENT', 'EEXIST', 'ENOTDIR', 'EISDIR', 'EIO']);

/** Creates a file in the data folder. Throws `DISK_FULL` or `DATA_UNWRITABLE` if the folder cannot take the file. */
export const createDataFile = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    const isUnwritable = error instanceof Error && 'code' in error && unwritableCodes.has(String(error.code));
    throw findDiskProblem(error) ?? (isUnwritable ? createProblem('DATA_UNWRITABLE', { cause: error }) : error);
  }
};

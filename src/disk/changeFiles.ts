import { rmSync } from 'node:fs';
import { isMissingFileError, retryWhileFileOpen, retryWhileFileOpenSync, systemDisk, type Disk } from './disk.ts';

/*
 * All renames and removals of files must use this module. On Windows, a scanner or a backup opens new files for some
 * milliseconds, and a rename or removal fails until it closes the file.
 */

/**
 * Moves a temporary file to its target and replaces the target. Retries for two seconds, then throws the first error.
 */
export const replaceFile = (temporary: string, target: string, disk: Disk = systemDisk): Promise<void> =>
  retryWhileFileOpen(disk, () => disk.rename(temporary, target));

export const replaceFileSync = (temporary: string, target: string, disk: Disk = systemDisk): void =>
  retryWhileFileOpenSync(disk, () => disk.renameSync(temporary, target));

/** Removes a file if it exists. Retries for two seconds, then throws the first error. */
export const removeFile = (path: string, disk: Disk = systemDisk): Promise<void> =>
  retryWhileFileOpen(disk, async () => {
    try {
      await disk.unlink(path);
    } catch (error) {
      // On Windows, the first removal can fail although the file disappears when the last program closes it. The retry
      // then finds no file.
      if (!isMissingFileError(error)) throw error;
    }
  });

export const removeFileSync = (path: string, disk: Disk = systemDisk): void =>
  retryWhileFileOpenSync(disk, () => {
    try {
      disk.unlinkSync(path);
    } catch (error) {
      if (!isMissingFileError(error)) throw error;
    }
  });

/** Removes a file that is no longer needed. If that fails, the file stays and no error is thrown. */
export const discardFile = (path: string, disk: Disk = systemDisk): Promise<void> =>
  removeFile(path, disk).catch(() => undefined);

export const discardFileSync = (path: string, disk: Disk = systemDisk): void => {
  try {
    removeFileSync(path, disk);
  } catch {
    return;
  }
};

/** Removes a file or folder if it exists. Retries for two seconds, then throws. */
export const removeTreeSync = (path: string): void =>
  rmSync(path, { recursive: true, force: true, maxRetries: 8, retryDelay: 50 });

export const discardTreeSync = (path: string): void => {
  try {
    removeTreeSync(path);
  } catch {
    return;
  }
};

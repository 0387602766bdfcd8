import { rmSync } from 'node:fs';
import { isMissingFileError, retryWhileFileOpen, retryWhileFileOpenSync, systemDisk, type Disk } from './disk.ts';

/*
 * All renames and removals of files go through this module: on Windows, scanners, indexers and backups open new files
 * for some milliseconds, and renaming or removing fails until they close them.
 */

/** Moves a temporary file onto its target, replacing it. Retries for two seconds, then throws the first error. */
export const putInPlace = (temporary: string, target: string, disk: Disk = systemDisk): Promise<void> =>
  retryWhileFileOpen(disk, () => disk.rename(temporary, target));

/** Synchronous version of {@link putInPlace}. */
export const putInPlaceSync = (temporary: string, target: string, disk: Disk = systemDisk): void =>
  retryWhileFileOpenSync(disk, () => disk.renameSync(temporary, target));

/** Removes a file; a missing file is not an error. Retries for two seconds, then throws the first error. */
export const removeFile = (path: string, disk: Disk = systemDisk): Promise<void> =>
  retryWhileFileOpen(disk, async () => {
    try {
      await disk.unlink(path);
    } catch (error) {
      // On Windows a removal may fail first although the file disappears once the last program has closed it.
      if (!isMissingFileError(error)) throw error;
    }
  });

/** Synchronous version of {@link removeFile}. */
export const removeFileSync = (path: string, disk: Disk = systemDisk): void =>
  retryWhileFileOpenSync(disk, () => {
    try {
      disk.unlinkSync(path);
    } catch (error) {
      if (!isMissingFileError(error)) throw error;
    }
  });

/** Removes a file that is no longer needed. Never throws: a file that cannot be removed stays. */
export const discardFile = (path: string, disk: Disk = systemDisk): Promise<void> =>
  removeFile(path, disk).catch(() => undefined);

/** Synchronous version of {@link discardFile}. */
export const discardFileSync = (path: string, disk: Disk = systemDisk): void => {
  try {
    removeFileSync(path, disk);
  } catch {
    return;
  }
};

/** Removes a file or folder; a missing path is not an error. Retries for two seconds, then throws. */
export const removeAllSync = (path: string): void =>
  rmSync(path, { recursive: true, force: true, maxRetries: 8, retryDelay: 50 });

/** Removes a folder that is no longer needed. Never throws: what cannot be removed stays. */
export const discardFolderSync = (path: string): void => {
  try {
    removeAllSync(path);
  } catch {
    return;
  }
};

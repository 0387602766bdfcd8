import { rmSync } from 'node:fs';
import { isMissing, retryHeld, retryHeldSync, systemDisk, type Disk } from './disk.ts';

/*
 * Every rename and every removal of a file goes through here: on Windows, scanners, indexers and backups open fresh files
 * for some milliseconds, in which neither works.
 */

/** Gives a temporary file the name of its target, which is replaced. Tries for two seconds, then throws the first error. */
export const putInPlace = (temporary: string, target: string, disk: Disk = systemDisk): Promise<void> =>
  retryHeld(disk, () => disk.rename(temporary, target));

/** As {@link putInPlace}, for what must be done before anything else happens. */
export const putInPlaceSync = (temporary: string, target: string, disk: Disk = systemDisk): void =>
  retryHeldSync(disk, () => disk.renameSync(temporary, target));

/** Removes a file; none there is no error. Tries for two seconds, then throws the first error. */
export const removeFile = (path: string, disk: Disk = systemDisk): Promise<void> =>
  retryHeld(disk, async () => {
    try {
      await disk.unlink(path);
    } catch (error) {
      // On Windows a removed file may be refused first, and is gone once the last program has closed it.
      if (!isMissing(error)) throw error;
    }
  });

/** As {@link removeFile}, for what must be done before anything else happens. */
export const removeFileSync = (path: string, disk: Disk = systemDisk): void =>
  retryHeldSync(disk, () => {
    try {
      disk.unlinkSync(path);
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
  });

/** Removes a file that nothing needs any more. Never throws: where it cannot be removed, it stays. */
export const discardFile = (path: string, disk: Disk = systemDisk): Promise<void> =>
  removeFile(path, disk).catch(() => undefined);

/** As {@link discardFile}, at once. */
export const discardFileSync = (path: string, disk: Disk = systemDisk): void => {
  try {
    removeFileSync(path, disk);
  } catch {
    return;
  }
};

/** Removes a file or a folder with all that is in it; none there is no error. Tries for two seconds, then throws. */
export const removeAllSync = (path: string): void =>
  rmSync(path, { recursive: true, force: true, maxRetries: 8, retryDelay: 50 });

/** As {@link removeAllSync}, for what nothing needs any more. Never throws: what cannot be removed stays. */
export const discardFolderSync = (path: string): void => {
  try {
    removeAllSync(path);
  } catch {
    return;
  }
};

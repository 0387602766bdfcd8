import { randomUUID } from 'node:crypto';
import { closeSync, fchmodSync, writeFileSync } from 'node:fs';
import { discardFile, discardFileSync, putInPlace, putInPlaceSync } from './changeFiles.ts';
import { retryHeld, retryHeldSync, systemDisk, type Disk } from './disk.ts';

type Content = string | Uint8Array;
type WriteOptions = {
  /** Exactly, whatever the process masks; 0o666 less its mask where none is given. */
  mode?: number;
  /** Whether the bytes must be on the disk before the file has its name. */
  isSynced?: boolean;
  disk?: Disk;
};

const usualMode = 0o666;

const writeNew = async (path: string, content: Content, { mode, isSynced, disk = systemDisk }: WriteOptions) => {
  const file = await retryHeld(disk, () => disk.open(path, 'wx', mode ?? usualMode));
  try {
    if (mode !== undefined) await file.chmod(mode);
    await file.writeFile(content);
    if (isSynced) await file.sync();
  } catch (error) {
    await file.close().catch(() => undefined);
    throw error;
  }
  await file.close();
};

/**
 * Writes a file so that others see all of it or what was there before. Throws the first error; what was written until then
 * is removed.
 */
export const writeWhole = async (path: string, content: Content, options: WriteOptions = {}): Promise<void> => {
  const temporary = `${path}.${randomUUID()}.tmp`;
  try {
    await writeNew(temporary, content, options);
    await putInPlace(temporary, path, options.disk);
  } catch (error) {
    await discardFile(temporary, options.disk);
    throw error;
  }
};

const closeQuietly = (file: number): void => {
  try {
    closeSync(file);
  } catch {
    return;
  }
};

const writeNewSync = (path: string, content: Content, { mode, isSynced, disk = systemDisk }: WriteOptions): void => {
  const file = retryHeldSync(disk, () => disk.openSync(path, 'w', mode ?? usualMode));
  try {
    if (mode !== undefined) fchmodSync(file, mode);
    writeFileSync(file, content);
    if (isSynced) disk.fsyncSync(file);
  } catch (error) {
    closeQuietly(file);
    throw error;
  }
  closeSync(file);
};

/** As {@link writeWhole}, for what must be done before anything else happens. */
export const writeWholeSync = (path: string, content: Content, options: WriteOptions = {}): void => {
  // Nothing else writes at the same time, so that one name will do, and a crash leaves no more than one file.
  const temporary = `${path}.part`;
  try {
    writeNewSync(temporary, content, options);
    putInPlaceSync(temporary, path, options.disk);
  } catch (error) {
    discardFileSync(temporary, options.disk);
    throw error;
  }
};

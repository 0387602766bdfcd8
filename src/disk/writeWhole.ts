import { randomUUID } from 'node:crypto';
import { closeSync, fchmodSync, writeFileSync } from 'node:fs';
import { discardFile, discardFileSync, putInPlace, putInPlaceSync } from './changeFiles.ts';
import { retryHeld, retryHeldSync, systemDisk, type Disk } from './disk.ts';

type Content = string | Uint8Array;
type WriteOptions = {
  /** The exact file mode, regardless of the umask; the default is 0o666 minus the umask. */
  mode?: number;
  /** Whether the bytes are flushed to disk before the rename. */
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

/** Writes a file atomically. Throws the first error and removes the temporary file. */
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

/** Synchronous version of {@link writeWhole}. */
export const writeWholeSync = (path: string, content: Content, options: WriteOptions = {}): void => {
  // No other write runs at the same time, so a fixed name suffices and a crash leaves at most one file.
  const temporary = `${path}.part`;
  try {
    writeNewSync(temporary, content, options);
    putInPlaceSync(temporary, path, options.disk);
  } catch (error) {
    discardFileSync(temporary, options.disk);
    throw error;
  }
};

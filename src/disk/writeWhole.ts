import { randomUUID } from 'node:crypto';
import { closeSync, fchmodSync, writeFileSync } from 'node:fs';
import { discardFile, discardFileSync, replaceFile, replaceFileSync } from './changeFiles.ts';
import { retryWhileFileOpen, retryWhileFileOpenSync, systemDisk, type Disk } from './disk.ts';

type FileContent = string | Uint8Array;
type WriteOptions = {
  /** The exact file mode, regardless of the umask. The default is 0o666 minus the umask. */
  mode?: number;
  /** True to flush the bytes to disk before the rename. */
  isSynced?: boolean;
  disk?: Disk;
};

const usualMode = 0o666;

const writeNewFile = async (
  path: string,
  content: FileContent,
  { mode, isSynced, disk = systemDisk }: WriteOptions,
) => {
  const file = await retryWhileFileOpen(disk, () => disk.open(path, 'wx', mode ?? usualMode));
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

/** Writes a file atomically. If that fails, removes the temporary file and throws the first error. */
export const writeWhole = async (path: string, content: FileContent, options: WriteOptions = {}): Promise<void> => {
  const temporary = `${path}.${randomUUID()}.tmp`;
  try {
    await writeNewFile(temporary, content, options);
    await replaceFile(temporary, path, options.disk);
  } catch (error) {
    await discardFile(temporary, options.disk);
    throw error;
  }
};

const closeFileQuietly = (file: number): void => {
  try {
    closeSync(file);
  } catch {
    return;
  }
};

const writeNewFileSync = (
  path: string,
  content: FileContent,
  { mode, isSynced, disk = systemDisk }: WriteOptions,
): void => {
  const file = retryWhileFileOpenSync(disk, () => disk.openSync(path, 'w', mode ?? usualMode));
  try {
    if (mode !== undefined) fchmodSync(file, mode);
    writeFileSync(file, content);
    if (isSynced) disk.fsyncSync(file);
  } catch (error) {
    closeFileQuietly(file);
    throw error;
  }
  closeSync(file);
};

export const writeWholeSync = (path: string, content: FileContent, options: WriteOptions = {}): void => {
  // No other write runs at the same time, so a fixed name is safe. A crash leaves at most one temporary file.
  const temporary = `${path}.part`;
  try {
    writeNewFileSync(temporary, content, options);
    replaceFileSync(temporary, path, options.disk);
  } catch (error) {
    discardFileSync(temporary, options.disk);
    throw error;
  }
};

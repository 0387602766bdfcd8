import { createHash } from 'node:crypto';
import { lstat, mkdir, readFile, stat } from 'node:fs/promises';
import { basename, dirname, join, relative, isAbsolute } from 'node:path';
import { Problem, problem } from '../../core/base/problem.ts';
import { removeFile, discardFile } from '../../disk/changeFiles.ts';
import { isMissing, systemDisk, type Disk } from '../../disk/disk.ts';
import { readRealPath } from '../../disk/realPath.ts';
import { writeWhole } from '../../disk/writeWhole.ts';

const mostBytes = 16 * 1024 ** 2;
const newFileMode = 0o600;

/** A settings file as it was read. `text` is null if the file does not exist. */
export type SettingsFile = { path: string; text: string | null; sha256: string | null; mode: number };

const hashOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
const isInside = (folder: string, path: string): boolean => {
  const way = relative(folder, path);
  return way !== '' && way !== '..' && !way.startsWith('../') && !way.startsWith('..\\') && !isAbsolute(way);
};

/** Resolves the real path of a file that may not exist yet. Refuses a broken link. */
const realPathOf = async (path: string): Promise<string> => {
  try {
    return await readRealPath(path);
  } catch (error) {
    if (!isMissing(error)) throw error;
    const isLink = await lstat(path).then(
      () => true,
      () => false,
    );
    if (isLink) throw problem('SETTINGS_ELSEWHERE', { values: { file: path } });
    return join(await realPathOf(dirname(path)), basename(path));
  }
};

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Resolves a file with all its links, and requires it to be inside the home folder. Throws `SETTINGS_ELSEWHERE`. */
const placeOf = async (file: string, home: string): Promise<string> => {
  const path = await realPathOf(file);
  if (!isInside(await readRealPath(home), path)) throw problem('SETTINGS_ELSEWHERE', { values: { file } });
  return path;
};

/** Reads a client's settings. Throws `SETTINGS_ELSEWHERE` or `SETTINGS_UNREADABLE`. */
export const readSettings = async (file: string, home: string): Promise<SettingsFile> => {
  const path = await placeOf(file, home).catch((error: unknown) => {
    throw error instanceof Problem ? error : problem('SETTINGS_UNREADABLE', { values: { file }, cause: error });
  });
  try {
    const about = await stat(path);
    if (!about.isFile() || about.size > mostBytes) throw new Error('This is no file of settings.');
    const bytes = await readFile(path);
    return { path, text: decoder.decode(bytes), sha256: hashOf(bytes), mode: about.mode & 0o777 };
  } catch (error) {
    if (isMissing(error)) return { path, text: null, sha256: null, mode: newFileMode };
    throw problem('SETTINGS_UNREADABLE', { values: { file }, cause: error });
  }
};

/** Returns the path of the copy of the earlier settings. */
export const copyPath = (path: string): string => `${path}.before-listing-companion`;

/** Whether the file has not changed since it was read. */
const isSame = async ({ path, sha256 }: SettingsFile): Promise<boolean> => {
  try {
    return hashOf(await readFile(path)) === sha256;
  } catch (error) {
    return isMissing(error) && sha256 === null;
  }
};

const mayWrite = 0o222;

type Written = { text: string | null; copy: { write: string } | 'keep' | 'remove' };

const put = async ({ path, mode, ...read }: SettingsFile, { text, copy }: Written, disk: Disk): Promise<void> => {
  const options = { mode, isSynced: true, disk };
  // Respect a read-only file: replacing it would succeed, because that needs write access to the folder only.
  if ((mode & mayWrite) === 0) throw new Error('The file is not to be written.');
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  if (typeof copy === 'object' && read.text !== null) await writeWhole(copyPath(path), copy.write, options);
  if (text === null) await removeFile(path, disk);
  else await writeWhole(path, text, options);
  if (copy === 'remove') await discardFile(copyPath(path), disk);
};

/**
 * Replaces settings that have not changed since they were read; a null text removes the file. The copy beside it gets
 * the mode of the file. Throws `SETTINGS_CHANGED` without writing if another program changed the file, and
 * `SETTINGS_UNWRITABLE`.
 */
export const replaceSettings = async (read: SettingsFile, written: Written, disk: Disk = systemDisk): Promise<void> => {
  const values = { file: read.path };
  const isWhereItWas = async (): Promise<boolean> => (await realPathOf(read.path)) === read.path;
  if (!(await isSame(read)) || !(await isWhereItWas().catch(() => false)))
    throw problem('SETTINGS_CHANGED', { values });
  await put(read, written, disk).catch((cause: unknown) => {
    throw problem('SETTINGS_UNWRITABLE', { values, cause });
  });
};

/** Returns the text of the copy; null if there is none. */
export const readCopy = async (path: string): Promise<string | null> => {
  try {
    return decoder.decode(await readFile(copyPath(path)));
  } catch {
    return null;
  }
};

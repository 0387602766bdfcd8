import { createHash } from 'node:crypto';
import { lstat, mkdir, readFile, stat } from 'node:fs/promises';
import { basename, dirname, join, relative, isAbsolute } from 'node:path';
import { Problem, createProblem } from '../../core/base/problem.ts';
import { removeFile, discardFile } from '../../disk/changeFiles.ts';
import { isMissingFileError, systemDisk, type Disk } from '../../disk/disk.ts';
import { readRealPath } from '../../disk/realPath.ts';
import { writeWhole } from '../../disk/writeWhole.ts';

const maxBytes = 16 * 1024 ** 2;
const newFileMode = 0o600;

/** `text` and `sha256` are null if the file does not exist. */
export type SettingsFile = { path: string; text: string | null; sha256: string | null; mode: number };

const hashFileBytes = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
const isInsideFolder = (folder: string, path: string): boolean => {
  const way = relative(folder, path);
  return way !== '' && way !== '..' && !way.startsWith('../') && !way.startsWith('..\\') && !isAbsolute(way);
};

/**
 * Resolves the symbolic links in the path of a file that might not exist. Throws `SETTINGS_ELSEWHERE` if one of them is
 * broken.
 */
const resolveRealPath = async (path: string): Promise<string> => {
  try {
    return await readRealPath(path);
  } catch (error) {
    if (!isMissingFileError(error)) throw error;
    const isLink = await lstat(path).then(
      () => true,
      () => false,
    );
    if (isLink) throw createProblem('SETTINGS_ELSEWHERE', { values: { file: path } });
    return join(await resolveRealPath(dirname(path)), basename(path));
  }
};

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

const resolvePathInHome = async (file: string, home: string): Promise<string> => {
  const path = await resolveRealPath(file);
  if (!isInsideFolder(await readRealPath(home), path)) throw createProblem('SETTINGS_ELSEWHERE', { values: { file } });
  return path;
};

/**
 * Throws `SETTINGS_ELSEWHERE` if the real path is outside the home folder, and `SETTINGS_UNREADABLE` if the file cannot
 * be read.
 */
export const readSettingsFile = async (file: string, home: string): Promise<SettingsFile> => {
  const path = await resolvePathInHome(file, home).catch((error: unknown) => {
    throw error instanceof Problem ? error : createProblem('SETTINGS_UNREADABLE', { values: { file }, cause: error });
  });
  try {
    const about = await stat(path);
    if (!about.isFile() || about.size > maxBytes) throw new Error('This is no file of settings.');
    const bytes = await readFile(path);
    return { path, text: decoder.decode(bytes), sha256: hashFileBytes(bytes), mode: about.mode & 0o777 };
  } catch (error) {
    if (isMissingFileError(error)) return { path, text: null, sha256: null, mode: newFileMode };
    throw createProblem('SETTINGS_UNREADABLE', { values: { file }, cause: error });
  }
};

export const getCopyPath = (path: string): string => `${path}.before-listing-companion`;

const isFileUnchanged = async ({ path, sha256 }: SettingsFile): Promise<boolean> => {
  try {
    return hashFileBytes(await readFile(path)) === sha256;
  } catch (error) {
    return isMissingFileError(error) && sha256 === null;
  }
};

const writeBits = 0o222;

type SettingsChange = { text: string | null; copy: { write: string } | 'keep' | 'remove' };

const writeSettingsFile = async (
  { path, mode, ...read }: SettingsFile,
  { text, copy }: SettingsChange,
  disk: Disk,
): Promise<void> => {
  const options = { mode, isSynced: true, disk };
  // A read-only file must not change, although the folder would allow us to replace the file.
  if ((mode & writeBits) === 0) throw new Error('The file is not to be written.');
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  if (typeof copy === 'object' && read.text !== null) await writeWhole(getCopyPath(path), copy.write, options);
  if (text === null) await removeFile(path, disk);
  else await writeWhole(path, text, options);
  if (copy === 'remove') await discardFile(getCopyPath(path), disk);
};

/**
 * A null text removes the file. Throws `SETTINGS_UNWRITABLE`, or `SETTINGS_CHANGED` if another program changed the
 * file.
 */
export const replaceSettingsFile = async (
  read: SettingsFile,
  written: SettingsChange,
  disk: Disk = systemDisk,
): Promise<void> => {
  const values = { file: read.path };
  const isPathUnchanged = async (): Promise<boolean> => (await resolveRealPath(read.path)) === read.path;
  if (!(await isFileUnchanged(read)) || !(await isPathUnchanged().catch(() => false)))
    throw createProblem('SETTINGS_CHANGED', { values });
  await writeSettingsFile(read, written, disk).catch((cause: unknown) => {
    throw createProblem('SETTINGS_UNWRITABLE', { values, cause });
  });
};

export const readSettingsCopy = async (path: string): Promise<string | null> => {
  try {
    return decoder.decode(await readFile(getCopyPath(path)));
  } catch {
    return null;
  }
};

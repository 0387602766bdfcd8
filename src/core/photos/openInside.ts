import { constants } from 'node:fs';
import { lstat, open, readlink, type FileHandle } from 'node:fs/promises';
import { sep } from 'node:path';
import { readRealPath } from '../../disk/realPath.ts';
import { createReleasableBuffer, releaseBytes } from '../../isolated/releasableBuffer.ts';
import { maxFileBytes, codeOfFileError } from '../../photoContract/refusals.ts';
import { RefusedPhoto, type RefusalCode } from '../../photoContract/refusedPhoto.ts';

/**
 * The real paths of the folders and files that the person chose to be read; links may not lead out of them. Null for
 * the companion's own files.
 */
export type Roots = readonly string[] | null;

/** Why a file was not opened: it lies outside the roots, or is not a regular file. */
export class FileNotOpenedError extends Error {
  readonly why: 'outside' | 'no_file';
  constructor(why: FileNotOpenedError['why']) {
    super(why === 'outside' ? 'This lies outside of what was given.' : 'This is no regular file.');
    this.name = 'NotOpened';
    this.why = why;
  }
}

/** Tells whether a real path is one of the roots or lies inside one. */
export const isInsideRoots = (roots: readonly string[], real: string): boolean =>
  roots.some((root) => real === root || real.startsWith(root.endsWith(sep) ? root : root + sep));

/** Resolves all links of a path; null when it does not exist. */
export const resolveRealPath = (path: string): Promise<string | null> => readRealPath(path).catch(() => null);

/**
 * Returns the real path of an open file, even if the path was replaced since. Linux tells it by file descriptor.
 * Elsewhere the path must lead to the same file before and after a check, which detects a link swapped in between.
 */
const readOpenedPath = async (file: FileHandle, path: string): Promise<string | null> => {
  if (process.platform === 'linux') return readlink(`/proc/self/fd/${file.fd}`).catch(() => null);
  const before = await resolveRealPath(path);
  if (before === null) return null;
  const [there, opened] = await Promise.all([lstat(before, { bigint: true }), file.stat({ bigint: true })]);
  const same = there.ino === opened.ino && there.dev === opened.dev;
  return same && (await resolveRealPath(path)) === before ? before : null;
};

/** Does not follow a link at the end of the path, and does not block on a pipe that replaced the file. */
const safeOpenFlags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/**
 * Opens a file inside the roots for reading; links that stay inside are followed. The check is made on the opened file,
 * so a link swapped in between check and open cannot be used (TOCTOU). Never opens pipes, devices or sockets. Throws
 * `FileNotOpenedError` and system errors.
 */
export const openFileInside = async (roots: Roots, path: string): Promise<FileHandle> => {
  const real = await readRealPath(path);
  if (roots !== null && !isInsideRoots(roots, real)) throw new FileNotOpenedError('outside');
  const found = await lstat(real);
  // A link has replaced the path since it was resolved.
  if (found.isSymbolicLink()) throw new FileNotOpenedError('outside');
  if (!found.isFile()) throw new FileNotOpenedError('no_file');
  const file = await open(real, safeOpenFlags).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ELOOP') throw new FileNotOpenedError('outside');
    throw error;
  });
  try {
    if (!(await file.stat()).isFile()) throw new FileNotOpenedError('no_file');
    const opened = roots === null ? null : await readOpenedPath(file, real);
    if (roots !== null && (opened === null || !isInsideRoots(roots, opened))) throw new FileNotOpenedError('outside');
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
};

const refusalCodes: Record<FileNotOpenedError['why'], RefusalCode> = {
  outside: 'OUTSIDE_FOLDER',
  no_file: 'NOT_A_PHOTO',
};

/** An original photo. `root` is the real path of what the person chose; null for the companion's own copies. */
export type Original = { source: string; root?: string | null | undefined };

/** Returns the roots that an original may be read from. */
export const getOriginalRoots = ({ root }: Original): Roots => (typeof root === 'string' ? [root] : null);

/** Reads a file in one call; `file.readFile()` takes eight for a usual photo. */
const readWholeFile = async (file: FileHandle, size: number): Promise<Buffer<ArrayBuffer>> => {
  const bytes = createReleasableBuffer(size + 1);
  const { bytesRead } = await file.read(bytes, 0, bytes.length, 0);
  // The size has changed, or the disk returns less per read.
  return bytesRead === size ? bytes.subarray(0, size) : file.readFile();
};

/**
 * Reads an original completely. Throws RefusedPhoto if it is missing, outside its root, too large or cannot be opened.
 */
export const readOriginalBytes = async (original: Original): Promise<Buffer<ArrayBuffer>> => {
  try {
    const file = await openFileInside(getOriginalRoots(original), original.source);
    try {
      const { size } = await file.stat();
      if (size > maxFileBytes) throw new RefusedPhoto('FILE_TOO_LARGE');
      return await readWholeFile(file, size);
    } finally {
      await file.close();
    }
  } catch (error) {
    if (error instanceof RefusedPhoto) throw error;
    if (error instanceof FileNotOpenedError) throw new RefusedPhoto(refusalCodes[error.why]);
    throw new RefusedPhoto(codeOfFileError(error, 'UNREADABLE_FILE'), error);
  }
};

/** Runs `work` with the bytes of an original, and frees them afterwards. Throws like {@link readOriginalBytes}. */
export const useOriginalBytes = async <T>(
  original: Original,
  work: (bytes: Buffer<ArrayBuffer>) => Promise<T>,
): Promise<T> => {
  const bytes = await readOriginalBytes(original);
  try {
    return await work(bytes);
  } finally {
    releaseBytes(bytes);
  }
};

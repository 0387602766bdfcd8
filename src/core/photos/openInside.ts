import { constants } from 'node:fs';
import { lstat, open, readlink, type FileHandle } from 'node:fs/promises';
import { sep } from 'node:path';
import { readRealPath } from '../../disk/realPath.ts';
import { createReleasableBuffer, releaseBytes } from '../../isolated/releasableBuffer.ts';
import { maxFileBytes } from '../../photoContract/photoLimits.ts';
import { getFileErrorCode } from '../../photoContract/refusals.ts';
import { RefusedPhoto, type RefusalCode } from '../../photoContract/refusedPhoto.ts';

/**
 * Real paths of the folders and files that the person chose. Only files inside them may be opened. Null for the
 * companion's own files.
 */
export type Roots = readonly string[] | null;

export class FileNotOpenedError extends Error {
  readonly why: 'outside' | 'no_file';
  constructor(why: FileNotOpenedError['why']) {
    super(why === 'outside' ? 'This lies outside of what was given.' : 'This is no regular file.');
    this.name = 'NotOpened';
    this.why = why;
  }
}

/** Returns whether a real path is a root or is inside a root. */
export const isInsideRoots = (roots: readonly string[], real: string): boolean =>
  roots.some((root) => real === root || real.startsWith(root.endsWith(sep) ? root : root + sep));

/** Resolves all links of a path; null if the path does not exist. */
export const resolveRealPath = (path: string): Promise<string | null> => readRealPath(path).catch(() => null);

/**
 * Linux knows the real path of a file descriptor. On other systems, the inode of the path must be the inode of the open
 * file.
 */
const readOpenedPath = async (file: FileHandle, path: string): Promise<string | null> => {
  if (process.platform === 'linux') return readlink(`/proc/self/fd/${file.fd}`).catch(() => null);
  const before = await resolveRealPath(path);
  if (before === null) return null;
  const [there, opened] = await Promise.all([lstat(before, { bigint: true }), file.stat({ bigint: true })]);
  const same = there.ino === opened.ino && there.dev === opened.dev;
  return same && (await resolveRealPath(path)) === before ? before : null;
};

/** Opening must not follow a link, and must not block if a pipe has replaced the file. */
const safeOpenFlags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/**
 * Opens a regular file inside the roots. The path is checked again after the file is opened, in case a link has
 * replaced the file between check and use (TOCTOU). Throws `FileNotOpenedError` and system errors.
 */
export const openFileInside = async (roots: Roots, path: string): Promise<FileHandle> => {
  const real = await readRealPath(path);
  if (roots !== null && !isInsideRoots(roots, real)) throw new FileNotOpenedError('outside');
  const found = await lstat(real);
  // A resolved path is never a link, so a link here has just replaced the file.
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

/**
 * A photo before preparation. `root` is the real path of the folder or file that the person chose; null for the
 * companion's own copies.
 */
export type Original = { source: string; root?: string | null | undefined };

/** Returns the roots that an original must be inside. */
export const getOriginalRoots = ({ root }: Original): Roots => (typeof root === 'string' ? [root] : null);

/** Reads with one system call, because `file.readFile()` needs eight for a typical photo. */
const readWholeFile = async (file: FileHandle, size: number): Promise<Buffer<ArrayBuffer>> => {
  const bytes = createReleasableBuffer(size + 1);
  const { bytesRead } = await file.read(bytes, 0, bytes.length, 0);
  // If the file size has changed or the disk returned fewer bytes, the whole file is read again.
  return bytesRead === size ? bytes.subarray(0, size) : file.readFile();
};

/** Reads the whole file. Throws `RefusedPhoto`. */
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
    throw new RefusedPhoto(getFileErrorCode(error, 'UNREADABLE_FILE'), error);
  }
};

/**
 * Runs `work` with the bytes of an original and then frees their memory. Throws `RefusedPhoto` and errors from `work`.
 */
export const runWithOriginalBytes = async <T>(
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

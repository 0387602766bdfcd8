import { constants } from 'node:fs';
import { lstat, open, readlink, type FileHandle } from 'node:fs/promises';
import { sep } from 'node:path';
import { readRealPath } from '../../disk/realPath.ts';
import { releasableBuffer, release } from '../../isolated/releasableBuffer.ts';
import { maxFileBytes, codeOfFileError } from '../../photoContract/refusals.ts';
import { RefusedPhoto, type RefusalCode } from '../../photoContract/refusedPhoto.ts';

/**
 * What somebody gave to be read: folders and single files by their real paths, and nothing that a link leads to from there.
 * Null for the companion's own files, which nobody gives.
 */
export type Roots = readonly string[] | null;

/** Why a file was not opened: it lies outside of what was given, or is no file that can be read to its end. */
export class NotOpened extends Error {
  readonly why: 'outside' | 'no_file';
  constructor(why: NotOpened['why']) {
    super(why === 'outside' ? 'This lies outside of what was given.' : 'This is no regular file.');
    this.name = 'NotOpened';
    this.why = why;
  }
}

/** Whether a real path is one of these, or lies below one. */
export const isInside = (roots: readonly string[], real: string): boolean =>
  roots.some((root) => real === root || real.startsWith(root.endsWith(sep) ? root : root + sep));

/** Where a path leads once every link is followed; null when it leads nowhere. */
export const realOf = (path: string): Promise<string | null> => readRealPath(path).catch(() => null);

/**
 * The path of what was opened really, whatever took its place since. Linux tells it of the open file itself. Elsewhere the
 * path has to lead to the very same file before and after a look at it, so a link that comes and goes meanwhile shows.
 */
const openedPath = async (file: FileHandle, path: string): Promise<string | null> => {
  if (process.platform === 'linux') return readlink(`/proc/self/fd/${file.fd}`).catch(() => null);
  const before = await realOf(path);
  if (before === null) return null;
  const [there, opened] = await Promise.all([lstat(before, { bigint: true }), file.stat({ bigint: true })]);
  const same = there.ino === opened.ino && there.dev === opened.dev;
  return same && (await realOf(path)) === before ? before : null;
};

/** Links at the end of the path are not followed, and a pipe that took a file's place is not waited for. */
const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/**
 * Opens a file for reading that lies in what was given, with links that stay inside followed. Decided on what was opened, so
 * whoever puts a link in its place between the look and the open gets nothing read. Pipes, devices and sockets are never
 * opened. Throws `NotOpened`, and what the system says.
 */
export const openInside = async (roots: Roots, path: string): Promise<FileHandle> => {
  const real = await readRealPath(path);
  if (roots !== null && !isInside(roots, real)) throw new NotOpened('outside');
  const found = await lstat(real);
  // A link took its place since it was followed.
  if (found.isSymbolicLink()) throw new NotOpened('outside');
  if (!found.isFile()) throw new NotOpened('no_file');
  const file = await open(real, flags).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ELOOP') throw new NotOpened('outside');
    throw error;
  });
  try {
    if (!(await file.stat()).isFile()) throw new NotOpened('no_file');
    const opened = roots === null ? null : await openedPath(file, real);
    if (roots !== null && (opened === null || !isInside(roots, opened))) throw new NotOpened('outside');
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
};

const codes: Record<NotOpened['why'], RefusalCode> = { outside: 'OUTSIDE_FOLDER', no_file: 'NOT_A_PHOTO' };

/** An original: where it is, and what it was given with; null for one of the companion's own copies. */
export type Original = { source: string; root?: string | null | undefined };

/** What an original may be read from. */
export const rootsOf = ({ root }: Original): Roots => (typeof root === 'string' ? [root] : null);

/** Reads a file in one go, where its own way takes eight for a usual photo. */
const readWhole = async (file: FileHandle, size: number): Promise<Buffer<ArrayBuffer>> => {
  const bytes = releasableBuffer(size + 1);
  const { bytesRead } = await file.read(bytes, 0, bytes.length, 0);
  // It has another size by now, or lies on a disk that gives less at a time.
  return bytesRead === size ? bytes.subarray(0, size) : file.readFile();
};

/** Reads an original whole. Throws RefusedPhoto when it is gone, elsewhere by now, too large, or cannot be opened. */
export const readOriginal = async (original: Original): Promise<Buffer<ArrayBuffer>> => {
  try {
    const file = await openInside(rootsOf(original), original.source);
    try {
      const { size } = await file.stat();
      if (size > maxFileBytes) throw new RefusedPhoto('FILE_TOO_LARGE');
      return await readWhole(file, size);
    } finally {
      await file.close();
    }
  } catch (error) {
    if (error instanceof RefusedPhoto) throw error;
    if (error instanceof NotOpened) throw new RefusedPhoto(codes[error.why]);
    throw new RefusedPhoto(codeOfFileError(error, 'UNREADABLE_FILE'), error);
  }
};

/** Does some work with the bytes of an original, which are gone when that ends. Throws as {@link readOriginal}. */
export const withOriginal = async <T>(
  original: Original,
  work: (bytes: Buffer<ArrayBuffer>) => Promise<T>,
): Promise<T> => {
  const bytes = await readOriginal(original);
  try {
    return await work(bytes);
  } finally {
    release(bytes);
  }
};

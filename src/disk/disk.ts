import { fsyncSync, openSync, renameSync, unlinkSync } from 'node:fs';
import { open, rename, unlink, type FileHandle } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';

export type Disk = {
  open: (path: string, flags: string, mode: number) => Promise<FileHandle>;
  rename: (from: string, to: string) => Promise<void>;
  unlink: (path: string) => Promise<void>;
  openSync: (path: string, flags: string, mode?: number) => number;
  fsyncSync: (file: number) => void;
  renameSync: (from: string, to: string) => void;
  unlinkSync: (path: string) => void;
  wait: (ms: number, signal?: AbortSignal) => Promise<void>;
  waitSync: (ms: number) => void;
  isWindows: boolean;
};

const waitSync = (ms: number): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

export const systemDisk: Disk = {
  open,
  rename,
  unlink,
  openSync,
  fsyncSync,
  renameSync,
  unlinkSync,
  wait: async (ms, signal) => {
    await wait(ms, undefined, signal ? { signal } : {});
  },
  waitSync,
  isWindows: process.platform === 'win32',
};

const getErrorCode = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined);

export const isMissingFileError = (error: unknown): boolean => getErrorCode(error) === 'ENOENT';

/**
 * On Windows, EPERM and EACCES can mean that another program has the file open. On other systems these errors are
 * permanent.
 */
const isFileInUseError = (error: unknown, { isWindows }: Disk): boolean => {
  const code = getErrorCode(error);
  return code === 'EBUSY' || (isWindows && (code === 'EPERM' || code === 'EACCES'));
};

/** Two seconds in total. The first pauses are short, because most programs close a new file within milliseconds. */
const pausesMs = [5, 10, 20, 40, 75, ...Array.from({ length: 18 }, () => 100), 50];

export const retryWhileFileOpen = async <T>(disk: Disk, act: () => Promise<T>): Promise<T> => {
  let first: unknown;
  for (let tries = 0; ; tries += 1) {
    try {
      return await act();
    } catch (error) {
      first ??= error;
      const pauseMs = pausesMs[tries];
      if (pauseMs === undefined || !isFileInUseError(error, disk)) throw first;
      await disk.wait(pauseMs);
    }
  }
};

export const retryWhileFileOpenSync = <T>(disk: Disk, act: () => T): T => {
  let first: unknown;
  for (let tries = 0; ; tries += 1) {
    try {
      return act();
    } catch (error) {
      first ??= error;
      const pauseMs = pausesMs[tries];
      if (pauseMs === undefined || !isFileInUseError(error, disk)) throw first;
      disk.waitSync(pauseMs);
    }
  }
};

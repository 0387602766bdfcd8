import { fsyncSync, openSync, renameSync, unlinkSync } from 'node:fs';
import { open, rename, unlink, type FileHandle } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';

/** The file operations and the waits between retries. Tests pass a failing disk; the app uses only `systemDisk`. */
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

/** Returns the code of a file system error, such as `ENOENT`; undefined for other errors. */
const readErrorCode = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined);

export const isMissingFileError = (error: unknown): boolean => readErrorCode(error) === 'ENOENT';

/**
 * Whether another program, such as a scanner or a backup, may have the file open. On Windows any of these codes can
 * mean that; elsewhere EPERM and EACCES are permanent.
 */
const isFileOpenElsewhere = (error: unknown, { isWindows }: Disk): boolean => {
  const code = readErrorCode(error);
  return code === 'EBUSY' || (isWindows && (code === 'EPERM' || code === 'EACCES'));
};

/** Two seconds in total; the first retries are close together, because most scanners finish within milliseconds. */
const pausesMs = [5, 10, 20, 40, 75, ...Array.from({ length: 18 }, () => 100), 50];

/** Runs a file operation and retries it while another program has the file open. Throws the first error. */
export const retryWhileFileOpen = async <T>(disk: Disk, act: () => Promise<T>): Promise<T> => {
  let first: unknown;
  for (let tries = 0; ; tries += 1) {
    try {
      return await act();
    } catch (error) {
      first ??= error;
      const pauseMs = pausesMs[tries];
      if (pauseMs === undefined || !isFileOpenElsewhere(error, disk)) throw first;
      await disk.wait(pauseMs);
    }
  }
};

/** Synchronous version of {@link retryWhileFileOpen}. */
export const retryWhileFileOpenSync = <T>(disk: Disk, act: () => T): T => {
  let first: unknown;
  for (let tries = 0; ; tries += 1) {
    try {
      return act();
    } catch (error) {
      first ??= error;
      const pauseMs = pausesMs[tries];
      if (pauseMs === undefined || !isFileOpenElsewhere(error, disk)) throw first;
      disk.waitSync(pauseMs);
    }
  }
};

import { systemDisk, type Disk } from '../../src/disk/disk.ts';

/** The disk calls that can fail. */
export type DiskCall = 'open' | 'rename' | 'unlink' | 'fsync';

export const createSystemError = (code: string): Error => Object.assign(new Error(`${code}: made by a test`), { code });

/**
 * Creates a Windows disk that never waits and asks `failure` before each call for an error; if it returns null, the
 * system performs the call.
 */
export const createFailingDisk = (
  failure: (call: DiskCall, path: string) => Error | null,
): Disk & { waitedMs: number[] } => {
  const waitedMs: number[] = [];
  const check = (call: DiskCall, path: string): void => {
    const error = failure(call, path);
    if (error !== null) throw error;
  };
  return {
    ...systemDisk,
    isWindows: true,
    waitedMs,
    wait: async (ms, signal) => {
      signal?.throwIfAborted();
      waitedMs.push(ms);
    },
    waitSync: (ms) => void waitedMs.push(ms),
    open: async (path, flags, mode) => {
      check('open', path);
      const file = await systemDisk.open(path, flags, mode);
      const sync = file.sync.bind(file);
      file.sync = async () => {
        check('fsync', path);
        await sync();
      };
      return file;
    },
    rename: async (from, to) => {
      check('rename', to);
      await systemDisk.rename(from, to);
    },
    unlink: async (path) => {
      check('unlink', path);
      await systemDisk.unlink(path);
    },
    openSync: (path, flags, mode) => {
      check('open', path);
      return systemDisk.openSync(path, flags, mode);
    },
    fsyncSync: (file) => {
      check('fsync', '');
      systemDisk.fsyncSync(file);
    },
    renameSync: (from, to) => {
      check('rename', to);
      systemDisk.renameSync(from, to);
    },
    unlinkSync: (path) => {
      check('unlink', path);
      systemDisk.unlinkSync(path);
    },
  };
};

/**
 * Creates a disk whose files are held by another program for this many tries per kind of call, as a virus scanner does.
 */
export const createHeldDisk = (times: number, code = 'EBUSY') => {
  const tries = new Map<string, number>();
  return createFailingDisk((call, path) => {
    const key = `${call} ${path}`;
    const count = (tries.get(key) ?? 0) + 1;
    tries.set(key, count);
    return call !== 'fsync' && count <= times ? createSystemError(code) : null;
  });
};

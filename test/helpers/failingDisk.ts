import { systemDisk, type Disk } from '../../src/disk/disk.ts';

/** What a disk is asked to do; a failing one may fail at each. */
export type DiskCall = 'open' | 'rename' | 'unlink' | 'fsync';

export const systemError = (code: string): Error => Object.assign(new Error(`${code}: made by a test`), { code });

/**
 * A disk of Windows that asks before each call whether it fails, and waits in no time. `failure` answers the error, or null;
 * the call is then done as the system does it.
 */
export const failingDisk = (failure: (call: DiskCall, path: string) => Error | null): Disk & { waitedMs: number[] } => {
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

/** A disk on which another program holds every file for so many tries of each kind, as a scanner does with a fresh one. */
export const heldDisk = (times: number, code = 'EBUSY') => {
  const tries = new Map<string, number>();
  return failingDisk((call, path) => {
    const key = `${call} ${path}`;
    const count = (tries.get(key) ?? 0) + 1;
    tries.set(key, count);
    return call !== 'fsync' && count <= times ? systemError(code) : null;
  });
};

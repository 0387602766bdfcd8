import { chmodSync, mkdtempSync, readFileSync, statfsSync } from 'node:fs';
import { join } from 'node:path';

const place = '/dev/shm';
const enoughBytes = 2 * 1024 ** 3;

/** Checks that /dev/shm is writable memory that allows programs to run, because some tests start programs there. */
const isInMemory = () => {
  const mounts = readFileSync('/proc/mounts', 'utf8')
    .split('\n')
    .map((line) => line.split(' '));
  const [, , kind, options = ''] = mounts.findLast(([, at]) => at === place) ?? [];
  return kind === 'tmpfs' && !options.split(',').some((option) => option === 'noexec' || option === 'ro');
};

const hasRoom = () => {
  const { bavail, bsize } = statfsSync(place);
  return bavail * bsize > enoughBytes;
};

/**
 * Creates a temporary folder in memory, because thousands of small test databases would wait for the disk. Returns null if
 * there is no memory file system, or if the person has set TMPDIR.
 * @returns {string | null}
 */
export const quickFolder = () => {
  if (process.platform !== 'linux' || process.env['TMPDIR'] !== undefined) return null;
  try {
    if (!isInMemory() || !hasRoom()) return null;
    const folder = mkdtempSync(join(place, 'companion-tests-'));
    // Has the permissions of /tmp, because some tests start programs as another user.
    chmodSync(folder, 0o1777);
    return folder;
  } catch {
    return null;
  }
};

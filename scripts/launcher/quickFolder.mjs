import { chmodSync, mkdtempSync, readFileSync, statfsSync } from 'node:fs';
import { join } from 'node:path';

const place = '/dev/shm';
const enoughBytes = 2 * 1024 ** 3;

/** Whether programs may be started in a place in memory: some tests put one there. */
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
 * Makes a folder for temporary files that are in memory: each of thousands of small databases waits for the disk many times
 * otherwise. Null where there is no such place, or where the person has chosen one.
 * @returns {string | null}
 */
export const quickFolder = () => {
  if (process.platform !== 'linux' || process.env['TMPDIR'] !== undefined) return null;
  try {
    if (!isInMemory() || !hasRoom()) return null;
    const folder = mkdtempSync(join(place, 'companion-tests-'));
    // As the usual one: some tests start programs as somebody else.
    chmodSync(folder, 0o1777);
    return folder;
  } catch {
    return null;
  }
};

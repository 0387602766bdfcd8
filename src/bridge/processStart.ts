import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

/**
 * `hasEnded` is also true for a zombie process. `startTicks` contains the boot id and the start in ticks since boot.
 */
type LinuxProcess = { hasEnded: boolean; startTicks: string; ticks: number };

const readLinuxProcess = async (pid: number): Promise<LinuxProcess | null> => {
  if (process.platform !== 'linux') return null;
  try {
    const [boot, stat] = await Promise.all([
      readFile('/proc/sys/kernel/random/boot_id', 'utf8'),
      readFile(`/proc/${pid}/stat`, 'utf8'),
    ]);
    return parseLinuxProcess(boot, stat);
  } catch {
    return null;
  }
};

/**
 * Parses `/proc/PID/stat`, where field 3 is the state and field 22 is the start. The process name before field 3 can
 * contain spaces and brackets.
 */
export const parseLinuxProcess = (boot: string, stat: string): LinuxProcess | null => {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [ticks] = /^\d+$/.exec(fields[19] ?? '') ?? [];
  return ticks === undefined
    ? null
    : { hasEnded: /^[ZXx]$/.test(fields[0] ?? ''), startTicks: `${boot.trim()} ${ticks}`, ticks: Number(ticks) };
};

const tickMs = 10;

/** Returns the start in ms since 1970, calculated with the current system clock; null if the boot time is unknown. */
const computeProcessStartAt = async ({ ticks }: LinuxProcess): Promise<number | null> => {
  const stat = await readFile('/proc/stat', 'utf8').catch(() => '');
  const [, bootS] = /^btime (\d+)$/m.exec(stat) ?? [];
  return bootS === undefined ? null : Number(bootS) * 1_000 + ticks * tickMs;
};

/**
 * Returns the start of a process in ticks since boot, which does not change when the clock is set. Returns null on
 * other systems than Linux.
 */
export const readStartTicks = async (pid: number): Promise<string | null> =>
  (await readLinuxProcess(pid))?.startTicks ?? null;

type MacProcess = { hasEnded: boolean; startAt: number };

const readMacProcess = async (pid: number): Promise<MacProcess | null> => {
  try {
    const env = { LC_ALL: 'C', TZ: 'UTC' };
    const columns = ['-o', 'stat=', '-o', 'lstart='];
    const { stdout } = await promisify(execFile)('/bin/ps', [...columns, '-p', String(pid)], { env });
    return parseMacProcess(stdout);
  } catch {
    return null;
  }
};

/** Parses a line of `ps -o stat= -o lstart=` in UTC, such as "S+ Thu Nov 26 13:22:54 2026". */
export const parseMacProcess = (line: string): MacProcess | null => {
  const [, state = '', start = ''] = /^(\S+)\s+(.+)$/.exec(line.trim()) ?? [];
  const startAt = Date.parse(`${start} UTC`);
  return Number.isNaN(startAt) ? null : { hasEnded: state.startsWith('Z'), startAt };
};

/** The system clock might be set back by up to this time while the companion starts. */
const maxClockStepMs = 2_000;

/**
 * Returns true only if the process that recorded its start has certainly ended. It always returns false on Windows,
 * where it takes half a second to read the start of a process.
 */
export const isProcessGone = async (
  pid: number,
  written: { startedAt: string; startTicks: string | null },
): Promise<boolean> => {
  if (process.platform === 'darwin') {
    const found = await readMacProcess(pid);
    return found !== null && (found.hasEnded || found.startAt > Date.parse(written.startedAt) + maxClockStepMs);
  }
  const found = await readLinuxProcess(pid);
  if (found === null) return false;
  if (found.hasEnded || written.startTicks !== null) return found.hasEnded || found.startTicks !== written.startTicks;
  const startAt = await computeProcessStartAt(found);
  return startAt !== null && startAt > Date.parse(written.startedAt) + maxClockStepMs;
};

import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

/** `hasEnded` is also true for a zombie process. `startTicks` is the boot id and the start in ticks since boot. */
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
 * Parses `/proc/PID/stat`. The state is field 3 and the start is field 22. The name before them, in brackets, may
 * contain spaces and brackets.
 */
export const parseLinuxProcess = (boot: string, stat: string): LinuxProcess | null => {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [ticks] = /^\d+$/.exec(fields[19] ?? '') ?? [];
  return ticks === undefined
    ? null
    : { hasEnded: /^[ZXx]$/.test(fields[0] ?? ''), startTicks: `${boot.trim()} ${ticks}`, ticks: Number(ticks) };
};

/** Linux reports ticks of a hundredth of a second to programs, whatever its internal rate is. */
const tickMs = 10;

/** Returns the start of a process by the current clock; null if the boot time is unknown. */
const computeProcessStart = async ({ ticks }: LinuxProcess): Promise<number | null> => {
  const stat = await readFile('/proc/stat', 'utf8').catch(() => '');
  const [, bootS] = /^btime (\d+)$/m.exec(stat) ?? [];
  return bootS === undefined ? null : Number(bootS) * 1_000 + ticks * tickMs;
};

/**
 * Returns the start of a process in ticks since boot, which does not change when the clock is set. Null on other
 * systems, and if `/proc` cannot be read.
 */
export const readStartTicks = async (pid: number): Promise<string | null> =>
  (await readLinuxProcess(pid))?.startTicks ?? null;

/** The same facts on macOS, where the start is a wall-clock time. */
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

/** Parses a line of `ps -o stat= -o lstart=` in UTC, such as "S+   Thu Nov 26 13:22:54 2026". */
export const parseMacProcess = (line: string): MacProcess | null => {
  const [, state = '', start = ''] = /^(\S+)\s+(.+)$/.exec(line.trim()) ?? [];
  const startAt = Date.parse(`${start} UTC`);
  return Number.isNaN(startAt) ? null : { hasEnded: state.startsWith('Z'), startAt };
};

/** Tolerates a clock that is set back slightly while the companion starts. */
const maxClockStepMs = 2_000;

/**
 * Whether the process that recorded its start is certainly gone: it has ended, or a later process has its pid. On
 * Windows, reading the start of a process takes half a second, so this returns false there, as it does if nothing can
 * be read. The proof of the connection then decides.
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
  const startAt = await computeProcessStart(found);
  return startAt !== null && startAt > Date.parse(written.startedAt) + maxClockStepMs;
};

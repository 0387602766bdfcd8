import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

/** Whether a process has ended, though its parent has not collected it, and its start: the boot, and the ticks since then. */
type LinuxProcess = { hasEnded: boolean; startTicks: string; ticks: number };

const readLinuxProcess = async (pid: number): Promise<LinuxProcess | null> => {
  if (process.platform !== 'linux') return null;
  try {
    const [boot, stat] = await Promise.all([
      readFile('/proc/sys/kernel/random/boot_id', 'utf8'),
      readFile(`/proc/${pid}/stat`, 'utf8'),
    ]);
    return linuxProcessIn(boot, stat);
  } catch {
    return null;
  }
};

/** The state is the 3rd field and the start the 22nd; the name before them, in brackets, may hold spaces and brackets itself. */
export const linuxProcessIn = (boot: string, stat: string): LinuxProcess | null => {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [ticks] = /^\d+$/.exec(fields[19] ?? '') ?? [];
  return ticks === undefined
    ? null
    : { hasEnded: /^[ZXx]$/.test(fields[0] ?? ''), startTicks: `${boot.trim()} ${ticks}`, ticks: Number(ticks) };
};

/** Linux tells ticks of a hundredth of a second to every program, whatever it counts by itself. */
const tickMs = 10;

/** The start of a process by the clock as it is now; null where the system does not tell when it was booted. */
const startAtOf = async ({ ticks }: LinuxProcess): Promise<number | null> => {
  const stat = await readFile('/proc/stat', 'utf8').catch(() => '');
  const [, bootS] = /^btime (\d+)$/m.exec(stat) ?? [];
  return bootS === undefined ? null : Number(bootS) * 1_000 + ticks * tickMs;
};

/**
 * When a process was started, as Linux counts it: a clock that is set does not change it. Null on other systems, and where
 * `/proc` cannot be read.
 */
export const readStartTicks = async (pid: number): Promise<string | null> =>
  (await readLinuxProcess(pid))?.startTicks ?? null;

/** The same as macOS keeps it: the start is by the clock of then. */
type MacProcess = { hasEnded: boolean; startAt: number };

const readMacProcess = async (pid: number): Promise<MacProcess | null> => {
  try {
    const env = { LC_ALL: 'C', TZ: 'UTC' };
    const columns = ['-o', 'stat=', '-o', 'lstart='];
    const { stdout } = await promisify(execFile)('/bin/ps', [...columns, '-p', String(pid)], { env });
    return macProcessIn(stdout);
  } catch {
    return null;
  }
};

/** A line of `ps -o stat= -o lstart=` in UTC, such as "S+   Thu Nov 26 13:22:54 2026". */
export const macProcessIn = (line: string): MacProcess | null => {
  const [, state = '', start = ''] = /^(\S+)\s+(.+)$/.exec(line.trim()) ?? [];
  const startAt = Date.parse(`${start} UTC`);
  return Number.isNaN(startAt) ? null : { hasEnded: state.startsWith('Z'), startAt };
};

/** A clock that is set back a little while the companion starts makes it no other process. */
const maxClockStepMs = 2_000;

/**
 * Whether the process that wrote down its start is surely gone: it has ended, or a later one has its number. Windows tells
 * starts only through a program that takes half a second; there, and where nothing can be read, the proof decides.
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
  const startAt = await startAtOf(found);
  return startAt !== null && startAt > Date.parse(written.startedAt) + maxClockStepMs;
};

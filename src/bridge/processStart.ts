import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

/**
 * When a process was started, as Linux counts it: the boot, and the ticks since then. A clock that is set changes neither.
 * Null on other systems, and where `/proc` cannot be read.
 */
export const readStartTicks = async (pid: number): Promise<string | null> => {
  if (process.platform !== 'linux') return null;
  try {
    const [boot, stat] = await Promise.all([
      readFile('/proc/sys/kernel/random/boot_id', 'utf8'),
      readFile(`/proc/${pid}/stat`, 'utf8'),
    ]);
    return startTicksIn(boot, stat);
  } catch {
    return null;
  }
};

/** The start is the 22nd field; the name before it, in brackets, may hold spaces and brackets itself. */
export const startTicksIn = (boot: string, stat: string): string | null => {
  const [ticks] = /^\d+$/.exec(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '') ?? [];
  return ticks === undefined ? null : `${boot.trim()} ${ticks}`;
};

/** When a process was started by the clock of then, as macOS keeps it; null where it cannot be told. */
const readStartAtMac = async (pid: number): Promise<number | null> => {
  try {
    const env = { LC_ALL: 'C', TZ: 'UTC' };
    const { stdout } = await promisify(execFile)('/bin/ps', ['-o', 'lstart=', '-p', String(pid)], { env });
    return startAtIn(stdout);
  } catch {
    return null;
  }
};

/** A line of `ps -o lstart=` in UTC, such as "Thu Nov 26 13:22:54 2026", in ms. */
export const startAtIn = (line: string): number | null => {
  const at = Date.parse(`${line.trim()} UTC`);
  return Number.isNaN(at) ? null : at;
};

/** A clock that is set back a little while the companion starts makes it no other process. */
const maxClockStepMs = 2_000;

/**
 * Whether a process was surely not the one that wrote down its start: one that got the same number later. Windows tells
 * starts only through a program that takes half a second; there, and where nothing can be read, the proof decides.
 */
export const isLaterProcess = async (
  pid: number,
  written: { startedAt: string; startTicks: string | null },
): Promise<boolean> => {
  if (process.platform === 'darwin') {
    const startAt = await readStartAtMac(pid);
    return startAt !== null && startAt > Date.parse(written.startedAt) + maxClockStepMs;
  }
  const ticks = written.startTicks === null ? null : await readStartTicks(pid);
  return ticks !== null && ticks !== written.startTicks;
};

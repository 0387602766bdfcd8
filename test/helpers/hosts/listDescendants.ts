import { readdirSync, readFileSync } from 'node:fs';

/** Returns the fields of a process in /proc from its state on; none if the process has just ended. */
const readStat = (pid: number | string): string[] => {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  } catch {
    return [];
  }
};

const readParent = (pid: string): number => Number(readStat(pid)[1] ?? -1);

const ticksASecond = 100;

/** Returns the CPU seconds of a Linux process; 0 if it has ended. */
export const readCpuSeconds = (pid: number): number => {
  const [user, system] = readStat(pid).slice(11, 13).map(Number);
  return ((user ?? 0) + (system ?? 0)) / ticksASecond;
};

/**
 * Returns the Linux processes that a process started, directly or indirectly. Throws for 0, the parent of every
 * process.
 */
export const listDescendants = (pid: number): number[] => {
  if (!(pid > 1)) throw new Error(`Process ${pid} is nobody's own.`);
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const children = all.filter((name) => readParent(name) === pid).map(Number);
  return children.flatMap((child) => [child, ...listDescendants(child)]);
};

/** Sends a signal to a process and all its descendants, and ignores processes that have just ended. */
export const signalAll = (pid: number, signal: NodeJS.Signals): void => {
  for (const one of [pid, ...listDescendants(pid)]) {
    try {
      process.kill(one, signal);
    } catch {
      // The process has just ended.
    }
  }
};

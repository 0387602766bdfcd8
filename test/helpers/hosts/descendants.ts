import { readdirSync, readFileSync } from 'node:fs';

const parentOf = (pid: string): number => {
  try {
    return Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[1]);
  } catch {
    // It has just ended.
    return -1;
  }
};

/** The processes of Linux that one has started, and those that they have. Throws on 0, below which is every process. */
export const descendants = (pid: number): number[] => {
  if (!(pid > 1)) throw new Error(`Process ${pid} is nobody's own.`);
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const children = all.filter((name) => parentOf(name) === pid).map(Number);
  return children.flatMap((child) => [child, ...descendants(child)]);
};

/** Sends a signal to a process and all below it, whatever it runs behind; one that has just ended is passed over. */
export const signalAll = (pid: number, signal: NodeJS.Signals): void => {
  for (const one of [pid, ...descendants(pid)]) {
    try {
      process.kill(one, signal);
    } catch {
      // It has just ended.
    }
  }
};

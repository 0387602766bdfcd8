import { readdirSync, readFileSync } from 'node:fs';

/** What Linux tells of a process, from its state on; nothing of one that has just ended. */
const factsOf = (pid: number | string): string[] => {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  } catch {
    return [];
  }
};

const parentOf = (pid: string): number => Number(factsOf(pid)[1] ?? -1);

const ticksASecond = 100;

/** The seconds of processor time that a process of Linux has taken; none of one that has ended. */
export const cpuSecondsOf = (pid: number): number => {
  const [user, system] = factsOf(pid).slice(11, 13).map(Number);
  return ((user ?? 0) + (system ?? 0)) / ticksASecond;
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

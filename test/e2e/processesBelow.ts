import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** A process, and a line that says what it is, in which state, and what it waits for in the kernel. */
export type SeenProcess = { pid: number; line: string };

const read = (pid: number, file: string): string => {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    // It has ended meanwhile.
    return '';
  }
};

/** The state and the parent of a process; its name in between may hold anything, parentheses, too. */
const stateOf = (pid: number): { state: string; parent: number } => {
  const [state = '', parent = '0'] = read(pid, 'stat')
    .replace(/^.*\) /s, '')
    .split(' ');
  return { state, parent: Number(parent) };
};

/** A process and all that it has started, the first one first; where the system does not tell, none. */
export const processesBelow = (first: number): SeenProcess[] => {
  if (!existsSync('/proc/self/stat')) return [];
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
  const parents = new Map(all.map((pid) => [pid, stateOf(pid).parent]));
  const isBelow = (pid: number): boolean => pid === first || (pid > 1 && isBelow(parents.get(pid) ?? 0));
  return all
    .filter(isBelow)
    .filter((pid) => stateOf(pid).state !== '')
    .map((pid) => {
      const program = read(pid, 'cmdline').replaceAll('\0', ' ').slice(0, 120);
      return { pid, line: `${pid} ${stateOf(pid).state} ${read(pid, 'wchan')} ${program}` };
    });
};

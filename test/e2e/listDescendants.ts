import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** A process, and a line with its id, state, kernel wait channel and command. */
export type ListedProcess = { pid: number; line: string };

const readProcFile = (pid: number, file: string): string => {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    // The process has ended in the meantime.
    return '';
  }
};

/** The process name between these fields may contain anything, even parentheses. */
const readState = (pid: number): { state: string; parent: number } => {
  const [state = '', parent = '0'] = readProcFile(pid, 'stat')
    .replace(/^.*\) /s, '')
    .split(' ');
  return { state, parent: Number(parent) };
};

/** Returns a process and all its descendants, the process first; nothing on systems without /proc. */
export const listDescendants = (first: number): ListedProcess[] => {
  if (!existsSync('/proc/self/stat')) return [];
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
  const parents = new Map(all.map((pid) => [pid, readState(pid).parent]));
  const isBelow = (pid: number): boolean => pid === first || (pid > 1 && isBelow(parents.get(pid) ?? 0));
  return all
    .filter(isBelow)
    .filter((pid) => readState(pid).state !== '')
    .map((pid) => {
      const program = readProcFile(pid, 'cmdline').replaceAll('\0', ' ').slice(0, 120);
      return { pid, line: `${pid} ${readState(pid).state} ${readProcFile(pid, 'wchan')} ${program}` };
    });
};

import { existsSync, readFileSync } from 'node:fs';
import { listDescendants } from '../helpers/hosts/listDescendants.ts';

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

/** The process name before the state can contain anything, even parentheses. */
const readState = (pid: number): string =>
  readProcFile(pid, 'stat')
    .replace(/^.*\) /s, '')
    .split(' ')[0] ?? '';

/** Returns a process and all its descendants, the process first; nothing on systems without /proc. */
export const describeProcesses = (first: number): ListedProcess[] => {
  if (!existsSync('/proc/self/stat') || first === 0) return [];
  return [first, ...listDescendants(first)]
    .filter((pid) => readState(pid) !== '')
    .map((pid) => {
      const program = readProcFile(pid, 'cmdline').replaceAll('\0', ' ').slice(0, 120);
      return { pid, line: `${pid} ${readState(pid)} ${readProcFile(pid, 'wchan')} ${program}` };
    });
};

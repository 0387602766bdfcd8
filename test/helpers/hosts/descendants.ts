import { readdirSync, readFileSync } from 'node:fs';

const parentOf = (pid: string): number => {
  try {
    return Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[1]);
  } catch {
    // It has just ended.
    return -1;
  }
};

/** The processes of Linux that one has started, and those that they have. */
export const descendants = (pid: number): number[] => {
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const children = all.filter((name) => parentOf(name) === pid).map(Number);
  return children.flatMap((child) => [child, ...descendants(child)]);
};

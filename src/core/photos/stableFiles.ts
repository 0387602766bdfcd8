import { relative, sep } from 'node:path';

/** After the last sign of writing, files are left alone for this long. */
export const quietMs = 5_000;

type Waiting = { size: number; since: number };

/**
 * Collects the files that come into a folder, set by set: the files of one folder below it, or those directly in it. A set
 * is whole when none of its files grew, and none was added, for a while. Pure bookkeeping: times and sizes are told.
 */
export const createQuietSets = (root: string) => {
  const sets = new Map<string, Map<string, Waiting>>();
  const setOf = (path: string): string => {
    const parts = relative(root, path).split(sep);
    return parts.length > 1 ? (parts[0] ?? '') : '';
  };
  return {
    /** Tells that a file is there with so many bytes; what grew is waited for anew. */
    seen: (path: string, size: number, now: number): void => {
      const key = setOf(path);
      const set = sets.get(key) ?? new Map<string, Waiting>();
      sets.set(key, set);
      if (set.get(path)?.size !== size) set.set(path, { size, since: now });
    },
    gone: (path: string): void => {
      const key = setOf(path);
      sets.get(key)?.delete(path);
      if (sets.get(key)?.size === 0) sets.delete(key);
    },
    /** Files that are waited for. */
    waiting: (): string[] => [...sets.values()].flatMap((set) => [...set.keys()]),
    /** The sets that are whole now; they are no longer waited for. */
    take: (now: number): string[][] => {
      const whole = [...sets].filter(([, set]) => [...set.values()].every(({ since }) => now - since >= quietMs));
      for (const [key] of whole) sets.delete(key);
      return whole.map(([, set]) => [...set.keys()]);
    },
  };
};

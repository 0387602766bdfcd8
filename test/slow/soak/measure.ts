import { readFileSync, readdirSync, readlinkSync } from 'node:fs';
import { listDescendants } from '../../helpers/hosts/listDescendants.ts';

export type Sample = {
  minute: number;
  items: number;
  heapBytes: number;
  rssBytes: number;
  /** The part of `rssBytes` that no file backs; file pages and shared code belong to the system's cache. */
  anonBytes: number;
  /** Buffers outside the heap. */
  externalBytes: number;
  childrenBytes: number;
  files: number;
  sockets: number;
};

const listFileDescriptors = (): string[] =>
  readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      return [readlinkSync(`/proc/self/fd/${fd}`)];
    } catch {
      return []; // The descriptor that read the folder.
    }
  });

const readMemory = (pid: number | 'self', field: 'VmRSS' | 'RssAnon'): number => {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0) * 1_024;
  } catch {
    return 0; // The process has ended.
  }
};

/** Returns the memory and the open files of this process. Linux only, because it reads `/proc`. */
export const takeSample = (minute: number, items: number, uncounted: number): Sample => {
  globalThis.gc?.();
  globalThis.gc?.();
  const { rss, heapUsed, external } = process.memoryUsage();
  const fds = listFileDescriptors();
  const sockets = fds.filter((target) => target.startsWith('socket:')).length;
  const children = listDescendants(process.pid).filter((pid) => pid !== uncounted);
  return {
    minute,
    items,
    heapBytes: heapUsed,
    rssBytes: rss,
    anonBytes: readMemory('self', 'RssAnon'),
    externalBytes: external,
    childrenBytes: children.reduce((sum, pid) => sum + readMemory(pid, 'VmRSS'), 0),
    files: fds.length - sockets,
    sockets,
  };
};

const findMedian = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** The growth of a figure from about minute 10 to the end, and the maximum. */
export type Growth = { name: string; growth: number; max: number };

/** Returns how a run grew: memory per item should grow by at most a tenth, handles not at all. Null for a short run. */
export const findGrowth = (samples: Sample[], since = 10): Growth[] | null => {
  const around = samples.filter(({ minute }) => Math.abs(minute - since) <= 2);
  const last = samples.slice(-5);
  if (around.length === 0 || samples.length < since + 5) return null;

  const growthOf = (figure: (sample: Sample) => number): number =>
    findMedian(last.map(figure)) / findMedian(around.map(figure));
  // A timer can hold a handle briefly; a leak raises even the lowest count.
  const findLowest = (some: Sample[], kind: 'files' | 'sockets'): number => Math.min(...some.map((one) => one[kind]));
  return [
    // More items than at minute 10 would share the companion's fixed memory.
    { name: 'number of items', growth: growthOf(({ items }) => items), max: 1.02 },
    { name: 'heap per item', growth: growthOf(({ heapBytes, items }) => heapBytes / items), max: 1.1 },
    { name: 'memory of the process per item', growth: growthOf(({ rssBytes, items }) => rssBytes / items), max: 1.1 },
    { name: 'number of files', growth: findLowest(last, 'files') / findLowest(around, 'files'), max: 1 },
    { name: 'number of sockets', growth: findLowest(last, 'sockets') / findLowest(around, 'sockets'), max: 1 },
  ];
};

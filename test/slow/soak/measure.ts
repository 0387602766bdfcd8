import { readFileSync, readdirSync, readlinkSync } from 'node:fs';
import { descendants } from '../../helpers/hosts/descendants.ts';

export type Sample = {
  minute: number;
  items: number;
  heapBytes: number;
  rssBytes: number;
  /** Of `rssBytes`, what no file backs: pages of files and shared code are the system's cache. */
  anonBytes: number;
  /** Buffers outside the heap. */
  externalBytes: number;
  childrenBytes: number;
  files: number;
  sockets: number;
};

const fdsOf = (): string[] =>
  readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      return [readlinkSync(`/proc/self/fd/${fd}`)];
    } catch {
      return []; // The one that read the folder.
    }
  });

const memoryOf = (pid: number | 'self', field: 'VmRSS' | 'RssAnon'): number => {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0) * 1_024;
  } catch {
    return 0; // It has ended since.
  }
};

/** The memory and the open files of this process. Linux only: it reads `/proc`. */
export const takeSample = (minute: number, items: number, uncounted: number): Sample => {
  globalThis.gc?.();
  globalThis.gc?.();
  const { rss, heapUsed, external } = process.memoryUsage();
  const fds = fdsOf();
  const sockets = fds.filter((target) => target.startsWith('socket:')).length;
  const children = descendants(process.pid).filter((pid) => pid !== uncounted);
  return {
    minute,
    items,
    heapBytes: heapUsed,
    rssBytes: rss,
    anonBytes: memoryOf('self', 'RssAnon'),
    externalBytes: external,
    childrenBytes: children.reduce((sum, pid) => sum + memoryOf(pid, 'VmRSS'), 0),
    files: fds.length - sockets,
    sockets,
  };
};

const medianOf = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** What is wrong with a run: memory that grew by over a tenth since minute 10, or handles that stay open. */
export const findGrowth = (samples: Sample[], since = 10): string[] => {
  const around = samples.filter(({ minute }) => Math.abs(minute - since) <= 2);
  const last = samples.slice(-5);
  if (around.length === 0 || samples.length < since + 5)
    return [`The run is too short: minute ${since + 5} is needed.`];

  const growthOf = (bytes: (sample: Sample) => number): number => {
    const perItem = (one: Sample): number => bytes(one) / one.items;
    return medianOf(last.map(perItem)) / medianOf(around.map(perItem));
  };
  // A timer may hold one for a moment: those that leak raise the lowest count.
  const lowest = (some: Sample[], kind: 'files' | 'sockets'): number => Math.min(...some.map((one) => one[kind]));
  const figures = [
    { name: 'heap', growth: growthOf((one) => one.heapBytes), max: 1.1 },
    { name: 'memory of the process', growth: growthOf((one) => one.rssBytes), max: 1.1 },
    { name: 'files', growth: lowest(last, 'files') / lowest(around, 'files'), max: 1 },
    { name: 'sockets', growth: lowest(last, 'sockets') / lowest(around, 'sockets'), max: 1 },
  ];
  for (const { name, growth } of figures) console.log(`${name}: ${growth.toFixed(3)} of minute ${since}`);
  return figures.filter(({ growth, max }) => growth > max).map(({ name }) => `The ${name} grew.`);
};

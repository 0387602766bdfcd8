import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import type { Compared } from './compare.ts';

const figure = z.object({
  what: z.string(),
  unit: z.string(),
  ours: z.number(),
  peer: z.string(),
  theirs: z.number(),
  // JSON stores an infinite ratio as null.
  ratio: z
    .number()
    .nullable()
    .transform((ratio) => ratio ?? Infinity),
});
const results = z.record(z.string(), z.object({ at: z.string(), machine: z.string(), figures: z.array(figure) }));

const place = join(import.meta.dirname, 'results.json');
const table = join(import.meta.dirname, 'RESULTS.md');

const machine = (): string =>
  `${availableParallelism()} cores (${cpus()[0]?.model.trim() ?? 'unknown'}), ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.versions.node}`;

const rounded = (value: number): string => (Math.abs(value) >= 100 ? value.toFixed(0) : value.toPrecision(3));

const section = (name: string, { at, machine: on, figures }: z.infer<typeof results>[string]): string =>
  [
    `## ${name}`,
    '',
    `${at.slice(0, 10)}, ${on}`,
    '',
    '| what | ours | peer | theirs | ratio |',
    '| --- | ---: | --- | ---: | ---: |',
    ...figures.map(
      ({ what, unit, ours, peer, theirs, ratio }) =>
        `| ${what} | ${rounded(ours)} ${unit} | ${peer} | ${rounded(theirs)} ${unit} | ${ratio.toFixed(2)} |`,
    ),
    '',
  ].join('\n');

export const keepResults = (name: string, figures: Compared[]): void => {
  const before = existsSync(place) ? results.parse(JSON.parse(readFileSync(place, 'utf8'))) : {};
  const all = { ...before, [name]: { at: new Date().toISOString(), machine: machine(), figures } };
  writeFileSync(place, `${JSON.stringify(all, null, 2)}\n`);
  const sections = Object.entries(all)
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(([title, result]) => section(title, result));
  const head = [
    '# Benchmarks',
    '',
    'Each figure stands beside one of a peer that was measured in the same run, in turn; the ratio is ours over theirs. What',
    'is written to a “limit” is a goal, not a peer. `npm run bench -- NAME` measures one again and writes it here.',
    '',
  ].join('\n');
  writeFileSync(table, `${[head, ...sections].join('\n')}`);
};

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { against, againstLimit, type Compared } from '../compare.ts';
import { measureStarts } from './measureStart.ts';
import type { ScaleFigure } from './measureShop.ts';

/** Set with `npm run bench -- scale --factors=0.1,0.3`. The limits apply to the largest shop. */
const factors = (process.argv.find((word) => word.startsWith('--factors='))?.slice(10) ?? '0.1,0.5,1')
  .split(',')
  .map(Number);

const task = join(import.meta.dirname, 'task.ts');

/** Runs a task in a process of its own, so that no task changes the memory of another. */
const runTask = async (...words: string[]): Promise<unknown> => {
  const child = fork(task, words, { execArgv: ['--expose-gc'] });
  const answered = once(child, 'message').then(([answer]: unknown[]) => answer);
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`The task ${words[0]} ended (${String(code)}).`);
  });
  try {
    return await Promise.race([answered, ended]);
  } finally {
    child.kill();
  }
};

const measureFactor = async (factor: number): Promise<ScaleFigure[]> => {
  const root = mkdtempSync(join(tmpdir(), 'bench-scale-'));
  try {
    await runTask('make', root, String(factor));
    const starts = await measureStarts(root);
    const figures = [...starts, ...((await runTask('measure', root)) as ScaleFigure[])];
    // The window is measured last, because each measurement uses a copy of the data folder.
    if (factor !== factors.at(-1)) return figures;
    for (const task of ['memory', 'browser', 'desktop', 'drop'])
      figures.push(...((await runTask(task, root)) as ScaleFigure[]));
    return figures;
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
};

/** The window is measured at the largest factor only. */
const formatValue = (value: number | undefined): string => value?.toFixed(value < 10 ? 2 : 0) ?? '–';

const findFigure = (figures: readonly ScaleFigure[], what: string): number | undefined =>
  figures.find((figure) => figure.what === what)?.value;

const printTable = (byFactor: readonly ScaleFigure[][]): void => {
  console.log(`| what | unit | ${factors.join(' | ')} | limit |`);
  console.log(`| --- | --- |${' ---: |'.repeat(factors.length + 1)}`);
  for (const { what, unit, limit } of byFactor.at(-1) ?? [])
    console.log(
      `| ${what} | ${unit} | ${byFactor.map((figures) => formatValue(findFigure(figures, what))).join(' | ')} | ${limit} |`,
    );
};

/** A larger figure may grow in proportion to the shop. The tolerance is for the noise of the machine. */
const growthTolerance = 1.5;
/** Figures below this part of their limit are mostly noise. */
const minLimitPart = 0.2;

const compareGrowth = (byFactor: readonly ScaleFigure[][]): Compared[] => {
  const [before = [], last = []] = byFactor.slice(-2);
  const growth = (factors.at(-1) ?? 1) / (factors.at(-2) ?? 1);
  return byFactor.length < 2
    ? []
    : last.flatMap(({ what, value, limit }) => {
        const smaller = findFigure(before, what);
        if (smaller === undefined || value < limit * minLimitPart) return [];
        return [againstLimit(`${what}: growth of the last step`, 'times', value / smaller, growth * growthTolerance)];
      });
};

/**
 * Measures the calls and the long work of shops of several sizes, prints all figures as a table, and compares the
 * figures of the largest shop with their limits.
 */
export const benchScale = async (): Promise<Compared[]> => {
  const byFactor: ScaleFigure[][] = [];
  for (const factor of factors) byFactor.push(await measureFactor(factor));
  printTable(byFactor);
  const figures = factors.flatMap((factor, at) => (byFactor[at] ?? []).map((figure) => ({ factor, ...figure })));
  return [
    ...figures.map(({ factor, what, unit, value, limit }) =>
      factor === factors.at(-1)
        ? againstLimit(`${what}, factor ${factor}`, unit, value, limit)
        : against(`${what}, factor ${factor}`, unit, value, 'the limit at the largest factor', limit),
    ),
    ...compareGrowth(byFactor),
  ];
};

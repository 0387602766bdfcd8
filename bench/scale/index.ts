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

/** These run only with the largest shop. The window comes last, because each measurement uses a copy of the data folder. */
const lastTasks = ['memory', 'browser', 'desktop', 'drop'];

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

/** `slowness` is how many times slower the computer was than the reference computer while the figure was measured. */
type LimitedFigure = ScaleFigure & { slowness: number };

const isTime = ({ unit }: ScaleFigure): boolean => unit === 'ms' || unit === 's';

/** The speed of a shared computer changes within minutes, so it is measured before and after the figures. */
const measureWithLimits = async (measure: () => Promise<ScaleFigure[]>): Promise<LimitedFigure[]> => {
  const before = (await runTask('computer')) as number;
  const figures = await measure();
  const slowness = Math.max(1, Math.sqrt(before * ((await runTask('computer')) as number)));
  return figures.map((figure) => ({
    ...figure,
    slowness,
    limit: isTime(figure) ? Math.max(figure.limit * slowness, figure.minLimit ?? 0) : figure.limit,
  }));
};

const measureFactor = async (factor: number): Promise<LimitedFigure[]> => {
  const root = mkdtempSync(join(tmpdir(), 'bench-scale-'));
  try {
    await runTask('make', root, String(factor));
    const figures = await measureWithLimits(() => measureStarts(root));
    const tasks = ['measure', ...(factor === factors.at(-1) ? lastTasks : [])];
    for (const task of tasks)
      figures.push(...(await measureWithLimits(async () => (await runTask(task, root)) as ScaleFigure[])));
    return figures;
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
};

/** Some tasks run at the largest factor only. */
const formatValue = (value: number | undefined): string => value?.toFixed(value < 10 ? 2 : 0) ?? '–';

const findFigure = (figures: readonly LimitedFigure[], what: string): LimitedFigure | undefined =>
  figures.find((figure) => figure.what === what);

const printTable = (byFactor: readonly LimitedFigure[][]): void => {
  console.log(`| what | unit | ${factors.join(' | ')} | limit |`);
  console.log(`| --- | --- |${' ---: |'.repeat(factors.length + 1)}`);
  for (const { what, unit, limit } of byFactor.at(-1) ?? [])
    console.log(
      `| ${what} | ${unit} | ${byFactor.map((figures) => formatValue(findFigure(figures, what)?.value)).join(' | ')} | ${formatValue(limit)} |`,
    );
};

/** A larger figure may grow in proportion to the shop. The tolerance is for the noise of the machine. */
const growthTolerance = 1.5;
/** Figures below this part of their limit are mostly noise. */
const minLimitPart = 0.2;

/** Returns the figure that the reference computer would have. */
const computeReference = (figure: LimitedFigure): number => figure.value / (isTime(figure) ? figure.slowness : 1);

const compareGrowth = (byFactor: readonly LimitedFigure[][]): Compared[] => {
  const [before = [], last = []] = byFactor.slice(-2);
  const growth = (factors.at(-1) ?? 1) / (factors.at(-2) ?? 1);
  return byFactor.length < 2
    ? []
    : last.flatMap((figure) => {
        const { what, value, limit } = figure;
        const smaller = findFigure(before, what);
        if (smaller === undefined || value < limit * minLimitPart) return [];
        const times = computeReference(figure) / computeReference(smaller);
        return [againstLimit(`${what}: growth of the last step`, 'times', times, growth * growthTolerance)];
      });
};

/**
 * Measures the calls and the long work of shops of several sizes, prints all figures as a table, and compares the
 * figures of the largest shop with their limits.
 */
export const benchScale = async (): Promise<Compared[]> => {
  const byFactor: LimitedFigure[][] = [];
  for (const factor of factors) byFactor.push(await measureFactor(factor));
  printTable(byFactor);
  const slowest = Math.max(...byFactor.flat().map(({ slowness }) => slowness));
  const figures = factors.flatMap((factor, at) => (byFactor[at] ?? []).map((figure) => ({ factor, ...figure })));
  return [
    against('a fixed work on this computer, at most', 'times', slowest, 'on the reference computer', 1),
    ...figures.map(({ factor, what, unit, value, limit }) =>
      factor === factors.at(-1)
        ? againstLimit(`${what}, factor ${factor}`, unit, value, limit)
        : against(`${what}, factor ${factor}`, unit, value, 'the limit at the largest factor', limit),
    ),
    ...compareGrowth(byFactor),
  ];
};

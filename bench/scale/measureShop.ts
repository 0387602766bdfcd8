import type { CallInput, CallName } from '../../src/ipc/calls.ts';
import { runTestHost } from '../../test/helpers/hosts/testHost.ts';
import type { RunningCompanion } from '../../src/host/runCompanion.ts';
import { rareText, openShop } from './makeShop.ts';
import { measureWork, type Measured } from './measure.ts';

/** A figure of one shop. At factor 1 it must not exceed the limit. */
export type ScaleFigure = { what: string; unit: string; value: number; limit: number };

const rounds = 3;
const windowSession = 'ws_bench';
const maxBlockMs = 20;

type AskCore = <N extends CallName>(name: N, input: CallInput<N>) => Promise<unknown>;

/** Calls a handler like a window, including the text of its answer. */
const createAsk =
  ({ handlers }: RunningCompanion): AskCore =>
  async (name, input) => {
    const { calls } = await import('../../src/ipc/calls.ts');
    return JSON.stringify(await handlers[name](calls[name].input.parse(input) as never, windowSession));
  };

/** The calls that a person waits for. The limit is the time until the answer. */
const createQuickCalls = (ask: AskCore) =>
  [
    [
      'steps of one question',
      2,
      () => ask('history.search', { q: '', approvalId: 'apr_scale_100', limit: 50, before: 1e9 }),
    ],
    [
      'history of one listing',
      10,
      () => ask('history.search', { q: '', listingId: 'lst_scale_100', limit: 50, before: 1e9 }),
    ],
    ['history by rare text', 50, () => ask('history.search', { q: rareText, limit: 50, before: 1e9 })],
    ['items.sheet', 100, () => ask('items.sheet', {})],
    ['items.list, found by words', 50, () => ask('items.list', { find: 'film camera' })],
  ] as const satisfies readonly (readonly [string, number, () => Promise<unknown>])[];

export const takeMedian = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;

const measureQuickCalls = async (ask: AskCore): Promise<ScaleFigure[]> => {
  const figures: ScaleFigure[] = [];
  for (const [what, limit, run] of createQuickCalls(ask)) {
    const measured: Measured[] = [];
    for (let round = 0; round < rounds; round += 1) measured.push(await measureWork(run));
    figures.push({ what, unit: 'ms', value: takeMedian(measured.map(({ ms }) => ms)), limit });
  }
  return figures;
};

/** Work that takes long, but must not block anything. */
const createLongWork = (ask: AskCore) =>
  [
    { what: 'history.export', run: () => ask('history.export', { format: 'jsonl' }), maxS: 60, maxMb: 150 },
    { what: 'receipts.export', run: () => ask('receipts.exportAll', {}), maxS: 120, maxMb: 300 },
    { what: 'listings.export', run: () => ask('listings.export', {}), maxS: 60, maxMb: 150 },
    { what: 'backup', run: () => ask('backups.make', {}), maxS: 60, maxMb: 150 },
  ] as const;

const measureLongWork = async (ask: AskCore): Promise<ScaleFigure[]> => {
  const figures: ScaleFigure[] = [];
  for (const { what, run, maxS, maxMb } of createLongWork(ask)) {
    const { ms, blockMs, memoryMb } = await measureWork(run);
    figures.push(
      { what: `${what}, longest block`, unit: 'ms', value: blockMs, limit: maxBlockMs },
      { what: `${what}, whole time`, unit: 's', value: ms / 1_000, limit: maxS },
      { what: `${what}, memory`, unit: 'MB', value: memoryMb, limit: maxMb },
    );
  }
  return figures;
};

/** Measures the companion of a shop in this process. */
export const measureShop = async (root: string): Promise<ScaleFigure[]> => {
  const { dataDir, secrets } = openShop(root);
  const running = await runTestHost(dataDir, { secrets });
  try {
    const ask = createAsk(running);
    return [...(await measureQuickCalls(ask)), ...(await measureLongWork(ask))];
  } finally {
    await running.stop();
  }
};

import { linkSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import sharp from 'sharp';
import type { CallInput, CallName } from '../../src/ipc/calls.ts';
import { runTestHost } from '../../test/helpers/hosts/testHost.ts';
import type { RunningCompanion } from '../../src/host/runCompanion.ts';
import { takeMedian } from '../compare.ts';
import { rareText, openShop } from './makeShop.ts';
import { measureWork, type Measured } from './measure.ts';

/**
 * A figure of one shop. At factor 1 it must not exceed the limit. The limit of a time is that of the reference computer,
 * and is never less than `minLimit`.
 */
export type ScaleFigure = { what: string; unit: string; value: number; limit: number; minLimit?: number };

const rounds = 9;
const sheetStarts = 3;
const windowSession = 'ws_bench';
const maxBlockMs = 20;

type AskCore = <N extends CallName>(name: N, input: CallInput<N>) => Promise<unknown>;

/** The companion needs this time for its first reads from the service, which load code. */
const startRestMs = 5_000;

/** Returns a function that calls a handler like a window, including the text of its answer, once the start is over. */
const openAsk = async ({ handlers, wake }: RunningCompanion): Promise<AskCore> => {
  const { calls } = await import('../../src/ipc/calls.ts');
  const ask: AskCore = async (name, input) =>
    JSON.stringify(await handlers[name](calls[name].input.parse(input) as never, windowSession));
  await ask('items.counts', {});
  // Otherwise the first reads would happen at random times within minutes, and would count as work of an export.
  wake();
  await sleep(startRestMs);
  return ask;
};

/** An item that is being arranged, so that it is on the contact sheet. */
const changedItemId = 'it_scale_6';

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
    ['items.sheet', 100, () => ask('items.sheet', { mark: null })],
    ['items.list, found by words', 50, () => ask('items.list', { find: 'film camera' })],
    ['listings.counts', 50, () => ask('listings.counts', {})],
    ['shelf.pickList', 50, () => ask('shelf.pickList', {})],
  ] as const satisfies readonly (readonly [string, number, () => Promise<unknown>])[];

/** The calls whose answers are known until an item changes. An item changes before each of them. */
const createCallsAfterChange = (ask: AskCore) =>
  [
    ['items.sheet after a change', 100, () => ask('items.sheet', { mark: null })],
    ['items.list, found by words after a change', 50, () => ask('items.list', { find: 'film camera' })],
  ] as const satisfies readonly (readonly [string, number, () => Promise<unknown>])[];

/** The first contact sheet after a start is read from the database, so it is measured once in each of several starts. */
const measureFirstSheets = async (open: () => Promise<RunningCompanion>): Promise<ScaleFigure[]> => {
  const measured: Measured[] = [];
  for (let start = 0; start < sheetStarts; start += 1) {
    const running = await open();
    try {
      const ask = await openAsk(running);
      measured.push(await measureWork(() => ask('items.sheet', { mark: null })));
    } finally {
      await running.stop();
    }
  }
  const what = 'items.sheet, the first after a start';
  return [
    { what, unit: 'ms', value: takeMedian(measured.map(({ ms }) => ms)), limit: 100 },
    {
      what: `${what}, longest block`,
      unit: 'ms',
      value: takeMedian(measured.map(({ blockMs }) => blockMs)),
      limit: 50,
    },
  ];
};

const measureCallsAfterChange = async (ask: AskCore): Promise<ScaleFigure[]> => {
  const figures: ScaleFigure[] = [];
  for (const [what, limit, run] of createCallsAfterChange(ask)) {
    const values: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      await ask('items.change', { itemId: changedItemId, changes: { note: `From the attic, ${what} ${round}.` } });
      values.push((await measureWork(run)).ms);
    }
    figures.push({ what, unit: 'ms', value: takeMedian(values), limit });
  }
  return figures;
};

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
  const open = (): Promise<RunningCompanion> => runTestHost(dataDir, { secrets });
  const firstSheets = await measureFirstSheets(open);
  const running = await open();
  try {
    const ask = await openAsk(running);
    return [
      ...firstSheets,
      ...(await measureQuickCalls(ask)),
      ...(await measureCallsAfterChange(ask)),
      ...(await measureLongWork(ask)),
    ];
  } finally {
    await running.stop();
  }
};

const droppedPhotos = 20_000;
/** How long the companion is watched after the answer, while it prepares the photos. */
const watchedMs = 10_000;

const drawDrop = async (dir: string): Promise<void> => {
  mkdirSync(dir);
  const photo = await sharp({ create: { width: 800, height: 600, channels: 3, background: '#a86' } })
    .jpeg()
    .toBuffer();
  writeFileSync(join(dir, 'IMG_0.jpg'), photo);
  for (let at = 1; at < droppedPhotos; at += 1) linkSync(join(dir, 'IMG_0.jpg'), join(dir, `IMG_${at}.jpg`));
};

/** Measures a drop of one folder of many photos. The photos stay in the shop, so it is measured last. */
export const measureDrop = async (root: string): Promise<ScaleFigure[]> => {
  const { dataDir, secrets } = openShop(root);
  const dir = join(root, 'dropped');
  await drawDrop(dir);
  const running = await runTestHost(dataDir, { secrets });
  try {
    const ask = await openAsk(running);
    let ms = 0;
    const { blockMs } = await measureWork(async () => {
      ({ ms } = await measureWork(() => ask('items.add', { sources: { kind: 'paths', paths: [dir] } })));
      await sleep(watchedMs);
    });
    const what = 'a drop of 20,000 photos';
    return [
      { what: `${what}, longest block`, unit: 'ms', value: blockMs, limit: 50 },
      { what: `${what}, until the answer`, unit: 's', value: ms / 1_000, limit: 10 },
    ];
  } finally {
    await running.stop();
  }
};

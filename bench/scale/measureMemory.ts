import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openWindowCalls } from '../../test/helpers/hosts/windowCalls.ts';
import { readMemoryMb } from '../hosts.ts';
import { openShop } from './makeShop.ts';
import { startBuiltHost, type BuiltHost } from './measureStart.ts';
import type { ScaleFigure } from './measureShop.ts';

/** `npm start` sets this variable, too. */
const oneHeap = { MALLOC_ARENA_MAX: '1' };
const restMs = 60_000;
const maxTimesOfEmpty = 1.3;

const connectShop = async ({ ui }: BuiltHost): Promise<void> => {
  const window = await openWindowCalls(ui);
  await window.ask('connect.practice', { shop: 'empty', fresh: false });
  window.close();
};

/**
 * Compares the memory of all processes of a shop with that of an empty shop, when no window is open. Both run at the same
 * time, because the system divides the memory of shared files among the processes that use them.
 */
export const measureMemory = async (root: string): Promise<ScaleFigure[]> => {
  const emptyDir = mkdtempSync(join(tmpdir(), 'bench-scale-empty-'));
  const hosts: BuiltHost[] = [];
  try {
    for (const dataDir of [emptyDir, openShop(root).dataDir]) hosts.push(await startBuiltHost(dataDir, oneHeap));
    await Promise.all(hosts.map(connectShop));
    await sleep(restMs);
    const [empty = NaN, shop = NaN] = hosts.map(({ pid }) => readMemoryMb(pid));
    console.log(`Memory at rest: ${shop.toFixed(1)} MB, and ${empty.toFixed(1)} MB with an empty shop.`);
    return [{ what: 'memory at rest, of an empty shop', unit: 'times', value: shop / empty, limit: maxTimesOfEmpty }];
  } finally {
    for (const { end } of hosts) await end('SIGINT');
    rmSync(emptyDir, { recursive: true, force: true });
  }
};

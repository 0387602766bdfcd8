import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openWindowCalls, type WindowCalls } from '../../test/helpers/hosts/windowCalls.ts';
import { readMemoryMb } from '../hosts.ts';
import { openShop, rareText } from './makeShop.ts';
import { startBuiltHost, type BuiltHost } from './measureStart.ts';
import type { ScaleFigure } from './measureShop.ts';

/** `npm start` sets this variable, too. */
const oneHeap = { MALLOC_ARENA_MAX: '1' };
const restMs = 60_000;
const releaseMarginMs = 5_000;
const maxTimesOfEmpty = 1.3;

const connectShop = async ({ ui }: BuiltHost): Promise<WindowCalls> => {
  const window = await openWindowCalls(ui);
  await window.ask('connect.practice', { shop: 'empty', fresh: false });
  window.close();
  return window;
};

/** Looks at the contact sheet, searches, and exports the listings, in another window. */
const runSession = async (connected: WindowCalls): Promise<void> => {
  const window = await connected.openAnother();
  await window.ask('items.sheet', { mark: null });
  for (const find of ['attic', 'thing 1', rareText]) {
    await window.ask('items.list', { find });
    await window.ask('listings.search', { q: find });
    await window.ask('history.search', { q: find });
  }
  await window.ask('listings.export', {});
  window.close();
};

const compareMemory = async (
  hosts: readonly BuiltHost[],
  when: 'at rest' | 'after a session',
): Promise<ScaleFigure> => {
  // The window and its texts are released after a minute.
  await sleep(restMs + releaseMarginMs);
  const [empty = NaN, shop = NaN] = hosts.map(({ pid }) => readMemoryMb(pid));
  console.log(`Memory ${when}: ${shop.toFixed(1)} MB, and ${empty.toFixed(1)} MB with an empty shop.`);
  return { what: `memory ${when}, of an empty shop`, unit: 'times', value: shop / empty, limit: maxTimesOfEmpty };
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
    const windows = await Promise.all(hosts.map(connectShop));
    const atRest = await compareMemory(hosts, 'at rest');
    await Promise.all(windows.map(runSession));
    return [atRest, await compareMemory(hosts, 'after a session')];
  } finally {
    for (const { end } of hosts) await end('SIGINT');
    rmSync(emptyDir, { recursive: true, force: true });
  }
};

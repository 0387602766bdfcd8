import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openWindowCalls, type WindowCalls } from '../../test/helpers/hosts/windowCalls.ts';
import { readMemoryMb } from '../hosts.ts';
import { openShop, rareText } from './makeShop.ts';
import { startBuiltHost, type BuiltHost } from './measureStart.ts';
import type { ScaleFigure } from './measureShop.ts';

/** `npm start` sets these variables, too. */
const allocatorLimits = { MALLOC_ARENA_MAX: '1', MALLOC_MMAP_THRESHOLD_: String(2 ** 20) };
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

const pollMs = 500;

/** `startDataThread` gives its threads this name. */
const hasDataThread = ({ pid }: BuiltHost): boolean =>
  readdirSync(`/proc/${pid}/task`).some((thread) =>
    /\bdata\b/.test(readFileSync(`/proc/${pid}/task/${thread}/comm`, 'utf8')),
  );

/** The check of a large ledger can take more than a minute. The window and its texts are released after a minute. */
const waitForRest = async (hosts: readonly BuiltHost[]): Promise<void> => {
  while (hosts.some(hasDataThread)) await sleep(pollMs);
  await sleep(restMs + releaseMarginMs);
};

/**
 * Compares the memory of all processes of a shop, before and after a session, with that of an empty shop that was never
 * used, when no window is open. Both run at the same time, because the system divides the memory of shared files among the
 * processes that use them.
 */
export const measureMemory = async (root: string): Promise<ScaleFigure[]> => {
  const emptyDir = mkdtempSync(join(tmpdir(), 'bench-scale-empty-'));
  const hosts: BuiltHost[] = [];
  try {
    for (const dataDir of [emptyDir, openShop(root).dataDir])
      hosts.push(await startBuiltHost(dataDir, allocatorLimits));
    const [, window] = await Promise.all(hosts.map(connectShop));
    await waitForRest(hosts);
    const [empty = NaN, atRest = NaN] = hosts.map(({ pid }) => readMemoryMb(pid));
    if (window) await runSession(window);
    await waitForRest(hosts);
    const [, afterSession = NaN] = hosts.map(({ pid }) => readMemoryMb(pid));
    console.log(
      `Memory: ${empty.toFixed(1)} MB empty, ${atRest.toFixed(1)} and ${afterSession.toFixed(1)} MB of a shop.`,
    );
    return [['at rest', atRest] as const, ['after a session', afterSession] as const].map(([when, shop]) => ({
      ...{ what: `memory ${when}, of an empty shop`, unit: 'times', value: shop / empty, limit: maxTimesOfEmpty },
    }));
  } finally {
    for (const { end } of hosts) await end('SIGINT');
    rmSync(emptyDir, { recursive: true, force: true });
  }
};

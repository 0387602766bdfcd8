import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { collectGarbage } from '../../../src/host/heapMemory.ts';

const module = join(import.meta.dirname, '..', '..', '..', 'src', 'host', 'heapMemory.ts');

/** Runs a script in a Node process; returns what it and the garbage collector printed. */
const runScript = (script: string): string => {
  const imports = `
    import { getHeapSpaceStatistics } from 'node:v8';
    import { setImmediate } from 'node:timers/promises';
    import { collectGarbage, keepHeapSmall } from ${JSON.stringify(module)};
    const createObjects = (at) => Array.from({ length: 1_000 }, (_, index) => ({ at, index }));
  `;
  const flags = ['--trace-gc', '--input-type=module', '--no-warnings', '-e', imports + script];
  return execFileSync(process.execPath, flags, { encoding: 'utf8' });
};

/** Replaces 300,000 objects ten times; returns the largest size of the heap in MB, and its collections. */
const traceCollections = (first: string): { whole: string[]; young: number; peak: number } => {
  const output = runScript(`
    ${first}
    const living = Array.from({ length: 300 }, (_, at) => createObjects(at));
    let peak = 0;
    for (let at = 0; at < 3_000; at += 1) {
      living[at % 300] = createObjects(at);
      peak = Math.max(peak, process.memoryUsage().heapTotal);
      await setImmediate();
    }
    const young = getHeapSpaceStatistics().find((space) => space.space_name === 'new_space');
    console.log('young ' + young.space_size + ' peak ' + peak);
  `);
  const [, young, peak] = /^young (\d+) peak (\d+)$/m.exec(output) ?? [];
  return {
    whole: output.match(/Mark-Compact( \(\w+\))?/g) ?? [],
    young: Number(young) / 2 ** 20,
    peak: Number(peak) / 2 ** 20,
  };
};

test('a small heap grows little beyond what it holds, and its collections do not move all objects together', () => {
  const [usual, small] = [traceCollections(''), traceCollections('keepHeapSmall();')];
  expect(small.peak).toBeLessThan(usual.peak / 2);
  expect(small.young).toBeLessThan(usual.young / 2);
  expect(new Set(small.whole)).toEqual(new Set(['Mark-Compact']));
});

test('free memory between objects that are still used is returned to the system', () => {
  const output = runScript(`
    let living = Array.from({ length: 400 }, (_, at) => createObjects(at));
    living = living.map((objects) => objects.filter(({ index }) => index % 20 === 0));
    const before = process.memoryUsage().heapTotal;
    collectGarbage();
    console.log('heap ' + before + ' ' + process.memoryUsage().heapTotal);
  `);
  const [, before, after] = /^heap (\d+) (\d+)$/m.exec(output) ?? [];
  expect(Number(after)).toBeLessThan(Number(before) / 2);
});

test('objects that nothing uses are freed at once', async () => {
  const createUnused = (): WeakRef<object> => new WeakRef({ texts: 'attic '.repeat(1_000) });
  const unused = createUnused();
  await setImmediate();
  expect(unused.deref()).toBeDefined();
  // An object that was read stays until the end of the turn.
  await setImmediate();
  collectGarbage();
  expect(unused.deref()).toBeUndefined();
  expect(globalThis.gc).toBeUndefined();
});

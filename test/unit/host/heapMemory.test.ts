import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { collectGarbage } from '../../../src/host/heapMemory.ts';

const module = join(import.meta.dirname, '..', '..', '..', 'src', 'host', 'heapMemory.ts');

/** Runs a Node process that allocates eighty megabytes of short-lived objects; returns its garbage collections. */
const traceCollections = (first: string): { whole: string[]; room: number } => {
  const script = `
    import { getHeapSpaceStatistics } from 'node:v8';
    import { setImmediate } from 'node:timers/promises';
    import { keepHeapSmall } from ${JSON.stringify(module)};
    ${first}
    const living = [];
    for (let at = 0; at < 1_500; at += 1) {
      living.push(Array.from({ length: 1_000 }, (_, index) => ({ at, index })));
      if (living.length > 20) living.shift();
      await setImmediate();
    }
    const young = getHeapSpaceStatistics().find((space) => space.space_name === 'new_space');
    console.log('young ' + young.space_size);
  `;
  const flags = ['--trace-gc', '--input-type=module', '--no-warnings', '-e', script];
  const output = execFileSync(process.execPath, flags, { encoding: 'utf8' });
  return {
    whole: output.match(/Mark-Compact( \(\w+\))?/g) ?? [],
    room: Number(/^young (\d+)$/m.exec(output)?.[1]) / 2 ** 20,
  };
};

test('a small heap returns free memory at each collection and keeps the young generation small', () => {
  const [usual, small] = [traceCollections(''), traceCollections('keepHeapSmall();')];
  expect(new Set(small.whole)).toEqual(new Set(['Mark-Compact (reduce)']));
  expect(small.room).toBeLessThan(usual.room / 2);
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

import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const module = join(import.meta.dirname, '..', '..', '..', 'src', 'host', 'keepHeapSmall.ts');

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

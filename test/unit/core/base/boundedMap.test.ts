import { expect, test } from 'vitest';
import { createBoundedMap } from '../../../../src/core/base/boundedMap.ts';

const keysOf = (map: { entries: () => IterableIterator<[string, string]> }): string[] =>
  [...map.entries()].map(([key]) => key);

test('what was put first goes when there are too many; what is put again counts as new', () => {
  const map = createBoundedMap<string, string>(2);
  map.set('a', '');
  map.set('b', '');
  map.set('a', 'again');
  map.set('c', '');
  expect(keysOf(map)).toEqual(['a', 'c']);
});

test('long values are few: together they weigh no more than they may, and one that is too heavy is not kept', () => {
  const map = createBoundedMap<string, string>(100, { of: (value) => value.length, max: 10 });
  map.set('a', 'xxxxx');
  map.set('b', 'xxxxx');
  map.set('c', 'x');
  expect(keysOf(map)).toEqual(['b', 'c']);
  map.delete('b');
  map.set('d', 'xxxxxxxxx');
  expect(keysOf(map)).toEqual(['c', 'd']);
  map.set('e', 'x'.repeat(11));
  expect(keysOf(map)).toEqual([]);
});

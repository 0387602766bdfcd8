import { expect, test } from 'vitest';
import { createBoundedMap } from '../../../../src/core/base/boundedMap.ts';

const keysOf = (map: { entries: () => IterableIterator<[string, string]> }): string[] =>
  [...map.entries()].map(([key]) => key);

test('a full bounded map drops the entry that was set least recently', () => {
  const map = createBoundedMap<string, string>(2);
  map.set('a', '');
  map.set('b', '');
  map.set('a', 'again');
  map.set('c', '');
  expect(keysOf(map)).toEqual(['a', 'c']);
});

test('a bounded map limits the total weight of its values', () => {
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

import { expect, test } from 'vitest';
import { findGrowth, type Sample } from './measure.ts';

/** Returns the samples of a run of an hour that keeps a thousand items; `at` says what differs in each minute. */
const createHour = (at: (minute: number) => Partial<Sample>): Sample[] =>
  Array.from({ length: 60 }, (_, index) => ({
    ...{ minute: index + 1, items: 1_000, heapBytes: 50e6, rssBytes: 180e6, anonBytes: 110e6, externalBytes: 12e6 },
    ...{ childrenBytes: 240e6, files: 26, sockets: 5 },
    ...at(index + 1),
  }));

test.each<[string, (minute: number) => Partial<Sample>, string[]]>([
  ['stays flat', () => ({}), []],
  ['grows by a twentieth', (minute) => ({ rssBytes: 180e6 * (1 + minute / 1_200) }), []],
  ['grows by a fifth', (minute) => ({ rssBytes: 180e6 * (1 + minute / 300) }), ['memory of the process per item']],
  ['has a growing heap', (minute) => ({ heapBytes: 50e6 * (1 + minute / 300) }), ['heap per item']],
  ['keeps a file open', (minute) => ({ files: minute > 30 ? 27 : 26 }), ['number of files']],
  ['keeps a socket open', (minute) => ({ sockets: minute > 30 ? 6 : 5 }), ['number of sockets']],
  ['opens a socket now and then', (minute) => ({ sockets: 5 + (minute % 2) }), []],
  ['has few items at minute 10', (minute) => ({ items: Math.min(1_000, minute * 40) }), ['number of items']],
])('only excessive growth is reported for a run that %s', (_name, at, tooMuch) => {
  const grown = findGrowth(createHour(at))?.filter(({ growth, max }) => growth > max);
  expect(grown?.map(({ name }) => name)).toEqual(tooMuch);
});

test('growth is not measured in a run of only fourteen minutes', () => {
  expect(findGrowth(createHour(() => ({})).slice(0, 14))).toBeNull();
});

import { expect, test } from 'vitest';
import { mapInSlices, sortInSlices } from '../../../../src/core/base/slices.ts';
import { countTurns } from '../../../helpers/hosts/countTurns.ts';
import { createRandom } from '../../../helpers/createRandom.ts';

type Card = { rank: number; nth: number };
const compareRanks = (one: Card, other: Card): number => one.rank - other.rank;

test('a list of any length is sorted like at once, and equal values keep their order', async () => {
  const random = createRandom(7);
  for (const count of [0, 1, 2, 499, 500, 501, 1_700, 5_003]) {
    const cards = Array.from({ length: count }, (_, nth): Card => ({ rank: Math.floor(random() * 90), nth }));
    expect(await sortInSlices(cards, compareRanks)).toEqual(cards.toSorted(compareRanks));
  }
});

test('other work runs while a long list is sorted and mapped', async () => {
  const cards = Array.from({ length: 5_000 }, (_, nth): Card => ({ rank: -nth, nth }));
  expect((await countTurns(() => sortInSlices(cards, compareRanks))).turns).toBeGreaterThan(20);
  const { turns, result } = await countTurns(() => mapInSlices(cards, ({ nth }) => nth));
  expect(turns).toBeGreaterThan(8);
  expect(result).toEqual(cards.map(({ nth }) => nth));
});

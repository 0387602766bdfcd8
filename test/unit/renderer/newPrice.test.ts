import { expect, test } from 'vitest';
import type { ListingRow } from '../../../src/renderer/src/api/call.ts';
import { newPrice, priceChanges } from '../../../src/renderer/src/screens/listings/useBulk.ts';
import { askedOf, noFilter } from '../../../src/renderer/src/screens/listings/useListings.ts';
import { fakeRows } from '../../helpers/fakes/calls/fakeListingCalls.ts';

test.each([
  ['percent', '-10', 1_999, 1_799],
  ['percent', '12,5 %', 1_000, 1_125],
  ['percent', '−50', 1_001, 501],
  ['amount', '-2.50', 1_000, 750],
  ['amount', '1', 1_000, 1_100],
  ['set', '7,25', 1_000, 725],
] as const)('%s %s makes %i to %i', (how, typed, before, after) => {
  expect(newPrice(how, typed)?.(before)).toBe(after);
});

test.each([
  ['percent', ''],
  ['percent', 'ten'],
  ['amount', '1,2,3'],
  ['set', '-5'],
] as const)('%s %s is no price', (how, typed) => {
  expect(newPrice(how, typed)).toBeNull();
});

test('only live listings whose price would be another, and stay worth something, are changed', () => {
  const [live, sold] = [fakeRows(3)[0], fakeRows(3)[2]] as [ListingRow, ListingRow];
  const noPrice = { ...live, priceCents: null };
  expect(priceChanges([live, sold, noPrice], (cents) => cents - 100)).toEqual({
    changes: [{ row: live, cents: 400 }],
    left: 2,
  });
  expect(priceChanges([live], (cents) => cents - 500).changes).toEqual([]);
  expect(priceChanges([live], (cents) => cents).left).toBe(1);
});

test('a filter asks in whole days, and a price that is no amount is no wish', () => {
  const noon = Date.UTC(2026, 0, 20, 12);
  const day = 86_400_000;
  expect(askedOf({ ...noFilter, age: 'week', min: 'x' }, noon)).toMatchObject({
    from: Date.UTC(2026, 0, 20) - 7 * day,
    minCents: null,
  });
  expect(askedOf({ ...noFilter, age: 'week' }, noon)).toEqual(askedOf({ ...noFilter, age: 'week' }, noon + 3_600_000));
  expect(askedOf({ ...noFilter, age: 'older' }, noon)).toMatchObject({ to: Date.UTC(2026, 0, 20) - 91 * day });
});

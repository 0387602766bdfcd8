import { expect, test } from 'vitest';
import { toSearchFilter, noFilter } from '../../../src/renderer/src/screens/listings/useListings.ts';

test('a listing filter uses whole days and ignores an invalid price', () => {
  const noon = Date.UTC(2026, 0, 20, 12);
  const day = 86_400_000;
  expect(toSearchFilter({ ...noFilter, age: 'week', min: 'x' }, noon)).toMatchObject({
    from: Date.UTC(2026, 0, 20) - 7 * day,
    minCents: null,
  });
  expect(toSearchFilter({ ...noFilter, age: 'week' }, noon)).toEqual(
    toSearchFilter({ ...noFilter, age: 'week' }, noon + 3_600_000),
  );
  expect(toSearchFilter({ ...noFilter, age: 'older' }, noon)).toMatchObject({ to: Date.UTC(2026, 0, 20) - 91 * day });
});

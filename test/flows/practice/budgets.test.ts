import { expect, test } from 'vitest';
import { computeMsUntilPacificMidnight } from '../../../src/practice/world/budgets.ts';

const hour = 3_600_000;

test.each([
  ['a summer day', '2026-07-01T12:30:00-07:00', 11.5],
  ['a winter day', '2026-12-01T23:59:00-08:00', 1 / 60],
  ['midnight', '2026-12-01T00:00:00-08:00', 24],
  ['a day with 23 hours', '2026-03-08T00:00:00-08:00', 23],
  ['a day with 25 hours', '2026-11-01T00:00:00-07:00', 25],
])('the time until midnight Pacific time is correct for %s', (_day, now, hours) => {
  expect(computeMsUntilPacificMidnight(Date.parse(now))).toBe(Math.round(hours * hour));
});

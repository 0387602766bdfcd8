import { expect, test } from 'vitest';
import { createStoredAges, toShownDeadline } from '../../../../src/core/base/storedAges.ts';
import { testClock } from '../../../helpers/testClock.ts';

const hourMs = 3_600_000;

test('the age of an entry stored in this run does not depend on the wall clock', () => {
  const clock = testClock();
  const ages = createStoredAges(clock);
  clock.jumpWall(-2 * hourMs);
  ages.note('one');
  const at = clock.now();
  clock.advance(1_000);
  clock.jumpWall(5 * hourMs);
  expect(ages.ageMs('one', at)).toBe(1_000);
});

test('the age of an entry from an earlier run includes the elapsed time, and a future time counts as the start', () => {
  const clock = testClock();
  const [past, future] = [clock.now() - hourMs, clock.now() + hourMs];
  const ages = createStoredAges(clock);
  clock.jumpWall(-9 * hourMs);
  clock.advance(1_000);
  expect(ages.ageMs('past', past)).toBe(hourMs + 1_000);
  expect(ages.ageMs('future', future)).toBe(1_000);
});

test('the earliest time of recent entries stays correct after the wall clock is changed', () => {
  const clock = testClock();
  const ages = createStoredAges(clock);
  clock.jumpWall(-50 * hourMs);
  ages.note('one');
  const at = clock.now();
  clock.jumpWall(50 * hourMs);
  clock.advance(1_000);
  expect(ages.earliestAt(1_000)).toBeLessThanOrEqual(at);
});

test('a new deadline is shown by the current wall clock, and an unchanged deadline as it was stored', () => {
  expect(toShownDeadline(10_000, 4_990, 5_000)).toBe(10_000);
  expect(toShownDeadline(10_000, 5_000, hourMs)).toBe(hourMs + 5_000);
});

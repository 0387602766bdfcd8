import { expect, test } from 'vitest';
import { createStoredAgeTracker, getDisplayDeadline } from '../../../../src/core/base/storedAges.ts';
import { createTestClock } from '../../../helpers/testClock.ts';

const hourMs = 3_600_000;

test('an entry stored in this run ages by elapsed time, not by the wall clock', () => {
  const clock = createTestClock();
  const ages = createStoredAgeTracker(clock);
  clock.jumpWall(-2 * hourMs);
  ages.note('one');
  const at = clock.now();
  clock.advance(1_000);
  clock.jumpWall(5 * hourMs);
  expect(ages.ageMs('one', at)).toBe(1_000);
});

test('an entry of an earlier run grows older by the time that elapses in this run', () => {
  const clock = createTestClock();
  const [past, future] = [clock.now() - hourMs, clock.now() + hourMs];
  const ages = createStoredAgeTracker(clock);
  clock.jumpWall(-9 * hourMs);
  clock.advance(1_000);
  expect(ages.ageMs('past', past)).toBe(hourMs + 1_000);
  expect(ages.ageMs('future', future)).toBe(1_000);
});

test('the cut-off time for recent entries allows for changes of the wall clock', () => {
  const clock = createTestClock();
  const ages = createStoredAgeTracker(clock);
  clock.jumpWall(-50 * hourMs);
  ages.note('one');
  const at = clock.now();
  clock.jumpWall(50 * hourMs);
  clock.advance(1_000);
  expect(ages.earliestAt(1_000)).toBeLessThanOrEqual(at);
});

test('a stored deadline is shown unchanged unless the wall clock was changed', () => {
  expect(getDisplayDeadline(10_000, 4_990, 5_000)).toBe(10_000);
  expect(getDisplayDeadline(10_000, 5_000, hourMs)).toBe(hourMs + 5_000);
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  getRandomDelayMs,
  getListingsDueAt,
  getBudgetRenewalAt,
  getRandomPauseMs,
  getSecondTryDelayMs,
  getRandomRetryDelayMs,
  delayRanges,
  type DelayName,
} from '../../../../../src/core/service/pacing/waits.ts';

const chance = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

test('a random wait is always between its minimum and its maximum', () => {
  fc.assert(
    fc.property(fc.constantFrom(...(Object.keys(delayRanges) as DelayName[])), chance, (wait, value) => {
      const ms = getRandomDelayMs(wait, () => value);
      expect(ms).toBeGreaterThanOrEqual(delayRanges[wait][0]);
      expect(ms).toBeLessThanOrEqual(delayRanges[wait][1]);
    }),
  );
});

test('notifications are read at most once a minute', () => {
  expect(delayRanges.notifications[0]).toBeGreaterThanOrEqual(60_000);
});

test('the maximum of the random pause doubles with each failure up to five minutes', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 10_000 }), chance, (failures, value) => {
      const ms = getRandomPauseMs(failures, () => value);
      expect(ms).toBeGreaterThanOrEqual(1_000);
      expect(ms).toBeLessThanOrEqual(Math.min(300_000, 2_000 * 2 ** (failures - 1)));
    }),
  );
  expect([1, 3, 20].map((failures) => getRandomPauseMs(failures, () => 0))).toEqual([2_000, 8_000, 300_000]);
  expect([1, 3, 20].map((failures) => getRandomPauseMs(failures, () => 0.999_999)).every((ms) => ms < 1_001)).toBe(
    true,
  );
});

test('a Retry-After is extended at random but never shortened', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 86_400 }), chance, (seconds, value) => {
      const ms = getRandomRetryDelayMs(seconds, () => value);
      expect(ms).toBeGreaterThanOrEqual(seconds * 1_000);
      expect(ms).toBeLessThanOrEqual(seconds * 1_000 + 300_000);
    }),
  );
  // 100,000 companions with a Retry-After of 60 seconds return spread over another minute.
  expect(getRandomRetryDelayMs(60, () => 0.5)).toBe(90_000);
});

test('a call is retried within five seconds or not at all', () => {
  expect([undefined, 3, 5, 6, 120].map((seconds) => getSecondTryDelayMs(seconds, () => 0))).toEqual([
    1_000,
    3_000,
    5_000,
    null,
    null,
  ]);
});

test('new budgets start shortly after midnight Pacific time in summer and in winter', () => {
  for (const [now, midnight] of [
    [Date.UTC(2026, 0, 15, 7), Date.UTC(2026, 0, 15, 8)],
    [Date.UTC(2026, 6, 15, 6, 59, 59), Date.UTC(2026, 6, 15, 7)],
  ] as const) {
    expect(getBudgetRenewalAt(now, () => 0)).toBe(midnight);
    expect(getBudgetRenewalAt(now, () => 0.5)).toBe(midnight + 7.5 * 60_000);
  }
});

test('listings that were never read are due at once, other listings later', () => {
  const [now, hour] = [1_000_000_000, 3_600_000];
  expect(getListingsDueAt(null, now, true, () => 0.5)).toBe(now);
  expect(getListingsDueAt(now, now, false, () => 0)).toBe(now + 6 * hour);
  expect(getListingsDueAt(now - 9 * hour, now, true, () => 0.5)).toBe(now + hour / 8);
  // The clock was set back after the last read.
  expect(getListingsDueAt(now + 90 * hour, now, false, () => 0)).toBe(now + 6 * hour);
});

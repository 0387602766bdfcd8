import { expect, test } from 'vitest';
import {
  formatRelativeTime,
  formatTimeLeft,
  formatWaitTime,
} from '../../../src/renderer/src/components/text/RelativeTime.tsx';

const now = Date.UTC(2026, 10, 21, 12);
const minute = 60_000;

test.each([
  [0, 'just now'],
  [-5_000, 'just now'],
  [44_000, 'just now'],
  [50_000, '1 min ago'],
  [3 * minute, '3 min ago'],
  [90 * minute, '1 h ago'],
  [26 * 60 * minute, 'yesterday'],
  [3 * 24 * 60 * minute, '3 days ago'],
])('%i ms ago is shown as "%s"', (past, words) => expect(formatRelativeTime(now - past, now)).toBe(words));

test('a time more than a week ago is shown as a date', () =>
  expect(formatRelativeTime(Date.UTC(2026, 9, 1, 12), now)).toBe('Oct 1, 2026'));

test('remaining time and waiting time are shown in words', () => {
  expect(formatTimeLeft(28.5 * minute)).toBe('28 min left');
  expect(formatTimeLeft(4_200)).toBe('5 s left');
  expect(formatTimeLeft(-1)).toBe('Time is up');
  expect(formatWaitTime(42)).toBe('42 s');
  expect(formatWaitTime(200)).toBe('3 min 20 s');
});

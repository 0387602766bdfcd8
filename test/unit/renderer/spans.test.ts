import { expect, test } from 'vitest';
import {
  findSpanBefore,
  joinDaysToWeeks,
  listMonthsUpTo,
  splitDaysIntoSpans,
  splitMonthIntoSpans,
} from '../../../src/renderer/src/screens/insights/useInsights.ts';

const now = Date.UTC(2026, 10, 21, 15);
const dayMs = 86_400_000;

test.each([
  [7, 1, 7],
  [30, 1, 30],
  [90, 7, 13],
  [365, 30, 13],
])('the last %i days are split into time spans of %i days without gaps', (days, length, count) => {
  const spans = splitDaysIntoSpans(days, length, now);
  expect(spans).toHaveLength(count);
  expect(spans.at(-1)?.to).toBe('2026-11-21');
  expect(Date.parse('2026-11-21') - Date.parse(spans[0]?.from ?? '')).toBe((days - 1) * dayMs);
  for (const [at, { from, to }] of spans.entries()) {
    expect(Date.parse(to)).toBeGreaterThanOrEqual(Date.parse(from));
    if (at > 0) expect(Date.parse(from) - Date.parse(spans[at - 1]?.to ?? '')).toBe(dayMs);
  }
});

test.each([
  ['2026-10', '2026-10-31', 31],
  ['2026-02', '2026-02-28', 28],
  ['2026-11', '2026-11-21', 21],
])('the month %s is split into days up to %s', (month, last, count) => {
  const spans = splitMonthIntoSpans(month, now);
  expect(spans).toHaveLength(count);
  expect([spans[0]?.from, spans.at(-1)?.to]).toEqual([`${month}-01`, last]);
  for (const [at, { from, to }] of spans.entries()) {
    expect(Date.parse(to)).toBeGreaterThanOrEqual(Date.parse(from));
    if (at > 0) expect(Date.parse(from) - Date.parse(spans[at - 1]?.to ?? '')).toBe(dayMs);
  }
});

test('days are joined to weeks without gaps, and longer spans stay', () => {
  const weeks = joinDaysToWeeks(splitDaysIntoSpans(30, 1, now));
  expect(weeks).toHaveLength(5);
  expect(weeks[0]).toEqual({ from: '2026-10-23', to: '2026-10-29' });
  expect(weeks.at(-1)).toEqual({ from: '2026-11-20', to: '2026-11-21' });
  for (const [at, { from }] of weeks.entries())
    if (at > 0) expect(Date.parse(from) - Date.parse(weeks[at - 1]?.to ?? '')).toBe(dayMs);
  const quarter = splitDaysIntoSpans(90, 7, now);
  expect(joinDaysToWeeks(quarter)).toEqual(quarter);
});

test('the comparison period has the same length and ends the day before the chosen period', () => {
  expect(findSpanBefore(splitDaysIntoSpans(30, 1, now))).toEqual({ from: '2026-09-23', to: '2026-10-22' });
  expect(findSpanBefore(splitMonthIntoSpans('2026-11', now))).toEqual({ from: '2026-10-11', to: '2026-10-31' });
});

test('the offered months are the last twelve, newest first', () => {
  const months = listMonthsUpTo(Date.UTC(2026, 0, 31, 23));
  expect([months.length, months[0], months[1], months.at(-1)]).toEqual([12, '2026-01', '2025-12', '2025-02']);
});

import { expect, test } from 'vitest';
import {
  listMonthsUpTo,
  splitDaysIntoSpans,
  splitMonthIntoSpans,
} from '../../../src/renderer/src/screens/insights/useInsights.ts';

const now = Date.UTC(2026, 10, 21, 15);
const dayMs = 86_400_000;

test.each([7, 30, 90, 365])('the last %i days are split into time spans without gaps', (days) => {
  const spans = splitDaysIntoSpans(days, 6, now);
  expect(spans.length).toBeLessThanOrEqual(6);
  expect(spans.at(-1)?.to).toBe('2026-11-21');
  expect(Date.parse('2026-11-21') - Date.parse(spans[0]?.from ?? '')).toBe((days - 1) * dayMs);
  for (const [at, { from, to }] of spans.entries()) {
    expect(Date.parse(to)).toBeGreaterThanOrEqual(Date.parse(from));
    if (at > 0) expect(Date.parse(from) - Date.parse(spans[at - 1]?.to ?? '')).toBe(dayMs);
  }
});

test.each([
  ['2026-10', '2026-10-31', 6],
  ['2026-02', '2026-02-28', 6],
  ['2026-11', '2026-11-21', 5],
])('the month %s is split into adjacent time spans up to %s', (month, last, count) => {
  const spans = splitMonthIntoSpans(month, now);
  expect(spans).toHaveLength(count);
  expect([spans[0]?.from, spans.at(-1)?.to]).toEqual([`${month}-01`, last]);
  for (const [at, { from, to }] of spans.entries()) {
    expect(Date.parse(to)).toBeGreaterThanOrEqual(Date.parse(from));
    if (at > 0) expect(Date.parse(from) - Date.parse(spans[at - 1]?.to ?? '')).toBe(dayMs);
  }
});

test('the offered months are the last twelve, newest first', () => {
  const months = listMonthsUpTo(Date.UTC(2026, 0, 31, 23));
  expect([months.length, months[0], months[1], months.at(-1)]).toEqual([12, '2026-01', '2025-12', '2025-02']);
});

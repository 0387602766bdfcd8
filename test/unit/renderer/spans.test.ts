import { expect, test } from 'vitest';
import { spansOf } from '../../../src/renderer/src/screens/insights/useInsights.ts';

const now = Date.UTC(2026, 10, 21, 15);
const dayMs = 86_400_000;

test.each([7, 30, 90, 365])('the last %i days are cut into parts that touch and leave nothing out', (days) => {
  const spans = spansOf(days, 6, now);
  expect(spans.length).toBeLessThanOrEqual(6);
  expect(spans.at(-1)?.to).toBe('2026-11-21');
  expect(Date.parse('2026-11-21') - Date.parse(spans[0]?.from ?? '')).toBe((days - 1) * dayMs);
  for (const [at, { from, to }] of spans.entries()) {
    expect(Date.parse(to)).toBeGreaterThanOrEqual(Date.parse(from));
    if (at > 0) expect(Date.parse(from) - Date.parse(spans[at - 1]?.to ?? '')).toBe(dayMs);
  }
});

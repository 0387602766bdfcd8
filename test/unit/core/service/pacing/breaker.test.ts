import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  createBreaker,
  type Breaker,
  type Permit,
  type Verdict,
} from '../../../../../src/core/service/pacing/breaker.ts';
import { randomFrom } from '../../../../helpers/randomFrom.ts';

const longest = () => 0;
const down: Verdict = { kind: 'down' };
const up: Verdict = { kind: 'up' };
const callOnce = (breaker: Breaker, lane: string, now: number, verdict: Verdict = down): void =>
  breaker.end(breaker.begin(lane), verdict, now);

describe('one call tests the way for all', () => {
  test('after a failure nothing goes before the pause is over, and then one call of any kind', () => {
    const breaker = createBreaker(longest);
    callOnce(breaker, 'a', 1_000);
    expect([breaker.goesAt('a'), breaker.goesAt('b')]).toEqual([3_000, 3_000]);
    const test = breaker.begin('b');
    expect([breaker.goesAt('a'), breaker.goesAt('b')]).toEqual([Infinity, Infinity]);
    breaker.end(test, up, 3_000);
    expect(breaker.goesAt('b')).toBe(0);
  });

  test('calls that were under way when one failed are one failure', () => {
    const breaker = createBreaker(longest);
    const permits = ['a', 'a', 'a'].map((lane) => breaker.begin(lane));
    for (const permit of permits) breaker.end(permit, down, 0);
    expect(breaker.goesAt('a')).toBe(2_000);
  });

  test('pauses double up to five minutes', () => {
    const breaker = createBreaker(longest);
    const pauses: number[] = [];
    for (let now = 0, nth = 0; nth < 10; nth += 1) {
      callOnce(breaker, 'a', now);
      pauses.push((breaker.goesAt('a') - now) / 1_000);
      now = breaker.goesAt('a');
    }
    expect(pauses).toEqual([2, 4, 8, 16, 32, 64, 128, 256, 300, 300]);
  });

  test('a kind of call that stays broken is tested ever less often, whatever else works', () => {
    const breaker = createBreaker(longest);
    let now = 0;
    for (let nth = 0; nth < 6; nth += 1) {
      callOnce(breaker, 'broken', now);
      callOnce(breaker, 'fine', now, up);
      expect(breaker.goesAt('fine')).toBe(0);
      now = breaker.goesAt('broken');
    }
    expect(now).toBe((2 + 4 + 8 + 16 + 32 + 64) * 1_000);
  });

  test('when what failed works again, all that failed is tested at once', () => {
    const breaker = createBreaker(longest);
    for (const lane of ['a', 'b', 'c']) callOnce(breaker, lane, 0);
    breaker.end(breaker.begin('a'), up, 50_000);
    expect([breaker.goesAt('a'), breaker.goesAt('b'), breaker.goesAt('d')]).toEqual([0, expect.any(Number), 0]);
    expect(breaker.goesAt('b')).toBeLessThanOrEqual(50_000);
    breaker.begin('b');
    expect(breaker.goesAt('b')).toBe(Infinity);
    expect(breaker.goesAt('c')).toBeLessThanOrEqual(50_000);
  });

  test('a test that says nothing gives its turn to the next', () => {
    const breaker = createBreaker(longest);
    callOnce(breaker, 'a', 0);
    breaker.end(breaker.begin('a'), { kind: 'unknown' }, 5_000);
    expect(breaker.goesAt('a')).toBe(2_000);
  });

  test('"not now" holds only its own kind of call', () => {
    const breaker = createBreaker(longest);
    callOnce(breaker, 'a', 0, { kind: 'busy', retryAfterS: 40 });
    expect([breaker.goesAt('a'), breaker.goesAt('b')]).toEqual([40_000, 0]);
  });
});

describe('the person', () => {
  test('skips the companion’s own pause once, and it does not grow for that', () => {
    const breaker = createBreaker(longest);
    for (const now of [0, 2_000, 6_000]) callOnce(breaker, 'a', now);
    expect(breaker.goesAt('a')).toBe(14_000);
    breaker.hurry(7_000);
    expect(breaker.goesAt('a')).toBeLessThanOrEqual(7_000);
    callOnce(breaker, 'a', 7_000);
    expect(breaker.goesAt('a')).toBe(15_000);
  });

  test('does not skip what the service asked for', () => {
    const breaker = createBreaker(longest);
    callOnce(breaker, 'a', 0, { kind: 'down', retryAfterS: 90 });
    breaker.hurry(1_000);
    expect(breaker.goesAt('a')).toBe(90_000);
  });

  test('ends the quiet after a start', () => {
    const breaker = createBreaker(longest);
    breaker.quiet(0, 20_000);
    expect(breaker.goesAt('a')).toBe(20_000);
    breaker.hurry(1_000);
    expect(breaker.goesAt('a')).toBe(0);
  });
});

const lanes = fc.constantFrom('a', 'b', 'c');
const verdicts: fc.Arbitrary<Verdict> = fc.oneof(
  fc.constant(up),
  fc.constant<Verdict>({ kind: 'unknown' }),
  fc.record({ kind: fc.constant('down' as const), retryAfterS: fc.option(fc.nat(600), { nil: undefined }) }),
  fc.record({ kind: fc.constant('busy' as const), retryAfterS: fc.nat(600) }),
);
const acts = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.record({ do: fc.constant('call' as const), lane: lanes }) },
    { weight: 6, arbitrary: fc.record({ do: fc.constant('end' as const), nth: fc.nat(9), verdict: verdicts }) },
    { weight: 4, arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.nat(400_000) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('hurry' as const) }) },
  ),
  { maxLength: 80 },
);

test('whatever happens: one test at a time while the service is down, no Retry-After is cut short, and a way out stays', () => {
  fc.assert(
    fc.property(acts, fc.nat(), (all, seed) => {
      const breaker = createBreaker(randomFrom(seed));
      const underWay: Permit[] = [];
      const told = new Map<string, number>();
      let now = 0;
      for (const act of all) {
        if (act.do === 'wait') now += act.ms;
        if (act.do === 'hurry') breaker.hurry(now);
        if (act.do === 'call' && breaker.goesAt(act.lane) <= now) {
          if (breaker.isDown()) expect(underWay.filter(({ isTest }) => isTest)).toEqual([]);
          expect(now).toBeGreaterThanOrEqual(told.get(act.lane) ?? 0);
          underWay.push(breaker.begin(act.lane));
        }
        const [ended] = act.do === 'end' ? underWay.splice(act.nth % Math.max(1, underWay.length), 1) : [];
        if (act.do !== 'end' || !ended) continue;
        breaker.end(ended, act.verdict, now);
        if (act.verdict.kind === 'up') told.delete(ended.lane);
        if (act.verdict.kind === 'down' || act.verdict.kind === 'busy')
          told.set(ended.lane, Math.max(told.get(ended.lane) ?? 0, now + (act.verdict.retryAfterS ?? 0) * 1_000));
      }
      for (const permit of underWay) breaker.end(permit, { kind: 'unknown' }, now);
      for (const lane of ['a', 'b', 'c']) expect(breaker.goesAt(lane)).toBeLessThan(now + 21 * 60_000);
    }),
    { numRuns: 400 },
  );
});

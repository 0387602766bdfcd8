import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  createCircuitBreaker,
  type CircuitBreaker,
  type CallPermit,
  type CallVerdict,
} from '../../../../../src/core/service/pacing/circuitBreaker.ts';
import { createRandom } from '../../../../helpers/createRandom.ts';

const drawLongest = () => 0;
const down: CallVerdict = { kind: 'down' };
const up: CallVerdict = { kind: 'up' };
const callOnce = (breaker: CircuitBreaker, lane: string, now: number, verdict: CallVerdict = down): void =>
  breaker.end(breaker.begin(lane), verdict, now);

describe('the circuit breaker', () => {
  test('blocks all calls after a failure and then allows one test call', () => {
    const breaker = createCircuitBreaker(drawLongest);
    callOnce(breaker, 'a', 1_000);
    expect([breaker.earliestSendAt('a'), breaker.earliestSendAt('b')]).toEqual([3_000, 3_000]);
    const test = breaker.begin('b');
    expect([breaker.earliestSendAt('a'), breaker.earliestSendAt('b')]).toEqual([Infinity, Infinity]);
    breaker.end(test, up, 3_000);
    expect(breaker.earliestSendAt('b')).toBe(0);
  });

  test('treats concurrent failed calls as one failure', () => {
    const breaker = createCircuitBreaker(drawLongest);
    const permits = ['a', 'a', 'a'].map((lane) => breaker.begin(lane));
    for (const permit of permits) breaker.end(permit, down, 0);
    expect(breaker.earliestSendAt('a')).toBe(2_000);
  });

  test('doubles its pauses up to five minutes', () => {
    const breaker = createCircuitBreaker(drawLongest);
    const pauses: number[] = [];
    for (let now = 0, nth = 0; nth < 10; nth += 1) {
      callOnce(breaker, 'a', now);
      pauses.push((breaker.earliestSendAt('a') - now) / 1_000);
      now = breaker.earliestSendAt('a');
    }
    expect(pauses).toEqual([2, 4, 8, 16, 32, 64, 128, 256, 300, 300]);
  });

  test('tests a failing kind of call less and less often while other kinds work', () => {
    const breaker = createCircuitBreaker(drawLongest);
    let now = 0;
    for (let nth = 0; nth < 6; nth += 1) {
      callOnce(breaker, 'broken', now);
      callOnce(breaker, 'fine', now, up);
      expect(breaker.earliestSendAt('fine')).toBe(0);
      now = breaker.earliestSendAt('broken');
    }
    expect(now).toBe((2 + 4 + 8 + 16 + 32 + 64) * 1_000);
  });

  test('tests every failed kind of call soon after one kind has recovered', () => {
    const breaker = createCircuitBreaker(drawLongest);
    for (const lane of ['a', 'b', 'c']) callOnce(breaker, lane, 0);
    breaker.end(breaker.begin('a'), up, 50_000);
    expect([breaker.earliestSendAt('a'), breaker.earliestSendAt('b'), breaker.earliestSendAt('d')]).toEqual([
      0,
      expect.any(Number),
      0,
    ]);
    expect(breaker.earliestSendAt('b')).toBeLessThanOrEqual(50_000);
    breaker.begin('b');
    expect(breaker.earliestSendAt('b')).toBe(Infinity);
    expect(breaker.earliestSendAt('c')).toBeLessThanOrEqual(50_000);
  });

  test('treats the next call as a test if the previous test was inconclusive', () => {
    const breaker = createCircuitBreaker(drawLongest);
    callOnce(breaker, 'a', 0);
    breaker.end(breaker.begin('a'), { kind: 'unknown' }, 5_000);
    expect(breaker.earliestSendAt('a')).toBe(2_000);
  });

  test('blocks only the kind of call that was answered with "busy"', () => {
    const breaker = createCircuitBreaker(drawLongest);
    callOnce(breaker, 'a', 0, { kind: 'busy', retryAfterS: 40 });
    expect([breaker.earliestSendAt('a'), breaker.earliestSendAt('b')]).toEqual([40_000, 0]);
  });
});

describe('a retry requested by the person', () => {
  test('skips the companion’s own pause without lengthening the next pause', () => {
    const breaker = createCircuitBreaker(drawLongest);
    for (const now of [0, 2_000, 6_000]) callOnce(breaker, 'a', now);
    expect(breaker.earliestSendAt('a')).toBe(14_000);
    breaker.hurry(7_000);
    expect(breaker.earliestSendAt('a')).toBeLessThanOrEqual(7_000);
    callOnce(breaker, 'a', 7_000);
    expect(breaker.earliestSendAt('a')).toBe(15_000);
  });

  test('does not skip a pause that the service asked for', () => {
    const breaker = createCircuitBreaker(drawLongest);
    callOnce(breaker, 'a', 0, { kind: 'down', retryAfterS: 90 });
    breaker.hurry(1_000);
    expect(breaker.earliestSendAt('a')).toBe(90_000);
  });

  test('ends the quiet period after the start of the companion', () => {
    const breaker = createCircuitBreaker(drawLongest);
    breaker.delayAll(0, 20_000);
    expect(breaker.earliestSendAt('a')).toBe(20_000);
    breaker.hurry(1_000);
    expect(breaker.earliestSendAt('a')).toBe(0);
  });
});

const lanes = fc.constantFrom('a', 'b', 'c');
const verdicts: fc.Arbitrary<CallVerdict> = fc.oneof(
  fc.constant(up),
  fc.constant<CallVerdict>({ kind: 'unknown' }),
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

test('the circuit breaker always respects Retry-After and never blocks forever', () => {
  fc.assert(
    fc.property(acts, fc.nat(), (all, seed) => {
      const breaker = createCircuitBreaker(createRandom(seed));
      const underWay: CallPermit[] = [];
      const retryAfterAt = new Map<string, number>();
      let now = 0;
      for (const act of all) {
        if (act.do === 'wait') now += act.ms;
        if (act.do === 'hurry') breaker.hurry(now);
        if (act.do === 'call' && breaker.earliestSendAt(act.lane) <= now) {
          if (breaker.isDown()) expect(underWay.filter(({ isTest }) => isTest)).toEqual([]);
          expect(now).toBeGreaterThanOrEqual(retryAfterAt.get(act.lane) ?? 0);
          underWay.push(breaker.begin(act.lane));
        }
        const [ended] = act.do === 'end' ? underWay.splice(act.nth % Math.max(1, underWay.length), 1) : [];
        if (act.do !== 'end' || !ended) continue;
        breaker.end(ended, act.verdict, now);
        if (act.verdict.kind === 'up') retryAfterAt.delete(ended.lane);
        if (act.verdict.kind === 'down' || act.verdict.kind === 'busy')
          retryAfterAt.set(
            ended.lane,
            Math.max(retryAfterAt.get(ended.lane) ?? 0, now + (act.verdict.retryAfterS ?? 0) * 1_000),
          );
      }
      for (const permit of underWay) breaker.end(permit, { kind: 'unknown' }, now);
      for (const lane of ['a', 'b', 'c']) expect(breaker.earliestSendAt(lane)).toBeLessThan(now + 21 * 60_000);
    }),
    { numRuns: 400 },
  );
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  pickDeclaredInput,
  parseRouteInput,
  type RawInput,
  type RouteName,
} from '../../../../../src/contract/index.ts';
import { toCanonicalJson } from '../../../../../src/core/base/json.ts';
import {
  createResponseCache,
  createReadSharingClient,
} from '../../../../../src/core/service/throttle/responseCache.ts';
import { createThrottle, createListingReader } from '../../../../../src/core/service/throttle/throttle.ts';
import { createPacing } from '../../../../../src/core/service/pacing/pacing.ts';
import { findRouteFloor } from '../../../../../src/core/service/throttle/floors.ts';
import { Problem } from '../../../../../src/core/base/problem.ts';
import type { ServiceClient } from '../../../../../src/core/service/serviceClient.ts';
import { createTestClock } from '../../../../helpers/testClock.ts';

const minute = 60_000;
const by = { kind: 'assistant', assistantId: 'as_1', name: 'Helper' } as const;

type Step = { route: RouteName; input: RawInput; afterMs: number };
const junk = fc.dictionary(fc.constantFrom('x', '__proto__', 'constructor', 'Q', 'limit ', 'q[]'), fc.string(), {
  maxKeys: 2,
});
const query = (named: Record<string, fc.Arbitrary<unknown>>) =>
  fc.tuple(fc.record(named, { requiredKeys: [] }), junk).map(([own, other]) => ({ query: { ...other, ...own } }));
const step: fc.Arbitrary<Step> = fc
  .oneof(
    query({ q: fc.constantFrom('shoes', 'hats'), limit: fc.integer({ min: 1, max: 4 }) }).map((input) => ({
      route: 'searchComps' as const,
      input,
    })),
    query({ limit: fc.integer({ min: 1, max: 4 }), cursor: fc.constantFrom('a', 'b') }).map((input) => ({
      route: 'listNotifications' as const,
      input,
    })),
    query({}).map((input) => ({ route: 'readStanding' as const, input })),
    fc
      .tuple(fc.constantFrom('li_1', 'li_2'), junk)
      .map(([listingId, body]) => ({ route: 'hydrateListing' as const, input: { params: { listingId }, body } })),
  )
  .chain((one) => fc.integer({ min: 0, max: 20_000 }).map((afterMs) => ({ ...one, afterMs })));

/** Makes the calls of one assistant in order. Returns which calls reached the service, and when. */
const runCalls = async (steps: readonly Step[]) => {
  const clock = createTestClock(0);
  const sent: { route: RouteName; same: string; at: number }[] = [];
  const service: ServiceClient = {
    send: (route, input) => {
      sent.push({ route, same: `${route} ${toCanonicalJson(pickDeclaredInput(route, input))}`, at: clock.now() });
      return Promise.resolve({ status: 200, headers: {}, answer: {} as never });
    },
  };
  const answers = createResponseCache({
    service,
    clock,
    account: () => 'account',
    pacing: createPacing({ clock, random: () => 0 }),
    isPageOpen: () => false,
  });
  const shared = createReadSharingClient(answers, answers.client);
  const conduct = createThrottle({ ...answers, shared }, {} as never, createListingReader(answers, shared));
  for (const { route, input, afterMs } of steps) {
    clock.advance(afterMs);
    const parsed = parseRouteInput(route, input);
    if (!parsed.ok) continue;
    await conduct
      .send(by, route, parsed.input, { waitMs: 0, internal: false, signal: undefined })
      .catch((error: unknown) => {
        if (!(error instanceof Problem) || error.code !== 'SLOW_DOWN') throw error;
      });
  }
  return sent;
};

/** Returns the largest number of these times within one minute. */
const maxInAMinute = (times: readonly number[]): number =>
  Math.max(0, ...times.map((from) => times.filter((at) => at >= from && at < from + minute).length));

test('an assistant cannot exceed the rate limits by varying its calls', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 120 }), async (steps) => {
      const sent = await runCalls(steps);
      for (const route of new Set(sent.map((one) => one.route))) {
        const times = sent.filter((one) => one.route === route).map(({ at }) => at);
        expect(maxInAMinute(times)).toBeLessThanOrEqual(findRouteFloor(route)?.perMinute ?? 0);
      }
      // At most one cached and one uncached call. Routes whose data a marketplace refresh changes are excluded.
      const lasting = sent.filter(({ route }) => findRouteFloor(route)?.throughWrites);
      for (const same of new Set(lasting.map((one) => one.same)))
        expect(maxInAMinute(sent.filter((one) => one.same === same).map(({ at }) => at))).toBeLessThanOrEqual(2);
    }),
    { numRuns: 300 },
  );
});

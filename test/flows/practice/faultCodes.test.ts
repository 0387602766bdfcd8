import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  operationCodes,
  buildRoutePath,
  routeNames,
  findRouteByName,
  type RouteName,
} from '../../../src/contract/index.ts';
import { startTestPractice, type TestPractice } from '../../helpers/practice.ts';
import { goodInputs, sendable, type Scene } from '../../helpers/practice/goodInputs.ts';

let practice: TestPractice;
let scene: Scene;
beforeAll(async () => {
  practice = await startTestPractice();
  scene = { practice, ann: await practice.person({ plan: 'Scale', connected: true }) };
});
afterAll(() => practice.close());

type Ordered = { status: number; headers?: Record<string, string>; body?: Record<string, unknown> };

/** How the refusals look that come from around the service; the causes of most can be had, too. */
const answered: Partial<Record<RouteName, Record<string, Ordered>>> = {
  verifySignIn: { ACCOUNT_BUSY: { status: 503, headers: { 'retry-after': '5' } } },
  setExtras: {
    EXTRAS_UNAVAILABLE: { status: 409 },
    TRY_AGAIN: { status: 503, headers: { 'retry-after': '30' } },
    'overage-state-conflict': { status: 409 },
    'overage-provider-unavailable': { status: 502 },
    'overage-update-failed': { status: 500 },
  },
  approveExtras: {
    EXTRAS_CHANGED: { status: 409 },
    TRY_AGAIN: { status: 503, headers: { 'retry-after': '30' } },
    AGENT_ONLY: { status: 403 },
  },
  publishListing: { MARKET_TRANSIENT: { status: 503 }, POLICY_REPAIR_FAILED: { status: 409 } },
  publishChannels: { MARKET_TRANSIENT: { status: 503 }, POLICY_REPAIR_FAILED: { status: 409 } },
};

/** Every code that the interface has for a route. */
const codesOf = (name: RouteName): readonly string[] =>
  (operationCodes as Partial<Record<RouteName, readonly string[]>>)[name] ?? [];

const table = routeNames.flatMap((name) =>
  codesOf(name).map((code) => [name, code, answered[name]?.[code] ?? { status: 409 }] as const),
);

test.each(table)(
  '%s is refused with %s once when that fault is ordered, and has no effect',
  async (name, code, ordered) => {
    const { method, path, status = 200 } = findRouteByName(name);
    const good = sendable.parse(await goodInputs[name](scene));
    const call = () =>
      practice.call(
        good.key ?? scene.ann.agentKey,
        method,
        buildRoutePath(path, good.params, good.query),
        good.body,
        // A key of its own for each draft: the table asks for more than one.
        name === 'createListing' ? { 'idempotency-key': `ordered-${code}` } : {},
      );
    await practice.fault({ method, path, code, ...ordered });
    const before = (await practice.journal()).length;
    const refused = await call();
    expect(refused).toMatchObject({ status: ordered.status, body: { code, error: expect.any(String) as string } });
    expect(refused.headers).toMatchObject(ordered.headers ?? {});
    expect(await practice.journal()).toHaveLength(before);
    expect((await call()).status).toBe(status);
  },
);

test('every code that can be ordered is a code of the interface', () => {
  for (const [name, codes] of Object.entries(answered))
    for (const code of Object.keys(codes)) expect(codesOf(name as RouteName)).toContain(code);
});

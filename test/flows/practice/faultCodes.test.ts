import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  operationCodes,
  buildRoutePath,
  routeNames,
  getRouteByName,
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

/** The answers of configurable faults. A code without an entry is answered with 409. */
const answersByRoute: Partial<Record<RouteName, Record<string, Ordered>>> = {
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

const listCodes = (name: RouteName): readonly string[] =>
  (operationCodes as Partial<Record<RouteName, readonly string[]>>)[name] ?? [];

const table = routeNames.flatMap((name) =>
  listCodes(name).map((code) => [name, code, answersByRoute[name]?.[code] ?? { status: 409 }] as const),
);

test.each(table)('a simulated fault refuses the next %s call with %s', async (name, code, ordered) => {
  const { method, path, status = 200 } = getRouteByName(name);
  const good = sendable.parse(await goodInputs[name](scene));
  const call = () =>
    practice.call(
      good.key ?? scene.ann.agentKey,
      method,
      buildRoutePath(path, good.params, good.query),
      good.body,
      // Each draft needs a new key, because the table creates several drafts.
      name === 'createListing' ? { 'idempotency-key': `ordered-${code}` } : {},
    );
  await practice.fault({ method, path, code, ...ordered });
  const before = (await practice.journal()).length;
  const refused = await call();
  expect(refused).toMatchObject({ status: ordered.status, body: { code, error: expect.any(String) as string } });
  expect(refused.headers).toMatchObject(ordered.headers ?? {});
  expect(await practice.journal()).toHaveLength(before);
  expect((await call()).status).toBe(status);
});

test('every error code that a simulated fault can return exists in the interface', () => {
  for (const [name, codes] of Object.entries(answersByRoute))
    for (const code of Object.keys(codes)) expect(listCodes(name as RouteName)).toContain(code);
});

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  limits,
  plans,
  quotas,
  routeNames,
  getRouteByName,
  type Quota,
  buildRoutePath,
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

const photos = (count: number, contentType = 'image/jpeg') =>
  Array.from({ length: count }, (_, index) => ({ contentType, index }));

test.each(plans)(
  'the plan $name has $listingsPerMonth listings a month and $photosPerListing photos a listing',
  async (plan) => {
    const { agentKey: key } = await practice.person({ plan: plan.name });
    const { listingsPerMonth: remaining, photosPerListing: cap } = plan;
    expect((await practice.call(key, 'GET', '/agent/me')).body).toMatchObject({ allowance: { remaining } });
    const listingId = await practice.draft(key, 0);
    const ask = (count: number) =>
      practice.call(key, 'POST', '/listings/upload-url', { listingId, files: photos(count) });
    expect((await ask(cap + 1)).status).toBe(400);
    expect((await ask(cap)).status).toBe(200);
    expect(cap).toBeLessThanOrEqual(limits.photosPerListing);
  },
);

test.each(plans)(
  'the last listing of the plan $name is generated, and the next listing fails',
  async ({ name, listingsPerMonth }) => {
    const { agentKey: key } = await practice.person({ plan: name, used: listingsPerMonth - 1 });
    const [last, over] = [await practice.written(key), await practice.written(key)];
    const read = async (listingId: string) => (await practice.call(key, 'GET', `/listings/${listingId}`)).body;
    expect(await read(last)).toMatchObject({ status: 'pending_review' });
    expect(await read(over)).toMatchObject({ status: 'failed', processingErrorCode: 'USAGE_LIMIT' });
  },
);

test.each(['image/heic', 'image/gif', 'image/svg+xml'])('an upload slot is refused for the type %s', async (type) => {
  const listingId = await practice.draft(scene.ann.agentKey, 0);
  const body = { listingId, files: photos(1, type) };
  expect((await practice.call(scene.ann.agentKey, 'POST', '/listings/upload-url', body)).status).toBe(400);
});

const withQuota = routeNames.filter((name) => getRouteByName(name).quota !== undefined);

describe('daily budgets', () => {
  test('each quota of the interface applies to at least one route', () => {
    const used = new Set(withQuota.map((name) => getRouteByName(name).quota));
    expect([...used].sort()).toEqual([...quotas].sort());
  });

  test.each(withQuota)('%s is refused with 429 once its daily budget is used up', async (name) => {
    const { method, path, quota, status = 200 } = getRouteByName(name);
    const good = sendable.parse(await goodInputs[name](scene));
    const key = good.key ?? scene.ann.agentKey;
    const call = () => practice.call(key, method, buildRoutePath(path, good.params, good.query), good.body);
    const { userId } = (await practice.call(key, 'GET', '/auth/me')).body as { userId: string };
    const set = (used: number) =>
      practice.control('POST', '/budgets', { userId, quota: quota satisfies Quota | undefined, used });
    await set(1_000_000);
    const spent = await call();
    const own = quota === 'payment' || quota === 'extras_approval';
    expect(spent).toMatchObject({
      status: 429,
      body: {
        error: expect.stringMatching(
          own ? /^The service's own daily limit/ : /^The marketplace's daily limit.*midnight Pacific/,
        ) as string,
      },
    });
    expect(Number(spent.headers['retry-after'])).toBeGreaterThan(0);
    await set(0);
    expect((await call()).status).toBe(status);
  });
});

describe('extras', () => {
  const rate = 60;
  const payer = async (options = {}) => {
    const email = `extras-${Math.random()}@example.com`;
    const person = await practice.person({ email, plan: 'Lite', used: 30, extras: true, ...options });
    const approve = (key: string, count: number) =>
      practice.call(key, 'POST', '/subscriptions/extras-approval', { count, rateCents: rate });
    return { ...person, email, approve };
  };
  const approvalOf = async (key: string) =>
    ((await practice.call(key, 'GET', '/agent/me')).body as { allowance: { extras: { approval: unknown } } }).allowance
      .extras.approval;

  test('parallel generations use no more extras than the person approved', async () => {
    const { agentKey: key, approve } = await payer();
    await approve(key, 2);
    await practice.control('POST', '/writer', { delayMs: 60_000 });
    const drafts = [await practice.draft(key), await practice.draft(key), await practice.draft(key)];
    await Promise.all(drafts.map((id) => practice.call(key, 'POST', `/listings/${id}/generate`, {})));
    const states = await Promise.all(
      drafts.map(
        async (id) => ((await practice.call(key, 'GET', `/listings/${id}`)).body as { status: string }).status,
      ),
    );
    expect(states.sort()).toEqual(['failed', 'processing', 'processing']);
    expect(await approvalOf(key)).toBeNull();
    await practice.control('POST', '/writer', {});
    await practice.advance(60_000);
  });

  test('a newer extras approval by another assistant supersedes the previous approval', async () => {
    const { agentKey: first, email, approve } = await payer();
    const second = (await practice.person({ email })).agentKey;
    await approve(first, 20);
    await approve(second, 20);
    expect(await approvalOf(first)).toBeNull();
    expect(await approvalOf(second)).toMatchObject({ remaining: 20 });
    expect(await approve(first, 11)).toMatchObject({ status: 429, body: { code: 'EXTRAS_DAILY_LIMIT' } });
    expect((await approve(first, 10)).status).toBe(200);
  });

  test('a change that turns extras on or off applies to all assistants of an account', async () => {
    const { agentKey: first, email, approve } = await payer({ extras: undefined });
    const second = (await practice.person({ email })).agentKey;
    const turn = (key: string, body: unknown) => practice.call(key, 'PATCH', '/subscriptions/overage', body);
    await turn(first, { enabled: true, acknowledgedRateCents: rate });
    expect((await approve(second, 1)).status).toBe(200);
    await turn(first, { enabled: false });
    expect(await approvalOf(second)).toBeNull();
    expect(await approve(second, 1)).toMatchObject({ status: 409, body: { code: 'EXTRAS_OFF' } });
    expect(await turn(second, { enabled: true, acknowledgedRateCents: rate })).toMatchObject({
      status: 429,
      body: { code: 'EXTRAS_ON_LIMIT' },
    });
  });

  test('a missing confirmation e-mail is sent when extras are turned on again', async () => {
    const { agentKey: key, email, approve } = await payer({ extrasReceipt: false });
    expect(await approve(key, 1)).toMatchObject({ status: 409, body: { code: 'EXTRAS_ON_UNCONFIRMED' } });
    const on = { enabled: true, acknowledgedRateCents: rate };
    expect((await practice.call(key, 'PATCH', '/subscriptions/overage', on)).status).toBe(200);
    expect(await practice.control('GET', `/outbox?email=${email}`)).toHaveLength(1);
    expect((await approve(key, 1)).status).toBe(200);
  });
});

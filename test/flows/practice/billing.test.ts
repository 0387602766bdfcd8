import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestPractice, type PersonOptions, type TestPractice } from '../../helpers/practice.ts';

let practice: TestPractice;
beforeAll(async () => {
  practice = await startTestPractice();
});
afterAll(() => practice.close());

const hour = 3_600_000;
let nth = 0;

const setUpPayer = async (given: PersonOptions = {}) => {
  nth += 1;
  const email = given.email ?? `payer-${nth}@example.com`;
  const { agentKey: key } = await practice.person({ plan: 'Lite', ...given, email });
  const call = (method: string, path: string, body?: unknown) => practice.call(key, method, path, body);
  const extras = (body: unknown) => call('PATCH', '/subscriptions/overage', body);
  const approve = (count: number, rateCents = 60) =>
    call('POST', '/subscriptions/extras-approval', { count, rateCents });
  const standing = async () =>
    (await call('GET', '/agent/me')).body as { allowance: { extras: Record<string, unknown> } };
  const mails = async () => (await practice.control('GET', `/outbox?email=${email}`)) as { subject: string }[];
  return { key, email, call, extras, approve, standing, mails };
};

test('extras can be turned on only at the current rate', async () => {
  const { extras, standing, mails } = await setUpPayer();
  expect(await standing()).toMatchObject({
    allowance: { extras: { available: true, enabled: false, rateCents: 60, approval: null } },
  });
  for (const body of [{ enabled: true }, { enabled: true, acknowledgedRateCents: 59 }])
    expect(await extras(body)).toMatchObject({ status: 409, body: { code: 'RATE_CHANGED', rateCents: 60 } });
  expect(await mails()).toEqual([]);
  expect((await extras({ enabled: true, acknowledgedRateCents: 60 })).body).toMatchObject({ enabled: true });
  expect(await mails()).toHaveLength(1);
  expect((await extras({ enabled: true, acknowledgedRateCents: 60 })).status).toBe(200);
  expect((await extras({ enabled: false })).body).toMatchObject({ enabled: false });
  const again = await extras({ enabled: true, acknowledgedRateCents: 60 });
  expect(again).toMatchObject({ status: 429, body: { code: 'EXTRAS_ON_LIMIT' } });
  expect(Number(again.headers['retry-after'])).toBeGreaterThan(23 * 3600);
  await practice.advance(24 * hour);
  expect((await extras({ enabled: true, acknowledgedRateCents: 60 })).status).toBe(200);
});

test('extras can be turned off even if the payment budget is used up', async () => {
  const { call, extras, approve, standing } = await setUpPayer({ extras: true });
  await approve(3);
  await practice.control('POST', '/budgets', { userId: await userIdOf(call), quota: 'payment', used: 500 });
  expect((await call('GET', '/subscriptions')).status).toBe(429);
  expect((await extras({ enabled: true, acknowledgedRateCents: 60 })).status).toBe(429);
  expect(await extras({ enabled: false })).toMatchObject({ status: 200, body: { enabled: false } });
  expect(await standing()).toMatchObject({ allowance: { extras: { enabled: false, approval: null } } });
  expect((await (await setUpPayer({ plan: 'Free' })).extras({ enabled: false })).status).toBe(200);
});

test.each(['pro', 'free'])('a change to the plan “%s” turns extras off and ends their approval', async (plan) => {
  const { call, email, approve, standing } = await setUpPayer({ extras: true });
  await approve(3);
  const { url } = (await call('POST', '/subscriptions/portal', {})).body as { url: string };
  expect((await fetch(url, { method: 'POST', body: new URLSearchParams({ plan }) })).status).toBe(200);
  expect(await standing()).toMatchObject({ allowance: { extras: { enabled: false, approval: null } } });
  if (plan === 'free') return;
  // Turning extras on at a new rate does not restore the approval at the old rate.
  expect((await call('PATCH', '/subscriptions/overage', { enabled: true, acknowledgedRateCents: 50 })).status).toBe(
    200,
  );
  expect(await standing()).toMatchObject({ allowance: { extras: { enabled: true, approval: null } } });
  await approve(2, 50);
  await practice.person({ email, extras: false });
  await practice.person({ email, extras: true });
  expect(await standing()).toMatchObject({ allowance: { extras: { enabled: true, approval: null } } });
});

test.each([
  ['the Free plan', { plan: 'Free' }, 'free'],
  ['a plan from an app store', { plan: 'Pro', store: true }, 'store'],
])('extras are unavailable to a person with %s', async (_plan, given, reason) => {
  const { extras, approve, standing } = await setUpPayer(given);
  expect(await standing()).toMatchObject({ allowance: { extras: { available: false } } });
  const on = await extras({ enabled: true, acknowledgedRateCents: 60 });
  expect(on).toMatchObject({ status: 409, body: { code: 'overage-unavailable', reason } });
  expect(await approve(1)).toMatchObject({ status: 409, body: { code: 'EXTRAS_UNAVAILABLE' } });
});

test('each kind of malformed billing request is refused with its own error code', async () => {
  const { extras, call } = await setUpPayer();
  expect(await extras({ enabled: 'yes' })).toMatchObject({ status: 400, body: { code: 'invalid-overage-request' } });
  for (const body of [{}, { count: 0, rateCents: 60 }, { count: 51, rateCents: 60 }, { count: 1 }])
    expect(await call('POST', '/subscriptions/extras-approval', body)).toMatchObject({
      status: 400,
      body: { code: 'INVALID_REQUEST' },
    });
});

test('an extras approval is refused while extras are off or if it names a different rate', async () => {
  const { approve, extras, mails, standing, key, call } = await setUpPayer();
  expect(await approve(2)).toMatchObject({ status: 409, body: { code: 'EXTRAS_OFF' } });
  await extras({ enabled: true, acknowledgedRateCents: 60 });
  expect(await approve(2, 55)).toMatchObject({ status: 409, body: { code: 'RATE_CHANGED', rateCents: 60 } });
  const first = (await approve(20)).body as { approvalId: string };
  expect(first.approvalId).toMatch(/^xa_[0-9A-Za-z]{12}$/);
  expect(await mails()).toHaveLength(2);
  expect(await standing()).toMatchObject({ allowance: { extras: { approval: { remaining: 20 } } } });
  const second = (await approve(30)).body as { approvalId: string };
  expect(await approve(1)).toMatchObject({ status: 429, body: { code: 'EXTRAS_DAILY_LIMIT' } });
  const listingId = await practice.draft(key);
  const generate = (extrasApprovalId: string) => call('POST', `/listings/${listingId}/generate`, { extrasApprovalId });
  expect(await generate('nonsense')).toMatchObject({ status: 400, body: { code: 'BAD_EXTRAS_APPROVAL' } });
  expect(await generate(first.approvalId)).toMatchObject({ status: 409, body: { code: 'EXTRAS_APPROVAL_REQUIRED' } });
  expect((await call('GET', `/listings/${listingId}`)).body).toMatchObject({ status: 'draft' });
  await extras({ enabled: false });
  expect(await generate(second.approvalId)).toMatchObject({ status: 409 });
  expect(await standing()).toMatchObject({ allowance: { extras: { approval: null } } });
});

test('an extra is charged once, and only to the assistant with the approval', async () => {
  const { key, call, approve, email } = await setUpPayer({ plan: 'Lite', extras: true });
  for (let used = 0; used < 30; used += 1) await practice.written(key);
  expect((await call('GET', '/agent/me')).body).toMatchObject({
    allowance: { remaining: 0, nextListing: { kind: 'extras_approval_required' } },
    nextSteps: expect.arrayContaining([expect.objectContaining({ code: 'EXTRAS_AVAILABLE' })]) as unknown,
  });
  await approve(1);
  expect((await call('GET', '/agent/me')).body).toMatchObject({ allowance: { nextListing: { kind: 'extra' } } });
  const other = (await practice.person({ email })).agentKey;
  expect((await practice.call(other, 'GET', '/agent/me')).body).toMatchObject({
    allowance: { nextListing: { kind: 'extras_approval_required' } },
  });
  const { approvalId } = (
    (await call('GET', '/agent/me')).body as {
      allowance: { extras: { approval: { approvalId: string } } };
    }
  ).allowance.extras.approval;
  const theirs = await practice.draft(other);
  expect(
    await practice.call(other, 'POST', `/listings/${theirs}/generate`, { extrasApprovalId: approvalId }),
  ).toMatchObject({
    status: 409,
    body: { code: 'EXTRAS_APPROVAL_REQUIRED' },
  });
  const listingId = await practice.draft(key);
  await call('POST', `/listings/${listingId}/generate`, { extrasApprovalId: approvalId });
  expect(await practice.settled(key, listingId)).toMatchObject({ status: 'pending_review' });
  const charges = (await practice.journal()).filter((row) => row.kind === 'charge' && row['listingId'] === listingId);
  expect(charges).toMatchObject([{ what: 'extra', amountMinor: 60, currency: 'USD', approvalId }]);
  const next = await practice.draft(key);
  await call('POST', `/listings/${next}/generate`, {});
  expect((await call('GET', `/listings/${next}`)).body).toMatchObject({
    status: 'failed',
    processingErrorCode: 'USAGE_LIMIT',
  });
});

test('an extras approval expires after 24 hours', async () => {
  const { approve, standing } = await setUpPayer({ extras: true });
  await approve(5);
  await practice.advance(24 * hour);
  expect(await standing()).toMatchObject({ allowance: { extras: { approval: null } } });
});

test('a checkout changes the plan only after the person completes the payment', async () => {
  const { call } = await setUpPayer({ plan: 'Free', trialEligible: true });
  const token = (body: unknown) => call('POST', '/billing/external-checkout-token', body);
  expect((await token({ tier: 'gold' })).status).toBe(400);
  expect((await token({ tier: 'starter', trial: true })).status).toBe(400);
  const { url } = (await token({ tier: 'lite', trial: true })).body as { url: string };
  expect((await call('GET', '/auth/me')).body).toMatchObject({ plan: 'free' });
  expect((await fetch(url, { method: 'POST' })).status).toBe(200);
  expect((await call('GET', '/agent/me')).body).toMatchObject({
    plan: { code: 'lite', trial: true },
    allowance: { remaining: 30, extras: { available: false, enabled: false } },
  });
  expect((await call('GET', '/subscriptions')).body).toMatchObject({ plan: 'lite', status: 'trialing' });
  expect((await token({ tier: 'pro' })).status).toBe(409);
  await practice.advance(7 * 24 * hour);
  expect((await call('GET', '/subscriptions')).body).toMatchObject({ plan: 'lite', status: 'active' });
  expect((await call('GET', '/subscriptions/invoices')).body).toMatchObject({ invoices: [{ amountCents: 1_499 }] });
});

test.each([
  ['a person who never had a plan', { plan: 'Free', trialEligible: true }, true],
  ['a person who already had a trial', { plan: 'Free', trialEligible: false }, false],
  ['a subscriber', { plan: 'Pro', trialEligible: true }, false],
  ['a subscriber through an app store', { plan: 'Lite', store: true, trialEligible: true }, false],
])('products, account standing and checkout all offer or refuse a trial for %s', async (_who, given, isOffered) => {
  const { call } = await setUpPayer(given);
  expect((await call('GET', '/iap/products')).body).toMatchObject({ trialEligible: isOffered });
  expect((await call('GET', '/agent/me')).body).toMatchObject({ upgrade: { offerTrial: isOffered } });
  const checkout = await call('POST', '/billing/external-checkout-token', { tier: 'lite', trial: true });
  expect(checkout.status === 200).toBe(isOffered);
});

test('a plan from a phone app store can be changed only in that store', async () => {
  const { call, standing } = await setUpPayer({ store: true });
  const tellThePerson = expect.stringContaining('App Store') as string;
  expect(await standing()).toMatchObject({ upgrade: { how: { openApp: true, tellThePerson } } });
  expect(await call('POST', '/subscriptions/portal', {})).toMatchObject({
    status: 409,
    body: { error: tellThePerson },
  });
});

test('the person can end a plan in the billing portal', async () => {
  const { call } = await setUpPayer({ plan: 'Starter' });
  const { url } = (await call('POST', '/subscriptions/portal', {})).body as { url: string };
  const form = new URLSearchParams({ plan: 'free' });
  expect((await fetch(url, { method: 'POST', body: form })).status).toBe(200);
  expect((await call('GET', '/auth/me')).body).toMatchObject({ plan: 'free' });
  expect((await call('POST', '/subscriptions/portal', {})).status).toBe(409);
});

test('billing routes report the credit balance and whether a promo code is valid', async () => {
  const { call } = await setUpPayer({ credits: 3, trialEligible: false });
  expect((await call('GET', '/iap/credits')).body).toMatchObject({ balance: 3 });
  expect((await call('GET', '/iap/products')).body).toMatchObject({ trialEligible: false });
  expect((await call('POST', '/subscriptions/promo-code', { code: 'practice10' })).body).toMatchObject({ valid: true });
  expect((await call('POST', '/subscriptions/promo-code', { code: 'FREE' })).body).toMatchObject({ valid: false });
  expect((await call('POST', '/subscriptions/checkout', { tier: 'pro' })).status).toBe(409);
});

test('the daily budget for fee quotes resets at midnight Pacific time', async () => {
  const { key, call } = await setUpPayer();
  const listingId = await practice.draft(key, 0);
  const quote = () => call('POST', `/listings/${listingId}/channels/fees`, {});
  await practice.control('POST', '/budgets', { userId: await userIdOf(call), quota: 'fee_verify', used: 499 });
  expect((await quote()).status).toBe(200);
  const spent = await quote();
  expect(spent).toMatchObject({ status: 429, body: { error: expect.stringContaining('midnight Pacific') as string } });
  const wait = Number(spent.headers['retry-after']);
  expect(wait).toBeLessThanOrEqual(25 * 3600);
  expect((await call('GET', '/market/rate-limits')).body).toMatchObject({
    budgets: expect.arrayContaining([{ quota: 'fee_verify', limit: 500, remaining: 0 }]) as unknown,
  });
  await practice.advance(wait * 1000);
  expect((await quote()).status).toBe(200);
});

const userIdOf = async (call: (method: string, path: string) => Promise<{ body: unknown }>): Promise<string> =>
  ((await call('GET', '/auth/me')).body as { userId: string }).userId;

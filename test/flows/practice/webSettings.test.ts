import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { startTestPractice, type TestPractice } from '../../helpers/practice.ts';

let practice: TestPractice;
beforeAll(async () => {
  practice = await startTestPractice();
});
afterAll(() => practice.close());

const forbidden = { status: 403, body: { message: 'Forbidden' } };
const readStanding = (key: string) => practice.call(key, 'GET', '/agent/me');
const codes = z.array(z.object({ code: z.string() }));
const started = z.looseObject({ challengeId: z.string() });
const signedIn = z.looseObject({ apiKey: z.string(), userId: z.string(), keyId: z.string() });

const signInByCode = async (email: string) => {
  const start = await practice.call(null, 'POST', '/agent/auth/start', { email, agentLabel: 'By code' });
  const { challengeId } = started.parse(start.body);
  const [mail] = codes.parse(await practice.control('GET', `/outbox?email=${encodeURIComponent(email)}`));
  return practice.call(null, 'POST', '/agent/auth/verify', { challengeId, email, code: mail?.code });
};

test('the keys and the e-mail address of a deleted account are refused', async () => {
  const email = 'gone@example.com';
  const { userId, agentKey } = await practice.person({ email });
  const byCode = signedIn.parse((await signInByCode(email)).body);
  await practice.control('DELETE', '/people', { userId });
  for (const key of [agentKey, byCode.apiKey]) expect(await readStanding(key)).toMatchObject(forbidden);
  expect(await signInByCode(email)).toMatchObject({ status: 409, body: { code: 'ACCOUNT_UNAVAILABLE' } });
  expect((await practice.call(null, 'POST', '/practice/people', { email })).status).toBe(409);
});

test('a password change revokes only the keys that were created by a sign-in code', async () => {
  const email = 'password@example.com';
  const { userId, agentKey } = await practice.person({ email });
  const byCode = signedIn.parse((await signInByCode(email)).body);
  await practice.control('POST', '/passwords', { userId });
  expect((await readStanding(byCode.apiKey)).status).toBe(200);
  await practice.control('POST', '/passwords', { userId });
  expect(await readStanding(byCode.apiKey)).toMatchObject(forbidden);
  expect((await readStanding(agentKey)).status).toBe(200);
});

test('the person can see and disconnect every connected assistant', async () => {
  const email = 'settings@example.com';
  const { agentKey } = await practice.person({ email });
  const { apiKey, keyId } = signedIn.parse((await signInByCode(email)).body);
  expect((await practice.call(agentKey, 'GET', '/agent/keys')).body).toMatchObject({
    keys: [
      { connectedBy: 'settings', current: true },
      { keyId, label: 'By code', connectedBy: 'code', current: false },
    ],
  });
  await practice.control('DELETE', '/keys', { keyId });
  expect(await readStanding(apiKey)).toMatchObject(forbidden);
  expect((await readStanding(agentKey)).status).toBe(200);
  for (const [method, path, body] of [
    ['DELETE', '/practice/keys', { keyId: 'key_none' }],
    ['DELETE', '/practice/people', { userId: 'usr_none' }],
    ['POST', '/practice/passwords', { userId: 'usr_none' }],
  ] as const)
    expect((await practice.call(null, method, path, body)).status).toBe(404);
});

test('each month of a plan is billed until the person ends the plan', async () => {
  const { agentKey: key } = await practice.person({ plan: 'Starter' });
  const bills = async () =>
    z
      .looseObject({ invoices: z.array(z.looseObject({ amountCents: z.int(), at: z.string() })) })
      .parse((await practice.call(key, 'GET', '/subscriptions/invoices')).body).invoices;
  expect(await bills()).toEqual([]);
  await practice.advance(32 * 24 * 3_600_000);
  expect(await bills()).toMatchObject([{ amountCents: 4_999 }]);
  await practice.advance(62 * 24 * 3_600_000);
  const three = await bills();
  expect(three).toHaveLength(3);
  expect(new Set(three.map(({ at }) => at.slice(0, 7))).size).toBe(3);
  const portal = await practice.call(key, 'POST', '/subscriptions/portal', {});
  const { url } = z.looseObject({ url: z.string() }).parse(portal.body);
  await fetch(url, { method: 'POST', body: new URLSearchParams({ plan: 'free' }) });
  await practice.advance(62 * 24 * 3_600_000);
  expect(await bills()).toHaveLength(3);
});

test('credits that were bought in the phone app are used after the plan', async () => {
  const { agentKey: key, userId } = await practice.person({ plan: 'Free', used: 5 });
  expect(await practice.control('POST', '/purchases', { userId, productId: 'credits_5' })).toEqual({ credits: 5 });
  expect((await practice.call(key, 'GET', '/iap/credits')).body).toMatchObject({ balance: 5 });
  await practice.written(key);
  expect((await practice.call(key, 'GET', '/iap/credits')).body).toMatchObject({ balance: 4 });
  const none = await practice.call(null, 'POST', '/practice/purchases', { userId, productId: 'gold' });
  expect(none.status).toBe(400);
});

test('a person who uses a referral link twice is counted once', async () => {
  const { agentKey: key } = await practice.person({ name: 'Ann <b>' });
  const read = async () =>
    z.looseObject({ link: z.string(), joined: z.int() }).parse((await practice.call(key, 'GET', '/referrals')).body);
  const { link } = await read();
  const page = await (await fetch(link)).text();
  expect(page).toContain('Ann &lt;b&gt; invites you');
  const join = (email: string) => fetch(link, { method: 'POST', body: new URLSearchParams({ email }) });
  expect((await join('friend@example.com')).status).toBe(200);
  expect((await join('friend@example.com')).status).toBe(200);
  expect((await join('no address')).status).toBe(400);
  expect((await read()).joined).toBe(1);
  expect(signedIn.parse((await signInByCode('friend@example.com')).body)).toMatchObject({ accountCreated: false });
  expect((await fetch(`${practice.url}/r/nobody`)).status).toBe(404);
});

test('the person’s defaults apply to new listings and new policies', async () => {
  const { agentKey: key } = await practice.person({ connected: true });
  const call = (path: string, body: unknown) => practice.call(key, 'POST', path, body);
  const bestOffer = { enabled: true, autoAcceptCents: 900, autoDeclineCents: 500 };
  await call('/market/seller-defaults', { bestOffer, returns: { accepted: true, days: 14 } });
  expect((await call('/listings', {})).body).toMatchObject({ bestOffer });
  const made = await call('/market/policies/bootstrap', { marketplaceId: 'MKT_DE' });
  expect(made.body).toMatchObject({ policies: [{}, {}, { kind: 'return', days: 14 }] });
  await call('/market/seller-defaults', { returns: { accepted: false } });
  const none = await call('/market/policies/bootstrap', { marketplaceId: 'MKT_FR' });
  expect(none.body).toMatchObject({ policies: [{}, {}, { kind: 'return', accepted: false }] });
});

test('a publish uses the person’s current default for delisting on sale', async () => {
  const { agentKey: key, userId } = await practice.person({ connected: true });
  const listingId = await practice.written(key);
  await practice.call(key, 'PUT', `/users/${userId}`, { autoDelistDefault: true });
  await practice.call(key, 'POST', `/listings/${listingId}/channels/fees`, { action: 'confirm' });
  await practice.call(key, 'POST', `/market/publish/${listingId}`, {});
  expect((await practice.call(key, 'GET', `/listings/${listingId}`)).body).toMatchObject({ autoDelistOnSale: true });
});

test('requests for the buttons of the controls page are refused from other pages', async () => {
  const { agentKey: key } = await practice.person({ email: 'page@example.com', connected: true });
  const listingId = await practice.live(key, { quantity: 2 });
  await practice.call(null, 'POST', '/agent/auth/start', { email: 'page@example.com', agentLabel: 'Helper' });
  const [mail] = codes.parse(await practice.control('GET', '/outbox?email=page@example.com'));
  const text = await (await fetch(`${practice.url}/practice`)).text();
  for (const shown of [mail?.code ?? '-', 'page@example.com', listingId, '/market-pages/', '+ 24 hours'])
    expect(text).toContain(shown);
  const press = async (form: string, body: Record<string, string>, origin: string) => {
    const headers = { origin };
    const init = { method: 'POST', headers, body: new URLSearchParams(body), redirect: 'manual' } as const;
    return (await fetch(`${practice.url}/practice/page/${form}`, init)).status;
  };
  const now = async () =>
    z
      .object({ now: z.number() })
      .loose()
      .parse(await practice.control('GET', '/clock')).now;
  const before = await now();
  expect(await press('clock', { step: 'hour' }, practice.url)).toBe(303);
  expect((await now()) - before).toBeGreaterThanOrEqual(3_600_000);
  expect(await press('sales', { listingId }, practice.url)).toBe(303);
  expect((await practice.call(key, 'GET', `/listings/${listingId}`)).body).toMatchObject({ quantity: 1 });
  expect(await press('clock', { step: 'century' }, practice.url)).toBe(400);
  for (const origin of ['https://evil.example', 'null'])
    expect(await press('clock', { step: 'hour' }, origin)).toBe(403);
});

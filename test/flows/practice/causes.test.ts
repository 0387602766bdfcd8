import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startTestPractice, type PersonOptions, type TestPractice } from '../../helpers/practice.ts';

let practice: TestPractice;
beforeAll(async () => {
  practice = await startTestPractice();
});
afterAll(() => practice.close());
afterEach(() => practice.control('POST', '/disruptions', {}));

const minute = 60_000;
const day = 24 * 60 * minute;
const disrupt = (given: Record<string, unknown>) => practice.control('POST', '/disruptions', given);

let nth = 0;
const setUpPayer = async (given: PersonOptions = {}) => {
  nth += 1;
  const email = `caused-${nth}@example.com`;
  const { agentKey: key } = await practice.person({ plan: 'Lite', connected: true, ...given, email });
  const call = (method: string, path: string, body?: unknown) => practice.call(key, method, path, body);
  const post = (path: string, body: unknown = {}) => call('POST', path, body);
  const turnOn = () => call('PATCH', '/subscriptions/overage', { enabled: true, acknowledgedRateCents: 60 });
  const turnOff = () => call('PATCH', '/subscriptions/overage', { enabled: false });
  const approve = () => post('/subscriptions/extras-approval', { count: 2, rateCents: 60 });
  const extras = async () =>
    ((await call('GET', '/agent/me')).body as { allowance: { extras: Record<string, unknown> } }).allowance.extras;
  return { key, email, call, post, turnOn, turnOff, approve, extras };
};

/** Runs `change` once `mails` mails are pending in the slow mail service, then lets it deliver them. */
const runWhileMailing = async <T>(work: Promise<T>, mails: number, change: () => Promise<unknown>): Promise<T> => {
  const waiting = async () =>
    ((await practice.control('GET', '/disruptions')) as { mailsWaiting: number }).mailsWaiting;
  while ((await waiting()) < mails) await new Promise((resolve) => setTimeout(resolve, 5));
  await change();
  await practice.advance(10_000);
  return work;
};

describe('an outage of the mail service', () => {
  const start = (email: string) => practice.call(null, 'POST', '/agent/auth/start', { email, agentLabel: 'Helper' });

  test('during a mail outage, refused requests for a sign-in code do not use up the limit', async () => {
    await disrupt({ mailDown: true });
    for (let tries = 0; tries < 6; tries += 1)
      expect(await start('mailless@example.com')).toMatchObject({
        status: 503,
        headers: { 'retry-after': '60' },
        body: { error: expect.stringContaining('not being sent') as string },
      });
    expect(await practice.control('GET', '/outbox?email=mailless@example.com')).toEqual([]);
    await disrupt({});
    expect((await start('mailless@example.com')).status).toBe(202);
    expect(await practice.control('GET', '/outbox?email=mailless@example.com')).toHaveLength(1);
  });

  test('during a mail outage, extras can be turned off but not turned on or approved', async () => {
    const { turnOn, turnOff, approve, extras } = await setUpPayer();
    const tryAgain = { status: 503, headers: { 'retry-after': '60' }, body: { code: 'TRY_AGAIN' } };
    await disrupt({ mailDown: true });
    expect(await turnOn()).toMatchObject(tryAgain);
    expect(await extras()).toMatchObject({ enabled: false });
    await disrupt({});
    expect((await turnOn()).status).toBe(200);
    expect((await approve()).status).toBe(200);
    await disrupt({ mailDown: true });
    const before = await extras();
    expect(await approve()).toMatchObject(tryAgain);
    expect(await extras()).toEqual(before);
    expect((await turnOff()).status).toBe(200);
  });

  test('during a mail outage, the person can buy a plan but gets no e-mail', async () => {
    const { email, post, call } = await setUpPayer({ plan: 'Free' });
    const tier = { tier: 'lite' };
    const { url } = (await post('/billing/external-checkout-token', tier)).body as { url: string };
    await disrupt({ mailDown: true });
    expect((await fetch(url, { method: 'POST' })).status).toBe(200);
    expect((await call('GET', '/auth/me')).body).toMatchObject({ plan: 'lite' });
    expect(await practice.control('GET', `/outbox?email=${email}`)).toEqual([]);
  });
});

describe('two concurrent changes while the mail service is slow', () => {
  test('the second request to turn extras on is refused with overage-state-conflict', async () => {
    const { turnOn, extras } = await setUpPayer();
    await disrupt({ mailDelayMs: 10_000 });
    const both = Promise.all([turnOn(), turnOn()]);
    const answers = await runWhileMailing(both, 2, () => Promise.resolve());
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(answers.find(({ status }) => status === 409)).toMatchObject({ body: { code: 'overage-state-conflict' } });
    expect(await extras()).toMatchObject({ enabled: true });
  });

  test('an extras approval is refused with EXTRAS_CHANGED if extras have been turned off', async () => {
    const { approve, turnOff, extras } = await setUpPayer({ extras: true });
    await disrupt({ mailDelayMs: 10_000 });
    const refused = await runWhileMailing(approve(), 1, turnOff);
    expect(refused).toMatchObject({ status: 409, body: { code: 'EXTRAS_CHANGED' } });
    expect(await extras()).toMatchObject({ enabled: false, approval: null });
  });
});

test('marketplace calls are refused with MARKET_TRANSIENT only while the marketplace is down', async () => {
  const { key, post, call } = await setUpPayer();
  const [listingId, live] = [await practice.written(key), await practice.live(key)];
  await disrupt({ marketDownMs: 2 * minute });
  const transient = { status: 503, body: { code: 'MARKET_TRANSIENT' } };
  for (const path of [`/market/publish/${listingId}`, `/listings/${listingId}/channels/publish`])
    expect(await post(path)).toMatchObject(transient);
  expect(await post(`/market/revise/${live}`, { price: 999 })).toMatchObject(transient);
  expect(await post(`/market/end/${live}`)).toMatchObject(transient);
  expect(await call('GET', '/market/policies')).toMatchObject(transient);
  expect((await post(`/listings/${listingId}/channels/fees`)).body).toMatchObject({
    quote: { state: 'unavailable', reason: expect.stringContaining('cannot be reached') as string },
  });
  expect((await call('GET', `/listings/${listingId}`)).body).toMatchObject({ status: 'pending_review' });
  await practice.advance(2 * minute);
  expect((await post(`/market/publish/${listingId}`)).status).toBe(200);
});

test('a sign-in is refused with ACCOUNT_BUSY until the new account is set up', async () => {
  const email = 'brand-new@example.com';
  await disrupt({ accountSetupMs: minute });
  const started = await practice.call(null, 'POST', '/agent/auth/start', { email, agentLabel: 'Helper' });
  const { challengeId } = started.body as { challengeId: string };
  const [mail] = (await practice.control('GET', `/outbox?email=${email}`)) as { code: string }[];
  const verify = () => practice.call(null, 'POST', '/agent/auth/verify', { challengeId, email, code: mail?.code });
  const busy = await verify();
  expect(busy).toMatchObject({ status: 503, body: { code: 'ACCOUNT_BUSY' } });
  expect(Number(busy.headers['retry-after'])).toBeGreaterThan(50);
  await practice.advance(30_000);
  expect(Number((await verify()).headers['retry-after'])).toBeLessThanOrEqual(30);
  await practice.advance(30_000);
  expect(await verify()).toMatchObject({ status: 200, body: { accountCreated: true } });
});

test.each([
  ['past_due', 'not active', 'past_due'],
  ['pending', 'not ready', 'pending'],
])('with a %s plan, extras are refused with the reason “%s”', async (subscription, reason, status) => {
  const { email, call, turnOn, approve, extras } = await setUpPayer({ used: 30 });
  await practice.person({ email, subscription });
  expect((await call('GET', '/subscriptions')).body).toMatchObject({ status });
  expect(await turnOn()).toMatchObject({ status: 409, body: { code: 'overage-unavailable', reason } });
  expect(await approve()).toMatchObject({ status: 409, body: { code: 'EXTRAS_UNAVAILABLE', reason } });
  expect(await extras()).toMatchObject({ available: false, reason });
  expect((await call('GET', '/agent/me')).body).toMatchObject({ allowance: { nextListing: { kind: 'unavailable' } } });
  await practice.person({ email, subscription: 'active' });
  expect((await turnOn()).status).toBe(200);
});

test('a listing that expires unsold can be listed again', async () => {
  const { key, call, post } = await setUpPayer();
  const listingId = await practice.live(key, { quantity: 2 });
  await practice.control('POST', '/sales', { listingId });
  await practice.control('POST', '/expiries', { listingId });
  expect((await call('GET', `/listings/${listingId}`)).body).toMatchObject({ status: 'ended', quantity: 1 });
  expect((await call('GET', '/notifications?limit=1')).body).toMatchObject({
    notifications: [{ kind: 'unsold', listingId }],
  });
  for (const path of ['/practice/sales', '/practice/expiries'])
    expect((await practice.call(null, 'POST', path, { listingId })).status).toBe(409);
  expect((await post(`/listings/${listingId}/relist`)).body).toMatchObject({ status: 'pending_review' });
  expect((await post(`/market/publish/${listingId}`)).status).toBe(200);
});

test('an auction ends after seven days, but a fixed-price listing does not', async () => {
  const { key, call, post } = await setUpPayer();
  const fixed = await practice.live(key);
  const auction = await practice.written(key);
  await call('PUT', `/listings/${auction}`, { format: 'AUCTION' });
  expect((await post(`/market/publish/${auction}`)).status).toBe(200);
  const states = async () => {
    const { listings } = (await call('GET', '/listings')).body as { listings: { listingId: string; status: string }[] };
    return Object.fromEntries(listings.map(({ listingId, status }) => [listingId, status]));
  };
  await practice.advance(7 * day - minute);
  expect(await states()).toEqual({ [fixed]: 'published', [auction]: 'published' });
  await practice.advance(minute);
  expect(await states()).toEqual({ [fixed]: 'published', [auction]: 'ended' });
});

test('an assistant that calls too often gets 429 without affecting other assistants', async () => {
  const { call, email } = await setUpPayer();
  const other = (await practice.person({ email })).agentKey;
  await disrupt({ callsPerMinute: 3 });
  for (let calls = 0; calls < 3; calls += 1) expect((await call('GET', '/listings')).status).toBe(200);
  const refused = await call('GET', '/listings');
  expect(refused).toMatchObject({ status: 429, body: { error: expect.stringContaining('3 calls') as string } });
  const wait = Number(refused.headers['retry-after']);
  expect(wait).toBeGreaterThan(0);
  expect((await practice.call(other, 'GET', '/listings')).status).toBe(200);
  await practice.advance(wait * 1_000);
  expect((await call('GET', '/listings')).status).toBe(200);
});

test('the controls page can start each disruption and shows the active disruptions', async () => {
  const { key, email } = await setUpPayer();
  const { userId } = (await practice.call(key, 'GET', '/auth/me')).body as { userId: string };
  const listingId = await practice.live(key);
  const press = async (path: string, form: Record<string, string>) => {
    const answer = await fetch(`${practice.url}/practice/page/${path}`, {
      method: 'POST',
      headers: { origin: practice.url },
      body: new URLSearchParams(form),
      redirect: 'manual',
    });
    expect(answer.status).toBe(303);
    return (await fetch(`${practice.url}/practice`)).text();
  };
  for (const disruption of ['mail', 'slow-mail', 'market', 'setup']) await press('disruptions', { disruption });
  const page = await press('disruptions', { disruption: 'rate' });
  for (const said of ['No mail', 'Mail takes 10 s', 'The marketplace is down', 'take 60 s', '10 calls a minute.'])
    expect(page).toContain(said);
  expect(await practice.control('GET', '/disruptions')).toMatchObject({ mailDown: true, callsPerMinute: 10 });
  expect(await press('disruptions', { disruption: 'none' })).toContain('Nothing is wrong.');
  expect(await press('subscriptions', { userId, subscription: 'past_due' })).toContain('(not active)');
  await press('expiries', { listingId });
  expect((await practice.call(key, 'GET', `/listings/${listingId}`)).body).toMatchObject({ status: 'ended' });
  expect(email).toContain('caused');
});

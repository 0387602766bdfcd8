import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { drawnPhoto, startTestPractice, type TestPractice } from '../../helpers/practice.ts';

let practice: TestPractice;
let key: string;
beforeAll(async () => {
  practice = await startTestPractice();
  key = (await practice.person({ connected: true, plan: 'Starter' })).agentKey;
});
afterAll(() => practice.close());
afterEach(() => practice.control('DELETE', '/faults'));

const readStanding = () => practice.call(key, 'GET', '/agent/me');
const countCalls = async (route: string) =>
  ((await practice.control('GET', '/calls')) as Record<string, { calls: number; effects: number }>)[route];

test('a simulated fault affects only the configured number of calls', async () => {
  await practice.fault({
    method: 'GET',
    path: '/agent/me',
    times: 2,
    status: 429,
    code: 'SLOW',
    headers: { 'retry-after': '7' },
  });
  for (let twice = 0; twice < 2; twice += 1) {
    const answer = await readStanding();
    expect(answer).toMatchObject({ status: 429, body: { code: 'SLOW', error: expect.any(String) as string } });
    expect(answer.headers['retry-after']).toBe('7');
  }
  expect((await readStanding()).status).toBe(200);
});

test('a simulated fault affects only the route with the given path template', async () => {
  const listingId = await practice.draft(key, 0);
  await practice.fault({ method: 'GET', path: '/listings/{listingId}', status: 503 });
  expect((await practice.call(key, 'GET', '/listings')).status).toBe(200);
  expect((await practice.call(key, 'GET', `/listings/${listingId}`)).status).toBe(503);
  expect((await practice.call(key, 'GET', `/listings/${listingId}`)).status).toBe(200);
});

test('a simulated fault with a success status changes nothing at the service', async () => {
  const listingId = await practice.written(key);
  const body = { success: true };
  await practice.fault({ method: 'POST', path: '/market/publish/{listingId}', status: 200, body });
  expect(await practice.call(key, 'POST', `/market/publish/${listingId}`, {})).toMatchObject({ status: 200, body });
  expect((await practice.call(key, 'GET', `/listings/${listingId}`)).body).toMatchObject({ status: 'pending_review' });
});

test('a call has no effect if a fault drops its connection beforehand', async () => {
  const listingId = await practice.written(key);
  await practice.call(key, 'POST', `/listings/${listingId}/channels/fees`, { action: 'confirm' });
  await practice.fault({ method: 'POST', path: '/market/publish/{listingId}', drop: 'before' });
  await expect(practice.call(key, 'POST', `/market/publish/${listingId}`, {})).rejects.toThrow();
  expect((await practice.call(key, 'GET', `/listings/${listingId}`)).body).toMatchObject({ status: 'pending_review' });
});

test('a call keeps its effect if a fault drops its connection afterwards', async () => {
  const listingId = await practice.written(key);
  await practice.call(key, 'POST', `/listings/${listingId}/channels/fees`, { action: 'confirm' });
  const before = await countCalls('publishListing');
  await practice.fault({ method: 'POST', path: '/market/publish/{listingId}', drop: 'after' });
  await expect(practice.call(key, 'POST', `/market/publish/${listingId}`, {})).rejects.toThrow();
  expect((await practice.call(key, 'GET', `/listings/${listingId}`)).body).toMatchObject({
    status: 'published',
    marketListingUrl: expect.stringContaining('/market-pages/') as string,
  });
  expect((await countCalls('publishListing'))?.effects).toBe((before?.effects ?? 0) + 1);
});

test('a retry with the same idempotency key returns the draft whose answer was lost', async () => {
  await practice.fault({ method: 'POST', path: '/listings', drop: 'after' });
  const create = () => practice.call(key, 'POST', '/listings', {}, { 'idempotency-key': 'lost' });
  await expect(create()).rejects.toThrow();
  expect(await create()).toMatchObject({ status: 200, headers: { 'idempotent-replayed': 'true' } });
});

test('a simulated fault can make uploads fail', async () => {
  const listingId = await practice.draft(key, 0);
  const asked = await practice.call(key, 'POST', '/listings/upload-url', {
    listingId,
    files: [{ contentType: 'image/jpeg', index: 0 }],
  });
  const [slot] = asked.body as { uploadUrl: string }[];
  const put = async () => practice.upload(slot?.uploadUrl ?? '', await drawnPhoto());
  await practice.fault({ method: 'PUT', path: '/uploads/{token}', status: 503 });
  await practice.fault({ method: 'PUT', path: '/uploads/{token}', drop: 'after' });
  expect((await put()).status).toBe(503);
  await expect(put()).rejects.toThrow();
  expect((await practice.call(key, 'GET', `/listings/${listingId}`)).body).toMatchObject({
    imageUrls: [expect.any(String) as string],
  });
  expect((await put()).status).toBe(200);
});

test('a call that a fault delays still succeeds', async () => {
  await practice.fault({ method: 'GET', path: '/agent/me', delayMs: 60 });
  const startedAt = performance.now();
  expect((await readStanding()).status).toBe(200);
  expect(performance.now() - startedAt).toBeGreaterThan(50);
});

test('a simulated fault for an unknown route is refused with 400', async () => {
  const answer = await practice.call(null, 'POST', '/practice/faults', { method: 'GET', path: '/agent/you', times: 1 });
  expect(answer.status).toBe(400);
  const unknown = await practice.call(null, 'POST', '/practice/faults', { method: 'GET', path: '/agent/me', often: 1 });
  expect(unknown.status).toBe(400);
});

import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { startTestPractice, type TestPractice } from '../../helpers/practice.ts';

let practice: TestPractice;
let key: string;
beforeAll(async () => {
  practice = await startTestPractice();
  key = (await practice.person({ plan: 'Starter' })).agentKey;
});
afterAll(() => practice.close());

const listing = z.looseObject({ listingId: z.string(), status: z.string() });
const page = z.object({ listings: z.array(listing), nextCursor: z.string().nullable() });
const create = (idempotencyKey: string, body: unknown = {}, by = key) =>
  practice.call(by, 'POST', '/listings', body, { 'idempotency-key': idempotencyKey });
const idOf = (body: unknown): string => listing.parse(body).listingId;

test('a repeated request with the same idempotency key creates no second listing', async () => {
  const first = await create('a', { quantity: 2, additionalContext: 'blue' });
  const again = await create('a', { additionalContext: 'blue', quantity: 2 });
  expect(first.status).toBe(201);
  expect(again.status).toBe(200);
  expect(again.headers['idempotent-replayed']).toBe('true');
  expect(first.headers['idempotent-replayed']).toBeUndefined();
  expect(idOf(again.body)).toBe(idOf(first.body));
});

test('a repeated request that omits default values creates no second listing', async () => {
  const first = await create('defaults', {});
  expect((await create('defaults', { quantity: 1 })).status).toBe(200);
  expect((await create('defaults', undefined)).status).toBe(200);
  expect(idOf((await create('defaults')).body)).toBe(idOf(first.body));
});

test('an idempotency key cannot be used again with a different body', async () => {
  await create('b', { quantity: 1 });
  expect(await create('b', { quantity: 2 })).toMatchObject({ status: 409, body: { code: 'IDEMPOTENCY_KEY_REUSED' } });
});

test('parallel retries create one listing', async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, () => create('parallel', { quantity: 3 })));
  expect(new Set(answers.map(({ body }) => idOf(body))).size).toBe(1);
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
});

test('an idempotency key can be used for another listing after 24 hours', async () => {
  const first = await create('c');
  await practice.advance(24 * 3_600_000);
  const next = await create('c', { quantity: 4 });
  expect(next.status).toBe(201);
  expect(idOf(next.body)).not.toBe(idOf(first.body));
});

test('a request with the idempotency key of a deleted listing gets 404', async () => {
  const made = await create('d');
  expect((await practice.call(key, 'DELETE', `/listings/${idOf(made.body)}`)).status).toBe(200);
  expect((await create('d')).status).toBe(404);
});

test('two people can use the same idempotency key for two listings', async () => {
  const other = (await practice.person()).agentKey;
  const [mine, theirs] = [await create('e'), await create('e', {}, other)];
  expect(theirs.status).toBe(201);
  expect(idOf(mine.body)).not.toBe(idOf(theirs.body));
});

test.each(['', 'has space', 'x'.repeat(65), 'tab\tin'])('the idempotency key %j is refused', async (bad) => {
  expect(await create(bad)).toMatchObject({ status: 400, body: { code: 'INVALID_IDEMPOTENCY_KEY' } });
});

test('a draft uses the requested site and language, or the defaults', async () => {
  expect((await practice.call(key, 'POST', '/listings', {})).body).toMatchObject({
    marketplaceId: 'MKT_US',
    listingLanguage: 'en-US',
    quantity: 1,
  });
  expect((await practice.call(key, 'POST', '/listings', { marketplaceId: 'MKT_DE' })).body).toMatchObject({
    listingLanguage: 'de-DE',
    currency: 'EUR',
  });
  const body = { marketplaceId: 'MKT_CH', listingLanguage: 'fr-CH' };
  expect((await practice.call(key, 'POST', '/listings', body)).body).toMatchObject({ listingLanguage: 'fr-CH' });
});

test.each([
  [{ quantity: 0 }],
  [{ quantity: 1.5 }],
  [{ marketplaceId: 'US' }],
  [{ marketAccountId: 'mac_none' }],
  [{ additionalContext: 5 }],
])('a draft with %j is refused', async (body) => {
  expect((await practice.call(key, 'POST', '/listings', body)).status).toBe(400);
});

test('listings are returned in pages, newest first, without hidden listings', async () => {
  const { agentKey } = await practice.person();
  const ids: string[] = [];
  for (let made = 0; made < 5; made += 1)
    ids.unshift(idOf((await practice.call(agentKey, 'POST', '/listings', {})).body));
  const first = page.parse((await practice.call(agentKey, 'GET', '/listings?limit=3')).body);
  const rest = page.parse((await practice.call(agentKey, 'GET', `/listings?limit=3&cursor=${first.nextCursor}`)).body);
  expect([...first.listings, ...rest.listings].map(({ listingId }) => listingId)).toEqual(ids);
  expect(rest.nextCursor).toBeNull();
  const hide = await practice.call(agentKey, 'POST', `/listings/${ids[0]}/visibility`, { visible: false });
  expect(hide.body).toMatchObject({ visible: false });
  const visible = page.parse((await practice.call(agentKey, 'GET', '/listings')).body);
  expect(visible.listings).toHaveLength(4);
  const all = page.parse((await practice.call(agentKey, 'GET', '/listings?hidden=include&status=draft')).body);
  expect(all.listings).toHaveLength(5);
  expect((await practice.call(agentKey, 'GET', '/listings?cursor=x')).status).toBe(400);
});

test('a call for a listing of another person is refused with 403', async () => {
  const { listingId } = listing.parse((await create('mine')).body);
  const other = (await practice.person()).agentKey;
  for (const [method, path, body] of [
    ['GET', `/listings/${listingId}`],
    ['PUT', `/listings/${listingId}`, { title: 'Mine now' }],
    ['DELETE', `/listings/${listingId}`],
    ['POST', `/listings/${listingId}/generate`, {}],
    ['POST', `/market/publish/${listingId}`, {}],
    ['POST', `/listings/${listingId}/channels/fees`, {}],
    ['POST', '/listings/upload-url', { listingId, files: [{ contentType: 'image/jpeg', index: 0 }] }],
  ] as const)
    expect(await practice.call(other, method, path, body)).toMatchObject({
      status: 403,
      body: { error: expect.any(String) as string },
    });
  expect((await practice.call(key, 'GET', '/listings/lst_none')).status).toBe(404);
});

test('a draft gets its site, format, weight and footer from its template', async () => {
  const { agentKey } = await practice.person({ plan: 'Lite', connected: true });
  const facts = {
    name: 'Germany',
    marketplaceId: 'MKT_DE',
    format: 'AUCTION',
    packageWeightGrams: 700,
    descriptionFooter: 'From a <smoke-free> home.\nNo returns & no worries.',
  };
  const post = (path: string, body: unknown = {}) => practice.call(agentKey, 'POST', path, body);
  const made = (await post('/market/templates/create', facts)).body as { templateId: string };
  const draft = await practice.draft(agentKey, 1, { templateId: made.templateId });
  const read = async () => (await practice.call(agentKey, 'GET', `/listings/${draft}`)).body;
  const begun = {
    marketplaceId: 'MKT_DE',
    listingLanguage: 'de-DE',
    currency: 'EUR',
    format: 'AUCTION',
    packageWeightGrams: 700,
    templateId: made.templateId,
  };
  expect(await read()).toMatchObject(begun);
  expect((await practice.call(agentKey, 'DELETE', `/market/templates/${made.templateId}`)).status).toBe(200);
  await post(`/listings/${draft}/generate`);
  const footer = '\n<p>From a &lt;smoke-free&gt; home.<br>No returns &amp; no worries.</p>';
  expect(await practice.settled(agentKey, draft)).toMatchObject({
    ...begun,
    templateId: null,
    status: 'pending_review',
    description: `<p>A book, 1 photos.</p>${footer}`,
  });
  await post(`/listings/${draft}/generate`, { intent: 'adapt_marketplace', targetMarketplaceId: 'MKT_FR' });
  expect(await practice.settled(agentKey, draft)).toMatchObject({
    marketplaceId: 'MKT_FR',
    description: `<p>A book, 1 photos.</p>${footer}`,
  });
  const other = (await post('/market/templates/create', facts)).body as { templateId: string };
  const body = { templateId: other.templateId, marketplaceId: 'MKT_GB' };
  expect((await post('/listings', body)).body).toMatchObject({ marketplaceId: 'MKT_GB', listingLanguage: 'en-GB' });
});

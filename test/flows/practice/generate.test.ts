import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { drawnPhoto, startTestPractice, type TestPractice } from '../../helpers/practice.ts';

let practice: TestPractice;
beforeAll(async () => {
  practice = await startTestPractice();
});
afterAll(() => practice.close());
beforeEach(() => practice.control('POST', '/writer', {}));

const minute = 60_000;
const generate = (key: string, listingId: string, body: unknown = {}) =>
  practice.call(key, 'POST', `/listings/${listingId}/generate`, body);
const read = async (key: string, listingId: string) => (await practice.call(key, 'GET', `/listings/${listingId}`)).body;
const readAllowance = async (key: string) =>
  (await practice.call(key, 'GET', '/agent/me')).body as { allowance: Record<string, unknown> };

test('a generation takes the configured time on the service’s clock', async () => {
  const { agentKey: key } = await practice.person();
  const listingId = await practice.draft(key);
  await practice.control('POST', '/writer', { delayMs: 10 * minute });
  expect((await generate(key, listingId)).body).toMatchObject({ listingId, status: 'processing' });
  await practice.advance(9 * minute);
  expect(await read(key, listingId)).toMatchObject({ status: 'processing' });
  expect((await generate(key, listingId)).status).toBe(409);
  expect((await practice.call(key, 'PUT', `/listings/${listingId}`, { title: 'Now' })).status).toBe(409);
  expect((await practice.call(key, 'DELETE', `/listings/${listingId}`)).status).toBe(409);
  await practice.advance(minute);
  expect(await practice.settled(key, listingId)).toMatchObject({ status: 'pending_review' });
  expect((await readAllowance(key)).allowance['remaining']).toBe(4);
});

test('a generate call can be configured to wait for the end of the generation', async () => {
  const { agentKey: key } = await practice.person();
  const [written, failed] = [await practice.draft(key), await practice.draft(key)];
  await practice.control('POST', '/writer', { answersWritten: true });
  expect((await generate(key, written)).body).toMatchObject({ listingId: written, status: 'pending_review' });
  await practice.control('POST', '/writer', { answersWritten: true, fail: 'IMAGES_UNREADABLE' });
  expect((await generate(key, failed)).body).toMatchObject({ listingId: failed, status: 'failed' });
});

test('a draft without photos cannot be generated and uses no allowance', async () => {
  const { agentKey: key } = await practice.person();
  const listingId = await practice.draft(key, 0);
  expect((await generate(key, listingId)).status).toBe(400);
  await practice.call(key, 'POST', '/listings/upload-url', {
    listingId,
    files: [{ contentType: 'image/jpeg', index: 0 }],
  });
  expect((await generate(key, listingId)).status).toBe(400);
  expect((await readAllowance(key)).allowance['remaining']).toBe(5);
});

test('at most five listings are generated at a time', async () => {
  const { agentKey: key } = await practice.person({ plan: 'Lite' });
  await practice.control('POST', '/writer', { delayMs: minute });
  const drafts = await Promise.all(Array.from({ length: 6 }, () => practice.draft(key)));
  const answers = await Promise.all(drafts.map((listingId) => generate(key, listingId)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 400]);
  expect((await readAllowance(key)).allowance['remaining']).toBe(25);
  const refused = drafts[answers.findIndex(({ status }) => status === 400)] ?? '';
  await practice.advance(minute);
  for (const listingId of drafts) if (listingId !== refused) await practice.settled(key, listingId);
  expect((await generate(key, refused)).status).toBe(200);
});

test('parallel generate calls for one listing use the allowance only once', async () => {
  const { agentKey: key } = await practice.person();
  const listingId = await practice.draft(key);
  await practice.control('POST', '/writer', { delayMs: minute });
  const answers = await Promise.all([1, 2, 3, 4].map(() => generate(key, listingId)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
  expect((await readAllowance(key)).allowance['remaining']).toBe(4);
});

test('a listing with unreadable photos fails, and can be generated again after a revert', async () => {
  const { agentKey: key } = await practice.person();
  const listingId = await practice.draft(key);
  await practice.control('POST', '/writer', { fail: 'IMAGES_UNREADABLE' });
  await generate(key, listingId);
  expect(await practice.settled(key, listingId)).toMatchObject({
    status: 'failed',
    processingErrorCode: 'IMAGES_UNREADABLE',
    processingError: expect.any(String) as string,
  });
  expect((await generate(key, listingId)).status).toBe(409);
  const reverted = await practice.call(key, 'POST', `/listings/${listingId}/revert`, {});
  expect(reverted.body).toMatchObject({ status: 'draft', processingError: null, processingErrorCode: null });
  await practice.control('POST', '/writer', {});
  expect((await generate(key, listingId)).status).toBe(200);
  expect(await practice.settled(key, listingId)).toMatchObject({ status: 'pending_review' });
  expect((await readAllowance(key)).allowance['remaining']).toBe(3);
});

test('a listing fails if the writer crashes, and the service logs the error', async () => {
  const broken = await startTestPractice({
    writer: { write: () => Promise.reject(new Error('out of ink')), close: async () => {} },
  });
  const { agentKey: key } = await broken.person();
  const listingId = await broken.draft(key);
  await broken.call(key, 'POST', `/listings/${listingId}/generate`, {});
  expect(await broken.settled(key, listingId)).toMatchObject({
    status: 'failed',
    processingErrorCode: 'WRITER_FAILED',
  });
  expect(broken.reports.splice(0)).toHaveLength(1);
  await broken.close();
});

test('a generation uses the plan, then credits, then fails with USAGE_LIMIT', async () => {
  const { agentKey: key } = await practice.person({ credits: 1, trialEligible: true });
  for (let used = 0; used < 5; used += 1) await practice.written(key);
  expect(await readAllowance(key)).toMatchObject({
    allowance: { remaining: 0, creditBalance: 1, nextListing: { kind: 'credit' } },
    upgrade: {
      recommended: true,
      suggestedPlan: 'lite',
      offerTrial: true,
      how: { body: { tier: 'lite', trial: true } },
    },
  });
  await practice.written(key);
  expect(await readAllowance(key)).toMatchObject({
    allowance: { creditBalance: 0, nextListing: { kind: 'blocked' } },
  });
  const listingId = await practice.draft(key);
  expect((await generate(key, listingId)).status).toBe(200);
  expect(await read(key, listingId)).toMatchObject({ status: 'failed', processingErrorCode: 'USAGE_LIMIT' });
  await practice.call(key, 'POST', `/listings/${listingId}/revert`, {});
  await practice.advance(32 * 24 * 60 * minute);
  expect(await readAllowance(key)).toMatchObject({ allowance: { remaining: 5 } });
  expect((await generate(key, listingId)).status).toBe(200);
  expect(await practice.settled(key, listingId)).toMatchObject({ status: 'pending_review' });
});

test('a generated listing returns to review when a failed adaptation is reverted', async () => {
  const { agentKey: key } = await practice.person();
  const listingId = await practice.written(key);
  await practice.control('POST', '/writer', { fail: 'IMAGES_UNREADABLE' });
  await generate(key, listingId, { intent: 'adapt_marketplace', targetMarketplaceId: 'MKT_DE' });
  expect(await practice.settled(key, listingId)).toMatchObject({ status: 'failed' });
  expect((await practice.call(key, 'POST', `/listings/${listingId}/revert`, {})).body).toMatchObject({
    status: 'pending_review',
  });
});

test('a failed adaptation does not change the site, language or price', async () => {
  const { agentKey: key } = await practice.person();
  const listingId = await practice.written(key);
  const offer = { enabled: true, autoAcceptCents: 1_100 };
  await practice.call(key, 'PUT', `/listings/${listingId}`, { bestOffer: offer });
  const before = (await read(key, listingId)) as Record<string, unknown>;
  const { marketplaceId, listingLanguage, currency, price, title, bestOffer } = before;
  const was = { marketplaceId, listingLanguage, currency, price, title, bestOffer };
  const adapt = () => generate(key, listingId, { intent: 'adapt_marketplace', targetMarketplaceId: 'MKT_PL' });
  await practice.control('POST', '/writer', { fail: 'IMAGES_UNREADABLE' });
  await adapt();
  expect(await practice.settled(key, listingId)).toMatchObject({ status: 'failed', ...was });
  await practice.call(key, 'POST', `/listings/${listingId}/revert`, {});
  expect(await read(key, listingId)).toMatchObject({ status: 'pending_review', ...was });
  await practice.control('POST', '/writer', {});
  await adapt();
  // Best Offer limits in dollars do not apply to a price in zloty.
  expect(await practice.settled(key, listingId)).toMatchObject({
    status: 'pending_review',
    marketplaceId: 'MKT_PL',
    listingLanguage: 'pl-PL',
    currency: 'PLN',
    bestOffer: { enabled: true },
  });
  expect(((await read(key, listingId)) as { bestOffer: object }).bestOffer).toEqual({ enabled: true });
});

test('a draft with more photos than a new, smaller plan allows is not generated', async () => {
  const email = 'smaller@example.com';
  const { agentKey: key } = await practice.person({ email, plan: 'Lite' });
  const [many, few] = [await practice.draft(key, 5), await practice.draft(key, 4)];
  await practice.person({ email, plan: 'Free' });
  expect(await generate(key, many)).toMatchObject({
    status: 400,
    body: { error: expect.stringContaining('4 photos') as string },
  });
  expect(await read(key, many)).toMatchObject({ status: 'draft' });
  expect((await readAllowance(key)).allowance['remaining']).toBe(5);
  expect((await generate(key, few)).status).toBe(200);
  await practice.settled(key, few);
  await practice.person({ email, plan: 'Lite' });
  expect((await generate(key, many)).status).toBe(200);
  await practice.settled(key, many);
});

test('an adaptation to another site uses no allowance', async () => {
  const { agentKey: key } = await practice.person();
  const listingId = await practice.written(key);
  const before = await readAllowance(key);
  const adapt = (body: Record<string, unknown>) => generate(key, listingId, { intent: 'adapt_marketplace', ...body });
  expect((await adapt({})).status).toBe(400);
  expect((await adapt({ targetMarketplaceId: 'MKT_ZZ' })).status).toBe(400);
  expect((await adapt({ targetMarketplaceId: 'MKT_DE' })).status).toBe(200);
  expect(await practice.settled(key, listingId)).toMatchObject({
    status: 'pending_review',
    marketplaceId: 'MKT_DE',
    listingLanguage: 'de-DE',
    currency: 'EUR',
  });
  expect(await readAllowance(key)).toMatchObject({ allowance: before.allowance });
  const draft = await practice.draft(key);
  expect((await generate(key, draft, { intent: 'adapt_marketplace', targetMarketplaceId: 'MKT_DE' })).status).toBe(409);
});

test('a generated listing cannot be generated again', async () => {
  const { agentKey: key } = await practice.person();
  const listingId = await practice.written(key);
  expect((await generate(key, listingId)).status).toBe(409);
  expect((await readAllowance(key)).allowance['remaining']).toBe(4);
});

test('the built-in writer generates a listing from an uploaded photo', async () => {
  const real = await startTestPractice({ writer: 'built-in' });
  const { agentKey: key } = await real.person();
  const listingId = await real.draft(key, 0, { additionalContext: 'blue cotton shirt, size M, used' });
  const asked = await real.call(key, 'POST', '/listings/upload-url', {
    listingId,
    files: [{ contentType: 'image/jpeg', index: 0 }],
  });
  const [slot] = asked.body as { uploadUrl: string }[];
  await real.upload(slot?.uploadUrl ?? '', await drawnPhoto(3));
  await real.call(key, 'POST', `/listings/${listingId}/generate`, {});
  const listing = await real.settled(key, listingId);
  expect(listing).toMatchObject({ status: 'pending_review' });
  expect(listing['price']).toBe(listing['suggestedPrice']);
  await real.close();
});

import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { drawnPhoto, startTestPractice, type TestPractice } from '../../helpers/practice.ts';

let practice: TestPractice;
beforeAll(async () => {
  practice = await startTestPractice();
});
afterAll(() => practice.close());

const started = z.object({ challengeId: z.string(), termsUrl: z.url(), privacyUrl: z.url() });
const verified = z.object({ apiKey: z.string(), keyId: z.string(), userId: z.string(), accountCreated: z.boolean() });
const mails = z.array(z.object({ to: z.string(), code: z.string().optional() }));
const slots = z.array(z.object({ uploadUrl: z.url(), key: z.string(), publicUrl: z.url(), imageId: z.string() }));
const published = z.object({ success: z.literal(true), marketListingId: z.string(), marketListingUrl: z.url() });

const signIn = async (email: string): Promise<string> => {
  const start = await practice.call(null, 'POST', '/agent/auth/start', { email, agentLabel: 'Golden assistant' });
  expect(start.status).toBe(202);
  const { challengeId, termsUrl } = started.parse(start.body);
  expect((await fetch(termsUrl)).status).toBe(200);
  const [mail] = mails.parse(await practice.control('GET', `/outbox?email=${encodeURIComponent(email)}`));
  const verify = await practice.call(null, 'POST', '/agent/auth/verify', { challengeId, email, code: mail?.code });
  expect(verify.status).toBe(200);
  return verified.parse(verify.body).apiKey;
};

test('a draft with photos becomes a live listing with a public page', async () => {
  const email = 'ann@example.com';
  await practice.person({ email, connected: true });
  const key = await signIn(email);

  const me = await practice.call(key, 'GET', '/agent/me');
  expect(me.body).toMatchObject({
    allowance: { remaining: 5, creditBalance: 0, nextListing: { kind: 'plan' } },
    plan: { code: 'free', photosPerListing: 4 },
    market: { connected: true },
  });
  expect((await practice.call(key, 'GET', '/market/status')).body).toMatchObject({ connected: true, ready: true });

  const made = await practice.call(key, 'POST', '/listings', { quantity: 1 }, { 'idempotency-key': 'item-1' });
  expect(made.status).toBe(201);
  const { listingId } = z.object({ listingId: z.string() }).parse(made.body);
  expect(made.body).toMatchObject({ status: 'draft', marketplaceId: 'MKT_US' });

  const files = [0, 1].map((index) => ({ contentType: 'image/jpeg', index }));
  const asked = await practice.call(key, 'POST', '/listings/upload-url', { listingId, files });
  for (const [index, slot] of slots.parse(asked.body).entries())
    expect((await practice.upload(slot.uploadUrl, await drawnPhoto(index))).status).toBe(200);

  const generate = await practice.call(key, 'POST', `/listings/${listingId}/generate`, {});
  expect(generate.status).toBe(200);
  const listing = await practice.settled(key, listingId);
  expect(listing).toMatchObject({ status: 'pending_review', price: 1_299, suggestedPrice: 1_299, publishBlockers: [] });
  expect(listing['imageUrls']).toHaveLength(2);
  expect((await practice.call(key, 'GET', '/agent/me')).body).toMatchObject({ allowance: { remaining: 4 } });

  const edited = await practice.call(key, 'PUT', `/listings/${listingId}`, {
    title: 'Rivers <b>& more</b>',
    price: 1_500,
  });
  expect(edited.body).toMatchObject({ title: 'Rivers <b>& more</b>', price: 1_500, status: 'pending_review' });

  const fees = await practice.call(key, 'POST', `/listings/${listingId}/channels/fees`, { action: 'quote' });
  expect(fees.body).toMatchObject({
    quote: { state: 'fee', currency: 'USD', totalMinor: 35, marketplaceId: 'MKT_US' },
    feeNotice: { confirmedSites: [] },
  });
  const early = await practice.call(key, 'POST', `/market/publish/${listingId}`, {});
  expect(early).toMatchObject({ status: 409, body: { code: 'FEE_NOTICE_REQUIRED' } });
  const confirm = { action: 'confirm', marketplaceId: 'MKT_US' };
  expect((await practice.call(key, 'POST', `/listings/${listingId}/channels/fees`, confirm)).body).toMatchObject({
    feeNotice: { confirmedSites: ['MKT_US'] },
  });

  const publish = await practice.call(key, 'POST', `/market/publish/${listingId}`, {});
  expect(publish.status).toBe(200);
  const { marketListingId, marketListingUrl } = published.parse(publish.body);
  expect((await practice.call(key, 'GET', `/listings/${listingId}`)).body).toMatchObject({
    status: 'published',
    marketListingId,
    marketListingUrl,
  });

  const page = await fetch(marketListingUrl);
  const text = await page.text();
  expect(page.status).toBe(200);
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(text).toContain('Rivers &lt;b&gt;&amp; more&lt;/b&gt;');
  expect(text).toContain('$15.00');

  const kinds = (await practice.journal()).map(({ kind }) => kind);
  expect(kinds.filter((kind) => kind === 'publish')).toHaveLength(1);
  expect(kinds.filter((kind) => kind === 'charge')).toHaveLength(1);
  expect((await practice.call(key, 'POST', `/market/publish/${listingId}`, {})).status).toBe(409);
});

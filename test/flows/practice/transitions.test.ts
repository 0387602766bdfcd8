import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { listingStatuses, type ListingStatus } from '../../../src/contract/index.ts';
import { startTestPractice, type TestPractice } from '../../helpers/practice.ts';

let practice: TestPractice;
let key: string;
beforeAll(async () => {
  practice = await startTestPractice();
  key = (await practice.person({ plan: 'Scale', connected: true })).agentKey;
});
afterAll(() => practice.close());
// What a test left being written would count against the five at a time.
afterEach(() => practice.advance(3_600_000));

const post = (path: string, body: unknown = {}) => practice.call(key, 'POST', path, body);

const failed = async (): Promise<string> => {
  await practice.control('POST', '/writer', { fail: 'IMAGES_UNREADABLE' });
  const listingId = await practice.written(key);
  await practice.control('POST', '/writer', {});
  return listingId;
};

const processing = async (): Promise<string> => {
  await practice.control('POST', '/writer', { delayMs: 3_600_000 });
  const listingId = await practice.draft(key);
  await post(`/listings/${listingId}/generate`);
  await practice.control('POST', '/writer', {});
  return listingId;
};

const ended = async (): Promise<string> => {
  const listingId = await practice.live(key);
  await post(`/market/end/${listingId}`);
  return listingId;
};

const sold = async (): Promise<string> => {
  const listingId = await practice.live(key);
  await practice.control('POST', '/sales', { listingId });
  return listingId;
};

const made: Record<ListingStatus, () => Promise<string>> = {
  draft: () => practice.draft(key),
  processing,
  pending_review: () => practice.written(key),
  published: () => practice.live(key),
  ended,
  sold,
  failed,
};

type Act = (listingId: string) => Promise<{ status: number; body: unknown }>;

/** Each act, and the states it is allowed in with the state it leads to. */
const acts: Record<string, { act: Act; leads: Partial<Record<ListingStatus, ListingStatus | 'gone'>> }> = {
  generate: { act: (id) => post(`/listings/${id}/generate`), leads: { draft: 'pending_review' } },
  edit: {
    act: (id) => practice.call(key, 'PUT', `/listings/${id}`, { title: 'Edited' }),
    leads: { draft: 'draft', pending_review: 'pending_review', failed: 'failed' },
  },
  delete: {
    act: (id) => practice.call(key, 'DELETE', `/listings/${id}`),
    leads: { draft: 'gone', pending_review: 'gone', failed: 'gone' },
  },
  revert: { act: (id) => post(`/listings/${id}/revert`), leads: { failed: 'draft' } },
  relist: { act: (id) => post(`/listings/${id}/relist`), leads: { ended: 'pending_review' } },
  publish: { act: (id) => post(`/market/publish/${id}`), leads: { pending_review: 'published' } },
  'publish on channels': {
    act: (id) => post(`/listings/${id}/channels/publish`),
    leads: { pending_review: 'published' },
  },
  revise: { act: (id) => post(`/market/revise/${id}`, { price: 2_000 }), leads: { published: 'published' } },
  'revise on channels': {
    act: (id) => post(`/listings/${id}/channels/revise`, { price: 2_000 }),
    leads: { published: 'published' },
  },
  end: { act: (id) => post(`/market/end/${id}`), leads: { published: 'ended' } },
  'end on channels': { act: (id) => post(`/listings/${id}/channels/end`), leads: { published: 'ended' } },
};

const stateOf = async (listingId: string): Promise<string> => {
  const answer = await practice.call(key, 'GET', `/listings/${listingId}`);
  return answer.status === 404 ? 'gone' : (answer.body as { status: string }).status;
};

describe.each(Object.entries(acts))('%s', (_name, { act, leads }) => {
  test.each(listingStatuses)('is refused with 409 from %s', async (from) => {
    const listingId = await made[from]();
    const answer = await act(listingId);
    const to = leads[from];
    if (to === undefined) {
      expect(answer).toMatchObject({ status: 409, body: { error: expect.any(String) as string } });
      expect(await stateOf(listingId)).toBe(from);
      return;
    }
    expect(answer.status).toBe(200);
    if (to !== 'gone') await practice.settled(key, listingId);
    expect(await stateOf(listingId)).toBe(to);
  });
});

test('a relisted listing is a new listing at the marketplace, and still counts as formerly live', async () => {
  const listingId = await practice.live(key);
  const before = (await practice.call(key, 'GET', `/listings/${listingId}`)).body as { marketListingId: string };
  await post(`/market/end/${listingId}`);
  expect((await post(`/listings/${listingId}/relist`)).body).toMatchObject({
    status: 'pending_review',
    marketListingId: null,
    marketListingUrl: null,
  });
  expect(await practice.call(key, 'DELETE', `/listings/${listingId}`)).toMatchObject({ status: 409 });
  const again = await post(`/market/publish/${listingId}`);
  expect(again.status).toBe(200);
  expect((again.body as { marketListingId: string }).marketListingId).not.toBe(before.marketListingId);
});

test('revising a live listing changes only the named fields', async () => {
  const listingId = await practice.live(key);
  expect((await post(`/market/revise/${listingId}`, {})).status).toBe(400);
  expect((await post(`/market/revise/${listingId}`, { condition: 'NEW' })).status).toBe(400);
  expect((await post(`/market/revise/${listingId}`, { title: 'x'.repeat(81) })).status).toBe(400);
  const bestOffer = { enabled: true, autoAcceptCents: 900, autoDeclineCents: 500 };
  const changes = { title: 'New title', price: 1_100, quantity: 4, sku: 'S-1', bestOffer };
  expect((await post(`/market/revise/${listingId}`, changes)).body).toMatchObject({ listing: changes });
  expect(
    (await post(`/market/revise/${listingId}`, { bestOffer: { ...bestOffer, autoDeclineCents: 950 } })).status,
  ).toBe(400);
});

test('buyers can buy until the quantity is used up', async () => {
  const listingId = await practice.live(key, { quantity: 3 });
  await practice.control('POST', '/sales', { listingId, quantity: 2, buyer: '<b>Bob</b>' });
  expect((await practice.call(key, 'GET', `/listings/${listingId}`)).body).toMatchObject({
    status: 'published',
    quantity: 1,
    soldQuantity: 2,
  });
  const many = await practice.call(null, 'POST', '/practice/sales', { listingId, quantity: 2 });
  expect(many.status).toBe(409);
  await practice.control('POST', '/sales', { listingId });
  expect(await stateOf(listingId)).toBe('sold');
  const notices = await practice.call(key, 'GET', '/notifications?limit=2');
  expect(notices.body).toMatchObject({
    notifications: [
      { kind: 'sale', listingId },
      { kind: 'sale', listingId },
    ],
  });
});

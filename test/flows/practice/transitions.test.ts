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
// Ends running generations, because at most five can run at a time.
afterEach(() => practice.advance(3_600_000));

const post = (path: string, body: unknown = {}) => practice.call(key, 'POST', path, body);

const createFailed = async (): Promise<string> => {
  await practice.control('POST', '/writer', { fail: 'IMAGES_UNREADABLE' });
  const listingId = await practice.written(key);
  await practice.control('POST', '/writer', {});
  return listingId;
};

const createProcessing = async (): Promise<string> => {
  await practice.control('POST', '/writer', { delayMs: 3_600_000 });
  const listingId = await practice.draft(key);
  await post(`/listings/${listingId}/generate`);
  await practice.control('POST', '/writer', {});
  return listingId;
};

const createEnded = async (): Promise<string> => {
  const listingId = await practice.live(key);
  await post(`/market/end/${listingId}`);
  return listingId;
};

const createSold = async (): Promise<string> => {
  const listingId = await practice.live(key);
  await practice.control('POST', '/sales', { listingId });
  return listingId;
};

const createListing: Record<ListingStatus, () => Promise<string>> = {
  draft: () => practice.draft(key),
  processing: createProcessing,
  pending_review: () => practice.written(key),
  published: () => practice.live(key),
  ended: createEnded,
  sold: createSold,
  failed: createFailed,
};

type Act = (listingId: string) => Promise<{ status: number; body: unknown }>;

/** Each call. `leads` maps the states that allow the call to the resulting state. */
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

const readState = async (listingId: string): Promise<string> => {
  const answer = await practice.call(key, 'GET', `/listings/${listingId}`);
  return answer.status === 404 ? 'gone' : (answer.body as { status: string }).status;
};

describe.each(Object.entries(acts))('a %s call', (_name, { act, leads }) => {
  const accepted = listingStatuses.flatMap((from) => (leads[from] ? [[from, leads[from]] as const] : []));
  const refused = listingStatuses.filter((from) => leads[from] === undefined);

  test.each(refused)('is refused with 409 for a %s listing', async (from) => {
    const listingId = await createListing[from]();
    expect(await act(listingId)).toMatchObject({ status: 409, body: { error: expect.any(String) as string } });
    expect(await readState(listingId)).toBe(from);
  });

  test.each(accepted)('is accepted for a %s listing, which is then %s', async (from, to) => {
    const listingId = await createListing[from]();
    expect((await act(listingId)).status).toBe(200);
    if (to !== 'gone') await practice.settled(key, listingId);
    expect(await readState(listingId)).toBe(to);
  });
});

test('a relisted listing gets a new marketplace id and cannot be deleted', async () => {
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

test('a live listing can be revised only with valid values', async () => {
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

test('a listing can be bought until its quantity is used up', async () => {
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
  expect(await readState(listingId)).toBe('sold');
  const notices = await practice.call(key, 'GET', '/notifications?limit=2');
  expect(notices.body).toMatchObject({
    notifications: [
      { kind: 'sale', listingId },
      { kind: 'sale', listingId },
    ],
  });
});

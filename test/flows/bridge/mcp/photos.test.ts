import { afterAll, beforeAll, expect, test } from 'vitest';
import sharp from 'sharp';
import * as z from 'zod';
import { callBridge, pairAssistant } from '../../../helpers/assistant.ts';
import { clients, connect } from './clients.ts';
import { startMcp, type Mcp } from './startMcp.ts';

let mcp: Mcp;
let listingId: string;
beforeAll(async () => {
  mcp = await startMcp();
  ({ listingId } = await mcp.world.reviewed('camera', 2));
});
afterAll(() => mcp.close());

const photoUrls = z.looseObject({ photoUrls: z.array(z.url()) });
const fetchPhoto = (url: string, as = mcp.token) => fetch(url, { headers: { authorization: `Bearer ${as}` } });

test.each(Object.entries(clients))(
  '%s gets the first photo and the text of a listing',
  async (_name, { connect: begin }) => {
    const mine = await begin(mcp.bridge.url, mcp.token);
    const { images, data } = await mine.call('get_listing', { listingId });
    expect(data).toMatchObject({ photos: 2, format: 'FIXED_PRICE' });
    expect(images.map(({ mimeType }) => mimeType)).toEqual(['image/jpeg']);
    const { width = 0, height = 0, format, exif } = await sharp(images[0]?.bytes).metadata();
    expect([format, exif]).toEqual(['jpeg', undefined]);
    expect(Math.max(width, height)).toBeLessThanOrEqual(768);
    await mine.close();
  },
);

test('get_listing returns the photo with the given number', async () => {
  const [first] = (await mcp.client.call('get_listing', { listingId })).images;
  const [second] = (await mcp.client.call('get_listing', { listingId, photo: 2 })).images;
  expect(second?.bytes.equals(first?.bytes ?? Buffer.of())).toBe(false);
  expect((await mcp.client.call('get_listing', { listingId, photo: 0 })).images).toEqual([]);
  const third = await mcp.client.call('get_listing', { listingId, photo: 3 });
  expect(third).toMatchObject({ isError: false, images: [] });
  expect(third.text).toContain('There is no photo 3.');
  expect(third.data['notices']).toEqual(['There is no photo 3.']);
});

test.each(Object.entries(clients))(
  '%s sees photos as images, beside which nothing is structured',
  async (_name, { connect: begin }) => {
    const mine = await begin(mcp.bridge.url, mcp.token);
    const tools = await mine.tools();
    expect(tools.filter(({ outputSchema }) => outputSchema === undefined).map(({ name }) => name)).toEqual([
      'view_photos',
    ]);
    const both = await mine.call('view_photos', { listingId, photos: [2, 1, 3, 2] });
    expect(both).toMatchObject({ isError: false, isStructured: false, data: { photos: 2 } });
    expect(both.images.map(({ mimeType }) => mimeType)).toEqual(['image/jpeg', 'image/jpeg']);
    expect(both.text).toContain('There is no photo 3.');
    const [first] = (await mine.call('view_photos', { listingId })).images;
    expect(both.images[1]?.bytes.equals(first?.bytes ?? Buffer.of())).toBe(true);
    await mine.close();
  },
);

test('get_listing returns a listing without its photo if the photo cannot be read', async () => {
  const bridged = await mcp.world.reviewed('lamp', 1);
  await mcp.world.practice.fault({
    method: 'GET',
    path: '/listings/{listingId}',
    body: { imageUrls: ['http://127.0.0.1:9/x'] },
  });
  mcp.world.clock.advance(61_000);
  const answer = await mcp.client.call('get_listing', { listingId: bridged.listingId });
  expect(answer).toMatchObject({ isError: false, images: [], data: { photos: 1 } });
  expect(answer.text).toContain('Photo 1 cannot be read now.');
});

test('get_listing returns Best Offer with its automatic limits', async () => {
  const { listingId: id } = await mcp.world.reviewed('watch', 1);
  const bestOffer = { enabled: true, autoAcceptCents: 4_000, autoDeclineCents: 2_000 };
  await mcp.client.call('edit_listing', { listingId: id, bestOffer });
  const [prompt] = mcp.world.companion().approvals.listPending();
  if (!prompt) throw new Error('No prompt is waiting.');
  await mcp.world.approve(prompt);
  mcp.world.clock.advance(6_000);
  expect((await mcp.client.call('get_listing', { listingId: id, photo: 0 })).data).toMatchObject({ bestOffer });
});

test('photo URLs point to the companion and require the token', async () => {
  const { data } = await mcp.client.call('get_listing', { listingId, photo: 0 });
  const urls = photoUrls.parse(data).photoUrls;
  expect(urls).toHaveLength(2);
  for (const url of urls) {
    expect(new URL(url).origin).toBe(new URL(mcp.bridge.url).origin);
    const answer = await fetchPhoto(url);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect((await sharp(Buffer.from(await answer.arrayBuffer())).metadata()).format).toBe('jpeg');
    expect((await fetch(url)).status).toBe(401);
  }
  const [url = ''] = urls;
  const fetchProblem = async (path: string) => {
    const answer = await fetchPhoto(url.replace(/1$/, path));
    return [answer.status, z.looseObject({ code: z.string() }).parse(await answer.json()).code];
  };
  expect(await fetchProblem('3')).toEqual([404, 'NOT_FOUND']);
  expect(await fetchProblem('0')).toEqual([400, 'INVALID_REQUEST']);
  expect(await fetchProblem('..%2f1')).toEqual([404, 'UNKNOWN_ROUTE']);
  const page = await callBridge(mcp.bridge.url, 'GET', new URL(url).pathname, {
    headers: { authorization: `Bearer ${mcp.token}`, origin: 'http://localhost' },
  });
  expect(page.status).toBe(403);
});

test('an assistant limited to its own listings sees no photo of other listings', async () => {
  const other = await pairAssistant(mcp.world, mcp.bridge.url, 'Own only');
  const { assistants } = mcp.world.companion();
  const id = assistants.list().assistants.find(({ name }) => name === 'Own only')?.assistantId ?? '';
  assistants.change(id, { touches: 'own' });
  const theirs = await connect(mcp.bridge.url, other.token);
  const answer = await theirs.call('get_listing', { listingId });
  expect(answer).toMatchObject({ isError: true, images: [], data: { code: 'NOT_YOUR_LISTING' } });
  const photos = await theirs.call('view_photos', { listingId });
  expect(photos).toMatchObject({ isError: true, images: [], data: { code: 'NOT_YOUR_LISTING' } });
  const url = new URL(`/companion/listings/${listingId}/photos/1`, mcp.bridge.url).href;
  const bytes = await fetchPhoto(url, other.token);
  expect([bytes.status, await bytes.json()]).toMatchObject([403, { code: 'NOT_YOUR_LISTING' }]);
  await theirs.close();
});

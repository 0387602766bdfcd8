import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { drawnPhoto, startTestPractice, type TestPractice } from '../../helpers/practice.ts';

let practice: TestPractice;
beforeAll(async () => {
  practice = await startTestPractice();
});
afterAll(() => practice.close());

const slots = z.array(z.object({ uploadUrl: z.url(), key: z.string(), publicUrl: z.url(), imageId: z.string() }));
const urls = z.looseObject({ imageUrls: z.array(z.string()) });

const requestSlots = (key: string, listingId: string, indexes: number[], contentType = 'image/jpeg') =>
  practice.call(key, 'POST', '/listings/upload-url', {
    listingId,
    files: indexes.map((index) => ({ contentType, index })),
  });

const requestSlot = async (key: string, listingId: string, index: number, contentType = 'image/jpeg') => {
  const [slot] = slots.parse((await requestSlots(key, listingId, [index], contentType)).body);
  if (!slot) throw new Error('No slot.');
  return slot;
};

const createDraft = async (plan = 'Free') => {
  const { agentKey } = await practice.person({ plan });
  return { key: agentKey, listingId: await practice.draft(agentKey, 0) };
};

const readImageUrls = async (key: string, listingId: string): Promise<string[]> =>
  urls.parse((await practice.call(key, 'GET', `/listings/${listingId}`)).body).imageUrls;

test.each(['jpeg', 'png', 'webp'] as const)('an uploaded %s photo can be downloaded unchanged', async (type) => {
  const { key, listingId } = await createDraft();
  const slot = await requestSlot(key, listingId, 0, `image/${type}`);
  const bytes = await drawnPhoto(7, type);
  expect((await practice.upload(slot.uploadUrl, bytes, `image/${type}`)).status).toBe(200);
  const shown = await fetch(slot.publicUrl);
  expect(shown.headers.get('content-type')).toBe(`image/${type}`);
  expect(Buffer.from(await shown.arrayBuffer()).equals(bytes)).toBe(true);
  expect(await readImageUrls(key, listingId)).toEqual([slot.publicUrl]);
});

test('an upload slot expires after 15 minutes', async () => {
  const { key, listingId } = await createDraft();
  const { uploadUrl } = await requestSlot(key, listingId, 0);
  await practice.advance(15 * 60_000 - 1_000);
  expect((await practice.upload(uploadUrl, await drawnPhoto())).status).toBe(200);
  await practice.advance(1_000);
  expect((await practice.upload(uploadUrl, await drawnPhoto())).status).toBe(403);
});

test('the uploaded type must match the requested type', async () => {
  const { key, listingId } = await createDraft();
  const { uploadUrl } = await requestSlot(key, listingId, 0);
  expect((await practice.upload(uploadUrl, await drawnPhoto(1, 'png'), 'image/png')).status).toBe(415);
  expect((await practice.upload(uploadUrl, await drawnPhoto(), 'image/jpeg; q=1')).status).toBe(415);
  expect(await readImageUrls(key, listingId)).toEqual([]);
  expect((await requestSlots(key, listingId, [0], 'image/heic')).status).toBe(400);
});

test('an upload slot accepts unreadable bytes, but the generation then fails', async () => {
  const real = await startTestPractice({ writer: 'built-in' });
  const { agentKey } = await real.person({ plan: 'Lite' });
  const write = async (...photos: Buffer[]) => {
    const listingId = await real.draft(agentKey, 0);
    const files = photos.map((_, index) => ({ contentType: 'image/jpeg', index }));
    const asked = await real.call(agentKey, 'POST', '/listings/upload-url', { listingId, files });
    for (const [index, { uploadUrl }] of slots.parse(asked.body).entries())
      expect((await real.upload(uploadUrl, photos[index] ?? Buffer.alloc(0))).status).toBe(200);
    await real.call(agentKey, 'POST', `/listings/${listingId}/generate`, {});
    return real.settled(agentKey, listingId);
  };
  const unreadable = [Buffer.from('<svg/>'), Buffer.alloc(0), (await drawnPhoto(2)).subarray(0, 40)] as const;
  for (const photos of [[unreadable[0]], [unreadable[1]], unreadable])
    expect(await write(...photos)).toMatchObject({
      status: 'failed',
      processingErrorCode: 'IMAGES_UNREADABLE',
      processingError: expect.any(String) as string,
    });
  expect(await write(unreadable[0], await drawnPhoto(3))).toMatchObject({ status: 'pending_review' });
  expect(await write(await drawnPhoto(4, 'png'))).toMatchObject({ status: 'pending_review' });
  await real.close();
});

test('an upload to an unknown slot is refused', async () => {
  expect((await practice.upload(`${practice.url}/uploads/nothing`, await drawnPhoto())).status).toBe(403);
});

test('repeated uploads of the same bytes to one slot make one photo', async () => {
  const { key, listingId } = await createDraft();
  const { uploadUrl, publicUrl } = await requestSlot(key, listingId, 0);
  const bytes = await drawnPhoto();
  const answers = await Promise.all([1, 2, 3].map(() => practice.upload(uploadUrl, bytes)));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(await readImageUrls(key, listingId)).toEqual([publicUrl]);
});

test('a new upload slot for an index replaces the photo of that index', async () => {
  const { key, listingId } = await createDraft();
  const first = await requestSlot(key, listingId, 0);
  await practice.upload(first.uploadUrl, await drawnPhoto(1));
  const second = await requestSlot(key, listingId, 0);
  expect((await practice.upload(first.uploadUrl, await drawnPhoto(2))).status).toBe(403);
  expect(await readImageUrls(key, listingId)).toEqual([first.publicUrl]);
  expect((await practice.upload(second.uploadUrl, await drawnPhoto(3))).status).toBe(200);
  expect(await readImageUrls(key, listingId)).toEqual([second.publicUrl]);
  expect((await fetch(first.publicUrl)).status).toBe(404);
});

test('after a change to a smaller plan, photos can be replaced but not added', async () => {
  const email = 'smaller@example.com';
  const { agentKey: key } = await practice.person({ email, plan: 'Lite', connected: true });
  const written = await practice.draft(key, 12);
  await practice.call(key, 'POST', `/listings/${written}/generate`, {});
  await practice.settled(key, written);
  const [draft, few] = [await practice.draft(key, 12), await practice.draft(key, 2)];
  // Upload slots that are never used do not count as photos.
  await requestSlots(key, few, [2, 3, 4, 5]);
  await practice.person({ email, plan: 'Free' });
  for (const listingId of [written, draft]) {
    expect((await requestSlots(key, listingId, [0, 11])).status).toBe(200);
    expect(await requestSlots(key, listingId, [12])).toMatchObject({
      status: 400,
      body: { error: 'The Free plan has 4 photos a listing; this would make it 13.' },
    });
  }
  expect((await requestSlots(key, few, [1])).status).toBe(200);
  expect((await requestSlots(key, few, [4])).status).toBe(400);
  const slot = await requestSlot(key, written, 0);
  expect((await practice.upload(slot.uploadUrl, await drawnPhoto(9))).status).toBe(200);
  expect((await readImageUrls(key, written))[0]).toBe(slot.publicUrl);
  expect(await readImageUrls(key, written)).toHaveLength(12);
  expect(await practice.call(key, 'POST', `/listings/${draft}/generate`, {})).toMatchObject({
    status: 400,
    body: {
      error:
        'The Free plan has 4 photos a listing; this one has 12. Delete it and start again with fewer, or take a larger plan.',
    },
  });
  await practice.call(key, 'POST', `/listings/${written}/channels/fees`, { action: 'confirm' });
  expect((await practice.call(key, 'POST', `/market/publish/${written}`, {})).status).toBe(200);
});

test('upload slots are refused for more photos than the plan allows', async () => {
  const { key, listingId } = await createDraft('Free');
  expect((await requestSlots(key, listingId, [0, 1, 2, 3])).status).toBe(200);
  expect((await requestSlots(key, listingId, [0, 3])).status).toBe(200);
  expect(await requestSlots(key, listingId, [4])).toMatchObject({
    status: 400,
    body: { error: expect.stringContaining('4 photos') as string },
  });
  expect((await requestSlots(key, listingId, [1, 1])).status).toBe(400);
  expect((await requestSlots(key, listingId, [])).status).toBe(400);
  const larger = await createDraft('Pro');
  const indexes = Array.from({ length: 17 }, (_, index) => index);
  expect((await requestSlots(larger.key, larger.listingId, indexes)).status).toBe(400);
  expect((await requestSlots(larger.key, larger.listingId, indexes.slice(1))).status).toBe(200);
});

test('photos are returned in the order of their index', async () => {
  const { key, listingId } = await createDraft();
  const [third, first] = slots.parse((await requestSlots(key, listingId, [3, 1])).body);
  if (!third || !first) throw new Error('Two slots were asked for.');
  await practice.upload(third.uploadUrl, await drawnPhoto(3));
  await practice.upload(first.uploadUrl, await drawnPhoto(1));
  expect(await readImageUrls(key, listingId)).toEqual([first.publicUrl, third.publicUrl]);
});

test('a live listing accepts no photos', async () => {
  const { agentKey } = await practice.person({ connected: true });
  const listingId = await practice.live(agentKey);
  expect((await requestSlots(agentKey, listingId, [0])).status).toBe(409);
});

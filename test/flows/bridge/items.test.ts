import { readFile, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { waitUntil } from '../../helpers/testClock.ts';
import { startWorld, type World } from '../../helpers/world.ts';
import { pairWithId, type Paired } from '../../helpers/bridge/scene.ts';
import { putCodePhoto } from '../../helpers/photos/putCodePhoto.ts';
import { listAllItems } from '../../helpers/listAllItems.ts';

const record = z.looseObject({ itemId: z.string(), step: z.string(), listingId: z.string().nullable() });
const added = z.looseObject({ itemId: z.string() });
const one = z.object({ item: record });
const photosAnswer = z.object({ photos: z.array(z.looseObject({ imageId: z.string() })), left: z.array(z.unknown()) });

let world: World;
let bridge: Awaited<ReturnType<World['bridge']>>;
let helper: Paired;
let folder: string;
beforeEach(async () => {
  world = await startWorld();
  bridge = await world.bridge();
  helper = await pairWithId(world, bridge.url, 'Tidy Helper');
  folder = await world.folder('desk lamp', 3);
  world.companion().assistants.change(helper.assistantId, { folders: [folder] });
});
afterEach(async () => {
  await bridge.stop();
  await world.close();
});

const addItem = async (wish: object): Promise<string> => {
  const { status, body, headers } = await helper.call('POST', '/companion/items', { body: wish });
  const { itemId } = added.parse(body);
  expect([status, headers['location']]).toEqual([202, `/companion/items/${itemId}`]);
  return itemId;
};
const readItem = async (itemId: string, query = '') =>
  one.parse((await helper.call('GET', `/companion/items/${itemId}${query}`)).body).item;
const createDraft = async (): Promise<string> =>
  z.looseObject({ listingId: z.string() }).parse((await helper.call('POST', '/listings', { body: {} })).body).listingId;
/** Uploads the bytes of a photo as the body of a request. */
const uploadPhoto = (listingId: string, bytes: Buffer, type: string, chunked = false) =>
  new Promise<{ status: number; body: unknown }>((resolve, reject) => {
    const sent = request(
      `${bridge.url}/companion/listings/${listingId}/photos`,
      {
        method: 'POST',
        headers: {
          authorization: `Bearer ${helper.token}`,
          'content-type': type,
          ...(chunked ? {} : { 'content-length': bytes.length }),
        },
      },
      (response) => {
        let got = '';
        response.on('data', (chunk: Buffer) => (got += chunk.toString()));
        response.on('end', () => resolve({ status: response.statusCode ?? 0, body: JSON.parse(got) as unknown }));
      },
    );
    sent.on('error', reject);
    sent.end(bytes);
  });

test('an assistant can turn a folder into a listing and request its publish', async () => {
  const wish = { folder, note: 'Green glass', quantity: 3, marketplaceId: 'MKT_DE', listingLanguage: 'de-DE' };
  const itemId = await addItem(wish);
  await world.item(itemId, 'review');
  const { step, listingId } = await readItem(itemId);
  expect(step).toBe('review');
  const read = await helper.call('GET', `/listings/${listingId}`);
  expect(read.body).toMatchObject({
    status: 'pending_review',
    quantity: 3,
    marketplaceId: 'MKT_DE',
    listingLanguage: 'de-DE',
    additionalContext: 'Green glass',
  });
  expect(z.looseObject({ imageUrls: z.array(z.string()) }).parse(read.body).imageUrls).toHaveLength(3);
  const asked = await helper.call('POST', `/market/publish/${listingId}`, { body: {} });
  expect(asked.status).toBe(202);
  expect(world.companion().approvals.listPending()).toMatchObject([
    { prompt: { act: 'Publish on the German site', target: { listingId } } },
  ]);
});

test('the refusal of an item with an invalid quantity or site names the field', async () => {
  for (const [field, value] of [
    ['quantity', 100_001],
    ['marketplaceId', 'Germany'],
  ] as const) {
    const refused = await helper.call('POST', '/companion/items', { body: { folder, [field]: value } });
    expect([refused.status, refused.body]).toMatchObject([400, { field }]);
  }
});

test('a waiting request ends when its item is in review or when its timeout expires', async () => {
  const itemId = await addItem({ folder });
  let answered: z.infer<typeof record> | null = null;
  void readItem(itemId, '?wait=45').then((item) => (answered = item));
  // The clock advances slowly, so that the item is ready before the timeout expires.
  await waitUntil(() => {
    world.clock.advance(100);
    return answered !== null;
  }, 'the answer');
  expect(answered).toMatchObject({ itemId, step: 'review' });

  world.companion().pauseAll(true);
  const held = await addItem({ folder });
  let early = false;
  const waiting = readItem(held, '?wait=30').finally(() => (early = true));
  await waitUntil(async () => (await readItem(held)).step !== 'review', 'the item to be held');
  expect(early).toBe(false);
  world.clock.advance(30_000);
  expect((await waiting).step).not.toBe('review');
  world.companion().pauseAll(false);
  await world.item(held, 'review');
});

test('an assistant sees only its own items', async () => {
  const itemId = await addItem({ folder });
  const other = await pairWithId(world, bridge.url, 'Other Helper');
  const persons = await world.reviewed('book');
  for (const path of [itemId, persons.itemId]) {
    expect(await other.call('GET', `/companion/items/${path}`)).toMatchObject({
      status: 404,
      body: { code: 'NOT_FOUND' },
    });
  }
  expect((await other.call('GET', '/companion/items')).body).toEqual({ items: [] });
  const mine = z.object({ items: z.array(record) }).parse((await helper.call('GET', '/companion/items')).body);
  expect(mine.items.map((item) => item.itemId)).toEqual([itemId]);
});

test.each(['B07', 'B08'])('the photo of the code %s that an assistant adds to a listing is left out', async (code) => {
  const { itemId } = await world.reviewed('old lamp');
  world.companion().shelf.change({ itemIds: [itemId] }, { sku: 'B07' });
  await putCodePhoto(folder, 'IMG_2.jpg', 'qrcode', code);
  const { status, body } = await helper.call('POST', `/companion/listings/${await createDraft()}/photos`, {
    body: { photos: [join(folder, 'IMG_1.jpg'), join(folder, 'IMG_2.jpg')] },
  });
  expect([status, body]).toMatchObject([
    200,
    {
      photos: [{ name: 'IMG_1.jpg' }],
      left: [{ name: 'IMG_2.jpg', code: 'PHOTO_REFUSED', error: 'Label photo, not sent.' }],
    },
  ]);
});

test('an assistant limited to its own listings may edit the listings of its items', async () => {
  world.companion().assistants.change(helper.assistantId, { touches: 'own' });
  const itemId = await addItem({ folder });
  await world.item(itemId, 'review');
  const { listingId } = await readItem(itemId);
  expect((await helper.call('PUT', `/listings/${listingId}`, { body: { title: 'Lamp' } })).status).toBe(200);
  const persons = await world.reviewed('book');
  const answer = await helper.call('POST', `/companion/listings/${persons.listingId}/photos`, {
    body: { photos: [join(folder, 'IMG_1.jpg')] },
  });
  expect([answer.status, answer.body['code']]).toEqual([403, 'NOT_YOUR_LISTING']);
  expect((await world.companion().disk.use()).copies).toBe(0);
});

test('an assistant can add photos to a listing by path or by upload', async () => {
  const listingId = await createDraft();
  const byPath = await helper.call('POST', `/companion/listings/${listingId}/photos`, {
    body: { photos: [join(folder, 'IMG_1.jpg')] },
  });
  expect([byPath.status, photosAnswer.parse(byPath.body)]).toMatchObject([200, { left: [] }]);
  const bytes = await readFile(join(folder, 'IMG_2.jpg'));
  for (const chunked of [false, true]) {
    const sent = await uploadPhoto(listingId, bytes, 'image/jpeg', chunked);
    expect([sent.status, photosAnswer.parse(sent.body).photos.length]).toEqual([200, 1]);
  }
  const read = await helper.call('GET', `/listings/${listingId}`);
  expect(z.looseObject({ imageUrls: z.array(z.string()) }).parse(read.body).imageUrls).toHaveLength(3);
  expect((await helper.call('POST', `/listings/${listingId}/generate`, { body: {} })).status).toBe(200);
  expect((await world.companion().disk.use()).copies).toBe(0);
});

test('an upload that is not a photo is skipped, and an oversized upload is refused', async () => {
  const listingId = await createDraft();
  const none = await uploadPhoto(listingId, Buffer.from('a letter'), 'image/jpeg');
  expect([none.status, none.body]).toMatchObject([200, { photos: [], left: [{ name: 'photo' }] }]);
  const large = Buffer.alloc(64 * 2 ** 20 + 1);
  for (const chunked of [false, true]) {
    expect(await uploadPhoto(listingId, large, 'image/jpeg', chunked)).toEqual({
      status: 413,
      body: { code: 'PHOTO_TOO_LARGE', error: 'A photo may have at most 64 MiB.', field: 'body' },
    });
  }
  expect((await uploadPhoto('none', await readFile(join(folder, 'IMG_1.jpg')), 'image/jpeg')).status).toBe(404);
  expect((await world.companion().disk.use()).copies).toBe(0);
});

test('photos beyond the limit of a listing and photos for a live listing are refused', async () => {
  const listingId = await createDraft();
  const path = `/companion/listings/${listingId}/photos`;
  const many = Array.from({ length: 24 }, () => join(folder, 'IMG_1.jpg'));
  expect((await helper.call('POST', path, { body: { photos: [join(folder, 'IMG_2.jpg')] } })).status).toBe(200);
  expect(await helper.call('POST', path, { body: { photos: many } })).toMatchObject({
    status: 422,
    body: { code: 'TOO_MANY_PHOTOS', error: 'A listing takes at most 24 photos.' },
  });
  const { listingId: live } = await world.asked();
  await world.yes();
  const answer = await helper.call('POST', `/companion/listings/${live}/photos`, {
    body: { photos: many.slice(0, 1) },
  });
  expect([answer.status, answer.body['code']]).toEqual([409, 'WRONG_STATE']);
  expect((await world.companion().disk.use()).copies).toBe(0);
});

describe('items with an Idempotency-Key', () => {
  const addItemWithKey = (key: string, body: object = { folder }, by = helper) =>
    by.call('POST', '/companion/items', { body, headers: { 'idempotency-key': key } });
  const listItemIds = () => listAllItems(world.companion()).map(({ itemId }) => itemId);

  test('repeated requests with the same key create one item', async () => {
    await writeFile(join(folder, 'IMG_9.jpg'), 'a letter');
    const together = await Promise.all([addItemWithKey('k-1'), addItemWithKey('k-1'), addItemWithKey('k-1')]);
    const later = await addItemWithKey('k-1');
    const answers = [...together, later];
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 202, 202]);
    const [itemId] = listItemIds();
    expect(listItemIds()).toHaveLength(1);
    for (const { body, headers } of answers)
      expect([body['itemId'], headers['location']]).toEqual([itemId, `/companion/items/${itemId}`]);
    const replayed = answers.map(({ headers }) => headers['idempotent-replayed'] ?? null);
    expect(replayed.filter((one) => one === 'true')).toHaveLength(3);
    expect(later.headers['idempotent-replayed']).toBe('true');
    // A replayed response lists the skipped photos, too. A request with another key or no key creates another item.
    for (const { body } of answers) expect(body['left']).toMatchObject([{ name: 'IMG_9.jpg' }]);
    expect((await addItemWithKey('k-2')).headers['idempotent-replayed']).toBeUndefined();
    await addItem({ folder });
    expect(listItemIds()).toHaveLength(3);
  });

  test('a different request with a used idempotency key is refused for one day', async () => {
    const [first, other] = await Promise.all([addItemWithKey('k-1'), addItemWithKey('k-1', { folder, quantity: 2 })]);
    const reused = {
      status: 409,
      body: {
        code: 'IDEMPOTENCY_KEY_REUSED',
        error: 'This Idempotency-Key was used in the last 24 hours with another body. Use a new key for a new item.',
      },
    };
    expect([first.status, other]).toMatchObject([202, reused]);
    expect(await addItemWithKey('k-1', { folder, note: 'Worn once' })).toMatchObject(reused);
    expect(listItemIds()).toHaveLength(1);
    world.clock.advance(24 * 3_600_000);
    expect((await addItemWithKey('k-1', { folder, note: 'Worn once' })).status).toBe(202);
    expect(listItemIds()).toHaveLength(2);
  });

  test('the bridge’s OpenAPI description contains the Idempotency-Key header', async () => {
    const { body } = await helper.call('GET', '/companion/openapi.json');
    const parameters: unknown = expect.arrayContaining([
      expect.objectContaining({ name: 'idempotency-key', in: 'header', required: false }),
    ]);
    expect(body['paths']).toMatchObject({ '/companion/items': { post: { parameters } } });
  });

  test('a refused request does not use up its idempotency key', async () => {
    const elsewhere = await world.folder('not allowed');
    expect((await addItemWithKey('k-1', { folder: elsewhere })).status).toBe(403);
    const { status, headers } = await addItemWithKey('k-1');
    expect([status, headers['idempotent-replayed']]).toEqual([202, undefined]);
  });

  test.each([[''], ['with a space'], ['x'.repeat(65)], ['schlüssel']])(
    'the invalid idempotency key %j is refused',
    async (key) => {
      const { status, body } = await addItemWithKey(Buffer.from(key).toString('latin1'));
      expect([status, body['code'], body['field']]).toEqual([400, 'INVALID_IDEMPOTENCY_KEY', 'idempotency-key']);
      expect(listItemIds()).toEqual([]);
    },
  );

  test('idempotency keys of different assistants are independent', async () => {
    const other = await pairWithId(world, bridge.url, 'Other Helper');
    world.companion().assistants.change(other.assistantId, { folders: [folder] });
    const mine = await addItemWithKey('k-1');
    const theirs = await addItemWithKey('k-1', { folder, quantity: 2 }, other);
    expect([theirs.status, theirs.headers['idempotent-replayed']]).toEqual([202, undefined]);
    expect(theirs.body['itemId']).not.toBe(mine.body['itemId']);
    // The request of the other assistant has not replaced the first request.
    expect(await addItemWithKey('k-1')).toMatchObject({
      headers: { 'idempotent-replayed': 'true' },
      body: { itemId: mine.body['itemId'] },
    });
  });
});

test('an assistant’s item resumes after a restart of the companion', async () => {
  world.companion().pauseAll(true);
  const itemId = await addItem({ folder, note: 'Before the restart' });
  await bridge.stop();
  await world.stop();
  await world.begin();
  bridge = await world.bridge();
  await world.item(itemId, 'review');
  // The restarted bridge has another port but accepts the same token.
  const answer = await fetch(`${bridge.url}/companion/items/${itemId}`, {
    headers: { authorization: `Bearer ${helper.token}` },
  });
  expect(one.parse(await answer.json()).item).toMatchObject({ step: 'review', note: 'Before the restart' });
});

test('the refusal of an item with an invalid field names the field', async () => {
  const wishes: [object, string][] = [
    [{}, 'folder'],
    [{ folder, quantity: 0 }, 'quantity'],
    [{ folder, quantity: 1.5 }, 'quantity'],
    [{ folder, marketplaceId: 'Germany' }, 'marketplaceId'],
    [{ folder, note: 'x'.repeat(20_001) }, 'note'],
    [{ photos: [] }, 'photos'],
    [{ photos: [7] }, 'photos.0'],
    [{ folder, by: { kind: 'person' } }, 'body'],
  ];
  for (const [body, field] of wishes) {
    const answer = await helper.call('POST', '/companion/items', { body });
    expect([answer.status, answer.body['code'], answer.body['field']]).toEqual([400, 'INVALID_REQUEST', field]);
    expect(answer.body['error']).toMatch(/^[A-Z].*\.$/);
  }
  expect(listAllItems(world.companion())).toEqual([]);
});

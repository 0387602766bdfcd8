import { afterEach, describe, expect, test } from 'vitest';
import { serviceKey } from '../../helpers/approvals/decisions.ts';
import { startWorld, type World } from '../../helpers/world.ts';

let world: World;
afterEach(() => world.close());

const items = () => world.companion().items;
const writer = (fail: string | null) => world.practice.control('POST', '/writer', { delayMs: 0, fail });
const given = async (name: string, photos: number) => ({
  kind: 'paths' as const,
  paths: [await world.folder(name, photos)],
});
const written = async (): Promise<number> => world.happened('generation');

/** An item whose photos the service could not read. */
const unread = async (photos = 2): Promise<{ itemId: string; listingId: string }> => {
  await writer('IMAGES_UNREADABLE');
  const { itemIds } = await world.companion().add(await given('blurred', photos));
  const [itemId = ''] = itemIds;
  const stop = await world.until(() => items().get(itemId).stop, 'the stop');
  expect(stop.next).toEqual(['change_photos', 'write_again', 'remove']);
  await writer(null);
  return { itemId, listingId: items().get(itemId).listingId ?? '' };
};

/** A draft that was made elsewhere, with so many photos. */
const draftElsewhere = async (photos: number): Promise<string> => {
  const listingId = await world.practice.draft(await serviceKey(world), photos);
  await world.listing(listingId);
  return listingId;
};

const ready = async (itemId: string) => world.item(itemId, 'arranging');

describe('replacing unreadable photos before the listing is generated again', () => {
  test('new photos go to the same draft, nothing is sent before the yes, and one more listing is used after it', async () => {
    world = await startWorld();
    const { itemId, listingId } = await unread();
    const before = (await world.listing(listingId)).imageUrls;
    const sent = await world.happened('photo');
    await items().changePhotos(itemId);
    const [first] = items().get(itemId).photos;
    await items().arranging.remove([first?.photoId ?? '']);
    await world.companion().addInto(await given('sharp', 1), { itemId });
    const view = await ready(itemId);
    expect([view.arrangeable, view.reviewReason, view.photos.length]).toEqual([true, 'replacingPhotos', 2]);
    expect([await written(), await world.happened('photo')]).toEqual([1, sent]);

    // It waits for the press through a restart, too, and not among those that were guessed.
    await world.stop();
    await world.begin();
    expect([await items().begin(), items().get(itemId).step]).toEqual([0, 'arranging']);
    await items().begin([itemId]);
    await world.until(() => world.companion().approvals.listPending()[0], 'the question');
    const exchanged = await world.listing(listingId);
    expect(exchanged).toMatchObject({ listingId, status: 'draft' });
    expect(exchanged.imageUrls).toHaveLength(2);
    expect(exchanged.imageUrls?.some((url) => before?.includes(url))).toBe(false);
    expect(await written()).toBe(1);
    await world.yes();
    expect((await world.item(itemId, 'review')).listingId).toBe(listingId);
    expect(await written()).toBe(2);
  });

  test('fewer new photos than before go to a new draft, because the service keeps the old draft’s photos', async () => {
    world = await startWorld();
    const { itemId, listingId } = await unread(3);
    await items().changePhotos(itemId);
    await items().arranging.remove([items().get(itemId).photos[2]?.photoId ?? '']);
    expect(await written()).toBe(1);
    await items().begin([itemId]);
    const view = await world.item(itemId, 'review');
    expect(view.listingId).not.toBe(listingId);
    expect((await world.listing(view.listingId ?? '')).imageUrls).toHaveLength(2);
    expect(await world.listing(listingId)).toMatchObject({ status: 'draft' });
  });

  test('new photos replace the old photos of a listing that has no item on this machine', async () => {
    world = await startWorld();
    const listingId = await draftElsewhere(1);
    await writer('IMAGES_UNREADABLE');
    await world.perform('generateListing', { params: { listingId } });
    await world.until(async () => (await world.listing(listingId)).status === 'failed', 'the failure');
    await writer(null);
    const { itemIds } = await world.companion().addInto(await given('sharp', 2), { listingId });
    const [itemId = ''] = itemIds;
    expect((await ready(itemId)).listingId).toBe(listingId);
    expect((await world.listing(listingId)).imageUrls).toHaveLength(1);
    await items().begin([itemId]);
    await world.until(() => world.companion().approvals.listPending()[0], 'the question');
    expect((await world.listing(listingId)).imageUrls).toHaveLength(2);
    expect(await written()).toBe(1);
  });
});

test('a draft made elsewhere gets new photos after its own, and is generated when the person asks for it', async () => {
  world = await startWorld();
  const listingId = await draftElsewhere(1);
  const [had] = (await world.listing(listingId)).imageUrls ?? [];
  const { itemIds } = await world.companion().addInto(await given('more of it', 2), { listingId });
  const [itemId = ''] = itemIds;
  await ready(itemId);
  const again = await world.companion().addInto(await given('and one', 1), { listingId });
  expect(again.itemIds).toEqual([itemId]);
  expect((await ready(itemId)).photos).toHaveLength(3);
  await world.stop();
  await world.begin();
  expect([await written(), (await world.listing(listingId)).imageUrls?.length]).toEqual([0, 1]);
  await items().begin([itemId]);
  await world.item(itemId, 'review');
  const { imageUrls } = await world.listing(listingId);
  expect([imageUrls?.length, imageUrls?.[0] === had, await written()]).toEqual([4, true, 1]);
  await expect(world.companion().addInto(await given('too late', 1), { itemId })).rejects.toMatchObject({
    code: 'TOO_LATE',
  });
});

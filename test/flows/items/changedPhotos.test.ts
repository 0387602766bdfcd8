import { afterEach, describe, expect, test } from 'vitest';
import { readServiceKey } from '../../helpers/approvals/decisions.ts';
import { startWorld, type World } from '../../helpers/world.ts';

let world: World;
afterEach(() => world.close());

const items = () => world.companion().items;
const setWriterFault = (fail: string | null) => world.practice.control('POST', '/writer', { delayMs: 0, fail });
const createDrop = async (name: string, photos: number) => ({
  kind: 'paths' as const,
  paths: [await world.folder(name, photos)],
});
const countGenerations = async (): Promise<number> => world.happened('generation');

/** Adds an item whose photos the service cannot read. */
const addUnreadableItem = async (photos = 2): Promise<{ itemId: string; listingId: string }> => {
  await setWriterFault('IMAGES_UNREADABLE');
  const { itemIds } = await world.companion().add(await createDrop('blurred', photos));
  const [itemId = ''] = itemIds;
  const stop = await world.until(() => items().get(itemId).stop, 'the stop');
  expect(stop.next).toEqual(['change_photos', 'write_again', 'remove']);
  await setWriterFault(null);
  return { itemId, listingId: items().get(itemId).listingId ?? '' };
};

const createDraftElsewhere = async (photos: number): Promise<string> => {
  const listingId = await world.practice.draft(await readServiceKey(world), photos);
  await world.listing(listingId);
  return listingId;
};

const waitForArranging = async (itemId: string) => world.item(itemId, 'arranging');

describe('replacing unreadable photos before the listing is generated again', () => {
  test('a draft with replaced photos is not generated again without approval', async () => {
    world = await startWorld();
    const { itemId, listingId } = await addUnreadableItem();
    const before = (await world.listing(listingId)).imageUrls;
    const sent = await world.happened('photo');
    await items().changePhotos(itemId);
    const [first] = items().get(itemId).photos;
    await items().arranging.remove([first?.photoId ?? '']);
    await world.companion().addInto(await createDrop('sharp', 1), { itemId });
    const view = await waitForArranging(itemId);
    expect([view.arrangeable, view.reviewReason, view.photos.length]).toEqual([true, 'replacingPhotos', 2]);
    expect([await countGenerations(), await world.happened('photo')]).toEqual([1, sent]);

    // After a restart, starting all grouped items does not start this item.
    await world.stop();
    await world.begin();
    expect([await items().begin(), items().get(itemId).step]).toEqual([0, 'arranging']);
    await items().begin([itemId]);
    await world.until(() => world.companion().approvals.listPending()[0], 'the question');
    const exchanged = await world.listing(listingId);
    expect(exchanged).toMatchObject({ listingId, status: 'draft' });
    expect(exchanged.imageUrls).toHaveLength(2);
    expect(exchanged.imageUrls?.some((url) => before?.includes(url))).toBe(false);
    expect(await countGenerations()).toBe(1);
    await world.yes();
    expect((await world.item(itemId, 'review')).listingId).toBe(listingId);
    expect(await countGenerations()).toBe(2);
  });

  test('a new draft is created if the person removed a photo from the item', async () => {
    world = await startWorld();
    const { itemId, listingId } = await addUnreadableItem(3);
    await items().changePhotos(itemId);
    await items().arranging.remove([items().get(itemId).photos[2]?.photoId ?? '']);
    expect(await countGenerations()).toBe(1);
    await items().begin([itemId]);
    const view = await world.item(itemId, 'review');
    expect(view.listingId).not.toBe(listingId);
    expect((await world.listing(view.listingId ?? '')).imageUrls).toHaveLength(2);
    expect(await world.listing(listingId)).toMatchObject({ status: 'draft' });
  });

  test('new photos replace the old photos of a listing that has no item on this machine', async () => {
    world = await startWorld();
    const listingId = await createDraftElsewhere(1);
    await setWriterFault('IMAGES_UNREADABLE');
    await world.perform('generateListing', { params: { listingId } });
    await world.until(async () => (await world.listing(listingId)).status === 'failed', 'the failure');
    await setWriterFault(null);
    const { itemIds } = await world.companion().addInto(await createDrop('sharp', 2), { listingId });
    const [itemId = ''] = itemIds;
    expect((await waitForArranging(itemId)).listingId).toBe(listingId);
    expect((await world.listing(listingId)).imageUrls).toHaveLength(1);
    await items().begin([itemId]);
    await world.until(() => world.companion().approvals.listPending()[0], 'the question');
    expect((await world.listing(listingId)).imageUrls).toHaveLength(2);
    expect(await countGenerations()).toBe(1);
  });
});

test('photos added to a draft made elsewhere are placed after its existing photos', async () => {
  world = await startWorld();
  const listingId = await createDraftElsewhere(1);
  const [had] = (await world.listing(listingId)).imageUrls ?? [];
  const { itemIds } = await world.companion().addInto(await createDrop('more of it', 2), { listingId });
  const [itemId = ''] = itemIds;
  await waitForArranging(itemId);
  const again = await world.companion().addInto(await createDrop('and one', 1), { listingId });
  expect(again.itemIds).toEqual([itemId]);
  expect((await waitForArranging(itemId)).photos).toHaveLength(3);
  await world.stop();
  await world.begin();
  expect([await countGenerations(), (await world.listing(listingId)).imageUrls?.length]).toEqual([0, 1]);
  await items().begin([itemId]);
  await world.item(itemId, 'review');
  const { imageUrls } = await world.listing(listingId);
  expect([imageUrls?.length, imageUrls?.[0] === had, await countGenerations()]).toEqual([4, true, 1]);
  await expect(world.companion().addInto(await createDrop('too late', 1), { itemId })).rejects.toMatchObject({
    code: 'TOO_LATE',
  });
});

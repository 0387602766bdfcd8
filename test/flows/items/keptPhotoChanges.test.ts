import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, expect, test } from 'vitest';
import { connectAs } from '../../helpers/approvals/decisions.ts';
import { startWorld, type World } from '../../helpers/world.ts';

let world: World;
afterEach(() => world.close());

const items = () => world.companion().items;
const countUploads = (): Promise<number> => world.happened('photo');
const listPhotoIds = (itemId: string): string[] =>
  items()
    .get(itemId)
    .photos.map(({ photoId }) => photoId);

/** Stores a change that was being sent when the companion ended, and starts the companion again. */
const restartWithStartedChange = async (itemId: string): Promise<void> => {
  const before = listPhotoIds(itemId);
  const { listingId } = items().get(itemId);
  await world.stop();
  const db = new Database(join(world.dataDir, 'companion.db'));
  db.prepare(
    `insert into photo_changes (item_id, account, listing_id, stage, before, wished, rounds)
     select item_id, account, ?, 'sending', ?, ?, 1 from items where item_id = ?`,
  ).run(listingId, JSON.stringify(before), JSON.stringify(before.toReversed()), itemId);
  db.close();
  await world.begin();
};

test('a started change of photos that outlived a new arrangement is dropped, and nothing of it is sent', async () => {
  world = await startWorld();
  const setWriterFault = (fail: string | null) => world.practice.control('POST', '/writer', { delayMs: 0, fail });
  await setWriterFault('IMAGES_UNREADABLE');
  const { itemIds } = await world.companion().add({ kind: 'paths', paths: [await world.folder('blurred', 2)] });
  const [itemId = ''] = itemIds;
  await world.until(() => items().get(itemId).stop, 'the stop');
  await setWriterFault(null);
  await items().changePhotos(itemId);
  await items().arranging.order(itemId, listPhotoIds(itemId).toReversed());
  const before = await countUploads();
  const arranged = listPhotoIds(itemId);

  await restartWithStartedChange(itemId);
  await items().begin([itemId]);
  await world.until(() => world.companion().approvals.listPending()[0], 'the question');
  await world.yes();
  const view = await world.item(itemId, 'review');
  expect([view.photoChange, listPhotoIds(itemId), await countUploads()]).toEqual([null, arranged, before + 2]);
});

test('a change of photos stops while another account is connected, and continues under its own', async () => {
  world = await startWorld();
  const { itemId, photos } = await world.reviewed('blue shoes', 2);
  const before = await countUploads();
  const lost = { method: 'POST', path: '/listings/upload-url', times: 1, delayMs: 600_000 };
  await world.practice.control('POST', '/faults', lost);
  items().photoChange.order(itemId, photos.map(({ photoId }) => photoId).toReversed());
  await items().photoChange.send(itemId);
  await world.until(() => items().get(itemId).photoChange?.stage === 'sending', 'the sending');
  await connectAs(world, 'other-seller@example.com');
  await world.stop();
  await world.begin();
  // The other account sells on, so the companion has time for each request that it would send.
  await world.reviewed('red hat', 1);
  expect(await countUploads()).toBe(before + 1);
  await world.companion().connect.practice();
  await world.until(() => items().get(itemId).photoChange?.stage === 'taken', 'the end of the change');
  expect(await countUploads()).toBe(before + 3);
});

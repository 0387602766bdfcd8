import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { ItemView } from '../../../src/core/storage/tables/itemRecord.ts';
import { createShotFolder, createShots } from '../../helpers/photos/createShotFolder.ts';
import { readContactSheet } from '../../helpers/photos/readContactSheet.ts';
import { startWorld, type World } from '../../helpers/world.ts';
import { noEdits } from '../../../src/photoContract/constants.ts';
import { listAllItems } from '../../helpers/listAllItems.ts';

let world: World;
afterEach(() => world.close());

const items = () => world.companion().items;
const arranging = () => items().arranging;
const get = (itemId: string | undefined): ItemView => items().get(itemId ?? '');
const getPhotoNames = (item: ItemView | undefined): string[] =>
  item?.photos.map(({ name }) => name.replace('.jpg', '')) ?? [];
const getPhotoIds = (item: ItemView): string[] => item.photos.map(({ photoId }) => photoId);

/** Drops a camera folder with the given number of photos of each thing, and waits until every item is deferred. */
const dropCameraFolder = async (...counts: number[]): Promise<ItemView[]> => {
  const path = await createShotFolder(join(world.dataDir, 'card'), 'DCIM', createShots(counts));
  const { itemIds } = await world.companion().add({ kind: 'paths', paths: [path] });
  await world.until(() => itemIds.every((itemId) => get(itemId).step === 'arranging'), 'the arranging step');
  return itemIds.map(get);
};

test('nothing is sent for items with a guessed grouping until the person reviews them', async () => {
  world = await startWorld();
  const found = await dropCameraFolder(2, 3);
  expect(found.map(getPhotoNames)).toEqual([
    ['IMG_1', 'IMG_2'],
    ['IMG_3', 'IMG_4', 'IMG_5'],
  ]);
  for (let turn = 0; turn < 20; turn += 1) await world.until(() => true);
  expect(await world.happened('draft')).toBe(0);
  expect(found[0]).toMatchObject({
    reviewReason: 'grouped',
    arrangeable: true,
    words: 'Ready to check',
    progress: null,
  });
  expect(found[1]?.photos.map(({ takenAt }) => takenAt !== null)).toEqual([true, true, true]);

  await items().begin([found[0]?.itemId ?? '']);
  await world.item(found[0]?.itemId ?? '', 'review');
  expect(get(found[1]?.itemId).step).toBe('arranging');
  await items().begin();
  await world.item(found[1]?.itemId ?? '', 'review');
  expect(await world.happened('draft')).toBe(2);
});

test('items with a guessed grouping continue without review if grouping review is switched off', async () => {
  world = await startWorld();
  world.companion().changeSettings({ groupingReview: false });
  const path = await createShotFolder(join(world.dataDir, 'card'), 'DCIM', createShots([2, 2]));
  const { itemIds } = await world.companion().add({ kind: 'paths', paths: [path] });
  await Promise.all(itemIds.map((itemId) => world.item(itemId, 'review')));
});

test('the person can undo a merge, split, move and reordering of photos after a restart', async () => {
  world = await startWorld();
  const [one, two] = (await dropCameraFolder(2, 3)) as [ItemView, ItemView];
  const [merged] = await arranging().merge([one.itemId, two.itemId]);
  expect(getPhotoNames(merged)).toEqual(['IMG_1', 'IMG_2', 'IMG_3', 'IMG_4', 'IMG_5']);
  expect(() => get(two.itemId)).toThrow('no such item');

  const [, made] = await arranging().split(getPhotoIds(two).slice(1));
  expect([getPhotoNames(get(one.itemId)), getPhotoNames(made)]).toEqual([
    ['IMG_1', 'IMG_2', 'IMG_3'],
    ['IMG_4', 'IMG_5'],
  ]);
  expect(made?.name).toBe('IMG_4');

  const [first = ''] = getPhotoIds(one);
  await arranging().move([first], made?.itemId ?? '', getPhotoIds(made as ItemView)[1] ?? null);
  expect(getPhotoNames(get(made?.itemId))).toEqual(['IMG_4', 'IMG_1', 'IMG_5']);
  await arranging().order(made?.itemId ?? '', [first]);
  expect(getPhotoNames(get(made?.itemId))).toEqual(['IMG_1', 'IMG_4', 'IMG_5']);

  await world.stop();
  await world.begin();
  const undone: string[] = [];
  for (let last = arranging().lastChange(); last; last = arranging().lastChange()) {
    undone.push(last.label);
    await arranging().undo();
  }
  expect(undone).toEqual(['Order', 'Move photos', 'Split', 'Merge']);
  expect([getPhotoNames(get(one.itemId)), getPhotoNames(get(two.itemId))]).toEqual([
    getPhotoNames(one),
    getPhotoNames(two),
  ]);
  expect(listAllItems(world.companion())).toHaveLength(2);
  await expect(arranging().undo()).rejects.toThrow('no change to take back');
  await items().begin();
  await Promise.all([one, two].map(({ itemId }) => world.item(itemId, 'review')));
});

test('items split from “blue coat” are named “blue coat” with a number', async () => {
  world = await startWorld();
  const folder = await createShotFolder(join(world.dataDir, 'card'), 'blue coat', createShots([4]));
  world.companion().changeSettings({ deferDrops: true });
  const { itemIds } = await world.companion().add({ kind: 'paths', paths: [folder] });
  await world.until(() => get(itemIds[0]).step === 'arranging', 'the step');
  const photos = getPhotoIds(get(itemIds[0]));
  const [, second] = await arranging().split(photos.slice(1));
  const [, third] = await arranging().split(photos.slice(2));
  const [, fourth] = await arranging().split(photos.slice(3));
  expect([second, third, fourth].map((item) => item?.name)).toEqual(['blue coat 2', 'blue coat 3', 'blue coat 4']);
  // The note stays with the first item, and the person can still write notes for the new items.
  expect([get(itemIds[0]).note, second?.note, second?.noteOpen]).toEqual(['blue coat', '', true]);
});

test('an item is removed with its last photo, and undo restores the item', async () => {
  world = await startWorld();
  const [one, two] = (await dropCameraFolder(2, 2)) as [ItemView, ItemView];
  await arranging().move(getPhotoIds(two), one.itemId, null);
  expect(listAllItems(world.companion())).toHaveLength(1);
  await arranging().undo();
  expect(getPhotoNames(get(two.itemId))).toEqual(['IMG_3', 'IMG_4']);
});

test('only photos that are neither removed nor set aside are uploaded', async () => {
  world = await startWorld();
  const [one] = (await dropCameraFolder(4, 1)) as [ItemView];
  const [a = '', b = '', c = '', d = ''] = getPhotoIds(one);
  await arranging().remove([a, b]);
  expect([getPhotoNames(get(one.itemId)), get(one.itemId).removedPhotos.map(({ name }) => name)]).toEqual([
    ['IMG_3', 'IMG_4'],
    ['IMG_1.jpg', 'IMG_2.jpg'],
  ]);
  await arranging().restore([b]);
  await arranging().aside([c], true);
  expect(get(one.itemId).photos.map(({ state, sentence }) => [state, sentence])).toEqual([
    ['ready', null],
    ['aside', 'You set this one aside.'],
    ['ready', null],
  ]);
  await expect(arranging().remove([b, c, d])).rejects.toThrow('needs at least one photo');
  await items().begin([one.itemId]);
  const { listingId } = await world.item(one.itemId, 'review');
  expect((await world.listing(listingId ?? '')).imageUrls).toHaveLength(2);
  expect(get(one.itemId).photos.map(({ uploaded }) => uploaded)).toEqual([true, false, true]);
});

test('an edited photo is prepared again, and undo restores the previous version', async () => {
  world = await startWorld();
  const [one] = (await dropCameraFolder(2, 1)) as [ItemView];
  const [before] = one.photos;
  const edits = {
    quarterTurns: 1 as const,
    straightenDeg: 0,
    crop: { left: 0, top: 0, width: 1, height: 0.5 },
    brighten: 20,
  };
  const [waiting] = await arranging().edit(before?.photoId ?? '', edits);
  expect(waiting).toMatchObject({ step: 'photos', photos: [{ state: 'waiting', fullUrl: before?.fullUrl }, {}] });
  await world.item(one.itemId, 'arranging');
  const [after] = get(one.itemId).photos;
  expect(after).toMatchObject({ state: 'ready', edits, width: 480, height: 320 });
  expect(after?.fullUrl).not.toBe(before?.fullUrl);
  await arranging().undo();
  await world.item(one.itemId, 'arranging');
  expect(get(one.itemId).photos[0]).toEqual(before);
});

test('rotations in one moment add up, turn the crop with the photo and are undone one by one', async () => {
  world = await startWorld();
  const [one] = (await dropCameraFolder(2, 1)) as [ItemView];
  const [first, second] = one.photos.map(({ photoId }) => photoId) as [string, string];
  const readEdits = () => get(one.itemId).photos.map(({ edits }) => [edits.quarterTurns, edits.crop]);
  const topHalf = { left: 0, top: 0, width: 1, height: 0.5 };
  await arranging().edit(first, { ...noEdits, crop: topHalf });
  await Promise.all([arranging().turn([first, second], 1), arranging().turn([first, second], 1)]);
  const bottomHalf = { left: 0, top: 0.5, width: 1, height: 0.5 };
  expect(readEdits()).toEqual([
    [2, bottomHalf],
    [2, null],
  ]);
  await arranging().turn([second], -1);
  expect(readEdits()[1]).toEqual([1, null]);
  for (let changes = 3; changes > 0; changes -= 1) await arranging().undo();
  expect(readEdits()).toEqual([
    [0, topHalf],
    [0, null],
  ]);
});

test('a duplicate photo is set aside until the person includes it', async () => {
  world = await startWorld();
  const path = await createShotFolder(join(world.dataDir, 'card'), 'DCIM', [
    ...[1, 2, 1].map((seed, at) => ({ atS: at * 4, seed })),
    { atS: 900, seed: 4 },
  ]);
  const { itemIds } = await world.companion().add({ kind: 'paths', paths: [path] });
  const view = await world.item(itemIds[0] ?? '', 'arranging');
  const [first, , copy] = view.photos;
  expect(copy).toMatchObject({
    state: 'aside',
    aside: 'duplicate',
    duplicateOf: first?.photoId,
    sentence: 'This looks the same as “IMG_1.jpg”, so it stays here.',
  });
  await arranging().aside([copy?.photoId ?? ''], false);
  expect(get(view.itemId).photos[2]).toMatchObject({ state: 'ready', aside: null });
  await items().begin([view.itemId]);
  await world.item(view.itemId, 'review');
  expect(get(view.itemId).photos.every(({ uploaded }) => uploaded)).toBe(true);
});

test('the last photos of an item are set aside if the plan allows fewer photos', async () => {
  world = await startWorld({ person: { plan: 'Free' } });
  const [one] = (await dropCameraFolder(6, 1)) as [ItemView];
  expect(one.overCap).toBe(2);
  expect(one.photos.map(({ aside }) => aside)).toEqual([null, null, null, null, 'over_cap', 'over_cap']);
  const last = one.photos[5]?.photoId ?? '';
  const [ordered] = await arranging().order(one.itemId, [last]);
  expect(ordered?.photos[0]).toMatchObject({ photoId: last, state: 'ready', sentence: null });
  expect(ordered?.photos.map(({ aside }) => aside)).toEqual([null, null, null, null, 'over_cap', 'over_cap']);
});

test('uploaded photos cannot be merged, split or removed', async () => {
  world = await startWorld();
  const { itemId, photos } = await world.reviewed();
  const other = (await dropCameraFolder(2, 1))[0] as ItemView;
  const late = 'already uploaded';
  await expect(arranging().merge([itemId, other.itemId])).rejects.toThrow(late);
  await expect(arranging().split([photos[0]?.photoId ?? ''])).rejects.toThrow(late);
  await expect(arranging().remove([photos[0]?.photoId ?? ''])).rejects.toThrow(late);
  expect(get(itemId)).toMatchObject({ arrangeable: false, photos: [{}, {}] });
  expect(getPhotoNames(get(other.itemId))).toHaveLength(2);
});

test('a query for newly finished items returns each finished item only once', async () => {
  world = await startWorld();
  const [one, two] = (await dropCameraFolder(2, 2)) as [ItemView, ItemView];
  const { mark, items: none } = items().list.settled(null);
  expect(none).toEqual([]);
  items().change(two.itemId, { note: 'a chip at the rim' });
  expect(items().list.settled(mark).items).toEqual([]);
  await items().begin([one.itemId]);
  await world.item(one.itemId, 'review');
  const news = items().list.settled(mark);
  expect(news.items.map(({ itemId, step }) => [itemId, step])).toEqual([[one.itemId, 'review']]);
  expect(items().list.settled(news.mark).items).toEqual([]);
  expect(items().list.settled('another run').items).toEqual([]);
});

test('photos arranged during their preparation are neither lost nor prepared twice', async () => {
  world = await startWorld();
  const path = await createShotFolder(join(world.dataDir, 'card'), 'DCIM', createShots([4, 4, 4]));
  const { itemIds } = await world.companion().add({ kind: 'paths', paths: [path] });
  const [one = '', two = '', three = ''] = itemIds;
  await arranging().merge([one, two]);
  await arranging().move(getPhotoIds(get(three)).slice(0, 3), one, null);
  await arranging().split(getPhotoIds(get(one)).slice(0, 2));
  await arranging().undo();
  await Promise.all([one, three].map((itemId) => world.item(itemId, 'arranging')));
  expect([get(one).photos.length, get(three).photos.length]).toEqual([11, 1]);
  expect([one, three].flatMap((itemId) => get(itemId).photos.map(({ state }) => state))).toEqual(
    Array.from({ length: 12 }, () => 'ready'),
  );
  const prepared = await readdir(join(world.dataDir, 'prepared'));
  expect(prepared.filter((name) => /^[0-9a-f]+\.jpg$/.test(name))).toHaveLength(12);
});

test('two simultaneous undo requests undo two changes', async () => {
  world = await startWorld();
  const [one, two, three] = await dropCameraFolder(2, 3, 4);
  const sizes = () =>
    [one, two, three].map(
      (item) =>
        items()
          .list.page(null, 'all', 0, 10)
          .rows.find(({ itemId }) => itemId === item?.itemId)?.photoCount ?? 0,
    );
  await arranging().merge([one?.itemId ?? '', two?.itemId ?? '']);
  await arranging().merge([one?.itemId ?? '', three?.itemId ?? '']);
  expect(sizes()).toEqual([9, 0, 0]);
  await Promise.all([arranging().undo(), arranging().undo()]);
  expect(sizes()).toEqual([2, 3, 4]);
  // An undo that is requested during a change undoes that change.
  await Promise.all([arranging().merge([one?.itemId ?? '', two?.itemId ?? '']), arranging().undo()]);
  expect(sizes()).toEqual([2, 3, 4]);
});

test('a photo edited during its preparation is prepared again with the edits', async () => {
  world = await startWorld();
  const path = await createShotFolder(join(world.dataDir, 'card'), 'DCIM', createShots([2, 1]));
  const { itemIds } = await world.companion().add({ kind: 'paths', paths: [path] });
  const first = () => get(itemIds[0]).photos[0];
  while (first()?.thumbUrl === null) await new Promise((resolve) => setTimeout(resolve, 1));
  expect(first()?.state).toBe('waiting');
  const edits = { quarterTurns: 1 as const, straightenDeg: 0, crop: null, brighten: 0 };
  await arranging().edit(first()?.photoId ?? '', edits);
  await world.item(itemIds[0] ?? '', 'arranging');
  expect(first()).toMatchObject({ state: 'ready', width: 480, height: 640, edits });
});

test('photos taken seconds apart are grouped into items by appearance', async () => {
  world = await startWorld();
  const path = await createShotFolder(join(world.dataDir, 'card'), 'DCIM', createShots([3, 3, 3], 6));
  const { itemIds, sentence } = await world.companion().add({ kind: 'paths', paths: [path] });
  expect(itemIds).toHaveLength(1);
  // The sentence names no number of items, because the photos have not been analyzed.
  expect(sentence).toBe('9 photos added. Some photos were grouped automatically: check them before they go on.');
  // The rows of the parts appear before the grouping has ended.
  await world.until(() => items().list.counts().deferred === 3, 'three items to check');
  expect(items().list.counts().all).toBe(3);
  const rows = () => readContactSheet(items().contactSheet).rows;
  expect(rows().map(({ photos }) => photos.map(({ name }) => name))).toEqual([
    ['IMG_1.jpg', 'IMG_2.jpg', 'IMG_3.jpg'],
    ['IMG_4.jpg', 'IMG_5.jpg', 'IMG_6.jpg'],
    ['IMG_7.jpg', 'IMG_8.jpg', 'IMG_9.jpg'],
  ]);
  expect(rows()[1]?.photos[0]?.gap?.pauseMs).toBe(11_000);
  expect(arranging().lastChange()?.label).toBe('Split by how photos look');
  await arranging().merge([rows()[0]?.itemId ?? '', rows()[1]?.itemId ?? '']);
  await world.until(() => rows()[0]?.photos[3]?.gap?.isUnsure === true, 'the doubt about the merge');
  await world.stop();
  await world.begin();
  expect(rows().map(({ photos }) => photos.length)).toEqual([6, 3]);
  await arranging().undo();
  expect(rows().map(({ photos }) => photos.length)).toEqual([3, 3, 3]);
});

test('the photos of items split by appearance go to their listings, although all together are over the limit', async () => {
  world = await startWorld({ person: { plan: 'Free' } });
  const path = await createShotFolder(join(world.dataDir, 'card'), 'DCIM', createShots([3, 3, 3], 6));
  await world.companion().add({ kind: 'paths', paths: [path] });
  await world.until(() => readContactSheet(items().contactSheet).rows.length === 3, 'three rows');
  const parts = listAllItems(world.companion());
  expect(parts.map(({ overCap }) => overCap)).toEqual([0, 0, 0]);
  expect(parts.flatMap(({ photos }) => photos.map(({ state }) => state))).toEqual(Array(9).fill('ready'));
});

test('no gap between photos is marked as unsure while the photos are being analyzed', async () => {
  world = await startWorld();
  const path = await createShotFolder(join(world.dataDir, 'card'), 'DCIM', createShots([2, 2, 2]));
  await world.companion().add({ kind: 'paths', paths: [path] });
  const rows = readContactSheet(items().contactSheet).rows;
  expect(rows.map(({ isPreparing }) => isPreparing)).toEqual([true, true, true]);
  expect(rows.flatMap(({ photos }) => photos).filter(({ gap }) => gap?.isUnsure)).toEqual([]);
  await world.until(
    () => readContactSheet(items().contactSheet).rows.every(({ isPreparing }) => !isPreparing),
    'the preparation',
  );
});

test('the list and the review follow the order of the drop, and its parts follow a split item', async () => {
  world = await startWorld();
  world.companion().changeSettings({ deferDrops: true });
  const names = ['red fox', 'blue coat', 'tin robot'];
  const paths: string[] = [];
  for (const name of names) paths.push(await createShotFolder(join(world.dataDir, 'card'), name, createShots([2])));
  const { itemIds } = await world.companion().add({ kind: 'paths', paths });
  const listNames = () => listAllItems(world.companion()).map(({ name }) => name);
  expect(listNames()).toEqual(names);
  await world.until(() => itemIds.every((itemId) => get(itemId).step === 'arranging'), 'the arranging step');
  const newer = await createShotFolder(join(world.dataDir, 'card'), 'old lamp', createShots([1]));
  await world.companion().add({ kind: 'paths', paths: [newer] });
  expect(listNames()).toEqual(['old lamp', ...names]);
  await items().begin();
  await Promise.all(itemIds.map((itemId) => world.item(itemId, 'review')));
  const [first = '', second] = itemIds;
  expect(items().list.nextToReview(null, first)?.itemId).toBe(second);
});

import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { ItemView } from '../../../src/core/storage/tables/itemRecord.ts';
import { shotFolder, shotsOf } from '../../helpers/photos/shotFolder.ts';
import { startWorld, type World } from '../../helpers/world.ts';
import { allItems } from '../../helpers/allItems.ts';

let world: World;
afterEach(() => world.close());

const items = () => world.companion().items;
const arranging = () => items().arranging;
const get = (itemId: string | undefined): ItemView => items().get(itemId ?? '');
const names = (item: ItemView | undefined): string[] => item?.photos.map(({ name }) => name.replace('.jpg', '')) ?? [];
const ids = (item: ItemView): string[] => item.photos.map(({ photoId }) => photoId);

/** Drops a camera folder with so many photos of each thing, and waits until all are prepared and wait for the look. */
const guessed = async (...counts: number[]): Promise<ItemView[]> => {
  const path = await shotFolder(join(world.dataDir, 'card'), 'DCIM', shotsOf(counts));
  const { itemIds } = await world.companion().add({ kind: 'paths', paths: [path] });
  await world.until(() => itemIds.every((itemId) => get(itemId).step === 'arranging'), 'the guess');
  return itemIds.map(get);
};

test('photos of several things in one folder wait for review; nothing is sent before the review, and every item continues after it', async () => {
  world = await startWorld();
  const found = await guessed(2, 3);
  expect(found.map(names)).toEqual([
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

test('items whose grouping was guessed continue without review when that review is switched off', async () => {
  world = await startWorld();
  world.companion().changeSettings({ groupingReview: false });
  const path = await shotFolder(join(world.dataDir, 'card'), 'DCIM', shotsOf([2, 2]));
  const { itemIds } = await world.companion().add({ kind: 'paths', paths: [path] });
  await Promise.all(itemIds.map((itemId) => world.item(itemId, 'review')));
});

test('merging, splitting, moving and ordering photos can each be undone in turn, even after a restart', async () => {
  world = await startWorld();
  const [one, two] = (await guessed(2, 3)) as [ItemView, ItemView];
  const [merged] = await arranging().merge([one.itemId, two.itemId]);
  expect(names(merged)).toEqual(['IMG_1', 'IMG_2', 'IMG_3', 'IMG_4', 'IMG_5']);
  expect(() => get(two.itemId)).toThrow('no such item');

  const [, made] = await arranging().split(ids(two).slice(1));
  expect([names(get(one.itemId)), names(made)]).toEqual([
    ['IMG_1', 'IMG_2', 'IMG_3'],
    ['IMG_4', 'IMG_5'],
  ]);
  expect(made?.name).toBe('IMG_4');

  const [first = ''] = ids(one);
  await arranging().move([first], made?.itemId ?? '', ids(made as ItemView)[1] ?? null);
  expect(names(get(made?.itemId))).toEqual(['IMG_4', 'IMG_1', 'IMG_5']);
  await arranging().order(made?.itemId ?? '', [first]);
  expect(names(get(made?.itemId))).toEqual(['IMG_1', 'IMG_4', 'IMG_5']);

  await world.stop();
  await world.begin();
  const undone: string[] = [];
  for (let last = arranging().lastChange(); last; last = arranging().lastChange()) {
    undone.push(last.label);
    await arranging().undo();
  }
  expect(undone).toEqual(['Order', 'Move photos', 'Split', 'Merge']);
  expect([names(get(one.itemId)), names(get(two.itemId))]).toEqual([names(one), names(two)]);
  expect(allItems(world.companion())).toHaveLength(2);
  await expect(arranging().undo()).rejects.toThrow('no change to take back');
  await items().begin();
  await Promise.all([one, two].map(({ itemId }) => world.item(itemId, 'review')));
});

test('a part split from an item that the person named takes the item’s name with the next free number', async () => {
  world = await startWorld();
  const folder = await shotFolder(join(world.dataDir, 'card'), 'blue coat', shotsOf([4]));
  world.companion().changeSettings({ deferDrops: true });
  const { itemIds } = await world.companion().add({ kind: 'paths', paths: [folder] });
  await world.until(() => get(itemIds[0]).step === 'arranging', 'the step');
  const photos = ids(get(itemIds[0]));
  const [, second] = await arranging().split(photos.slice(1));
  const [, third] = await arranging().split(photos.slice(2));
  const [, fourth] = await arranging().split(photos.slice(3));
  expect([second, third, fourth].map((item) => item?.name)).toEqual(['blue coat 2', 'blue coat 3', 'blue coat 4']);
  // What was said of the whole stays with the first part, and can be said of the others.
  expect([get(itemIds[0]).note, second?.note, second?.noteOpen]).toEqual(['blue coat', '', true]);
});

test('moving the last photo away removes its item, and undo restores the item', async () => {
  world = await startWorld();
  const [one, two] = (await guessed(2, 2)) as [ItemView, ItemView];
  await arranging().move(ids(two), one.itemId, null);
  expect(allItems(world.companion())).toHaveLength(1);
  await arranging().undo();
  expect(names(get(two.itemId))).toEqual(['IMG_3', 'IMG_4']);
});

test('a photo can be removed and put back, or set aside and included; the listing gets the other photos in order', async () => {
  world = await startWorld();
  const [one] = (await guessed(4, 1)) as [ItemView];
  const [a = '', b = '', c = '', d = ''] = ids(one);
  await arranging().remove([a, b]);
  expect([names(get(one.itemId)), get(one.itemId).removedPhotos.map(({ name }) => name)]).toEqual([
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

test('a photo that is rotated and cropped is prepared again from its original, and undo restores the old picture', async () => {
  world = await startWorld();
  const [one] = (await guessed(2, 1)) as [ItemView];
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

test('a duplicate photo is set aside and names its original; once included again, it stays included', async () => {
  world = await startWorld();
  const path = await shotFolder(join(world.dataDir, 'card'), 'DCIM', [
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

test('photos beyond the plan’s limit are reported before anything is sent, and their order decides which are sent', async () => {
  world = await startWorld({ person: { plan: 'Free' } });
  const [one] = (await guessed(6, 1)) as [ItemView];
  expect(one.overCap).toBe(2);
  expect(one.photos.map(({ aside }) => aside)).toEqual([null, null, null, null, 'over_cap', 'over_cap']);
  const last = one.photos[5]?.photoId ?? '';
  const [ordered] = await arranging().order(one.itemId, [last]);
  expect(ordered?.photos[0]).toMatchObject({ photoId: last, state: 'ready', sentence: null });
  expect(ordered?.photos.map(({ aside }) => aside)).toEqual([null, null, null, null, 'over_cap', 'over_cap']);
});

test('photos that are already at the service cannot be arranged, and the refusal says so', async () => {
  world = await startWorld();
  const { itemId, photos } = await world.reviewed();
  const other = (await guessed(2, 1))[0] as ItemView;
  const late = 'already uploaded';
  await expect(arranging().merge([itemId, other.itemId])).rejects.toThrow(late);
  await expect(arranging().split([photos[0]?.photoId ?? ''])).rejects.toThrow(late);
  await expect(arranging().remove([photos[0]?.photoId ?? ''])).rejects.toThrow(late);
  expect(get(itemId)).toMatchObject({ arrangeable: false, photos: [{}, {}] });
  expect(names(get(other.itemId))).toHaveLength(2);
});

test('an item that settled after a mark is reported once, and no other item is', async () => {
  world = await startWorld();
  const [one, two] = (await guessed(2, 2)) as [ItemView, ItemView];
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

test('arranging an item while its photos are being prepared loses no photo, and each photo is prepared once', async () => {
  world = await startWorld();
  const path = await shotFolder(join(world.dataDir, 'card'), 'DCIM', shotsOf([4, 4, 4]));
  const { itemIds } = await world.companion().add({ kind: 'paths', paths: [path] });
  const [one = '', two = '', three = ''] = itemIds;
  await arranging().merge([one, two]);
  await arranging().move(ids(get(three)).slice(0, 3), one, null);
  await arranging().split(ids(get(one)).slice(0, 2));
  await arranging().undo();
  await Promise.all([one, three].map((itemId) => world.item(itemId, 'arranging')));
  expect([get(one).photos.length, get(three).photos.length]).toEqual([11, 1]);
  expect([one, three].flatMap((itemId) => get(itemId).photos.map(({ state }) => state))).toEqual(
    Array.from({ length: 12 }, () => 'ready'),
  );
  const prepared = await readdir(join(world.dataDir, 'prepared'));
  expect(prepared.filter((name) => /^[0-9a-f]+\.jpg$/.test(name))).toHaveLength(12);
});

test('pressing undo twice in a row undoes two changes', async () => {
  world = await startWorld();
  const [one, two, three] = await guessed(2, 3, 4);
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
  // One that is pressed while a change is still under way takes back that change.
  await Promise.all([arranging().merge([one?.itemId ?? '', two?.itemId ?? '']), arranging().undo()]);
  expect(sizes()).toEqual([2, 3, 4]);
});

test('a photo that is edited during its preparation is prepared again with the new edits', async () => {
  world = await startWorld();
  const path = await shotFolder(join(world.dataDir, 'card'), 'DCIM', shotsOf([2, 1]));
  const { itemIds } = await world.companion().add({ kind: 'paths', paths: [path] });
  const first = () => get(itemIds[0]).photos[0];
  while (first()?.thumbUrl === null) await new Promise((resolve) => setTimeout(resolve, 1));
  expect(first()?.state).toBe('waiting');
  const edits = { quarterTurns: 1 as const, straightenDeg: 0, crop: null, brighten: 0 };
  await arranging().edit(first()?.photoId ?? '', edits);
  await world.item(itemIds[0] ?? '', 'arranging');
  expect(first()).toMatchObject({ state: 'ready', width: 480, height: 640, edits });
});

test('photos taken seconds apart are grouped into items by appearance; the contact sheet shows the grouping, even after a restart', async () => {
  world = await startWorld();
  const path = await shotFolder(join(world.dataDir, 'card'), 'DCIM', shotsOf([3, 3, 3], 6));
  const { itemIds, sentence } = await world.companion().add({ kind: 'paths', paths: [path] });
  expect(itemIds).toHaveLength(1);
  // What is said when they come names no number of items: that is known only once all were looked at.
  expect(sentence).toBe('9 photos added. Some photos were grouped automatically: check them before they go on.');
  await world.until(() => items().contactSheet().rows.length === 3, 'three rows');
  expect(items().list.counts()).toMatchObject({ all: 3, deferred: 3 });
  const rows = () => items().contactSheet().rows;
  expect(rows().map(({ photos }) => photos.map(({ name }) => name))).toEqual([
    ['IMG_1.jpg', 'IMG_2.jpg', 'IMG_3.jpg'],
    ['IMG_4.jpg', 'IMG_5.jpg', 'IMG_6.jpg'],
    ['IMG_7.jpg', 'IMG_8.jpg', 'IMG_9.jpg'],
  ]);
  expect(rows()[1]?.photos[0]?.gap?.pauseMs).toBe(11_000);
  expect(arranging().lastChange()?.label).toBe('Split by how photos look');
  await arranging().merge([rows()[0]?.itemId ?? '', rows()[1]?.itemId ?? '']);
  await world.stop();
  await world.begin();
  expect(rows().map(({ photos }) => photos.length)).toEqual([6, 3]);
  await arranging().undo();
  expect(rows().map(({ photos }) => photos.length)).toEqual([3, 3, 3]);
});

test('gaps between photos that are still being analyzed are not marked as unsure', async () => {
  world = await startWorld();
  const path = await shotFolder(join(world.dataDir, 'card'), 'DCIM', shotsOf([2, 2, 2]));
  await world.companion().add({ kind: 'paths', paths: [path] });
  const rows = items().contactSheet().rows;
  expect(rows.map(({ isPreparing }) => isPreparing)).toEqual([true, true, true]);
  expect(rows.flatMap(({ photos }) => photos).filter(({ gap }) => gap?.isUnsure)).toEqual([]);
  await world.until(
    () =>
      items()
        .contactSheet()
        .rows.every(({ isPreparing }) => !isPreparing),
    'all were looked at',
  );
});

import { cpSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import bwip from 'bwip-js/node';
import sharp from 'sharp';
import { afterEach, expect, test } from 'vitest';
import { compareFileNames } from '../../../src/i18n/naturalOrder.ts';
import type { ItemView, PhotoView } from '../../../src/core/storage/tables/itemRecord.ts';
import { createShotFolder } from '../../helpers/photos/createShotFolder.ts';
import { readContactSheet } from '../../helpers/photos/readContactSheet.ts';
import { putCodePhoto, putSmallCodePhoto, type CodeKind } from '../../helpers/photos/putCodePhoto.ts';
import { startRecordingProxy } from '../../helpers/hosts/recordingProxy.ts';
import { listAllItems } from '../../helpers/listAllItems.ts';
import { quickWriter, startTestPractice } from '../../helpers/practice.ts';
import { startWorld, type World } from '../../helpers/world.ts';

let world: World;
let closeOthers: () => Promise<void> = () => Promise.resolve();
afterEach(async () => {
  await world.close();
  await closeOthers();
});

const items = () => world.companion().items;
const arranging = () => items().arranging;
const readSku = (itemId: string): string | null => world.companion().shelf.read({ itemId }).fields.sku;
const countSent = ({ photos }: ItemView): number => photos.filter(({ state }) => state === 'ready').length;
const findLabel = ({ photos }: ItemView): PhotoView | undefined => photos.find(({ aside }) => aside === 'label');
const getPhotoId = (item: ItemView, name: string): string =>
  item.photos.find((photo) => photo.name === name)?.photoId ?? '';

/** Puts something on the shelf, so that the place A04 and the SKU B07 are known. */
const fillShelf = async (): Promise<void> => {
  const { itemId } = await world.reviewed('old lamp', 1);
  world.companion().shelf.change({ itemIds: [itemId] }, { place: 'A04', sku: 'B07' });
};

/**
 * Creates a folder of photos, of which some show a label. `labels` are the SKUs by the number of the photo. A label begins
 * the photos of another thing.
 */
const createFolder = async (
  name: string,
  photos: number,
  labels: Record<number, string>,
  kind: CodeKind = 'qrcode',
): Promise<string> => {
  const shots = Array.from({ length: photos }, (_, index) => {
    const thing = Object.keys(labels).filter((at) => Number(at) <= index + 1).length;
    return { atS: null, thing };
  });
  const folder = await createShotFolder(join(world.dataDir, 'card'), name, shots);
  for (const [at, text] of Object.entries(labels)) await putCodePhoto(folder, `IMG_${at}.jpg`, kind, text);
  return folder;
};

const drop = async (folder: string): Promise<string> =>
  (await world.companion().add({ kind: 'paths', paths: [folder] })).itemIds[0] ?? '';

/** Drops a camera folder, and waits until its photos are `count` items, in the order of the photos. */
const dropCameraFolder = async (photos: number, labels: Record<number, string>, count: number): Promise<ItemView[]> => {
  await drop(await createFolder('inbox', photos, labels));
  const find = (): ItemView[] => listAllItems(world.companion()).filter(({ step }) => step === 'arranging');
  await world.until(() => find().length === count, `${count} items`);
  const getFirstName = ({ photos: [first] }: ItemView): string => first?.name ?? '';
  return find().toSorted((a, b) => compareFileNames(getFirstName(a), getFirstName(b)));
};

test.each(['qrcode', 'code128', 'code39'] as const)(
  'the photo of a label with a %s gives its item the SKU and is not in the listing',
  async (kind) => {
    world = await startWorld();
    await fillShelf();
    const itemId = await drop(await createFolder('blue shoes', 4, { 2: 'A04-12' }, kind));
    const item = await world.item(itemId, 'review');
    expect(readSku(itemId)).toBe('A04-12');
    expect(world.companion().shelf.read({ listingId: item.listingId ?? '' }).fields.sku).toBe('A04-12');
    expect(findLabel(item)).toMatchObject({
      name: 'IMG_2.jpg',
      sentence: 'Label photo, not sent.',
      says: { key: 'aside.label' },
      uploaded: false,
    });
    expect((await world.listing(item.listingId ?? '')).imageUrls).toHaveLength(3);
  },
);

test.each([
  ['code128', 0.16],
  ['code128', 0.18],
  ['code39', 0.18],
] as const)('the photo of a label with a %s that fills a share of %d of its width is not sent', async (kind, share) => {
  world = await startWorld();
  await fillShelf();
  const folder = await createFolder('blue shoes', 3, {});
  await putSmallCodePhoto(join(folder, 'IMG_2.jpg'), kind, 'A04-12', share);
  const itemId = await drop(folder);
  const item = await world.item(itemId, 'review');
  expect(readSku(itemId)).toBe('A04-12');
  expect(findLabel(item)).toMatchObject({ name: 'IMG_2.jpg', uploaded: false });
  expect((await world.listing(item.listingId ?? '')).imageUrls).toHaveLength(2);
});

test('photos of a QR code with a web address or of a barcode with an unknown text are sent', async () => {
  world = await startWorld();
  await fillShelf();
  const folder = await createFolder('headphones', 3, { 1: 'https://sound.example/A04-3' });
  await putCodePhoto(folder, 'IMG_2.jpg', 'code128', 'WH-1000');
  const itemId = await drop(folder);
  const { listingId } = await world.item(itemId, 'review');
  expect((await world.listing(listingId ?? '')).imageUrls).toHaveLength(3);
  expect(readSku(itemId)).toBeNull();
});

test('an SKU that the person typed stays, and the photo of the label names both SKUs', async () => {
  world = await startWorld();
  await fillShelf();
  const itemId = await drop(await createFolder('Harrow shirt (SKU C-3)', 2, { 1: 'B07' }));
  await world.until(() => items().get(itemId).step !== 'photos', 'the prepared photos');
  expect(readSku(itemId)).toBe('C-3');
  expect(findLabel(items().get(itemId))).toMatchObject({
    sentence: 'Label photo, not sent.',
    says: { key: 'aside.labelDiffers', values: { label: 'B07', sku: 'C-3' } },
  });
});

test('the person can use the photo of a label like any other, and its SKU is then removed until the change is undone', async () => {
  world = await startWorld();
  await fillShelf();
  world.companion().changeSettings({ deferDrops: true });
  const itemId = await drop(await createFolder('blue shoes', 3, { 1: 'A04-12' }));
  const item = await world.item(itemId, 'arranging');
  expect([countSent(item), readSku(itemId)]).toEqual([2, 'A04-12']);
  const [used] = await arranging().aside([getPhotoId(item, 'IMG_1.jpg')], false);
  expect([used && countSent(used), readSku(itemId)]).toEqual([3, null]);
  await arranging().undo();
  expect([countSent(items().get(itemId)), readSku(itemId)]).toEqual([2, 'A04-12']);
  world.companion().shelf.change({ itemIds: [itemId] }, { sku: null });
  await arranging().order(itemId, [getPhotoId(item, 'IMG_3.jpg')]);
  expect(readSku(itemId)).toBeNull();
  expect(findLabel(items().get(itemId))?.says).toMatchObject({ key: 'aside.labelWithoutSku' });
});

test('labels split a camera folder into items with these SKUs, also after a restart, until the split is undone', async () => {
  world = await startWorld();
  await fillShelf();
  const parts = await dropCameraFolder(11, { 1: 'A04-1', 5: 'A04-2', 9: 'B07' }, 3);
  const describeItems = (): unknown[] =>
    parts.map(({ itemId }) => [items().get(itemId).photos.length, countSent(items().get(itemId)), readSku(itemId)]);
  const expected = [
    [4, 3, 'A04-1'],
    [4, 3, 'A04-2'],
    [3, 2, 'B07'],
  ];
  expect(describeItems()).toEqual(expected);
  expect(readContactSheet(items().contactSheet).rows.map(({ photos }) => photos.map(({ isLabel }) => isLabel))).toEqual(
    [
      [true, false, false, false],
      [true, false, false, false],
      [true, false, false],
    ],
  );
  await world.stop();
  await world.begin();
  expect(describeItems()).toEqual(expected);
  const [whole] = await arranging().undo();
  expect([whole?.photos.length, whole && countSent(whole), readSku(whole?.itemId ?? '')]).toEqual([11, 8, 'A04-1']);
});

/** Copies the data in one turn of the event loop, as a kill leaves them, and starts a new companion with the copy. */
const restartFromCopy = async (isReached: () => boolean): Promise<void> => {
  const copy = await mkdtemp(join(tmpdir(), 'killed-'));
  await world.until(() => {
    if (!isReached()) return false;
    cpSync(world.dataDir, copy, { recursive: true, filter: (path) => !path.startsWith(join(world.dataDir, 'card')) });
    return true;
  }, 'the moment of the kill');
  await world.stop();
  const closePrevious = closeOthers;
  closeOthers = async () => {
    await closePrevious();
    await rm(copy, { recursive: true, force: true });
  };
  await world.begin(copy);
};

test.each([0, 1, 4, 8])(
  'a kill after %d prepared photos of a drop with labels loses no photo, no label and no SKU',
  async (count) => {
    world = await startWorld();
    await fillShelf();
    await drop(await createFolder('inbox', 9, { 1: 'A04-1', 4: 'A04-2', 7: 'B07' }));
    const listParts = (): ItemView[] => listAllItems(world.companion()).filter(({ photos }) => photos.length > 1);
    const countPrepared = (): number =>
      listParts()
        .flatMap(({ photos }) => photos)
        .filter(({ state }) => state !== 'waiting').length;
    await restartFromCopy(() => countPrepared() >= count);
    await world.until(() => listParts().length === 3, 'three items');
    const described = listParts().map((item) => [
      readSku(item.itemId),
      item.photos.map(({ name }) => name),
      findLabel(item)?.name,
    ]);
    const describePart = (sku: string, from: number) => [
      sku,
      [from, from + 1, from + 2].map((at) => `IMG_${at}.jpg`),
      `IMG_${from}.jpg`,
    ];
    expect(described.toSorted()).toEqual([describePart('A04-1', 1), describePart('A04-2', 4), describePart('B07', 7)]);
    expect(await world.happened('draft')).toBe(1);
  },
);

test('labels of several SKUs split even a folder that is small enough for one item, and the person checks the parts', async () => {
  world = await startWorld();
  await fillShelf();
  const parts = await dropCameraFolder(6, { 1: 'A04-1', 3: 'A04-2', 5: 'A04-2' }, 3);
  expect(parts.map(({ reviewReason }) => reviewReason)).toEqual(['grouped', 'grouped', 'grouped']);
  expect(await world.happened('draft')).toBe(1);
  const [whole] = await arranging().undo();
  await items().begin();
  const { listingId } = await world.item(whole?.itemId ?? '', 'review');
  expect((await world.listing(listingId ?? '')).imageUrls).toHaveLength(3);
});

test('a single label in a camera folder applies to the photos after it', async () => {
  world = await startWorld();
  await fillShelf();
  const [item] = await dropCameraFolder(10, { 1: 'A04-1' }, 1);
  expect([item?.photos.length, readSku(item?.itemId ?? '')]).toEqual([10, 'A04-1']);
  const [row] = readContactSheet(items().contactSheet).rows;
  expect(row?.photos.slice(0, 2).map(({ gap }) => gap)).toEqual([null, { pauseMs: null, isUnsure: false }]);
});

test('a SKU moves with its label photo to another item, also in a split or merge', async () => {
  world = await startWorld();
  await fillShelf();
  const [one, two] = (await dropCameraFolder(8, { 1: 'A04-1', 5: 'A04-2' }, 2)) as [ItemView, ItemView];
  const readSkus = (): (string | null)[] => [readSku(one.itemId), readSku(two.itemId)];
  await arranging().move([getPhotoId(one, 'IMG_1.jpg')], two.itemId, getPhotoId(two, 'IMG_5.jpg'));
  expect(readSkus()).toEqual([null, 'A04-1']);
  await arranging().undo();
  expect(readSkus()).toEqual(['A04-1', 'A04-2']);
  const [merged] = await arranging().merge([one.itemId, two.itemId]);
  expect([merged && countSent(merged), readSku(one.itemId)]).toEqual([6, 'A04-1']);
  expect(merged?.photos[4]?.says).toMatchObject({ values: { label: 'A04-2', sku: 'A04-1' } });
  const [, part] = await arranging().split(two.photos.map(({ photoId }) => photoId));
  expect([readSku(one.itemId), readSku(part?.itemId ?? '')]).toEqual(['A04-1', 'A04-2']);
});

test('a label is recognised when the item starts, although its SKU came to the shelf after the photos', async () => {
  world = await startWorld();
  world.companion().changeSettings({ deferDrops: true });
  const itemId = await drop(await createFolder('blue shoes', 3, { 1: 'ZZ-9' }));
  expect(countSent(await world.item(itemId, 'arranging'))).toBe(3);
  world.companion().shelf.change({ itemIds: [itemId] }, { sku: 'ZZ-9' });
  await items().begin([itemId]);
  const { listingId } = await world.item(itemId, 'review');
  expect((await world.listing(listingId ?? '')).imageUrls).toHaveLength(2);
});

test('a photo of two labels is not sent and names no SKU', async () => {
  world = await startWorld();
  await fillShelf();
  const folder = await createFolder('blue shoes', 3, {});
  const [one, other] = await Promise.all(
    ['A04-3', 'B07'].map((text) =>
      bwip.toBuffer({ bcid: 'qrcode', text, scale: 7, paddingwidth: 20, paddingheight: 20, backgroundcolor: 'FFFFFF' }),
    ),
  );
  await sharp({ create: { width: 1200, height: 900, channels: 3, background: '#dcd' } })
    .composite([
      { input: one, left: 100, top: 200 },
      { input: other, left: 700, top: 200 },
    ])
    .jpeg()
    .toFile(join(folder, 'IMG_2.jpg'));
  const itemId = await drop(folder);
  const item = await world.item(itemId, 'review');
  expect((await world.listing(item.listingId ?? '')).imageUrls).toHaveLength(2);
  expect([findLabel(item)?.says, readSku(itemId)]).toEqual([{ key: 'aside.label' }, null]);
});

test('a label is refused as a new photo of a written listing, until another photo replaces it', async () => {
  world = await startWorld();
  await fillShelf();
  const { itemId, photos, listingId } = await world.reviewed('blue shoes', 2);
  const folder = await createFolder('new photos', 2, { 1: 'B07' });
  const replace = (photoId: string, name: string) =>
    items().photoChange.replace(itemId, photoId, { source: join(folder, name), name, root: null, owned: false });
  const readNewPhoto = () => items().get(itemId).photoChange?.photos[0];
  await replace(photos[0]?.photoId ?? '', 'IMG_1.jpg');
  await world.until(() => readNewPhoto()?.aside === 'label', 'the label');
  expect(readNewPhoto()?.says).toEqual({ key: 'aside.labelWithoutSku', values: { label: 'B07' } });
  world.companion().shelf.change({ itemIds: [itemId] }, { sku: 'B07' });
  expect(readNewPhoto()?.says).toEqual({ key: 'aside.label' });
  await expect(items().photoChange.send(itemId)).rejects.toThrow('Label photo, not sent.');
  expect((await world.listing(listingId ?? '')).imageUrls).toHaveLength(2);
  await replace(readNewPhoto()?.photoId ?? '', 'IMG_2.jpg');
  await world.until(() => readNewPhoto()?.state === 'ready', 'the other photo');
  await items().photoChange.send(itemId);
  await world.until(() => items().get(itemId).photoChange?.stage === 'taken', 'the end of the change');
});

test('neither the picture of a label nor its text reaches the service', async () => {
  const received: string[] = [];
  const practice = await startTestPractice({
    writer: {
      ...quickWriter,
      write: (order) => {
        received.push(...order.photos.map(({ path }) => path));
        return quickWriter.write(order);
      },
    },
  });
  const proxy = await startRecordingProxy(practice.url);
  closeOthers = async () => {
    await proxy.close();
    await practice.close();
  };
  world = await startWorld({ practice, reach: () => proxy.url });
  await fillShelf();
  const parts = await dropCameraFolder(12, { 1: 'A04-101', 4: 'A04-102', 7: 'A04-103', 10: 'B07' }, 4);
  received.splice(0);
  await items().begin();
  for (const { itemId } of parts) await world.item(itemId, 'review');
  expect(parts.map(({ itemId }) => readSku(itemId))).toEqual(['A04-101', 'A04-102', 'A04-103', 'B07']);
  expect(received).toHaveLength(8);
  const labels = parts.map((item) => findLabel(items().get(item.itemId)));
  expect(labels.map((label) => [label?.state, label?.uploaded])).toEqual(Array(4).fill(['aside', false]));
  expect(proxy.take().filter(({ path, body }) => /A04-10|B07/.test(`${path}${body}`))).toEqual([]);
});

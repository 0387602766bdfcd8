import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import bwip from 'bwip-js/node';
import sharp from 'sharp';
import { afterEach, expect, test } from 'vitest';
import { createShotFolder } from '../../helpers/photos/createShotFolder.ts';
import { putCodePhoto } from '../../helpers/photos/putCodePhoto.ts';
import { startWorld, type World } from '../../helpers/world.ts';
import { listAllItems } from '../../helpers/listAllItems.ts';
import { waitUntil } from '../../helpers/testClock.ts';

let world: World;
afterEach(() => world.close());

const isbn = '9780306406157';
const ean = '4006381333931';

const putBarcode = (folder: string, name: string, code: string): Promise<void> =>
  putCodePhoto(folder, name, 'ean13', code);
const items = () => world.companion().items;
const listShotsWithoutTimes = (count: number) => Array.from({ length: count }, () => ({ atS: null }));

test('a drop is split into items at photos of a barcode, and undo merges the items', async () => {
  world = await startWorld();
  const shots = listShotsWithoutTimes(10).map((shot, at) => ({ ...shot, thing: at < 5 ? 1 : 2 }));
  const folder = await createShotFolder(world.dataDir, 'inbox', shots);
  await putBarcode(folder, 'IMG_1.jpg', isbn);
  await putBarcode(folder, 'IMG_6.jpg', ean);
  await world.companion().add({ kind: 'paths', paths: [folder] });
  await waitUntil(() => listAllItems(world.companion()).length === 2, 'two items');
  const found = listAllItems(world.companion());
  expect(found.map(({ photos, barcodes, step }) => [photos.length, barcodes[0]?.value, step]).sort()).toEqual([
    [5, ean, 'arranging'],
    [5, isbn, 'arranging'],
  ]);
  expect(items().arranging.lastChange()?.label).toBe('Split at barcodes and sheets');
  await items().arranging.undo();
  await world.until(() => listAllItems(world.companion())[0]?.step === 'arranging', 'the one item');
  expect(listAllItems(world.companion()).map(({ photos }) => photos.length)).toEqual([10]);
});

test('the writer receives confirmed barcodes but not dismissed barcodes', async () => {
  world = await startWorld();
  const folder = await createShotFolder(world.dataDir, 'inbox', listShotsWithoutTimes(10));
  await putBarcode(folder, 'IMG_4.jpg', isbn);
  await putBarcode(folder, 'IMG_5.jpg', ean);
  const { itemIds } = await world.companion().add({ kind: 'paths', paths: [folder] });
  const { itemId, barcodes } = await world.item(itemIds[0] ?? '', 'arranging');
  expect(barcodes.map(({ value, format, state }) => [value, format, state])).toEqual([
    [isbn, 'EAN-13', 'offered'],
    [ean, 'EAN-13', 'offered'],
  ]);
  items().change(itemId, { note: 'Read twice' });
  await items().barcode(itemId, isbn, 'confirmed');
  await items().barcode(itemId, ean, 'dismissed');
  await expect(items().barcode(itemId, '123', 'confirmed')).rejects.toThrow('No photo of this item shows that barcode');
  await items().begin();
  // The quick writer uses the additional context as the title.
  const { title } = await world.item(itemId, 'review');
  expect(title).toBe(`Read twice\nISBN: ${isbn}`);
});

test('a barcode confirmed after the generation is added to the item specifics', async () => {
  world = await startWorld();
  const folder = await createShotFolder(world.dataDir, 'a book', listShotsWithoutTimes(2));
  await putBarcode(folder, 'label.jpg', isbn);
  const { itemIds } = await world.companion().add({ kind: 'paths', paths: [folder] });
  const { itemId, listingId, title } = await world.item(itemIds[0] ?? '', 'review');
  expect(title).toBe('a book');
  const { barcodes } = await items().barcode(itemId, isbn, 'confirmed');
  expect(barcodes).toMatchObject([{ value: isbn, state: 'confirmed' }]);
  expect((await world.listing(listingId ?? '')).itemSpecifics).toMatchObject({ ISBN: isbn, 'Book Title': 'Rivers' });
});

test('confirming a barcode does not overwrite item specifics that were edited elsewhere', async () => {
  world = await startWorld();
  const folder = await createShotFolder(world.dataDir, 'a book', listShotsWithoutTimes(2));
  await putBarcode(folder, 'label.jpg', isbn);
  const { itemIds } = await world.companion().add({ kind: 'paths', paths: [folder] });
  const { itemId, listingId } = await world.item(itemIds[0] ?? '', 'review');
  const key = (await world.secrets.get('agent-key practice')) ?? '';
  const elsewhere = { itemSpecifics: { 'Book Title': 'Rivers of the North', Author: 'A. Lake' } };
  expect((await world.practice.call(key, 'PUT', `/listings/${listingId}`, elsewhere)).status).toBe(200);
  await items().barcode(itemId, isbn, 'confirmed');
  const { itemSpecifics } = await world.listing(listingId ?? '');
  expect(itemSpecifics).toEqual({ ...elsewhere.itemSpecifics, ISBN: isbn });
});

test('a barcode that is unreadable in the reduced photo is found in the original', async () => {
  world = await startWorld();
  const folder = await createShotFolder(world.dataDir, 'a lamp', listShotsWithoutTimes(2));
  const bars = await bwip.toBuffer({ bcid: 'ean13', text: ean, scale: 2, height: 20, paddingwidth: 20 });
  const large = sharp({ create: { width: 7_000, height: 5_000, channels: 3, background: '#dcd' } });
  await writeFile(
    join(folder, 'large.jpg'),
    await large
      .composite([{ input: bars, left: 3_000, top: 2_000 }])
      .jpeg({ quality: 92 })
      .toBuffer(),
  );
  const { itemIds } = await world.companion().add({ kind: 'paths', paths: [folder] });
  const { itemId } = await world.item(itemIds[0] ?? '', 'review');
  const found = () =>
    items()
      .get(itemId)
      .barcodes.map(({ value, state }) => [value, state]);
  await world.until(() => found().length > 0, 'the barcode on the original');
  expect(found()).toEqual([[ean, 'offered']]);
});

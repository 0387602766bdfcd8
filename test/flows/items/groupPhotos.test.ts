import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { createShotFolder, createShots, type TestShot } from '../../helpers/photos/createShotFolder.ts';
import { putCodePhoto } from '../../helpers/photos/putCodePhoto.ts';
import { waitUntil } from '../../helpers/testClock.ts';
import { startWorld, type World } from '../../helpers/world.ts';

let world: World;
afterEach(() => world.close());

const items = () => world.companion().items;
const listRows = (): string[] =>
  items()
    .contactSheet()
    .rows.map(({ photos }) => photos.map(({ name }) => name.replace(/IMG_|\.jpg/g, '')).join(' '));
const isPrepared = (): boolean =>
  items()
    .contactSheet()
    .rows.every(({ isPreparing }) => !isPreparing);

const codes = ['9780306406157', '4006381333931', '5901234123457'];

/** Photos of three things, with a barcode as the last photo of each. A long pause is inside the second thing. */
const shootWithBarcodes = async (): Promise<string> => {
  let atS = 0;
  const shots = codes.flatMap((_, thing) =>
    Array.from({ length: 3 }, (__, nth): TestShot => ({ atS: (atS += thing === 1 && nth === 1 ? 150 : 7), thing })),
  );
  const folder = await createShotFolder(join(world.dataDir, 'card'), 'DCIM', shots);
  for (const [thing, code] of codes.entries()) await putCodePhoto(folder, `IMG_${3 * thing + 3}.jpg`, 'ean13', code);
  return folder;
};

test('a folder that was cut at a pause is grouped again by the barcode after each item, and undo restores the cut', async () => {
  world = await startWorld();
  const folder = await shootWithBarcodes();
  await world.companion().add({ kind: 'paths', paths: [folder] });
  const cutAtPause = ['1 2 3 4', '5 6 7 8 9'];
  expect(listRows()).toEqual(cutAtPause);
  await waitUntil(isPrepared, 'the prepared photos');
  expect(listRows()).toEqual(['1 2 3', '4 5 6', '7 8 9']);
  expect(items().arranging.lastChange()?.label).toBe('Split at barcodes and sheets');
  expect(items().list.counts()).toMatchObject({ all: 3, deferred: 3 });
  await items().arranging.undo();
  expect(listRows()).toEqual(cutAtPause);
  await world.stop();
  await world.begin();
  expect(listRows()).toEqual(cutAtPause);
});

test('items that the person arranges before all photos are prepared are not grouped again', async () => {
  world = await startWorld();
  const path = await createShotFolder(join(world.dataDir, 'card'), 'DCIM', createShots([2, 2, 2, 2], 90));
  const { itemIds } = await world.companion().add({ kind: 'paths', paths: [path] });
  await items().arranging.merge(itemIds.slice(0, 2));
  await waitUntil(isPrepared, 'the prepared photos');
  expect(listRows()).toEqual(['1 2 3 4', '5 6', '7 8']);
});

test('photos are grouped although another photo of their folder cannot be read', async () => {
  world = await startWorld();
  const quick = createShots([3, 3, 3], 6);
  const path = await createShotFolder(join(world.dataDir, 'card'), 'DCIM', [...quick, { atS: 900, thing: 4 }]);
  const { itemIds } = await world.companion().add({ kind: 'paths', paths: [path] });
  await rm(join(path, 'IMG_10.jpg'));
  await waitUntil(() => items().get(itemIds[1] ?? '').stop !== null, 'the unreadable photo');
  await waitUntil(() => listRows().length === 4, 'four items');
  expect(listRows()).toEqual(['1 2 3', '4 5 6', '7 8 9', '10']);
});

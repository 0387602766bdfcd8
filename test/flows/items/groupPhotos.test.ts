import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterEach, expect, test } from 'vitest';
import { createShotFolder, createShots, type TestShot } from '../../helpers/photos/createShotFolder.ts';
import { readContactSheet } from '../../helpers/photos/readContactSheet.ts';
import { putCodePhoto } from '../../helpers/photos/putCodePhoto.ts';
import { waitUntil } from '../../helpers/testClock.ts';
import { startWorld, type World } from '../../helpers/world.ts';

let world: World;
afterEach(() => world.close());

const items = () => world.companion().items;
const listRows = (): string[] =>
  readContactSheet(items().contactSheet).rows.map(({ photos }) =>
    photos.map(({ name }) => name.replace(/IMG_|\.jpg/g, '')).join(' '),
  );
const isPrepared = (): boolean => readContactSheet(items().contactSheet).rows.every(({ isPreparing }) => !isPreparing);

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

/** Photos of shoes of almost one colour on a table, each in other light. A long pause is inside the second thing. */
const shootShoes = async (things: number, photosOfThing: number): Promise<string> => {
  const folder = join(world.dataDir, 'card', 'DCIM');
  await mkdir(folder, { recursive: true });
  for (let at = 0; at < things * photosOfThing; at += 1) {
    const thing = Math.floor(at / photosOfThing);
    const fill = thing % 2 === 0 ? '#463228' : '#483c2a';
    const [light, warmth] = [0.9 + 0.06 * ((at * 7) % 5), 0.02 * ((at * 3) % 4) - 0.03];
    await sharp(
      Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="600" height="800"><rect width="600" height="800" fill="#8c7d6e"/>
      <path d="M120 ${400 + 10 * (at % 3)} q60 -110 120 -20 l190 30 v90 h-310 Z" fill="${fill}"/></svg>`),
    )
      .removeAlpha()
      .linear([light * (1 + warmth), light, light * (1 - warmth)], [0, 0, 0])
      .withExif({ IFD2: { DateTimeOriginal: `2026:05:18 12:${at < 5 ? 10 : 15}:${10 + 3 * at}` } })
      .jpeg()
      .toFile(join(folder, `IMG_${at + 1}.jpg`));
  }
  return folder;
};

test('a folder of shoes of almost one colour is grouped by their colours although the light changes', async () => {
  world = await startWorld();
  await world.companion().add({ kind: 'paths', paths: [await shootShoes(5, 3)] });
  await waitUntil(isPrepared, 'the prepared photos');
  expect(listRows()).toEqual(['1 2 3', '4 5 6', '7 8 9', '10 11 12', '13 14 15']);
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

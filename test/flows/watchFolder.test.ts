import { appendFile, copyFile, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ItemView } from '../../src/core/items/item.ts';
import { shotFolder, shotsOf } from '../helpers/shotFolder.ts';
import { settled } from '../helpers/testClock.ts';
import { startWorld, type World } from '../helpers/world.ts';

let world: World;
let place: string;
beforeEach(async () => {
  // Not in the companion's own folder: nothing in that is ever taken.
  place = await mkdtemp(join(tmpdir(), 'watched-'));
});
afterEach(async () => {
  await world.close();
  await rm(place, { recursive: true, force: true });
});

const items = (): ItemView[] => world.companion().items.list();
const watched = async (): Promise<string> => {
  const folder = join(place, 'from the phone');
  await mkdir(folder, { recursive: true });
  return folder;
};
const watch = async (folder: string | null): Promise<void> => {
  world.companion().changeSettings({ watchFolder: folder });
  await settled(() => (world.companion().state(null).watch?.folder ?? null) === folder, 'the watching');
  // What is there when it is switched on is looked at once, in real time.
  for (let turn = 0; turn < 20; turn += 1) await world.until(() => true);
};
/** Lets time pass in which nothing should happen. */
const whileGone = async (): Promise<void> => {
  for (let turn = 0; turn < 30; turn += 1) {
    world.clock.advance(1_000);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
};
const photosIn = (name: string, count: number): Promise<string> =>
  shotFolder(join(place, 'elsewhere'), name, shotsOf([count]));

test('new photos become items by themselves, those that were there before do not, each once', async () => {
  world = await startWorld();
  const folder = await watched();
  await shotFolder(folder, 'old things', shotsOf([2]));
  await watch(folder);
  await rename(await photosIn('red lamp', 3), join(folder, 'red lamp'));
  await world.until(() => items().length === 1, 'the item');
  expect(items()[0]).toMatchObject({ name: 'red lamp', photos: [{}, {}, {}], guessed: false });
  await world.item(items()[0]?.itemId ?? '', 'review');
  await whileGone();
  expect(items()).toHaveLength(1);

  // One more photo in a folder that is known: only that one is taken.
  const [one = ''] = await readdir(join(folder, 'red lamp'));
  await copyFile(join(folder, 'red lamp', one), join(folder, 'red lamp', 'another.jpg'));
  await world.until(() => items().length === 2, 'the second item');
  expect(items()[0]?.photos.map(({ name }) => name)).toEqual(['another.jpg']);
});

test('a photo that is still being written is waited for', async () => {
  world = await startWorld();
  const folder = await watched();
  await watch(folder);
  const bytes = await readFile(join(await photosIn('slow', 1), 'IMG_1.jpg'));
  const path = join(folder, 'IMG_9.jpg');
  for (let at = 0; at < bytes.length; at += Math.ceil(bytes.length / 4)) {
    await appendFile(path, bytes.subarray(at, at + Math.ceil(bytes.length / 4)));
    // Less time than it waits, but in all far more.
    for (let turn = 0; turn < 3; turn += 1) {
      world.clock.advance(1_000);
      await new Promise((resolve) => setTimeout(resolve, 60));
    }
    expect(items()).toEqual([]);
  }
  await world.until(() => items().length === 1, 'the item');
  const { photos } = await world.item(items()[0]?.itemId ?? '', 'review');
  expect(photos).toMatchObject([{ name: 'IMG_9.jpg', state: 'ready' }]);
});

test('after a restart: what came meanwhile is taken, what was taken is not taken again', async () => {
  world = await startWorld();
  const folder = await watched();
  await watch(folder);
  await rename(await photosIn('first', 2), join(folder, 'first'));
  await world.until(() => items().length === 1, 'the first item');
  await world.stop();
  await rename(await photosIn('second', 2), join(folder, 'second'));
  await world.begin();
  await world.until(() => items().length === 2, 'the second item');
  await whileGone();
  expect(items().map(({ name }) => name)).toEqual(['second', 'first']);
});

test('a folder that is gone is said, and watched again when it is back', async () => {
  world = await startWorld();
  const folder = await watched();
  await watch(folder);
  await rm(folder, { recursive: true });
  const problem = await world.until(() => world.companion().state(null).watch?.problem, 'the sentence');
  expect(problem).toBe(
    'The watched folder “from the phone” is not there. Put it back, or choose another one in Settings.',
  );
  await rename(await photosIn('found again', 2), folder);
  await world.until(() => items().length > 0, 'the item');
  expect(world.companion().state(null).watch).toEqual({ folder, problem: null });
  expect(items().flatMap(({ photos }) => photos)).toHaveLength(2);
});

test('junk and papers make no item; switched off, nothing is taken', async () => {
  world = await startWorld();
  const folder = await watched();
  await watch(folder);
  await writeFile(join(folder, 'notes.txt'), 'bring milk');
  await writeFile(join(folder, '.DS_Store'), 'x');
  await whileGone();
  await watch(null);
  expect(world.companion().state(null).watch).toBeNull();
  await rename(await photosIn('late', 2), join(folder, 'late'));
  await whileGone();
  expect(items()).toEqual([]);
});

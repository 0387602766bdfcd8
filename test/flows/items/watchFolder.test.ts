import { existsSync } from 'node:fs';
import {
  appendFile,
  copyFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
  unlink,
  writeFile,
} from 'node:fs/promises';

import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ItemView } from '../../../src/core/storage/tables/itemRecord.ts';
import { openMigratedDatabase } from '../../../src/core/storage/database.ts';
import { createShotFolder, createShots } from '../../helpers/photos/createShotFolder.ts';
import { putCodePhoto } from '../../helpers/photos/putCodePhoto.ts';
import { waitUntil } from '../../helpers/testClock.ts';
import { startWorld, type World } from '../../helpers/world.ts';
import { listAllItems } from '../../helpers/listAllItems.ts';

let world: World;
let place: string;
beforeEach(async () => {
  // Photos inside the companion's data folder would never be added.
  place = await mkdtemp(join(tmpdir(), 'watched-'));
});
afterEach(async () => {
  await world.close();
  await rm(place, { recursive: true, force: true });
});

const items = (): ItemView[] => listAllItems(world.companion());
const createWatchedFolder = async (): Promise<string> => {
  const folder = join(place, 'from the phone');
  await mkdir(folder, { recursive: true });
  return folder;
};
const watch = async (folder: string | null): Promise<void> => {
  world.companion().changeSettings({ watchFolder: folder });
  await waitUntil(() => (world.companion().state(null).watch?.folder ?? null) === folder, 'the watching');
  // The watch sleeps one second between two scans, or five seconds if the folder is missing.
  if (folder !== null)
    await waitUntil(() => world.clock.sleepsFor(existsSync(folder) ? 1_000 : 5_000), 'the first scan');
  // The first scan runs in real time.
  for (let turn = 0; turn < 20; turn += 1) await world.until(() => true);
};
/** Advances the clock by 30 s, during which nothing should happen. */
const passQuietTime = async (): Promise<void> => {
  for (let turn = 0; turn < 30; turn += 1) {
    world.clock.advance(1_000);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
};
const photosIn = (name: string, count: number): Promise<string> =>
  createShotFolder(join(place, 'elsewhere'), name, createShots([count]));

test('only photos that are new in the watched folder are added', async () => {
  world = await startWorld();
  const folder = await createWatchedFolder();
  await createShotFolder(folder, 'old things', createShots([2]));
  await watch(folder);
  await rename(await photosIn('red lamp', 3), join(folder, 'red lamp'));
  await world.until(() => items().length === 1, 'the item');
  expect(items()[0]).toMatchObject({ name: 'red lamp', photos: [{}, {}, {}], reviewReason: null });
  await world.item(items()[0]?.itemId ?? '', 'review');
  await passQuietTime();
  expect(items()).toHaveLength(1);

  // Only the new photo in a known folder is added.
  const [one = ''] = await readdir(join(folder, 'red lamp'));
  await copyFile(join(folder, 'red lamp', one), join(folder, 'red lamp', 'another.jpg'));
  await world.until(() => items().length === 2, 'the second item');
  expect(items().map(({ photos }) => photos.map(({ name }) => name))).toContainEqual(['another.jpg']);
  // Its content is the content of a known photo, so the item waits for the person.
  expect(items().map(({ reviewReason }) => reviewReason)).toContain('repeated');
});

test('label photos in the watched folder separate its photos into items with their SKUs', async () => {
  world = await startWorld();
  const { itemId: old } = await world.reviewed('old lamp', 1);
  world.companion().shelf.change({ itemIds: [old] }, { place: 'A04' });
  const folder = await createWatchedFolder();
  await watch(folder);
  const photos = await createShotFolder(join(place, 'elsewhere'), 'inbox', createShots([4, 4], 0));
  await putCodePhoto(photos, 'IMG_1.jpg', 'qrcode', 'A04-1');
  await putCodePhoto(photos, 'IMG_5.jpg', 'qrcode', 'A04-2');
  await rename(photos, join(folder, 'inbox'));
  const listNew = (): ItemView[] => items().filter(({ itemId, step }) => itemId !== old && step === 'arranging');
  await world.until(() => listNew().length === 2, 'the two items');
  const described = listNew().map(({ itemId, photos: all }) => [
    world.companion().shelf.read({ itemId }).fields.sku,
    all.map(({ name, aside }) => [name, aside]),
  ]);
  const expectPart = (sku: string, [label, ...others]: number[]) => [
    sku,
    [[`IMG_${label}.jpg`, 'label'], ...others.map((at) => [`IMG_${at}.jpg`, null])],
  ];
  expect(described.toSorted()).toEqual([expectPart('A04-1', [1, 2, 3, 4]), expectPart('A04-2', [5, 6, 7, 8])]);
});

test('a photo that is still being written is added only once it is complete', async () => {
  world = await startWorld();
  const folder = await createWatchedFolder();
  await watch(folder);
  const bytes = await readFile(join(await photosIn('slow', 1), 'IMG_1.jpg'));
  const path = join(folder, 'IMG_9.jpg');
  for (let at = 0; at < bytes.length; at += Math.ceil(bytes.length / 4)) {
    await appendFile(path, bytes.subarray(at, at + Math.ceil(bytes.length / 4)));
    // Each pause is shorter than the required quiet time, but their sum is longer.
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

test('after a restart only new photos in the watched folder are added', async () => {
  world = await startWorld();
  const folder = await createWatchedFolder();
  await watch(folder);
  await rename(await photosIn('first', 2), join(folder, 'first'));
  await world.until(() => items().length === 1, 'the first item');
  await world.stop();
  await rename(await photosIn('second', 2), join(folder, 'second'));
  await world.begin();
  await world.until(() => items().length === 2, 'the second item');
  await passQuietTime();
  expect(items().map(({ name }) => name)).toEqual(['second', 'first']);
});

test('a missing watched folder is reported, and is watched again once it exists', async () => {
  world = await startWorld();
  const folder = await createWatchedFolder();
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

test('only photos become items, and only while the watched folder is switched on', async () => {
  world = await startWorld();
  const folder = await createWatchedFolder();
  await watch(folder);
  await writeFile(join(folder, 'notes.txt'), 'bring milk');
  await writeFile(join(folder, '.DS_Store'), 'x');
  await passQuietTime();
  await watch(null);
  expect(world.companion().state(null).watch).toBeNull();
  await rename(await photosIn('late', 2), join(folder, 'late'));
  await passQuietTime();
  expect(items()).toEqual([]);
});

describe('a watched folder that was replaced by a symbolic link', () => {
  const watchState = () => world.companion().state(null).watch;
  const elsewhere =
    'The watched folder “from the phone” leads somewhere else now, so nothing is taken from it. Choose it again in Settings if that is right.';
  /** Waits until the problem is reported. Ends early, and fails, if a photo is added. */
  const expectRefusal = async (): Promise<void> => {
    await world.until(() => items().length > 0 || watchState()?.problem?.includes('somewhere else'), 'an end');
    await passQuietTime();
    expect(items()).toEqual([]);
    expect(watchState()).toMatchObject({ problem: elsewhere, code: 'WATCHED_FOLDER_ELSEWHERE' });
    expect(watchState()?.left).toBeUndefined();
    expect(world.logs.filter((line) => line.includes('WATCHED_FOLDER_ELSEWHERE'))).toHaveLength(1);
    expect(world.logs.join()).not.toContain(place);
  };
  /** Creates private photos elsewhere, and watches a folder inside its own parent folder. */
  const startWatching = async () => {
    world = await startWorld();
    const folder = join(place, 'inbox', 'from the phone');
    const aside = join(place, 'aside');
    const diary = join(place, 'private', 'from the phone');
    await createShotFolder(diary, 'diary', createShots([2]));
    await mkdir(folder, { recursive: true });
    await watch(folder);
    return { folder, aside, diary, parent: join(place, 'inbox') };
  };

  test('the watched folder is not read while a symbolic link is in its place', async () => {
    const { folder, aside, diary } = await startWatching();
    await rename(folder, aside);
    await symlink(diary, folder);
    await expectRefusal();
    await createShotFolder(diary, 'fresh', createShots([1]));
    await expectRefusal();
    await unlink(folder);
    await rename(aside, folder);
    await rename(await photosIn('red lamp', 2), join(folder, 'red lamp'));
    await world.until(() => items().length > 0, 'the item');
    expect(items().map(({ name }) => name)).toEqual(['red lamp']);
    expect(watchState()).toEqual({ folder, problem: null });
  });

  test('the watched folder is not read if it became a symbolic link before a start', async () => {
    const { folder, aside, diary } = await startWatching();
    await world.stop();
    await rename(folder, aside);
    await symlink(diary, folder);
    await world.begin();
    await expectRefusal();
  });

  test('a watched folder that was missing is not read if it returns as a symbolic link', async () => {
    const { folder, aside, diary } = await startWatching();
    await rename(folder, aside);
    await world.until(() => watchState()?.problem?.includes('is not there'), 'the sentence');
    for (let second = 0; second < 10; second += 1) world.clock.advance(1_000);
    await symlink(diary, folder);
    await expectRefusal();
  });

  test('the watched folder is not read if a symbolic link replaced its parent folder', async () => {
    const { aside, parent } = await startWatching();
    await rename(parent, aside);
    await symlink(join(place, 'private'), parent);
    await expectRefusal();
    await world.stop();
    world.logs.length = 0;
    await world.begin();
    await expectRefusal();
  });

  test('a folder that was missing when chosen is not read if it appears as a symbolic link', async () => {
    const { folder, diary } = await startWatching();
    const later = join(place, 'later', 'from the phone');
    await watch(later);
    await mkdir(join(place, 'later'));
    await symlink(diary, later);
    await expectRefusal();
    await watch(folder);
    expect(watchState()).toEqual({ folder, problem: null });
  });

  test('if the person chooses a replaced folder again, only its new photos are added', async () => {
    const { folder, aside, diary } = await startWatching();
    await rename(folder, aside);
    await symlink(diary, folder);
    await expectRefusal();
    await watch(folder);
    await world.until(() => watchState()?.problem === null, 'the watching');
    await passQuietTime();
    expect(items()).toEqual([]);
    await rename(await photosIn('red lamp', 2), join(diary, 'red lamp'));
    await world.until(() => items().length > 0, 'the item');
    expect(items().map(({ name }) => name)).toEqual(['red lamp']);
    await world.stop();
    await world.begin();
    await passQuietTime();
    expect(watchState()).toEqual({ folder, problem: null });
  });

  test('a watched folder stored by an earlier version is not read after its replacement', async () => {
    const { folder, aside, diary } = await startWatching();
    await world.stop();
    const db = openMigratedDatabase(join(world.dataDir, 'companion.db'));
    expect(db.prepare("delete from settings where name = 'watched place'").run().changes).toBe(1);
    db.close();
    await world.begin();
    await rename(await photosIn('red lamp', 2), join(folder, 'red lamp'));
    await world.until(() => items().length === 1, 'the item');
    await world.stop();
    await rename(folder, aside);
    await symlink(diary, folder);
    await world.begin();
    await world.until(() => items().length > 1 || watchState()?.problem?.includes('somewhere else'), 'an end');
    await passQuietTime();
    expect(items().map(({ name }) => name)).toEqual(['red lamp']);
    expect(watchState()).toMatchObject({ code: 'WATCHED_FOLDER_ELSEWHERE' });
  });

  test('choosing the unchanged folder again loses no new photos', async () => {
    const { folder } = await startWatching();
    await rename(await photosIn('red lamp', 2), join(folder, 'red lamp'));
    world.companion().changeSettings({ watchFolder: folder });
    await world.until(() => items().length > 0, 'the item');
    expect(items().map(({ name }) => name)).toEqual(['red lamp']);
  });
});

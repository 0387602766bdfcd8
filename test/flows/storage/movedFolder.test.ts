import { readdir, rename, rm, utimes } from 'node:fs/promises';
import { join, win32 } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { Companion } from '../../../src/core/companion/createCompanion.ts';
import { openMigratedDatabase } from '../../../src/core/storage/database.ts';
import { updatePhotoFilePaths } from '../../../src/core/storage/tables/photos/photosTable.ts';
import { startWorld, type World } from '../../helpers/world.ts';

let world: World | null = null;
afterEach(async () => {
  await world?.close();
  world = null;
});

/** Makes all prepared photos old, cleans up, and returns the names of the remaining files. */
const cleanUpFolder = async (companion: Companion, dataDir: string): Promise<string[]> => {
  const prepared = join(dataDir, 'prepared');
  for (const name of await readdir(prepared)) await utimes(join(prepared, name), new Date(0), new Date(0));
  await companion.disk.cleanUp();
  return (await readdir(prepared)).sort();
};

test('the clean-up keeps all prepared photos of a moved data folder', async () => {
  world = await startWorld();
  const { itemId } = await world.reviewed('a lamp', 3);
  const before = await cleanUpFolder(world.companion(), world.dataDir);
  await world.stop();
  const moved = `${world.dataDir}-moved`;
  await rename(world.dataDir, moved);
  try {
    const companion = await world.begin(moved);
    expect(await cleanUpFolder(companion, moved)).toEqual(before);
    const photos = companion.items.get(itemId).photos;
    expect(photos).toHaveLength(3);
    for (const { photoId } of photos)
      for (const size of ['thumb', 'full'] as const) expect(await companion.photo({ photoId, size })).not.toBeNull();
    await world.stop();
  } finally {
    await rm(moved, { recursive: true, force: true });
  }
});

test('paths of copied and prepared photos follow a moved Windows data folder', () => {
  const db = openMigratedDatabase(':memory:');
  const roaming = String.raw`C:\Users\ada\AppData\Roaming\Listing Companion`;
  db.exec(
    `insert into items (item_id, account, name, by, step, idempotency_key, created_at, updated_at) values ('i', 'a', 'n', '{}', 'review', 'k', 0, 0)`,
  );
  const add = db.prepare(
    'insert into photos (photo_id, item_id, position, name, source, owned, path, thumb_path) values (?, ?, ?, ?, ?, ?, ?, ?)',
  );
  const own = String.raw`D:\photos\1.jpg`;
  add.run('copy', 'i', 0, '1.jpg', `${roaming}\\intake\\f00d`, 1, null, null);
  add.run('ready', 'i', 1, '1.jpg', own, 0, `${roaming}\\prepared\\ab.jpg`, `${roaming}\\prepared\\ab.thumb.jpg`);
  const local = String.raw`C:\Users\ada\AppData\Local\Listing Companion`;
  updatePhotoFilePaths(db, {
    prepared: (name) => win32.join(local, 'prepared', name),
    copy: (name) => win32.join(local, 'intake', name),
  });
  expect(db.prepare('select photo_id, source, path, thumb_path from photos order by position').all()).toEqual([
    { photo_id: 'copy', source: `${local}\\intake\\f00d`, path: null, thumb_path: null },
    {
      photo_id: 'ready',
      source: own,
      path: `${local}\\prepared\\ab.jpg`,
      thumb_path: `${local}\\prepared\\ab.thumb.jpg`,
    },
  ]);
  db.close();
});

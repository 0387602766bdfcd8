import { spawnSync } from 'node:child_process';
import { copyFile, link, mkdir, mkdtemp, realpath, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findPhotosInPaths } from '../../../../src/core/photos/findPhotos.ts';
import type { FoundPhotos } from '../../../../src/core/photos/groupFiles.ts';
import { FileNotOpenedError, openFileInside, readOriginalBytes } from '../../../../src/core/photos/openInside.ts';
import { createDrawnFolder } from '../../../helpers/photos/createDrawnFolder.ts';

let home: string;
let given: string;
let bank: string;
beforeEach(async () => {
  home = await realpath(await mkdtemp(join(tmpdir(), 'links-')));
  given = await createDrawnFolder(home, 'shoes', 2);
  bank = await createDrawnFolder(home, 'bank', 1);
});
afterEach(() => rm(home, { recursive: true, force: true }));

const listPhotoNames = (found: FoundPhotos) =>
  found.groups.flatMap((group) => group.photos.map(({ name }) => name)).toSorted();
const listOutsideNames = (found: FoundPhotos) =>
  found.skipped.flatMap(({ why, name }) => (why === 'outside' ? [name] : [])).toSorted();
const own = ['IMG_1.jpg', 'IMG_2.jpg'];
const getCardPath = () => join(bank, 'IMG_1.jpg');

describe('photos in a given folder', () => {
  test('are left out and reported if a symbolic link leads outside the folder', async () => {
    await symlink(getCardPath(), join(given, 'card.jpg'));
    await symlink(bank, join(given, 'papers'));
    await symlink('../bank/IMG_1.jpg', join(given, 'relative.jpg'));
    await mkdir(join(given, 'deep'));
    await symlink(join(given, 'card.jpg'), join(given, 'deep', 'chain.jpg'));
    await symlink('/', join(given, 'everything'));
    const found = await findPhotosInPaths([given]);
    expect(listPhotoNames(found)).toEqual(own);
    expect(listOutsideNames(found)).toEqual(['card.jpg', 'chain.jpg', 'everything', 'papers', 'relative.jpg']);
  });

  test('are found only once despite symbolic links and link loops inside the folder', async () => {
    await symlink(join(given, 'IMG_1.jpg'), join(given, 'again.jpg'));
    await symlink(given, join(given, 'round'));
    await mkdir(join(given, 'left'));
    await symlink('..', join(given, 'left', 'up'));
    await copyFile(getCardPath(), join(given, 'left', 'IMG_3.jpg'));
    const found = await findPhotosInPaths([given]);
    expect(listPhotoNames(found)).toHaveLength(3);
    expect(listOutsideNames(found)).toEqual([]);
  });

  test('are found if the given folder is itself a symbolic link', async () => {
    await symlink(given, join(home, 'shortcut'));
    await symlink(getCardPath(), join(given, 'card.jpg'));
    const found = await findPhotosInPaths([join(home, 'shortcut')]);
    expect([listPhotoNames(found), listOutsideNames(found)]).toEqual([own, ['card.jpg']]);
  });

  test('do not include linked photos of a folder with the same name prefix', async () => {
    await createDrawnFolder(home, 'shoes-private', 1);
    await symlink(join(home, 'shoes-private', 'IMG_1.jpg'), join(given, 'card.jpg'));
    expect(listOutsideNames(await findPhotosInPaths([given]))).toEqual(['card.jpg']);
  });

  test('are found only once if a symbolic link leads to another given folder', async () => {
    await symlink(getCardPath(), join(given, 'card.jpg'));
    const found = await findPhotosInPaths([given, bank]);
    expect(listPhotoNames(found)).toEqual(['IMG_1.jpg', ...own]);
  });

  test('include hard links', async () => {
    await link(getCardPath(), join(given, 'IMG_3.jpg'));
    expect(listPhotoNames(await findPhotosInPaths([given]))).toEqual([...own, 'IMG_3.jpg']);
  });

  test('do not include pipes, sockets and devices', async () => {
    expect(spawnSync('mkfifo', [join(given, 'pipe.jpg')]).status).toBe(0);
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(join(given, 'socket.jpg'), resolve));
    await symlink(join(given, 'pipe.jpg'), join(given, 'to-pipe.jpg'));
    await symlink('/dev/zero', join(given, 'zero.jpg'));
    const found = await findPhotosInPaths([given]);
    server.close();
    expect([listPhotoNames(found), listOutsideNames(found)]).toEqual([own, ['zero.jpg']]);
  });
});

test('a symbolic link that is given directly is followed', async () => {
  await symlink(getCardPath(), join(given, 'card.jpg'));
  const found = await findPhotosInPaths([join(given, 'card.jpg')]);
  expect([listPhotoNames(found), listOutsideNames(found)]).toEqual([['card.jpg'], []]);
  const [photo] = found.groups[0]?.photos ?? [];
  expect(photo?.root).toBe(getCardPath());
});

describe('reading an original photo', () => {
  const read = (name: string, root = given) => readOriginalBytes({ source: join(given, name), root });

  test('is refused if a symbolic link to the outside has replaced the file or its folder', async () => {
    await mkdir(join(given, 'left'));
    await copyFile(getCardPath(), join(given, 'left', 'IMG_1.jpg'));
    expect((await read('left/IMG_1.jpg')).length).toBeGreaterThan(0);
    await rename(join(given, 'left'), join(home, 'away'));
    await symlink(bank, join(given, 'left'));
    await expect(read('left/IMG_1.jpg')).rejects.toMatchObject({ code: 'OUTSIDE_FOLDER' });
    await rm(join(given, 'IMG_1.jpg'));
    await symlink(getCardPath(), join(given, 'IMG_1.jpg'));
    await expect(read('IMG_1.jpg')).rejects.toMatchObject({ code: 'OUTSIDE_FOLDER' });
  });

  test('is refused if the given folder itself was replaced by a symbolic link', async () => {
    await rename(given, join(home, 'away'));
    await symlink(bank, given);
    await expect(read('IMG_1.jpg')).rejects.toMatchObject({ code: 'OUTSIDE_FOLDER' });
  });

  test('is allowed through a symbolic link inside the folder but refused for a pipe', async () => {
    await rm(join(given, 'IMG_1.jpg'));
    await symlink(join(given, 'IMG_2.jpg'), join(given, 'IMG_1.jpg'));
    expect((await read('IMG_1.jpg')).length).toBeGreaterThan(0);
    expect(spawnSync('mkfifo', [join(given, 'pipe.jpg')]).status).toBe(0);
    await expect(read('pipe.jpg')).rejects.toMatchObject({ code: 'NOT_A_PHOTO' });
    await expect(readOriginalBytes({ source: join(given, 'pipe.jpg') })).rejects.toMatchObject({ code: 'NOT_A_PHOTO' });
  });

  test('reports a missing file as missing', async () => {
    await expect(read('none.jpg')).rejects.toMatchObject({ code: 'MISSING_FILE' });
  });
});

test('a file or folder swapped for a symbolic link during opening is never read', async () => {
  const inner = join(given, 'inner');
  await mkdir(inner);
  const place = join(inner, 'IMG.jpg');
  await writeFile(place, 'own');
  const secret = join(home, 'inner-secret');
  await mkdir(secret);
  await writeFile(join(secret, 'IMG.jpg'), 'secret');
  const over = new AbortController();
  const swapping = (async () => {
    for (let turn = 0; !over.signal.aborted || turn % 2 === 1; turn += 1) {
      if (turn % 2 === 0) {
        await rename(inner, join(home, 'inner-away'));
        await symlink(secret, inner);
      } else {
        await rm(inner);
        await rename(join(home, 'inner-away'), inner);
      }
    }
  })();
  const seen = new Map<string, number>();
  const times = (what: string): number => seen.get(what) ?? 0;
  // One attempt takes less than a millisecond.
  for (let turn = 0; turn < 20_000 && (times('own') < 20 || times('outside') < 20); turn += 1) {
    const text = await openFileInside([given], place).then(
      async (file) => {
        const read = await file.readFile('utf8');
        await file.close();
        return read;
      },
      (error: unknown) => (error instanceof FileNotOpenedError ? error.why : 'gone'),
    );
    seen.set(text, times(text) + 1);
  }
  over.abort();
  await swapping;
  expect(times('outside')).toBeGreaterThan(0);
  expect([...seen.keys()].filter((what) => !['own', 'outside', 'gone'].includes(what))).toEqual([]);
});

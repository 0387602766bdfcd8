import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmod,
  copyFile,
  mkdir,
  mkdtemp,
  readFile,
  readdir,
  rename,
  rm,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { watch } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { createDrawnFolder } from '../../helpers/photos/createDrawnFolder.ts';
import { startScene, type Scene } from '../../helpers/bridge/scene.ts';
import { listAllItems } from '../../helpers/listAllItems.ts';

const made = z.object({
  itemId: z.string(),
  item: z.looseObject({ photos: z.array(z.looseObject({ name: z.string() })) }),
  left: z.array(z.object({ name: z.string(), code: z.string(), error: z.string() })),
});

let scene: Scene;
let home: string;
let shop: string;
let secret: string;
beforeAll(async () => {
  scene = await startScene();
  home = await mkdtemp(join(tmpdir(), 'home-'));
  shop = await createDrawnFolder(home, 'shop', 2);
  // The name of this folder begins with the name of the allowed folder.
  secret = await createDrawnFolder(home, 'shop-private', 2);
});
beforeEach(async () => {
  allowFolders([shop]);
  await forgetItems();
});
afterAll(async () => {
  await scene.close();
  await rm(home, { recursive: true, force: true });
});

const allowFolders = (folders: string[]) =>
  scene.world.companion().assistants.change(scene.one.assistantId, { folders });
const addItem = (body: object) => scene.one.call('POST', '/companion/items', { body });
const countCopies = async () => (await scene.world.companion().disk.use()).copies;
const countItems = () => listAllItems(scene.world.companion()).length;
/** Deletes all items, which also deletes their copies. */
const forgetItems = async () => {
  for (const { itemId } of listAllItems(scene.world.companion())) await scene.world.companion().items.remove(itemId);
  expect(await countCopies()).toBe(0);
};
const getFirstPhotoPath = () => join(shop, 'IMG_1.jpg');
/** Creates a folder inside the allowed folder. */
const createFolderInside = async (name: string): Promise<string> => {
  const path = join(shop, name);
  await mkdir(path, { recursive: true });
  return path;
};
const hashFile = async (path: string) =>
  createHash('sha256')
    .update(await readFile(path))
    .digest('hex');

/** Requests an item, expects the refusal, and checks that no item and no copy remains. */
const expectRefusal = async (body: object, status: number, code: string): Promise<string> => {
  const answer = await addItem(body);
  expect([answer.status, answer.body['code']], JSON.stringify(answer.body)).toEqual([status, code]);
  expect(answer.body['error']).toMatch(/^[A-Z].*\.$/);
  expect([countItems(), await countCopies()]).toEqual([0, 0]);
  return JSON.stringify(answer.body);
};

describe('paths outside the allowed folders', () => {
  const outside: [string, () => string][] = [
    ['another folder', () => secret],
    ['the parent folder', () => home],
    ['the root folder', () => '/'],
    ['a path with “..”', () => `${shop}/../shop-private`],
    ['a photo reached through “..”', () => `${shop}/inner/../../shop-private/IMG_1.jpg`],
    ['a missing folder whose name begins with the allowed name', () => `${shop}-private`],
    ['a photo in another folder', () => join(secret, 'IMG_1.jpg')],
    ['a system file', () => '/etc/passwd'],
    ['a device', () => '/dev/zero'],
    ['a process file', () => '/proc/self/environ'],
    ['a missing photo in another folder', () => join(secret, 'none.jpg')],
    ['a missing folder', () => join(home, 'none')],
    ['a missing photo reached through “..”', () => `${shop}/../none/x.jpg`],
    ['a path below a file', () => join(secret, 'IMG_1.jpg', 'x.jpg')],
    ['a very long path', () => `${secret}/${'x'.repeat(3_000)}`],
  ];
  test.each(outside)('%s gets the same error if sent as a folder or as a photo', async (_what, path) => {
    const refusals = [
      await expectRefusal({ folder: path() }, 403, 'FOLDER_NOT_ALLOWED'),
      await expectRefusal({ photos: [path()] }, 403, 'FOLDER_NOT_ALLOWED'),
      await expectRefusal({ photos: [getFirstPhotoPath(), path()] }, 403, 'FOLDER_NOT_ALLOWED'),
    ];
    expect(new Set(refusals).size).toBe(1);
  });

  test.each(['shop', './shop', '~/shop', 'file:///tmp', '\\\\host\\share', ''])(
    'the invalid path “%s” is refused',
    async (path) => {
      await expectRefusal({ folder: path }, 400, 'INVALID_REQUEST');
      await expectRefusal({ photos: [path] }, 400, 'INVALID_REQUEST');
    },
  );
  test('a path with a zero byte is refused', async () => {
    await expectRefusal({ folder: `${shop}\0${secret}` }, 400, 'INVALID_REQUEST');
    await expectRefusal({ photos: [`${getFirstPhotoPath()}\0.png`] }, 400, 'INVALID_REQUEST');
  });
});

describe('symbolic links in allowed folders', () => {
  test('a link out of an allowed folder gets the same error whether or not its target exists', async () => {
    const folder = await createFolderInside('symbolic links in allowed folders');
    await symlink(join(secret, 'IMG_1.jpg'), join(folder, 'file.jpg'));
    await symlink(join(secret, 'none.jpg'), join(folder, 'none.jpg'));
    await symlink(secret, join(folder, 'folder'));
    await symlink(join(home, 'none'), join(folder, 'nowhere'));
    await symlink('loop', join(folder, 'loop'));
    const links = ['file.jpg', 'none.jpg', 'folder', 'nowhere', 'loop'];
    const deeper = ['folder/IMG_1.jpg', 'folder/none.jpg', 'folder/none/x.jpg', 'nowhere/x.jpg', 'loop/x.jpg'];
    const refusals = [];
    for (const path of [...links, ...deeper]) {
      refusals.push(await expectRefusal({ folder: join(folder, path) }, 403, 'FOLDER_NOT_ALLOWED'));
      refusals.push(await expectRefusal({ photos: [join(folder, path)] }, 403, 'FOLDER_NOT_ALLOWED'));
    }
    expect(new Set(refusals).size).toBe(1);
    // The refusal does not reveal the names of the files in the linked folder.
    expect(await expectRefusal({ folder }, 422, 'NO_PHOTOS_FOUND')).not.toContain('IMG_1');
    await rm(folder, { recursive: true });
  });

  test('links within the allowed folder are followed', async () => {
    const folder = await createFolderInside('turned');
    await symlink(getFirstPhotoPath(), join(folder, 'again.jpg'));
    const answer = await addItem({ folder });
    expect(answer.status).toBe(202);
    expect(made.parse(answer.body).item.photos.map(({ name }) => name)).toEqual(['IMG_1.jpg']);
    await rm(folder, { recursive: true });
  });

  test('an allowed folder that has been replaced by a link is no longer allowed', async () => {
    const folder = await createDrawnFolder(home, 'moved-later', 1);
    allowFolders([folder]);
    await rename(folder, `${folder}-away`);
    await symlink(secret, folder);
    await expectRefusal({ folder }, 403, 'FOLDER_NOT_ALLOWED');
    await expectRefusal({ photos: [join(folder, 'IMG_1.jpg')] }, 403, 'FOLDER_NOT_ALLOWED');
  });

  test('if the allowed folder is a symbolic link, photos are accepted by the link and by its target', async () => {
    await symlink(shop, join(home, 'shortcut'));
    allowFolders([join(home, 'shortcut')]);
    expect((await addItem({ photos: [getFirstPhotoPath()] })).status).toBe(202);
    expect((await addItem({ photos: [join(home, 'shortcut', 'IMG_1.jpg')] })).status).toBe(202);
  });

  test('no outside file is copied if a photo is replaced by a symbolic link during the check', async () => {
    const folder = await createFolderInside('race');
    const path = join(folder, 'IMG.jpg');
    const [good, link, wanted] = [join(folder, '.good'), join(folder, '.link'), join(secret, 'IMG_2.jpg')];
    await copyFile(getFirstPhotoPath(), good);
    const [own, others] = [await hashFile(getFirstPhotoPath()), await hashFile(wanted)];
    const seen = await addWhileSwapping(path, async (turn) => {
      if (turn % 2 === 0) await symlink(wanted, link);
      else await copyFile(good, link);
      await rename(link, path);
    });
    // How often each outcome occurs depends on the machine. The tests above show both outcomes.
    expect(seen.has('taken') || seen.has('FOLDER_NOT_ALLOWED')).toBe(true);
    // A link that replaces the photo after the check is not followed when the photo is opened.
    expect([...seen].filter((code) => !['taken', 'FOLDER_NOT_ALLOWED', 'UNREADABLE_PHOTO'].includes(code))).toEqual([]);
    // Only photos of the allowed folder are copied.
    const kept = await hashCopies();
    expect(kept).not.toContain(others);
    expect(kept.length === 0 || kept.includes(own)).toBe(true);
    await rm(folder, { recursive: true });
  });

  test('no outside file is copied if a parent folder is replaced by a symbolic link during the check', async () => {
    const folder = await createFolderInside('race-above');
    const [inner, away] = [join(folder, 'inner'), join(folder, '.away')];
    await mkdir(inner);
    await copyFile(getFirstPhotoPath(), join(inner, 'IMG_2.jpg'));
    const others = await hashFile(join(secret, 'IMG_2.jpg'));
    const seen = await addWhileSwapping(join(inner, 'IMG_2.jpg'), async (turn) => {
      if (turn % 2 === 0) {
        await rename(inner, away);
        await symlink(secret, inner);
      } else {
        await rm(inner);
        await rename(away, inner);
      }
    });
    expect(seen.has('taken') || seen.has('FOLDER_NOT_ALLOWED')).toBe(true);
    expect(await hashCopies()).not.toContain(others);
    await rm(folder, { recursive: true });
  });
});

/** Adds a photo while `swap` keeps replacing its file, until both outcomes have occurred a few times. Returns the outcomes. */
const addWhileSwapping = async (path: string, swap: (turn: number) => Promise<unknown>): Promise<Set<string>> => {
  const over = new AbortController();
  const swapping = (async () => {
    for (let turn = 0; !over.signal.aborted || turn % 2 === 1; turn += 1) await swap(turn);
  })();
  const met = new Map<string, number>();
  const countOutcome = (code: string) => met.get(code) ?? 0;
  // Each attempt takes milliseconds.
  for (let turn = 0; turn < 400 && (countOutcome('taken') < 5 || countOutcome('FOLDER_NOT_ALLOWED') < 5); turn += 1) {
    const { status, body } = await addItem({ photos: [path] });
    const code = status === 202 ? 'taken' : String(body['code']);
    met.set(code, countOutcome(code) + 1);
  }
  over.abort();
  await swapping;
  return new Set(met.keys());
};

/** Returns the hashes of all copied photos. */
const hashCopies = async (): Promise<string[]> => {
  const dir = join(scene.world.dataDir, 'intake');
  const names = await readdir(dir).catch(() => []);
  return Promise.all(names.map((name) => hashFile(join(dir, name)).catch(() => '')));
};

describe('invalid photos in an allowed folder', () => {
  test('a missing path in the allowed folder is reported as missing', async () => {
    await expectRefusal({ folder: join(shop, 'none') }, 404, 'MISSING_PATH');
    await expectRefusal({ photos: [join(shop, 'none.jpg')] }, 404, 'MISSING_PATH');
    await expectRefusal({ photos: [join(shop, 'none', 'deeper', 'x.jpg')] }, 404, 'MISSING_PATH');
  });

  test('pipes, sockets, folders, text files and empty files with photo names are refused', async () => {
    const folder = await createFolderInside('odd');
    const getPath = (name: string) => join(folder, name);
    expect(spawnSync('mkfifo', [getPath('pipe.jpg')]).status).toBe(0);
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(getPath('socket.jpg'), resolve));
    await mkdir(getPath('folder.jpg'));
    await writeFile(getPath('text.jpg'), 'A letter that only its writer should read.');
    await writeFile(getPath('empty.jpg'), '');
    await writeFile(getPath('key.png'), '-----BEGIN OPENSSH PRIVATE KEY-----\n');
    for (const name of ['pipe.jpg', 'socket.jpg', 'folder.jpg', 'text.jpg', 'empty.jpg', 'key.png'])
      await expectRefusal({ photos: [getPath(name)] }, 422, 'NOT_A_PHOTO');
    await expectRefusal({ folder }, 422, 'NOT_A_PHOTO');
    server.close();
    await rm(folder, { recursive: true });
  });

  test('an invalid photo is skipped, and the valid photos become an item', async () => {
    const folder = await createFolderInside('mixed');
    await copyFile(getFirstPhotoPath(), join(folder, 'good.jpg'));
    await writeFile(join(folder, 'bad.jpg'), 'no photo');
    const answer = await addItem({ photos: [join(folder, 'bad.jpg'), join(folder, 'good.jpg')] });
    expect(answer.status).toBe(202);
    expect(made.parse(answer.body)).toMatchObject({
      left: [{ name: 'bad.jpg', code: 'NOT_A_PHOTO', error: 'This is not a photo.' }],
      item: { photos: [{ name: 'good.jpg' }] },
    });
    await rm(folder, { recursive: true });
  });

  test('a photo larger than 64 MiB is refused', async () => {
    const folder = await createFolderInside('large');
    const path = join(folder, 'huge.jpg');
    await copyFile(getFirstPhotoPath(), path);
    await truncate(path, 64 * 2 ** 20 + 1);
    await expectRefusal({ photos: [path] }, 413, 'PHOTO_TOO_LARGE');
    await rm(folder, { recursive: true });
  });

  test('more than 100 photos are refused', async () => {
    const folder = await createFolderInside('many');
    const paths = Array.from({ length: 101 }, (_, index) => join(folder, `IMG_${index}.jpg`));
    for (const path of paths) await copyFile(getFirstPhotoPath(), path);
    expect(await expectRefusal({ photos: paths }, 400, 'INVALID_REQUEST')).toContain(
      'At most 100 photos make one item.',
    );
    expect(await expectRefusal({ folder }, 400, 'INVALID_REQUEST')).toContain('At most 100 photos make one item.');
    await rm(folder, { recursive: true });
  });

  // Root can read every file.
  test.skipIf(process.getuid?.() === 0)('a photo without read permission is refused', async () => {
    const folder = await createFolderInside('locked');
    const path = join(folder, 'locked.jpg');
    await copyFile(getFirstPhotoPath(), path);
    await chmod(path, 0);
    await expectRefusal({ photos: [path] }, 422, 'UNREADABLE_PHOTO');
    await rm(folder, { recursive: true });
  });
});

describe('access that ends while photos are being copied', () => {
  const getAssistants = () => scene.world.companion().assistants;
  const ends: [string, string, () => unknown][] = [
    ['the folder is no longer allowed', 'FOLDER_NOT_ALLOWED', () => allowFolders([secret])],
    ['the assistant is paused', 'ASSISTANT_PAUSED', () => getAssistants().pause(scene.one.assistantId)],
  ];
  /** Runs `work` as soon as the first byte of a copy is on disk. */
  const atFirstCopy = async (work: () => unknown): Promise<void> => {
    const intake = join(scene.world.dataDir, 'intake');
    await mkdir(intake, { recursive: true });
    const watcher = watch(intake, () => {
      watcher.close();
      work();
    });
  };
  afterEach(() => getAssistants().change(scene.one.assistantId, { paused: false }));

  test.each(ends)('no item or copy remains if access ends during the copying: %s', async (_what, code, end) => {
    const many = await createDrawnFolder(shop, 'many', 30);
    await atFirstCopy(end);
    await expectRefusal({ folder: many }, 403, code);
    allowFolders([shop]);
    getAssistants().change(scene.one.assistantId, { paused: false });
    await atFirstCopy(end);
    const photos = Array.from({ length: 30 }, (_none, index) => join(many, `IMG_${index + 1}.jpg`));
    await expectRefusal({ photos }, 403, code);
    await rm(many, { recursive: true });
  });
});

test('a folder is refused after the person no longer allows it', async () => {
  expect((await addItem({ folder: shop })).status).toBe(202);
  allowFolders([]);
  await forgetItems();
  await expectRefusal({ folder: shop }, 403, 'FOLDER_NOT_ALLOWED');
  await expectRefusal({ photos: [getFirstPhotoPath()] }, 403, 'FOLDER_NOT_ALLOWED');
  const answer = await scene.other.call('POST', '/companion/items', { body: { folder: shop } });
  expect([answer.status, answer.body['code']]).toEqual([403, 'FOLDER_NOT_ALLOWED']);
});

test('original photos stay unchanged, and copies are deleted after the upload', async () => {
  const folder = await createFolderInside('kept');
  const path = join(folder, 'IMG.jpg');
  await copyFile(getFirstPhotoPath(), path);
  const before = await hashFile(path);
  const { itemId } = made.parse((await addItem({ folder })).body);
  await scene.world.item(itemId, 'review');
  expect(await hashFile(path)).toBe(before);
  expect(await countCopies()).toBe(0);
  await rm(folder, { recursive: true });
});

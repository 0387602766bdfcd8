import { copyFile, mkdir, mkdtemp, realpath, rename, rm, symlink, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type ItemView } from '../../../src/core/storage/tables/itemRecord.ts';
import { noEdits } from '../../../src/photoContract/constants.ts';
import { pairAssistant } from '../../helpers/assistant.ts';
import { createDrawnFolder } from '../../helpers/photos/createDrawnFolder.ts';
import { createShotFolder, createShots } from '../../helpers/photos/createShotFolder.ts';
import { startWorld, type World } from '../../helpers/world.ts';
import { listAllItems } from '../../helpers/listAllItems.ts';

let world: World;
let home: string;
let shoes: string;
let card: string;
beforeEach(async () => {
  world = await startWorld();
  home = await realpath(await mkdtemp(join(tmpdir(), 'outside-')));
  shoes = await createDrawnFolder(home, 'shoes', 2);
  card = join(await createDrawnFolder(home, 'bank', 1), 'IMG_1.jpg');
});
afterEach(async () => {
  await world.close();
  await rm(home, { recursive: true, force: true });
});

const companion = () => world.companion();
const items = (): ItemView[] => listAllItems(companion());
const names = (): string[] => items().flatMap(({ photos }) => photos.map(({ name }) => name));
const drop = (...paths: string[]) => companion().add({ kind: 'paths', paths });
const ownPhotoNames = ['IMG_1.jpg', 'IMG_2.jpg'];

describe('symbolic links in a dropped folder', () => {
  test('a symbolic link out of the dropped folder is left out and named in the message', async () => {
    await symlink(card, join(shoes, 'card.jpg'));
    await symlink(join(home, 'bank'), join(shoes, 'papers'));
    const { sentence, says, itemIds } = await drop(shoes);
    expect(sentence).toBe(
      '1 item with 2 photos. 2 files were left out because they are links that lead outside the folder: card.jpg, papers.',
    );
    expect(says?.key).toBe('items.addedWithoutLinks');
    expect(names()).toEqual(ownPhotoNames);
    await world.item(itemIds[0] ?? '', 'review');
    expect(await world.happened('photo')).toBe(2);
  });

  test('the message names five omitted links and counts the rest', async () => {
    for (let nth = 1; nth <= 7; nth += 1) await symlink(card, join(shoes, `link ${nth}.jpg`));
    const { sentence } = await drop(shoes);
    expect(sentence).toContain(': link 1.jpg, link 2.jpg, link 3.jpg, link 4.jpg, link 5.jpg and 2 more.');
  });

  test('a folder is refused if it contains only symbolic links that lead out of it', async () => {
    const only = join(home, 'only');
    await mkdir(only);
    await symlink(card, join(only, 'card.jpg'));
    await expect(drop(only)).rejects.toMatchObject({
      code: 'NO_PHOTOS_FOUND',
      message:
        'There are no photos in there. 1 file was left out because it is a link that leads outside the folder: card.jpg.',
    });
    expect(items()).toEqual([]);
  });

  test('symbolic links within the folder are followed without adding a photo twice', async () => {
    await symlink(join(shoes, 'IMG_1.jpg'), join(shoes, 'IMG_9.jpg'));
    await symlink(shoes, join(shoes, 'round'));
    expect((await drop(shoes)).sentence).toBe('1 item with 2 photos.');
  });
});

test('a dropped symbolic link to a photo is followed', async () => {
  await symlink(card, join(shoes, 'card.jpg'));
  const { itemIds } = await drop(join(shoes, 'card.jpg'));
  const { photos } = await world.item(itemIds[0] ?? '', 'review');
  expect(photos.map(({ name, state }) => [name, state])).toEqual([['card.jpg', 'ready']]);
});

test('editing is refused for a photo whose file was replaced by a symbolic link', async () => {
  const roll = await createShotFolder(home, 'DCIM', createShots([2, 3]));
  const { itemIds } = await drop(roll);
  const itemId = itemIds[0] ?? '';
  const first = () => companion().items.get(itemId).photos[0];
  await world.until(() => companion().items.get(itemId).step === 'arranging', 'the arranging step');
  expect(first()?.state).toBe('ready');
  await unlink(join(roll, 'IMG_1.jpg'));
  await symlink(card, join(roll, 'IMG_1.jpg'));
  await companion().items.arranging.edit(first()?.photoId ?? '', { ...noEdits, quarterTurns: 1 });
  await world.until(() => first()?.state === 'refused', 'the photo to be refused');
  expect(first()).toMatchObject({ name: 'IMG_1.jpg', says: { key: 'refusals.OUTSIDE_FOLDER' } });
});

test('photos are refused if a symbolic link replaced their folder before preparation', async () => {
  companion().pauseAll(true);
  const lamp = await createDrawnFolder(home, 'lamp', 1);
  const { itemIds } = await drop(shoes, lamp);
  await rename(shoes, join(home, 'away'));
  await symlink(join(home, 'bank'), shoes);
  companion().pauseAll(false);
  const state = (at: number) => companion().items.get(itemIds[at] ?? '');
  await world.until(() => state(0).stop !== null && state(1).step === 'review', 'both items');
  expect(state(0).photos.map(({ says }) => says?.key)).toEqual(['refusals.OUTSIDE_FOLDER', 'refusals.MISSING_FILE']);
  expect(await world.happened('photo')).toBe(1);
});

describe('symbolic links in the watched folder', () => {
  const watch = async (folder: string): Promise<void> => {
    companion().changeSettings({ watchFolder: folder });
    await world.until(() => companion().state(null).watch?.folder === folder, 'the watching');
    // The first scan runs in real time. It has ended once a new photo becomes an item.
    for (let nth = 1; items().length === 0; nth += 1) {
      await copyFile(card, join(folder, `probe ${nth}.jpg`));
      for (let turn = 0; turn < 40 && items().length === 0; turn += 1) {
        world.clock.advance(1_000);
        await wait(20);
      }
    }
  };
  const listAddedNames = (): string[] => names().filter((name) => !name.startsWith('probe'));
  const getOmittedLinks = () => companion().state(null).watch?.left;

  test('the status of the watched folder names symbolic links that lead out of it', async () => {
    const folder = join(home, 'inbox');
    await mkdir(folder);
    await watch(folder);
    expect(getOmittedLinks()).toBeUndefined();
    await symlink(join(shoes, 'IMG_2.jpg'), join(folder, 'card.jpg'));
    await symlink(shoes, join(folder, 'papers'));
    await mkdir(join(folder, 'lamp'));
    await symlink(join(shoes, 'IMG_1.jpg'), join(folder, 'lamp', 'deep.jpg'));
    await world.until(() => getOmittedLinks()?.sentence.includes('deep.jpg'), 'the third link');
    await copyFile(join(shoes, 'IMG_1.jpg'), join(folder, 'lamp', 'own.jpg'));
    await world.until(() => listAddedNames().length > 0, 'the photo');
    expect(listAddedNames()).toEqual(['own.jpg']);
    expect(getOmittedLinks()?.says.key).toBe('items.linksOutside');
  });

  test('the watched folder can itself be a symbolic link', async () => {
    const folder = join(home, 'inbox');
    await mkdir(join(home, 'real'));
    await symlink(join(home, 'real'), folder);
    await watch(folder);
    await copyFile(join(shoes, 'IMG_1.jpg'), join(folder, 'own.jpg'));
    await symlink(join(home, 'real', 'own.jpg'), join(folder, 'inside.jpg'));
    await world.until(() => listAddedNames().length > 0, 'the photo');
    expect(listAddedNames()).toHaveLength(1);
    expect(getOmittedLinks()).toBeUndefined();
  });
});

describe('symbolic links in a folder that an assistant adds', () => {
  test('the answer to the assistant names the omitted links but not their targets', async () => {
    const bridge = await world.bridge();
    const assistant = await pairAssistant(world, bridge.url);
    const [{ assistantId } = { assistantId: '' }] = companion().assistants.list().assistants;
    companion().assistants.change(assistantId, { folders: [shoes] });
    await symlink(card, join(shoes, 'card.jpg'));
    await symlink(join(home, 'bank'), join(shoes, 'papers'));
    await symlink(join(home, 'nothing.jpg'), join(shoes, 'dead.jpg'));
    const { status, body } = await assistant.call('POST', '/companion/items', { body: { folder: shoes } });
    expect(status).toBe(202);
    const error = 'This is a link that leads outside the folder, so it was left out.';
    expect(body['left']).toEqual(
      ['dead.jpg', 'card.jpg', 'papers'].map((name) => ({ name, code: 'LINK_OUTSIDE', error })),
    );
    expect(JSON.stringify(body)).not.toContain('bank');
    expect(names()).toEqual(ownPhotoNames);
    await bridge.stop();
  });
});

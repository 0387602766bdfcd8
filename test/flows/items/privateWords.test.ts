import { readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { pairWithId } from '../../helpers/bridge/scene.ts';
import type { ItemView } from '../../../src/core/storage/tables/itemRecord.ts';
import * as z from 'zod';
import { startWorld, type World } from '../../helpers/world.ts';

const made = z.object({ itemId: z.string() });

let world: World;
afterEach(() => world.close());

const get = (itemId: string): ItemView => world.companion().items.get(itemId);
const readWritten = async (itemId: string): Promise<string> => {
  const { listingId } = await world.item(itemId, 'review');
  return JSON.stringify(await world.listing(listingId ?? ''));
};

test('the place and the cost in a folder’s name are kept with the item and never sent', async () => {
  world = await startWorld();
  const added = await world.companion().add({
    kind: 'paths',
    paths: [await world.folder('Harrow shirt 2 (bin A02, cost 3.50)')],
  });
  expect(added.sentence).toContain('These words of the folder names stay on this computer: bin A02, cost 3.50.');
  const [itemId = ''] = added.itemIds;
  expect(get(itemId)).toMatchObject({
    name: 'Harrow shirt 2',
    note: 'Harrow shirt 2',
    privateParts: [
      { kind: 'place', text: 'bin A02' },
      { kind: 'cost', text: 'cost 3.50' },
    ],
  });
  const written = await readWritten(itemId);
  expect(written).toContain('Harrow shirt 2');
  expect(written).not.toMatch(/A02|3\.50/);
});

test('if a folder’s name is completely private, neither it nor the name of a photo is sent', async () => {
  world = await startWorld();
  const folder = await world.folder('bin A02');
  const [photo = ''] = await readdir(folder);
  await rename(join(folder, photo), join(folder, 'a shirt cost 3.50.jpg'));
  const { itemIds } = await world.companion().add({ kind: 'paths', paths: [folder] });
  expect(get(itemIds[0] ?? '')).toMatchObject({ note: '', privateParts: [{ kind: 'place', text: 'bin A02' }] });
});

test('private words survive a restart, and a merge keeps those of both items', async () => {
  world = await startWorld();
  world.companion().changeSettings({ deferDrops: true });
  const paths = [await world.folder('red hat bin A02'), await world.folder('blue hat Regal 3')];
  const { itemIds } = await world.companion().add({ kind: 'paths', paths });
  await world.until(() => itemIds.every((itemId) => get(itemId).step === 'arranging'), 'the arranging step');
  await world.stop();
  await world.begin();
  const [merged] = await world.companion().items.arranging.merge(itemIds);
  expect(merged?.privateParts.map(({ text }) => text)).toEqual(['bin A02', 'Regal 3']);
});

test('an assistant’s item waits for the person if its folder’s name has private words that are new', async () => {
  world = await startWorld();
  const folder = await world.folder('Harrow shirt 2 (bin A02, cost 3.50)');
  const bridge = await world.bridge();
  const helper = await pairWithId(world, bridge.url, 'Tidy Helper');
  world.companion().assistants.change(helper.assistantId, { folders: [folder] });
  const add = async (): Promise<{ itemId: string }> =>
    made.parse((await helper.call('POST', '/companion/items', { body: { folder } })).body);
  const first = await add();
  await world.until(() => get(first.itemId).step === 'arranging', 'the arranging step');
  expect(get(first.itemId)).toMatchObject({ name: 'Harrow shirt 2', reviewReason: 'privateWords' });
  await world.companion().items.begin([first.itemId]);
  expect(await readWritten(first.itemId)).not.toMatch(/A02|3\.50/);
  // The person has now seen these words, so the next item does not wait.
  const second = await add();
  expect(get(second.itemId).reviewReason).toBe(null);
  await bridge.stop();
});

import { rm } from 'node:fs/promises';
import { afterEach, expect, test } from 'vitest';
import * as z from 'zod';
import { pairWithId, type Paired } from '../../helpers/bridge/scene.ts';
import { putCodePhoto } from '../../helpers/photos/putCodePhoto.ts';
import { startWorld, type World } from '../../helpers/world.ts';

let world: World;
let bridge: Awaited<ReturnType<World['bridge']>>;
afterEach(async () => {
  await bridge.stop();
  await world.close();
});

const known = 'ZK-771';
const unknown = 'ZK-772';
const fill = async (): Promise<Paired> => {
  world = await startWorld();
  bridge = await world.bridge();
  const { itemId } = await world.reviewed('lamp', 1);
  world.companion().shelf.change({ itemIds: [itemId] }, { sku: known });
  return pairWithId(world, bridge.url, 'Tidy Helper');
};

/** Creates a folder with a photo of a code between two others, and lets the assistant read only this folder. */
const createCodeFolder = async ({ assistantId }: Paired, name: string, code: string): Promise<string> => {
  const folder = await world.folder(name, 2);
  await putCodePhoto(folder, 'code.jpg', 'qrcode', code);
  world.companion().assistants.change(assistantId, { folders: [folder] });
  return folder;
};

const added = z.looseObject({ itemId: z.string() });
type Learned = { answer: unknown; photos: unknown[]; images: number; sku: string | null };

/** Lets the assistant sell a folder, and returns what it could learn of the code. */
const addFolder = async (assistant: Paired, code: string): Promise<Learned> => {
  const folder = await createCodeFolder(assistant, 'shirt', code);
  const { itemId } = added.parse((await assistant.call('POST', '/companion/items', { body: { folder } })).body);
  const { listingId } = await world.item(itemId, 'review');
  const { status, body } = await assistant.call('GET', `/companion/items/${itemId}`);
  const photos = world
    .companion()
    .items.get(itemId)
    .photos.map(({ name, state, sentence }) => [name, state, sentence]);
  const { imageUrls } = await world.listing(listingId ?? '');
  const answer = JSON.stringify([status, body]).replaceAll(/(?:it|lst|ph)_[\w-]+|\d{13}/g, 'id');
  await rm(folder, { recursive: true });
  return { answer, photos, images: imageUrls?.length ?? 0, sku: world.companion().shelf.read({ itemId }).fields.sku };
};

test('an assistant without the right cannot tell the code of a known SKU from another code', async () => {
  const assistant = await fill();
  const ofKnown = await addFolder(assistant, known);
  const ofUnknown = await addFolder(assistant, unknown);
  expect(ofKnown).toEqual(ofUnknown);
  expect(ofKnown).toMatchObject({ images: 2, sku: null });
  expect(ofKnown.photos).toContainEqual(['code.jpg', 'aside', 'Label photo, not sent.']);
  expect((await addFolder(assistant, 'https://example.com/care')).images).toBe(3);
});

test('an assistant with the right gives an item the SKU of its label, and other codes are sent', async () => {
  const assistant = await fill();
  world.companion().assistants.change(assistant.assistantId, { shelf: true });
  expect(await addFolder(assistant, known)).toMatchObject({ images: 2, sku: known });
  expect(await addFolder(assistant, unknown)).toMatchObject({ images: 3, sku: null });
});

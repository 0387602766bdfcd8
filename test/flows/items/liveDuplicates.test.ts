import { copyFile, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { startWorld, type World } from '../../helpers/world.ts';

let world: World;
afterEach(() => world.close());

const person = { kind: 'person' } as const;

const changeAtService = async (listingId: string, changes: Record<string, unknown>): Promise<void> => {
  const key = (await world.secrets.get('agent-key practice')) ?? '';
  const { status } = await world.practice.call(key, 'PUT', `/listings/${listingId}`, changes);
  expect(status).toBe(200);
  await world.listing(listingId);
};

const addSpecifics = async (listingId: string, added: Record<string, string>): Promise<void> => {
  const { itemSpecifics } = await world.listing(listingId);
  await changeAtService(listingId, { itemSpecifics: { ...itemSpecifics, ...added } });
};

const publishItem = async (name: string, changes: Record<string, unknown>, specifics = {}): Promise<string> => {
  const { listingId } = await world.reviewed(name);
  await changeAtService(listingId, changes);
  await addSpecifics(listingId, specifics);
  await world.perform('publishListing', { params: { listingId } });
  const [waiting] = world.companion().approvals.listPending();
  if (waiting) await world.pressYes(waiting.approvalId, waiting.digest);
  await world.until(async () => (await world.listing(listingId)).status === 'published', 'the live listing');
  return listingId;
};

const hasDuplicateWarning = (listingId: string): boolean =>
  (world.companion().readWarnings(person, [listingId]).get(listingId) ?? []).some(
    ({ code }) => code === 'LIVE_ALREADY',
  );

/** Copies the photos of a folder, so that the files are the same pictures in another folder. */
const copyPhotos = async (from: string, name: string): Promise<string> => {
  const to = join(world.dataDir, name);
  await mkdir(to, { recursive: true });
  for (const file of await readdir(from)) await copyFile(join(from, file), join(to, file));
  return to;
};

test('an item with the barcode of a live listing looks like it, until the person says that they differ', async () => {
  world = await startWorld();
  const live = await publishItem('lamp', { title: 'Lamp one' }, { UPC: '036000291452' });
  const { listingId } = await world.reviewed('cup');
  await changeAtService(listingId, { title: 'Cup two' });
  expect(hasDuplicateWarning(listingId)).toBe(false);
  await addSpecifics(listingId, { EAN: '0036000291452' });
  expect(hasDuplicateWarning(listingId)).toBe(true);
  world.companion().duplicates.keepDifferent(listingId, live);
  expect(hasDuplicateWarning(listingId)).toBe(false);
  await world.stop();
  await world.begin();
  expect(hasDuplicateWarning(listingId)).toBe(false);
});

test('only a long title is evidence that two listings sell the same thing', async () => {
  world = await startWorld();
  const title = 'Canon EOS 250D camera with two lenses';
  await publishItem('camera', { title });
  const { listingId } = await world.reviewed('doll');
  await changeAtService(listingId, { title: title.toUpperCase() });
  expect(hasDuplicateWarning(listingId)).toBe(true);
  await changeAtService(listingId, { title: `${title} and a bag` });
  expect(hasDuplicateWarning(listingId)).toBe(false);
});

test('an item with the pictures of a live listing looks like it, and another drawn item does not', async () => {
  world = await startWorld();
  const live = await publishItem('lamp', { title: 'Lamp one' });
  const copies = await copyPhotos(await world.folder('lamp'), 'holiday');
  const { itemIds } = await world.companion().add({ kind: 'paths', paths: [copies] });
  const { listingId } = await world.item(itemIds[0] ?? '', 'review');
  await changeAtService(listingId ?? '', { title: 'Something else' });
  expect(
    world
      .companion()
      .duplicates.list(listingId ?? '')
      .live.map((row) => row.listingId),
  ).toEqual([live]);
  const other = await world.reviewed('cup');
  await changeAtService(other.listingId, { title: 'Cup two' });
  expect(world.companion().duplicates.list(other.listingId).live).toEqual([]);
});

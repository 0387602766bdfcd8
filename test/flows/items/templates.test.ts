import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import * as z from 'zod';
import { listAllItems } from '../../helpers/listAllItems.ts';
import { pairWithId } from '../../helpers/bridge/scene.ts';
import { waitUntil } from '../../helpers/testClock.ts';
import { createShotFolder, createShots } from '../../helpers/photos/createShotFolder.ts';
import { startWorld, type World } from '../../helpers/world.ts';

let world: World;
let boxed: string;
let light: string;
beforeEach(async () => {
  world = await startWorld();
  boxed = await createTemplate({ name: 'Boxed', descriptionFooter: 'Sent in a box.', packageWeightGrams: 900 });
  light = await createTemplate({ name: 'Light', packageWeightGrams: 80 });
});
afterEach(() => world.close());

const readServiceKey = async () => (await world.secrets.get('agent-key practice')) ?? '';
/** Calls the service directly, like the person’s browser. */
const callService = async (method: string, path: string, body?: object) =>
  (await world.practice.call(await readServiceKey(), method, path, body)).body;
const createTemplate = async (facts: object) =>
  z.object({ templateId: z.string() }).parse(await callService('POST', '/market/templates/create', facts)).templateId;

const addWith = async (templateId: string | null | undefined, name = 'blue shoes') => {
  const paths = [await world.folder(name)];
  const { itemIds } = await world.companion().add({ kind: 'paths', paths }, undefined, undefined, { templateId });
  return itemIds[0] ?? '';
};
/** Returns the fields that a template sets on the listing of an item. */
const readTemplateFields = async (itemId: string) => {
  const { listingId } = await world.item(itemId, 'review');
  const { templateId, packageWeightGrams, description } = await world.listing(listingId ?? '');
  return { templateId, packageWeightGrams, description };
};
const waitForStop = (itemId: string) => world.until(() => world.companion().items.get(itemId).stop, 'the stop');

test('the draft of an item uses the template that was chosen for the item', async () => {
  world.companion().pauseAll(true);
  const itemId = await addWith(boxed);
  expect(world.companion().items.get(itemId).template).toEqual({ templateId: boxed, mayChange: true });
  world.companion().pauseAll(false);
  const { templateId, packageWeightGrams, description } = await readTemplateFields(itemId);
  expect([templateId, packageWeightGrams]).toEqual([boxed, 900]);
  expect(description).toContain('Sent in a box.');
  expect(world.companion().items.get(itemId).template).toEqual({ templateId: boxed, mayChange: false });
  expect(() => world.companion().items.beginWith(itemId, light)).toThrow('The draft has already been started');
});

test('an item gets the default template unless the person chooses otherwise', async () => {
  world.companion().changeSettings({ templateId: light });
  expect(await readTemplateFields(await addWith(undefined, 'first'))).toMatchObject({ templateId: light });
  expect((await readTemplateFields(await addWith(null, 'second'))).templateId ?? null).toBeNull();
  // If the setting is null, the service uses the template that was named last.
  expect(await readTemplateFields(await addWith(boxed, 'third'))).toMatchObject({ templateId: boxed });
  world.companion().changeSettings({ templateId: null });
  expect(await readTemplateFields(await addWith(undefined, 'fourth'))).toMatchObject({ templateId: boxed });
  world.companion().changeSettings({ templateId: '' });
  expect((await readTemplateFields(await addWith(undefined, 'fifth'))).templateId ?? null).toBeNull();
});

test('the template chosen for an item survives a restart', async () => {
  world.companion().pauseAll(true);
  const kept = await addWith(boxed, 'kept');
  const changed = await addWith(boxed, 'changed');
  const [withSetting, none] = [await addWith(undefined, 'as set'), await addWith(light, 'none')];
  world.companion().items.beginWith(changed, light);
  world.companion().items.beginWith(none, null);
  await world.stop();
  await world.begin();
  world.companion().changeSettings({ templateId: boxed });
  expect(await readTemplateFields(kept)).toMatchObject({ templateId: boxed });
  expect(await readTemplateFields(changed)).toMatchObject({ templateId: light });
  expect((await readTemplateFields(none)).templateId ?? null).toBeNull();
  // A changed setting applies only to items that are added later.
  expect(world.companion().items.get(withSetting).template.templateId).toBeUndefined();
});

test('an item whose template was deleted can continue with another or no template', async () => {
  world.companion().pauseAll(true);
  const [one, other] = [await addWith(boxed, 'one'), await addWith(boxed, 'other')];
  world.companion().items.change(one, { note: 'Worn twice' });
  await callService('DELETE', `/market/templates/${boxed}`);
  world.companion().pauseAll(false);
  expect(await waitForStop(one)).toMatchObject({ code: 'TEMPLATE_GONE', next: ['no_template', 'remove'] });
  await waitForStop(other);
  const stopped = world.companion().items.get(one);
  expect(stopped.stop?.sentence).toContain('is gone. Choose another one below, or start without one.');
  expect([stopped.note, stopped.photos.length, stopped.listingId]).toEqual(['Worn twice', 2, null]);
  expect(await world.happened('draft')).toBe(0);
  await world.stop();
  await world.begin();
  expect(world.companion().items.get(one).stop?.code).toBe('TEMPLATE_GONE');
  world.companion().items.beginWith(one, light);
  world.companion().items.beginWith(other, null);
  expect(await readTemplateFields(one)).toMatchObject({ templateId: light, packageWeightGrams: 80 });
  expect((await readTemplateFields(other)).templateId ?? null).toBeNull();
});

test('an item keeps its template if its draft is refused for an unrelated reason', async () => {
  world.companion().changeSettings({ marketAccountId: 'nobody' });
  const itemId = await addWith(boxed);
  const { code } = await waitForStop(itemId);
  expect(code).not.toBe('TEMPLATE_GONE');
  expect(world.companion().items.get(itemId).template.templateId).toBe(boxed);
});

test('an item from the watched folder uses the template chosen for that folder', async () => {
  const place = await mkdtemp(join(tmpdir(), 'watched-'));
  const folder = join(place, 'from the phone');
  await mkdir(folder);
  try {
    world.companion().changeSettings({ templateId: boxed, watchTemplateId: light, watchFolder: folder });
    await waitUntil(() => world.companion().state(null).watch?.folder === folder, 'the watching');
    for (let turn = 0; turn < 20; turn += 1) await world.until(() => true);
    await rename(
      await createShotFolder(join(place, 'elsewhere'), 'red lamp', createShots([2])),
      join(folder, 'red lamp'),
    );
    const found = await world.until(() => listAllItems(world.companion())[0], 'the item');
    expect(await readTemplateFields(found.itemId)).toMatchObject({ templateId: light });
    expect(await readTemplateFields(await addWith(undefined))).toMatchObject({ templateId: boxed });
  } finally {
    await world.companion().stop();
    await rm(place, { recursive: true, force: true });
  }
});

test('an assistant can choose a template or no template for its item', async () => {
  const bridge = await world.bridge();
  try {
    const helper = await pairWithId(world, bridge.url, 'Tidy Helper');
    const folder = await world.folder('desk lamp');
    world.companion().assistants.change(helper.assistantId, { folders: [folder] });
    world.companion().changeSettings({ templateId: boxed });
    const add = async (templateId?: string | null) => {
      const { body } = await helper.call('POST', '/companion/items', { body: { folder, templateId } });
      return readTemplateFields(z.looseObject({ itemId: z.string() }).parse(body).itemId);
    };
    expect(await add(light)).toMatchObject({ templateId: light });
    expect((await add(null)).templateId ?? null).toBeNull();
    expect(await add()).toMatchObject({ templateId: boxed });
  } finally {
    await bridge.stop();
  }
});

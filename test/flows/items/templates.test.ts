import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import * as z from 'zod';
import { allItems } from '../../helpers/allItems.ts';
import { pair } from '../../helpers/bridge/scene.ts';
import { settled } from '../../helpers/testClock.ts';
import { shotFolder, shotsOf } from '../../helpers/photos/shotFolder.ts';
import { startWorld, type World } from '../../helpers/world.ts';

let world: World;
let boxed: string;
let light: string;
beforeEach(async () => {
  world = await startWorld();
  boxed = await templateOf({ name: 'Boxed', descriptionFooter: 'Sent in a box.', packageWeightGrams: 900 });
  light = await templateOf({ name: 'Light', packageWeightGrams: 80 });
});
afterEach(() => world.close());

const key = async () => (await world.secrets.get('agent-key practice')) ?? '';
/** A call past the companion, as the person would make it in the web. */
const elsewhere = async (method: string, path: string, body?: object) =>
  (await world.practice.call(await key(), method, path, body)).body;
const templateOf = async (facts: object) =>
  z.object({ templateId: z.string() }).parse(await elsewhere('POST', '/market/templates/create', facts)).templateId;

const addWith = async (templateId: string | null | undefined, name = 'blue shoes') => {
  const paths = [await world.folder(name)];
  const { itemIds } = await world.companion().add({ kind: 'paths', paths }, undefined, undefined, { templateId });
  return itemIds[0] ?? '';
};
/** What the listing of an item began with. */
const begunWith = async (itemId: string) => {
  const { listingId } = await world.item(itemId, 'review');
  const { templateId, packageWeightGrams, description } = await world.listing(listingId ?? '');
  return { templateId, packageWeightGrams, description };
};
const stopOf = (itemId: string) => world.until(() => world.companion().items.get(itemId).stop, 'the stop');

test('an item starts with the template chosen for it, and shows the template before and after the draft', async () => {
  world.companion().pauseAll(true);
  const itemId = await addWith(boxed);
  expect(world.companion().items.get(itemId).template).toEqual({ templateId: boxed, mayChange: true });
  world.companion().pauseAll(false);
  const { templateId, packageWeightGrams, description } = await begunWith(itemId);
  expect([templateId, packageWeightGrams]).toEqual([boxed, 900]);
  expect(description).toContain('Sent in a box.');
  expect(world.companion().items.get(itemId).template).toEqual({ templateId: boxed, mayChange: false });
  expect(() => world.companion().items.beginWith(itemId, light)).toThrow('The draft has already been started');
});

test('without a choice the default template applies, and choosing no template wins over the service’s default', async () => {
  world.companion().changeSettings({ templateId: light });
  expect(await begunWith(await addWith(undefined, 'first'))).toMatchObject({ templateId: light });
  expect((await begunWith(await addWith(null, 'second'))).templateId ?? null).toBeNull();
  // Null leaves it to the service, which remembers what was named last.
  expect(await begunWith(await addWith(boxed, 'third'))).toMatchObject({ templateId: boxed });
  world.companion().changeSettings({ templateId: null });
  expect(await begunWith(await addWith(undefined, 'fourth'))).toMatchObject({ templateId: boxed });
  world.companion().changeSettings({ templateId: '' });
  expect((await begunWith(await addWith(undefined, 'fifth'))).templateId ?? null).toBeNull();
});

test('a template choice, and a later change of it, survive a restart', async () => {
  world.companion().pauseAll(true);
  const kept = await addWith(boxed, 'kept');
  const changed = await addWith(boxed, 'changed');
  const [withSetting, none] = [await addWith(undefined, 'as set'), await addWith(light, 'none')];
  world.companion().items.beginWith(changed, light);
  world.companion().items.beginWith(none, null);
  await world.stop();
  await world.begin();
  world.companion().changeSettings({ templateId: boxed });
  expect(await begunWith(kept)).toMatchObject({ templateId: boxed });
  expect(await begunWith(changed)).toMatchObject({ templateId: light });
  expect((await begunWith(none)).templateId ?? null).toBeNull();
  // A setting counts for what is added after it.
  expect(world.companion().items.get(withSetting).template.templateId).toBeUndefined();
});

test('an item whose template was deleted stops with a sentence, and continues with another template or none', async () => {
  world.companion().pauseAll(true);
  const [one, other] = [await addWith(boxed, 'one'), await addWith(boxed, 'other')];
  world.companion().items.change(one, { note: 'Worn twice' });
  await elsewhere('DELETE', `/market/templates/${boxed}`);
  world.companion().pauseAll(false);
  expect(await stopOf(one)).toMatchObject({ code: 'TEMPLATE_GONE', next: ['no_template', 'remove'] });
  await stopOf(other);
  const stopped = world.companion().items.get(one);
  expect(stopped.stop?.sentence).toContain('is gone. Choose another one below, or start without one.');
  expect([stopped.note, stopped.photos.length, stopped.listingId]).toEqual(['Worn twice', 2, null]);
  expect(await world.happened('draft')).toBe(0);
  // It is still so after a restart.
  await world.stop();
  await world.begin();
  expect(world.companion().items.get(one).stop?.code).toBe('TEMPLATE_GONE');
  world.companion().items.beginWith(one, light);
  world.companion().items.beginWith(other, null);
  expect(await begunWith(one)).toMatchObject({ templateId: light, packageWeightGrams: 80 });
  expect((await begunWith(other)).templateId ?? null).toBeNull();
});

test('any other refusal of the draft is reported unchanged and keeps the template', async () => {
  world.companion().changeSettings({ marketAccountId: 'nobody' });
  const itemId = await addWith(boxed);
  const { code } = await stopOf(itemId);
  expect(code).not.toBe('TEMPLATE_GONE');
  expect(world.companion().items.get(itemId).template.templateId).toBe(boxed);
});

test('an item from the watched folder starts with that folder’s template', async () => {
  const place = await mkdtemp(join(tmpdir(), 'watched-'));
  const folder = join(place, 'from the phone');
  await mkdir(folder);
  try {
    world.companion().changeSettings({ templateId: boxed, watchTemplateId: light, watchFolder: folder });
    await settled(() => world.companion().state(null).watch?.folder === folder, 'the watching');
    for (let turn = 0; turn < 20; turn += 1) await world.until(() => true);
    await rename(await shotFolder(join(place, 'elsewhere'), 'red lamp', shotsOf([2])), join(folder, 'red lamp'));
    const found = await world.until(() => allItems(world.companion())[0], 'the item');
    expect(await begunWith(found.itemId)).toMatchObject({ templateId: light });
    expect(await begunWith(await addWith(undefined))).toMatchObject({ templateId: boxed });
  } finally {
    await world.companion().stop();
    await rm(place, { recursive: true, force: true });
  }
});

test('an assistant chooses a template, or none, for its own item', async () => {
  const bridge = await world.bridge();
  try {
    const helper = await pair(world, bridge.url, 'Tidy Helper');
    const folder = await world.folder('desk lamp');
    world.companion().assistants.change(helper.assistantId, { folders: [folder] });
    world.companion().changeSettings({ templateId: boxed });
    const add = async (templateId?: string | null) => {
      const { body } = await helper.call('POST', '/companion/items', { body: { folder, templateId } });
      return begunWith(z.looseObject({ itemId: z.string() }).parse(body).itemId);
    };
    expect(await add(light)).toMatchObject({ templateId: light });
    expect((await add(null)).templateId ?? null).toBeNull();
    expect(await add()).toMatchObject({ templateId: boxed });
  } finally {
    await bridge.stop();
  }
});

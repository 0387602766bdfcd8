import Database from 'better-sqlite3';
import { copyFile, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { DuplicateTarget } from '../../../src/core/storage/tables/listings/duplicatesTable.ts';
import { holdRequest } from '../../helpers/approvals/decisions.ts';
import type { ApprovalView } from '../../../src/core/storage/tables/approvalRecord.ts';
import { listAllItems } from '../../helpers/listAllItems.ts';
import { putCodePhoto } from '../../helpers/photos/putCodePhoto.ts';
import { readContactSheet } from '../../helpers/photos/readContactSheet.ts';
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
  await world.companion().duplicates.keepDifferent({ listingId }, live);
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

const dropCopies = async (of: string, name: string): Promise<string> => {
  const copies = await copyPhotos(await world.folder(of), name);
  return (await world.companion().add({ kind: 'paths', paths: [copies] })).itemIds[0] ?? '';
};
const listLive = (own: DuplicateTarget): string[] =>
  world
    .companion()
    .duplicates.list(own)
    .live.map(({ listingId }) => listingId);

test('a dropped item with the pictures of a live listing waits before anything is sent, and starts as a different item', async () => {
  world = await startWorld();
  const live = await publishItem('lamp', { title: 'Lamp one' });
  const drafts = await world.happened('draft');
  const itemId = await dropCopies('lamp', 'holiday');
  expect((await world.item(itemId, 'arranging')).reviewReason).toBe('liveDuplicate');
  expect(readContactSheet(world.companion().items.contactSheet).rows).toMatchObject([
    { itemId, reviewReason: 'liveDuplicate' },
  ]);
  const { own } = world.companion().duplicates.list({ itemId });
  expect(own).toMatchObject({ title: 'holiday', quantity: 1, photoUrl: expect.stringContaining('/photos/') as string });
  expect(listLive({ itemId })).toEqual([live]);
  for (let turn = 0; turn < 20; turn += 1) await world.until(() => true);
  expect(await world.happened('draft')).toBe(drafts);
  await world.stop();
  await world.begin();
  expect(world.companion().items.get(itemId).reviewReason).toBe('liveDuplicate');
  await world.companion().duplicates.keepDifferent({ itemId }, live);
  const { listingId } = await world.item(itemId, 'review');
  expect([listLive({ itemId }), listLive({ listingId: listingId ?? '' })]).toEqual([[], []]);
  expect(hasDuplicateWarning(listingId ?? '')).toBe(false);
});

test('a dropped item with the barcode of a live listing waits, and is not compared again after the person starts it', async () => {
  world = await startWorld();
  const live = await publishItem('lamp', { title: 'Lamp one' }, { EAN: '4006381333931' });
  const folder = await world.folder('clock');
  await putCodePhoto(folder, 'code.jpg', 'ean13', '4006381333931');
  const { itemIds } = await world.companion().add({ kind: 'paths', paths: [folder] });
  const [itemId = ''] = itemIds;
  expect((await world.item(itemId, 'arranging')).reviewReason).toBe('liveDuplicate');
  expect(listLive({ itemId })).toEqual([live]);
  await world.companion().items.begin([itemId]);
  await world.item(itemId, 'review');
});

test('“Start all” leaves an item that looks like a live listing waiting, until the person starts that item', async () => {
  world = await startWorld();
  await publishItem('lamp', { title: 'Lamp one' });
  const duplicate = await dropCopies('lamp', 'holiday');
  await world.until(() => world.companion().items.get(duplicate).reviewReason === 'liveDuplicate', 'the comparison');
  world.companion().changeSettings({ deferDrops: true });
  const cup = await world.companion().add({ kind: 'paths', paths: [await world.folder('cup')] });
  const [other = ''] = cup.itemIds;
  await world.until(() => world.companion().items.get(other).step === 'arranging', 'the other item');
  const { items } = world.companion();
  expect(items.list.counts()).toMatchObject({ deferred: 2, duplicates: 1 });
  expect(items.list.chosen(null, [duplicate, other]).arrangeable).toMatchObject([
    { itemId: other, startable: true },
    { itemId: duplicate, startable: false },
  ]);
  expect(await items.begin()).toBe(1);
  expect([items.get(duplicate).reviewReason, items.get(other).reviewReason]).toEqual(['liveDuplicate', null]);
  expect(await items.begin([duplicate])).toBe(1);
  await world.item(duplicate, 'review');
});

test('an item that the person checked first is compared when it starts, and unlike items do not wait', async () => {
  world = await startWorld();
  await publishItem('lamp', { title: 'Lamp one' });
  world.companion().changeSettings({ deferDrops: true });
  const itemId = await dropCopies('lamp', 'holiday');
  expect((await world.item(itemId, 'arranging')).reviewReason).toBe('requested');
  await world.companion().items.begin([itemId]);
  await world.until(() => world.companion().items.get(itemId).reviewReason === 'liveDuplicate', 'the comparison');
  world.companion().changeSettings({ deferDrops: false });
  const other = await world.reviewed('cup');
  await changeAtService(other.listingId, { title: 'Cup two' });
  expect(listLive({ listingId: other.listingId })).toEqual([]);
});

/** Publishes a lamp, drops the same lamp, and requests that its quantity is added to the live listing. */
const requestAddedQuantity = async (): Promise<{ live: string; itemId: string; prompt: ApprovalView }> => {
  world = await startWorld();
  const live = await publishItem('lamp', { title: 'Lamp one', quantity: 1 });
  const itemId = await dropCopies('lamp', 'holiday');
  await world.item(itemId, 'arranging');
  const input = { params: { listingId: live }, body: { quantity: 2 } };
  const asked = await world.companion().perform({ by: person, route: 'reviseListing', input, addedItemId: itemId });
  if (asked.state !== 'pending') throw new Error('The revise needs no approval.');
  return { live, itemId, prompt: world.companion().approvals.readView(asked.approvalId) };
};
const listItemIds = (): string[] => listAllItems(world.companion()).map(({ itemId }) => itemId);
const reviseAtService = async (listingId: string, changes: Record<string, unknown>): Promise<void> => {
  const key = (await world.secrets.get('agent-key practice')) ?? '';
  const { status } = await world.practice.call(key, 'POST', `/market/revise/${listingId}`, changes);
  expect(status).toBe(200);
};

test('an item whose quantity is added is removed after the answer, although the companion ended after the yes', async () => {
  const { live, itemId, prompt } = await requestAddedQuantity();
  const revise = await holdRequest(world, 'POST', '/market/revise/{listingId}');
  world.pressYes(prompt.approvalId, prompt.digest).catch(() => undefined);
  await revise.arrived();
  await world.stop();
  await revise.go();
  await world.begin();
  await world.until(() => {
    world.clock.advance(10_000);
    return world.companion().approvals.readView(prompt.approvalId).state === 'done';
  }, 'the outcome');
  await world.until(() => !listItemIds().includes(itemId), 'the removed item');
  expect((await world.listing(live)).quantity).toBe(2);
});

test('an item whose quantity was added before a crash is removed at the next start, and only once', async () => {
  const { itemId, prompt } = await requestAddedQuantity();
  expect(listItemIds()).toContain(itemId);
  await world.stop();
  const settled = new Database(`${world.dataDir}/companion.db`);
  settled.prepare("update approvals set state = 'done' where approval_id = ?").run(prompt.approvalId);
  settled.close();
  await world.begin();
  await world.until(() => !listItemIds().includes(itemId), 'the removed item');
  const db = new Database(`${world.dataDir}/companion.db`, { readonly: true });
  const added = db.prepare('select added_item_id from approvals where approval_id = ?').pluck();
  await world.until(() => added.get(prompt.approvalId) === null, 'the end of the addition');
  db.close();
});

test('the new prompt after a change of the live listing still removes the item, and a declined one keeps it', async () => {
  const { live, itemId, prompt } = await requestAddedQuantity();
  await reviseAtService(live, { title: 'Lamp one, green' });
  await world.pressYes(prompt.approvalId, prompt.digest);
  const [again] = world.companion().approvals.listPending();
  expect(again?.approvalId).not.toBe(prompt.approvalId);
  expect(listItemIds()).toContain(itemId);
  await world.pressYes(again?.approvalId ?? '', again?.digest ?? '');
  await world.until(() => !listItemIds().includes(itemId), 'the removed item');
  const other = await dropCopies('lamp', 'another holiday');
  await world.item(other, 'arranging');
  const input = { params: { listingId: live }, body: { quantity: 3 } };
  await world.companion().perform({ by: person, route: 'reviseListing', input, addedItemId: other });
  const [third] = world.companion().approvals.listPending();
  world.companion().approvals.decline(third?.approvalId ?? '', third?.digest ?? '', 'no');
  expect(listItemIds()).toContain(other);
});

test('an item that was started before the yes keeps its listing', async () => {
  const { itemId, prompt } = await requestAddedQuantity();
  await world.companion().items.begin([itemId]);
  await world.item(itemId, 'review');
  await world.pressYes(prompt.approvalId, prompt.digest);
  await world.until(() => world.companion().approvals.readView(prompt.approvalId).state === 'done', 'the outcome');
  expect(listItemIds()).toContain(itemId);
});

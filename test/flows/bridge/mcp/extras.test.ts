import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import * as z from 'zod';
import { countRequests } from '../../../helpers/approvals/decisions.ts';
import { pairWithId } from '../../../helpers/bridge/scene.ts';
import { listAllItems } from '../../../helpers/listAllItems.ts';
import { drawnPhoto } from '../../../helpers/practice.ts';
import { startWorld, type World } from '../../../helpers/world.ts';
import type { ItemView } from '../../../../src/core/storage/tables/itemRecord.ts';
import { connect, type McpClient } from './clients.ts';

let world: World;
let client: McpClient;
let assistantId: string;
const close: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const one of close.splice(0).reverse()) await one();
});

const start = async (person: NonNullable<Parameters<typeof startWorld>[0]>['person']): Promise<void> => {
  world = await startWorld({ person: person ?? {} });
  close.push(world.close);
  const bridge = await world.bridge();
  close.push(bridge.stop);
  const paired = await pairWithId(world, bridge.url, 'Tidy Helper');
  ({ assistantId } = paired);
  client = await connect(bridge.url, paired.token);
  close.push(client.close);
};
const allowFolder = async (name: string): Promise<string> => {
  const folder = await world.folder(name, 1);
  const { assistants } = world.companion();
  const folders = assistants.list().assistants.find((one) => one.assistantId === assistantId)?.folders ?? [];
  assistants.change(assistantId, { folders: [...folders, folder] });
  return folder;
};

const rateCents = 60;
/** Makes the call again with a short wait until its item has stopped or arrived. */
const createUntilIdle = async (args: Record<string, unknown>) => {
  const { data } = await client.call('create_listing_from_photos', { ...args, waitS: 0 });
  const itemId = String(data['itemId']);
  await world.until(() => {
    const { step, stop } = world.companion().items.get(itemId);
    return stop !== null || step === 'review';
  }, 'the end of the item’s work');
  return (await client.call('check_request', { itemId })).data;
};
const callWithYes = async (route: string, body: Record<string, unknown>) => {
  expect((await client.call('call_service', { route, body })).data).toMatchObject({ state: 'waiting_for_person' });
  expect((await world.yes()).state).toBe('done');
};
const says = (...parts: string[]): unknown => expect.stringMatching(new RegExp(parts.join('.*'), 's'));

test('an item that stopped for want of listings is resumed by the same call once extras are approved', async () => {
  await start({ plan: 'Lite', used: 30 });
  const folder = await allowFolder('desk lamp');
  const stopped = await createUntilIdle({ folder });
  expect(stopped).toMatchObject({
    stoppedBecause: { code: 'ALLOWANCE_USED' },
    nextStep: says('get_standing', 'extras', 'same create_listing_from_photos call'),
    next: { tool: 'get_standing' },
  });
  expect((await client.call('get_standing')).data).toMatchObject({
    nextListing: 'blocked',
    nextStep: says('No listing is left', 'extras.rateCents', 'setExtras', 'approveExtras', 'same call'),
  });

  const early = await client.call('call_service', { route: 'approveExtras', body: { count: 1, rateCents } });
  expect(early.data).toMatchObject({ code: 'EXTRAS_OFF', nextStep: says('setExtras', 'approveExtras') });
  await callWithYes('setExtras', { enabled: true, acknowledgedRateCents: rateCents });
  expect((await client.call('get_standing')).data).toMatchObject({
    nextListing: 'extras_approval_required',
    nextStep: says('approveExtras', 'same call'),
  });
  expect(await createUntilIdle({ folder })).toMatchObject({
    itemId: stopped['itemId'],
    stoppedBecause: { code: 'WOULD_BE_EXTRA' },
    nextStep: says('extras.rateCents', 'approveExtras', 'same create_listing_from_photos call'),
  });

  await callWithYes('approveExtras', { count: 1, rateCents });
  expect((await client.call('get_standing')).data).toMatchObject({
    nextListing: 'extra',
    extras: { approvedRemaining: 1 },
    next: { tool: 'create_listing_from_photos' },
  });
  expect(await createUntilIdle({ folder })).toMatchObject({
    itemId: stopped['itemId'],
    step: 'review',
    stoppedBecause: null,
  });
  expect(listAllItems(world.companion())).toHaveLength(1);
  expect(await world.happened('generation')).toBe(1);
  expect(await world.happened('charge')).toBe(1);
});

test('the same call makes no second item, neither while its item is written nor once that is in review', async () => {
  await start({});
  const folder = await allowFolder('desk lamp');
  world.companion().pauseAll(true);
  const first = await client.call('create_listing_from_photos', { folder, waitS: 0 });
  const again = await client.call('create_listing_from_photos', { folder, waitS: 0 });
  expect(again.data['itemId']).toBe(first.data['itemId']);
  world.companion().pauseAll(false);
  expect(await createUntilIdle({ folder })).toMatchObject({ itemId: first.data['itemId'], step: 'review' });
  const itemId = String(first.data['itemId']);
  const warning = { code: 'ITEM_EXISTS', sentence: says(itemId, 'in review', 'another note') };
  const exists = { itemId, warnings: expect.arrayContaining([warning]) as unknown };
  for (const laterMs of [0, 48 * 3_600_000]) {
    world.clock.advance(laterMs);
    const { data } = await client.call('create_listing_from_photos', { folder, waitS: 0 });
    expect(data).toMatchObject(exists);
  }
  expect(listAllItems(world.companion())).toHaveLength(1);

  const noted = await client.call('create_listing_from_photos', { folder, note: 'A second one', waitS: 0 });
  expect(noted.data['itemId']).not.toBe(itemId);
  expect(noted.data).toMatchObject({ warnings: [{ code: 'PHOTOS_REPEATED' }] });
  await writeFile(join(folder, 'more.jpg'), await drawnPhoto(77));
  const more = await client.call('create_listing_from_photos', { folder, waitS: 0 });
  expect([itemId, noted.data['itemId']]).not.toContain(more.data['itemId']);
});

test('the same call makes a new item after the listing of the first has ended, but not while that is live', async () => {
  await start({});
  const folder = await allowFolder('desk lamp');
  const { itemId, listingId } = await createUntilIdle({ folder });
  const params = { listingId: String(listingId) };
  await world.perform('publishListing', { params, body: {} });
  await world.yes();
  const live = await client.call('create_listing_from_photos', { folder, waitS: 0 });
  expect(live.data).toMatchObject({ itemId, warnings: [{ code: 'ITEM_EXISTS', sentence: says('it is live') }] });
  await world.perform('endListing', { params, body: {} });
  await world.yes();
  expect(world.companion().items.get(String(itemId)).step).toBe('ended');
  const again = await client.call('create_listing_from_photos', { folder, waitS: 0 });
  expect(again.data['itemId']).not.toBe(itemId);
});

test('the same call makes a new item after the person has removed the first', async () => {
  await start({});
  const folder = await allowFolder('desk lamp');
  const { itemId, listingId } = await createUntilIdle({ folder });
  await world.perform('deleteListing', { params: { listingId: String(listingId) } });
  await world.yes();
  const again = await client.call('create_listing_from_photos', { folder, waitS: 0 });
  expect(again.data['itemId']).not.toBe(itemId);
});

test('the same call names its item although one of the photos cannot be read', async () => {
  await start({});
  const folder = await allowFolder('desk lamp');
  const whole = await drawnPhoto(78);
  await writeFile(join(folder, 'torn.jpg'), whole.subarray(0, whole.length / 4));
  const { itemId } = await createUntilIdle({ folder });
  const { photos } = world.companion().items.get(String(itemId));
  expect(photos.map(({ state }) => state).toSorted()).toEqual(['ready', 'refused']);
  const again = await client.call('create_listing_from_photos', { folder, waitS: 0 });
  expect(again.data).toMatchObject({
    itemId,
    warnings: expect.arrayContaining([{ code: 'ITEM_EXISTS', sentence: says('in review') }]) as unknown,
  });
});

test('an item of a call with several folders is resumed by a call with only its folder', async () => {
  await start({ plan: 'Lite', used: 29, extras: true });
  const folders = [await allowFolder('desk lamp'), await allowFolder('blue shoes')];
  const made = await client.call('create_listing_from_photos', { folders, waitS: 0 });
  const itemIds = listAllItems(world.companion()).map(({ itemId }) => itemId);
  await world.until(
    () =>
      itemIds
        .map((itemId) => world.companion().items.get(itemId))
        .every(({ stop, step }) => stop !== null || step === 'review'),
    'both items',
  );
  expect(made.data['items']).toHaveLength(2);
  const at = itemIds.findIndex((itemId) => world.companion().items.get(itemId).stop !== null);
  const stoppedId = itemIds[at] ?? '';
  const both = await client.call('check_request', { itemIds });
  expect(both.data['nextStep']).toContain('stopped');
  await callWithYes('approveExtras', { count: 1, rateCents });
  const { name } = world.companion().items.get(stoppedId);
  const folder = folders.find((one) => one.endsWith(name)) ?? '';
  expect(await createUntilIdle({ folder })).toMatchObject({ itemId: stoppedId, step: 'review' });
  expect(listAllItems(world.companion())).toHaveLength(2);
});

test('the same call with several folders resumes the stopped item and makes no other', async () => {
  await start({ plan: 'Lite', used: 29, extras: true });
  const folders = [await allowFolder('desk lamp'), await allowFolder('blue shoes')];
  const createAll = () => client.call('create_listing_from_photos', { folders, waitS: 0 });
  const awaitRest = (isAtRest: (item: ItemView) => boolean) =>
    world.until(() => listAllItems(world.companion()).every(isAtRest), 'both items');
  await createAll();
  await awaitRest(({ stop, step }) => stop !== null || step === 'review');
  await callWithYes('approveExtras', { count: 1, rateCents });
  // The order of the list depends on the step of each item.
  const listItemIds = () =>
    listAllItems(world.companion())
      .map(({ itemId }) => itemId)
      .toSorted();
  const itemIds = listItemIds();
  expect((await createAll()).data['items']).toHaveLength(2);
  await awaitRest(({ step }) => step === 'review');
  const over = await createAll();
  expect(over.data['nextStep']).toContain('publish_listing with their listingIds asks about all in one prompt');
  expect(listItemIds()).toEqual(itemIds);
});

test('a call does not resume an item that the person cancelled', async () => {
  await start({});
  const folder = await allowFolder('desk lamp');
  world.companion().pauseAll(true);
  const first = await client.call('create_listing_from_photos', { folder, waitS: 0 });
  await world.companion().items.cancel(String(first.data['itemId']));
  world.companion().pauseAll(false);
  const second = await client.call('create_listing_from_photos', { folder, waitS: 0 });
  expect(second.data['itemId']).not.toBe(first.data['itemId']);
  expect(world.companion().items.get(String(first.data['itemId'])).stop).toMatchObject({ code: 'CANCELLED' });
});

test('extras that were approved for another assistant are not shown as the next listing', async () => {
  await start({ plan: 'Lite', used: 30, extras: true });
  const { companion } = world;
  await companion().perform({
    by: { kind: 'person' },
    route: 'approveExtras',
    input: { body: { count: 1, rateCents } },
  });
  await world.yes();
  expect((await client.call('get_standing')).data).toMatchObject({
    nextListing: 'extras_approval_required',
    extras: { approvedRemaining: 0 },
    nextStep: says('approveExtras'),
  });
  const folder = await allowFolder('desk lamp');
  expect(await createUntilIdle({ folder })).toMatchObject({ stoppedBecause: { code: 'WOULD_BE_EXTRA' } });
});

test('an assistant that repeats its call in a loop causes one read of the standing every two seconds', async () => {
  await start({ plan: 'Lite', used: 30 });
  const folder = await allowFolder('desk lamp');
  await createUntilIdle({ folder });
  world.clock.advance(2_000);
  const before = await countRequests(world, 'readStanding');
  const itemIds = new Set<unknown>();
  for (let index = 0; index < 20; index += 1)
    itemIds.add((await client.call('create_listing_from_photos', { folder, waitS: 0 })).data['itemId']);
  await createUntilIdle({ folder });
  expect(itemIds.size).toBe(1);
  expect((await countRequests(world, 'readStanding')) - before).toBeLessThanOrEqual(2);
});

test('an item that the usage limit of the service stopped is resumed by the same call, without another', async () => {
  await start({ plan: 'Lite', used: 30 });
  const folder = await allowFolder('desk lamp');
  const stopped = await createUntilIdle({ folder });
  const itemId = String(stopped['itemId']);
  const listingId = String(stopped['listingId']);
  // The generation fails as if the last listing had been used elsewhere after the check.
  await world.perform('generateListing', { params: { listingId } });
  await world.until(async () => (await world.listing(listingId)).status === 'failed', 'the failed listing');
  expect(await createUntilIdle({ folder })).toMatchObject({
    itemId,
    stoppedBecause: { code: 'USAGE_LIMIT', retriable: true },
  });
  const account = await world.perform('readAccount', {});
  const { email } = z.looseObject({ email: z.string() }).parse(account.state === 'done' ? account.answer : null);
  await world.practice.person({ email, used: 0 });
  world.clock.advance(2_000);
  expect(await createUntilIdle({ folder })).toMatchObject({ itemId, step: 'review' });
  expect(listAllItems(world.companion())).toHaveLength(1);
  expect(world.companion().approvals.listPending()).toEqual([]);
});

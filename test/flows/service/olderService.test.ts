import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import * as z from 'zod';
import type { ItemView } from '../../../src/core/storage/tables/itemRecord.ts';
import { createOutboundPolicy } from '../../../src/core/service/outboundPolicy.ts';
import { startTestPractice, type TestPractice } from '../../helpers/practice.ts';
import { startWorld, type World } from '../../helpers/world.ts';

let world: World;
let service: TestPractice;
let root: string;
afterEach(async () => {
  await world.close();
  await service.close();
  await rm(root, { recursive: true });
});

/** A companion at a service that can be taken back to an older copy of its data. */
const begin = async (): Promise<void> => {
  root = await mkdtemp(join(tmpdir(), 'older-service-'));
  service = await startTestPractice({ dataDir: join(root, 'now') });
  const email = 'seller@practice.example';
  const { url } = service;
  world = await startWorld({
    reach: () => url,
    outside: createOutboundPolicy(() => url),
    practicePerson: () => async () => ({
      ...(await service.person({ email, plan: 'Scale', credits: 100, connected: true, site: 'MKT_US' })),
      email,
    }),
  });
};

const whileServiceIsDown = async (change: () => Promise<void>): Promise<void> => {
  const port = Number(new URL(service.url).port);
  await service.close();
  await change();
  service = await startTestPractice({ dataDir: join(root, 'now'), port });
};

/** Copies the service's data as they are now; the answer puts them back. */
const copyService = async (name: string): Promise<() => Promise<void>> => {
  const copy = join(root, name);
  await whileServiceIsDown(() => cp(join(root, 'now'), copy, { recursive: true }));
  return () =>
    whileServiceIsDown(async () => {
      await rm(join(root, 'now'), { recursive: true });
      await cp(copy, join(root, 'now'), { recursive: true });
    });
};

const sell = async (name: string): Promise<ItemView & { listingId: string }> => {
  const item = await world.reviewed(name);
  await world.perform('publishListing', { params: { listingId: item.listingId } });
  await world.yes();
  await world.item(item.itemId, 'live');
  return item;
};

const counts = () => world.companion().listings.counts();
const readAll = async (): Promise<void> => {
  world.clock.advance(2 * 60_000);
  const before = counts().sync.doneAt;
  world.companion().listings.readAgain();
  await world.until(() => counts().sync.doneAt !== before, 'the reading of all listings');
};
const view = ({ itemId }: ItemView): ItemView => world.companion().items.get(itemId);
const publishes = async (): Promise<number> =>
  (await service.journal()).filter(({ kind }) => kind === 'publish').length;

test('listings missing after the service was restored from an older copy are named, kept, and restored when they return', async () => {
  await begin();
  const kept = await sell('blue shoes');
  const restoreOlder = await copyService('older');
  const lost = await sell('red hat');
  const draft = await world.reviewed('green lamp');
  const restoreNewer = await copyService('newer');
  await restoreOlder();
  await readAll();
  expect(view(kept)).toMatchObject({ step: 'live', stop: null, words: 'Live' });
  for (const item of [lost, draft]) {
    expect(view(item)).toMatchObject({
      words: 'Unknown to the service',
      stop: { code: 'NOT_AT_SERVICE', next: ['retry', 'remove'] },
    });
    expect(view(item).stop?.sentence).toContain('Nothing was deleted here, and nothing is published again by itself.');
    expect(world.companion().listings.readStored(item.listingId)).not.toBeNull();
  }
  expect(counts()).toMatchObject({ all: 3, missing: 2 });
  const before = await publishes();
  // Another try only reads; so does a start.
  await world.companion().items.resume(lost.itemId);
  await world.stop();
  await world.begin();
  await readAll();
  expect(view(lost)).toMatchObject({ step: 'live', stop: { code: 'NOT_AT_SERVICE' } });
  expect(await publishes()).toBe(before);

  await restoreNewer();
  await readAll();
  expect(view(lost)).toMatchObject({ step: 'live', stop: null, words: 'Live' });
  expect(view(draft)).toMatchObject({ step: 'review', stop: null, words: 'Ready to review' });
  expect(counts()).toMatchObject({ all: 3, missing: 0 });
});

test('a service that knows none of the listings causes no local deletion, however many there are', async () => {
  await begin();
  await world.until(() => counts().sync.doneAt !== null, 'the first reading');
  const restoreOlder = await copyService('empty');
  const sold = await sell('blue shoes');
  for (let at = 0; at < 24; at += 1) await world.perform('createListing', { body: { marketplaceId: 'MKT_US' } });
  expect(counts()).toMatchObject({ all: 25, missing: 0 });
  await restoreOlder();
  await readAll();
  expect(counts()).toMatchObject({ all: 25, missing: 25 });
  expect(view(sold)).toMatchObject({ step: 'live', stop: { code: 'NOT_AT_SERVICE' } });
});

test('a listing unknown to the service is reported as soon as it is opened, and a retry finds it again', async () => {
  await begin();
  const restoreOlder = await copyService('older');
  const item = await sell('blue shoes');
  const restoreNewer = await copyService('newer');
  await restoreOlder();
  await expect(world.listing(item.listingId)).rejects.toMatchObject({ status: 404 });
  expect(view(item).stop).toMatchObject({ code: 'NOT_AT_SERVICE' });
  expect(counts()).toMatchObject({ all: 1, missing: 1 });
  await restoreNewer();
  await expect(world.companion().items.resume(item.itemId)).resolves.toMatchObject({ step: 'live', stop: null });
  expect(counts()).toMatchObject({ all: 1, missing: 0 });
});

test('a listing unknown to the service can be removed here only if it belongs to no item', async () => {
  await begin();
  await world.until(() => counts().sync.doneAt !== null, 'the first reading');
  const restoreOlder = await copyService('older');
  const sold = await sell('blue shoes');
  const made = await world.perform('createListing', { body: { marketplaceId: 'MKT_US' } });
  const { listingId } = z.object({ answer: z.looseObject({ listingId: z.string() }) }).parse(made).answer;
  const { listings } = world.companion();
  expect(listings.isUnknown(listingId)).toBe(false);
  expect(() => listings.forgetUnknown(listingId)).toThrow(expect.objectContaining({ code: 'TOO_LATE' }));
  await restoreOlder();
  await readAll();
  expect([sold.listingId, listingId].map((id) => listings.isUnknown(id))).toEqual([true, true]);
  expect(() => listings.forgetUnknown(sold.listingId)).toThrow(expect.objectContaining({ code: 'TOO_LATE' }));
  listings.forgetUnknown(listingId);
  expect(listings.readStored(listingId)).toBeNull();
  expect(counts()).toMatchObject({ all: 1, missing: 1 });
});

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

/** Starts a companion and a service whose data can be replaced by an older copy. */
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

/** Copies the data of the service. The returned function restores the copy. */
const copyService = async (name: string): Promise<() => Promise<void>> => {
  const copy = join(root, name);
  await whileServiceIsDown(() => cp(join(root, 'now'), copy, { recursive: true }));
  return () =>
    whileServiceIsDown(async () => {
      await rm(join(root, 'now'), { recursive: true });
      await cp(copy, join(root, 'now'), { recursive: true });
    });
};

const publishItem = async (name: string): Promise<ItemView & { listingId: string }> => {
  const item = await world.reviewed(name);
  await world.perform('publishListing', { params: { listingId: item.listingId } });
  await world.yes();
  await world.item(item.itemId, 'live');
  return item;
};

const counts = () => world.companion().listings.counts();
const readAllListings = async (): Promise<void> => {
  world.clock.advance(2 * 60_000);
  const before = counts().sync.doneAt;
  world.companion().listings.readAgain();
  await world.until(() => counts().sync.doneAt !== before, 'the reading of all listings');
};
const getItem = ({ itemId }: ItemView): ItemView => world.companion().items.get(itemId);
const countPublishes = async (): Promise<number> =>
  (await service.journal()).filter(({ kind }) => kind === 'publish').length;

test('listings are kept and marked if the service has lost them in a restore', async () => {
  await begin();
  const kept = await publishItem('blue shoes');
  const restoreOlder = await copyService('older');
  const lost = await publishItem('red hat');
  const draft = await world.reviewed('green lamp');
  const restoreNewer = await copyService('newer');
  await restoreOlder();
  await readAllListings();
  expect(getItem(kept)).toMatchObject({ step: 'live', stop: null, words: 'Live' });
  for (const item of [lost, draft]) {
    expect(getItem(item)).toMatchObject({
      words: 'Unknown to the service',
      stop: { code: 'NOT_AT_SERVICE', next: ['retry', 'remove'] },
    });
    expect(getItem(item).stop?.sentence).toContain(
      'Nothing was deleted here, and nothing is published again by itself.',
    );
    expect(world.companion().listings.readStored(item.listingId)).not.toBeNull();
  }
  expect(counts()).toMatchObject({ all: 3, missing: 2 });
  const before = await countPublishes();
  // A retry and a start only read, and send no publish.
  await world.companion().items.resume(lost.itemId);
  await world.stop();
  await world.begin();
  await readAllListings();
  expect(getItem(lost)).toMatchObject({ step: 'live', stop: { code: 'NOT_AT_SERVICE' } });
  expect(await countPublishes()).toBe(before);

  await restoreNewer();
  await readAllListings();
  expect(getItem(lost)).toMatchObject({ step: 'live', stop: null, words: 'Live' });
  expect(getItem(draft)).toMatchObject({ step: 'review', stop: null, words: 'Ready to review' });
  expect(counts()).toMatchObject({ all: 3, missing: 0 });
});

test('no listing is deleted locally even if the service has lost all listings', async () => {
  await begin();
  await world.until(() => counts().sync.doneAt !== null, 'the first reading');
  const restoreOlder = await copyService('empty');
  const sold = await publishItem('blue shoes');
  for (let at = 0; at < 24; at += 1) await world.perform('createListing', { body: { marketplaceId: 'MKT_US' } });
  expect(counts()).toMatchObject({ all: 25, missing: 0 });
  await restoreOlder();
  await readAllListings();
  expect(counts()).toMatchObject({ all: 25, missing: 25 });
  expect(getItem(sold)).toMatchObject({ step: 'live', stop: { code: 'NOT_AT_SERVICE' } });
});

test('a retry clears the error of a listing that is at the service again', async () => {
  await begin();
  const restoreOlder = await copyService('older');
  const item = await publishItem('blue shoes');
  const restoreNewer = await copyService('newer');
  await restoreOlder();
  await expect(world.listing(item.listingId)).rejects.toMatchObject({ status: 404 });
  expect(getItem(item).stop).toMatchObject({ code: 'NOT_AT_SERVICE' });
  expect(counts()).toMatchObject({ all: 1, missing: 1 });
  await restoreNewer();
  await expect(world.companion().items.resume(item.itemId)).resolves.toMatchObject({ step: 'live', stop: null });
  expect(counts()).toMatchObject({ all: 1, missing: 0 });
});

test('a listing that the service has lost can be removed only if no item uses it', async () => {
  await begin();
  await world.until(() => counts().sync.doneAt !== null, 'the first reading');
  const restoreOlder = await copyService('older');
  const sold = await publishItem('blue shoes');
  const made = await world.perform('createListing', { body: { marketplaceId: 'MKT_US' } });
  const { listingId } = z.object({ answer: z.looseObject({ listingId: z.string() }) }).parse(made).answer;
  const { listings } = world.companion();
  expect(listings.isUnknown(listingId)).toBe(false);
  expect(() => listings.forgetUnknown(listingId)).toThrow(expect.objectContaining({ code: 'TOO_LATE' }));
  await restoreOlder();
  await readAllListings();
  expect([sold.listingId, listingId].map((id) => listings.isUnknown(id))).toEqual([true, true]);
  expect(() => listings.forgetUnknown(sold.listingId)).toThrow(expect.objectContaining({ code: 'TOO_LATE' }));
  listings.forgetUnknown(listingId);
  expect(listings.readStored(listingId)).toBeNull();
  expect(counts()).toMatchObject({ all: 1, missing: 1 });
});

import { afterEach, expect, test } from 'vitest';
import * as z from 'zod';
import { pairedAssistant } from '../../helpers/assistant.ts';
import { settled } from '../../helpers/testClock.ts';
import { startWorld, type World } from '../../helpers/world.ts';

let world: World;
afterEach(() => world.close());

const minute = 60_000;
const calls = z.record(z.string(), z.looseObject({ calls: z.int() }));
const asked = async (): Promise<number> =>
  calls.parse(await world.practice.control('GET', '/calls'))['listNotifications']?.calls ?? 0;
const board = () => world.companion().notifications;
const key = async () => (await world.secrets.get('agent-key practice')) ?? '';
const sell = (listingId: string, buyer = 'ada') => world.practice.control('POST', '/sales', { listingId, buyer });

/** Lets real work go on with the clock standing still. */
const readOnce = (since: number | null) =>
  settled(() => {
    const { readAt } = board().list();
    return readAt !== null && readAt !== since ? readAt : null;
  }, 'the notifications');

const nextMinute = async (): Promise<void> => {
  const before = board().list().readAt;
  world.clock.advance(minute);
  await readOnce(before);
};

test('notifications are read from the service once a minute, regardless of the number of readers', async () => {
  world = await startWorld();
  await readOnce(null);
  expect(await asked()).toBe(1);
  for (let turn = 0; turn < 59; turn += 1) {
    world.clock.advance(1_000);
    world.companion().wake();
    await new Promise(setImmediate);
  }
  expect(await asked()).toBe(1);

  const bridge = await world.bridge();
  const assistant = await pairedAssistant(world, bridge.url);
  for (let time = 0; time < 20; time += 1) {
    const answer = await assistant.call('GET', '/notifications');
    expect(answer.headers['companion-source']).toBe('cache');
  }
  expect(await asked()).toBe(1);
  await bridge.stop();

  world.clock.advance(1_000);
  await settled(async () => (await asked()) === 2, 'the second reading');
});

test('notifications that an assistant has just read are shared, and the minute counts from that read', async () => {
  world = await startWorld();
  await readOnce(null);
  world.companion().pauseAll(true);
  const bridge = await world.bridge();
  const assistant = await pairedAssistant(world, bridge.url);
  world.clock.advance(90_000);
  await assistant.call('GET', '/notifications');
  expect(await asked()).toBe(2);
  const answeredAt = world.clock.now();
  world.clock.advance(40_000);
  const before = board().list().readAt;
  world.companion().pauseAll(false);
  expect(await readOnce(before)).toBe(answeredAt);
  expect(await asked()).toBe(2);
  world.clock.advance(20_000);
  await readOnce(answeredAt);
  expect(await asked()).toBe(3);
  await bridge.stop();
});

test('notifications are not read while all work is paused, and a restart does not read them again', async () => {
  world = await startWorld();
  await readOnce(null);
  world.companion().pauseAll(true);
  for (let turn = 0; turn < 30; turn += 1) {
    world.clock.advance(minute);
    await new Promise(setImmediate);
  }
  expect(await asked()).toBe(1);
  const before = board().list().readAt;
  world.companion().pauseAll(false);
  const readAt = await readOnce(before);
  expect(await asked()).toBe(2);

  await world.stop();
  await world.begin();
  world.clock.advance(59_000);
  await new Promise(setImmediate);
  expect(board().list().readAt).toBe(readAt);
  expect(await asked()).toBe(2);
});

test('a sale is counted as new, announced once in a system notification, and marked read when it is opened', async () => {
  world = await startWorld();
  const listingId = await world.practice.live(await key());
  await world.perform('readListing', { params: { listingId } });
  await readOnce(null);
  await board().viewed();
  await sell(listingId, 'ada\u202e');
  await nextMinute();
  const [sale] = board().list().rows;
  expect(sale).toMatchObject({ kind: 'sale', listingId, read: false, viewed: false });
  expect(sale?.text).toContain('ada\u202e');
  expect(board().list().fresh).toBeGreaterThan(0);

  const told = () => world.notices.filter(({ kind }) => kind === 'sales');
  await world.until(() => told().length > 0, 'the news of the sale');
  await nextMinute();
  await nextMinute();
  expect(told().map(({ title }) => title)).toEqual(['Sold']);

  await board().viewed();
  expect(board().list().fresh).toBe(0);
  await board().read(sale?.notifId ?? '');
  expect(board().list().rows[0]).toMatchObject({ read: true });
  await nextMinute();
  expect(board().list()).toMatchObject({ fresh: 0, rows: [{ read: true }, {}, {}] });
});

test('a refused read of notifications is reported, and the earlier notifications stay', async () => {
  world = await startWorld();
  await world.practice.live(await key());
  await readOnce(null);
  const { rows } = board().list();
  await world.practice.fault({ method: 'GET', path: '/notifications', status: 503, times: 2 });
  world.clock.advance(minute);
  await world.until(() => board().list().problem, 'the problem');
  expect(board().list().rows).toEqual(rows);
  await world.until(() => board().list().problem === null, 'the next reading');
});

test('a sale notification shows the amount', async () => {
  world = await startWorld();
  await readOnce(null);
  const { listingId } = await world.reviewed();
  await world.perform('publishListing', { params: { listingId } });
  await world.yes();
  const { price = 0 } = await world.listing(listingId);
  await sell(listingId);
  await nextMinute();
  const told = board()
    .list()
    .rows.find(({ kind }) => kind === 'sale');
  expect(told?.amount).toEqual({ minor: price, currency: 'USD' });
});

test('publishing marks the notification of a ready listing as read, and reverting marks the notification of a failed listing', async () => {
  world = await startWorld();
  await readOnce(null);
  const { listingId } = await world.reviewed();
  await nextMinute();
  const row = (kind: string) =>
    board()
      .list()
      .rows.find((one) => one.kind === kind);
  expect(row('listing_ready')).toMatchObject({ listingId, read: false });
  await world.perform('publishListing', { params: { listingId } });
  await world.yes();
  await settled(() => row('listing_ready')?.read === true, 'the notification of what was published');

  await world.practice.control('POST', '/writer', { delayMs: 0, fail: 'IMAGES_UNREADABLE' });
  const { itemIds } = await world.companion().add({ kind: 'paths', paths: [await world.folder('blurred', 1)] });
  const failed = () => world.companion().items.get(itemIds[0] ?? '');
  await settled(() => failed().stop, 'the stop');
  await nextMinute();
  expect(row('listing_failed')).toMatchObject({ read: false });
  await world.perform('revertListing', { params: { listingId: failed().listingId ?? '' } });
  await settled(() => row('listing_failed')?.read === true, 'the notification of what failed');
  const before = board().list().readAt;
  world.clock.advance(minute);
  await readOnce(before);
  expect(row('listing_ready')?.read).toBe(true);
});

import { afterEach, expect, test } from 'vitest';
import * as z from 'zod';
import { pairAssistant } from '../../helpers/assistant.ts';
import { waitUntil } from '../../helpers/testClock.ts';
import { startWorld, type World } from '../../helpers/world.ts';

let world: World;
afterEach(() => world.close());

const minute = 60_000;
const calls = z.record(z.string(), z.looseObject({ calls: z.int() }));
const countReads = async (): Promise<number> =>
  calls.parse(await world.practice.control('GET', '/calls'))['listNotifications']?.calls ?? 0;
const board = () => world.companion().notifications;
const readServiceKey = async () => (await world.secrets.get('agent-key practice')) ?? '';
const sellListing = (listingId: string, buyer = 'ada') =>
  world.practice.control('POST', '/sales', { listingId, buyer });

/** Waits for a read after `since`, without advancing the clock. */
const waitForRead = (since: number | null) =>
  waitUntil(() => {
    const { readAt } = board().list();
    return readAt !== null && readAt !== since ? readAt : null;
  }, 'the notifications');

const readNextMinute = async (): Promise<void> => {
  const before = board().list().readAt;
  world.clock.advance(minute);
  await waitForRead(before);
};

test('notifications are read once a minute for all readers together', async () => {
  world = await startWorld();
  await waitForRead(null);
  expect(await countReads()).toBe(1);
  for (let turn = 0; turn < 59; turn += 1) {
    world.clock.advance(1_000);
    world.companion().wake();
    await new Promise(setImmediate);
  }
  expect(await countReads()).toBe(1);

  const bridge = await world.bridge();
  const assistant = await pairAssistant(world, bridge.url);
  for (let time = 0; time < 20; time += 1) {
    const answer = await assistant.call('GET', '/notifications');
    expect(answer.headers['companion-source']).toBe('cache');
  }
  expect(await countReads()).toBe(1);
  await bridge.stop();

  world.clock.advance(1_000);
  await waitUntil(async () => (await countReads()) === 2, 'the second reading');
});

test('a read by an assistant delays the companion’s next read of notifications', async () => {
  world = await startWorld();
  await waitForRead(null);
  world.companion().pauseAll(true);
  const bridge = await world.bridge();
  const assistant = await pairAssistant(world, bridge.url);
  world.clock.advance(90_000);
  await assistant.call('GET', '/notifications');
  expect(await countReads()).toBe(2);
  const answeredAt = world.clock.now();
  world.clock.advance(40_000);
  const before = board().list().readAt;
  world.companion().pauseAll(false);
  expect(await waitForRead(before)).toBe(answeredAt);
  expect(await countReads()).toBe(2);
  world.clock.advance(20_000);
  await waitForRead(answeredAt);
  expect(await countReads()).toBe(3);
  await bridge.stop();
});

test('notifications are not read while all work is paused', async () => {
  world = await startWorld();
  await waitForRead(null);
  world.companion().pauseAll(true);
  for (let turn = 0; turn < 30; turn += 1) {
    world.clock.advance(minute);
    await new Promise(setImmediate);
  }
  expect(await countReads()).toBe(1);
  const before = board().list().readAt;
  world.companion().pauseAll(false);
  const readAt = await waitForRead(before);
  expect(await countReads()).toBe(2);

  await world.stop();
  await world.begin();
  world.clock.advance(59_000);
  await new Promise(setImmediate);
  expect(board().list().readAt).toBe(readAt);
  expect(await countReads()).toBe(2);
});

test('a sale is announced once and is marked as read when opened', async () => {
  world = await startWorld();
  const listingId = await world.practice.live(await readServiceKey());
  await world.perform('readListing', { params: { listingId } });
  await waitForRead(null);
  await board().viewed();
  await sellListing(listingId, 'ada\u202e');
  await readNextMinute();
  const [sale] = board().list().rows;
  expect(sale).toMatchObject({ kind: 'sale', listingId, read: false, viewed: false });
  expect(sale?.text).toContain('ada\u202e');
  expect(board().list().fresh).toBeGreaterThan(0);

  const told = () => world.notices.filter(({ kind }) => kind === 'sales');
  await world.until(() => told().length > 0, 'the news of the sale');
  await readNextMinute();
  await readNextMinute();
  expect(told().map(({ title }) => title)).toEqual(['Sold']);

  await board().viewed();
  expect(board().list().fresh).toBe(0);
  await board().read(sale?.notifId ?? '');
  expect(board().list().rows[0]).toMatchObject({ read: true });
  await readNextMinute();
  expect(board().list()).toMatchObject({ fresh: 0, rows: [{ read: true }, {}, {}] });
});

test('a failed read of notifications does not remove the earlier notifications', async () => {
  world = await startWorld();
  await world.practice.live(await readServiceKey());
  await waitForRead(null);
  const { rows } = board().list();
  await world.practice.fault({ method: 'GET', path: '/notifications', status: 503, times: 2 });
  world.clock.advance(minute);
  await world.until(() => board().list().problem, 'the problem');
  expect(board().list().rows).toEqual(rows);
  await world.until(() => board().list().problem === null, 'the next reading');
});

test('a sale notification shows the amount and the buyer, and its row says when it went live', async () => {
  world = await startWorld();
  await waitForRead(null);
  const { listingId } = await world.reviewed();
  await world.perform('publishListing', { params: { listingId } });
  await world.yes();
  const { price = 0 } = await world.listing(listingId);
  await sellListing(listingId);
  await readNextMinute();
  const told = board()
    .list()
    .rows.find(({ kind }) => kind === 'sale');
  expect(told?.amount).toEqual({ minor: price, currency: 'USD' });
  expect(told?.buyer).toBe('ada');
  const [row] = world.companion().listings.rows([listingId]);
  expect(row?.liveAt).toBeGreaterThan(0);
});

test('publishing or reverting a listing marks its notification as read', async () => {
  world = await startWorld();
  await waitForRead(null);
  const { listingId } = await world.reviewed();
  await readNextMinute();
  const row = (kind: string) =>
    board()
      .list()
      .rows.find((one) => one.kind === kind);
  expect(row('listing_ready')).toMatchObject({ listingId, read: false });
  await world.perform('publishListing', { params: { listingId } });
  await world.yes();
  await waitUntil(() => row('listing_ready')?.read === true, 'the notification of what was published');

  await world.practice.control('POST', '/writer', { delayMs: 0, fail: 'IMAGES_UNREADABLE' });
  const { itemIds } = await world.companion().add({ kind: 'paths', paths: [await world.folder('blurred', 1)] });
  const failed = () => world.companion().items.get(itemIds[0] ?? '');
  await waitUntil(() => failed().stop, 'the stop');
  await readNextMinute();
  expect(row('listing_failed')).toMatchObject({ read: false });
  await world.perform('revertListing', { params: { listingId: failed().listingId ?? '' } });
  await waitUntil(() => row('listing_failed')?.read === true, 'the notification of what failed');
  const before = board().list().readAt;
  world.clock.advance(minute);
  await waitForRead(before);
  expect(row('listing_ready')?.read).toBe(true);
});

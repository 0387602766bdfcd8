import { afterEach, expect, test } from 'vitest';
import { waitUntil } from '../../helpers/testClock.ts';
import { startWorld, type World } from '../../helpers/world.ts';
import { listAllItems } from '../../helpers/listAllItems.ts';

let world: World;
afterEach(() => world.close());

const drop = async (name: string, photos = 1): Promise<string> => {
  const { itemIds } = await world.companion().add({ kind: 'paths', paths: [await world.folder(name, photos)] });
  return itemIds[0] ?? '';
};
const listWrittenNotices = () => world.notices.filter(({ kind }) => kind === 'written');

test('an item stays at its step while all work is paused', async () => {
  world = await startWorld();
  const { companion } = world;
  companion().pauseAll(true);
  expect(companion().state(null).paused).toBe(true);
  const itemId = await drop('in no hurry');
  for (let minute = 0; minute < 60; minute += 1) {
    world.clock.advance(60_000);
    await new Promise(setImmediate);
  }
  expect(companion().items.get(itemId).step).toBe('photos');
  expect(companion().work().running).toBe(1);
  expect(await world.happened('draft')).toBe(0);
  companion().pauseAll(false);
  await world.item(itemId, 'review');
  expect(companion().work()).toEqual({ running: 0, unwritten: 0, done: 0 });
});

test('waking the computer does not resume work that the person paused', async () => {
  world = await startWorld();
  const { companion } = world;
  companion().pauseAll(true);
  companion().sleep();
  const itemId = await drop('asleep');
  companion().wake();
  for (let turn = 0; turn < 20; turn += 1) {
    world.clock.advance(10_000);
    await new Promise(setImmediate);
  }
  expect(companion().items.get(itemId).step).toBe('photos');
  companion().pauseAll(false);
  await world.item(itemId, 'review');
});

test('an item can be cancelled while all work is paused', async () => {
  world = await startWorld();
  const { companion } = world;
  companion().pauseAll(true);
  const itemId = await drop('not wanted');
  expect((await companion().items.cancel(itemId)).stop?.kind).toBe('cancelled');
  await drop('left behind');
  await world.stop();
  await world.begin();
  await world.until(
    () => listAllItems(companion()).some(({ step }) => step === 'review'),
    'the item of the previous run',
  );
});

test('a failed request is retried at once when the network is back', async () => {
  world = await startWorld();
  const { companion } = world;
  await world.practice.fault({ method: 'POST', path: '/listings', times: 1_000, status: 503 });
  const itemId = await drop('cut off');
  await world.until(() => companion().items.get(itemId).words.includes('waiting for the service'), 'the first failure');
  await world.practice.control('DELETE', '/faults');
  expect(companion().items.get(itemId).step).toBe('draft');
  // The clock does not advance from here, so no retry timer fires.
  companion().wake();
  await waitUntil(() => companion().items.get(itemId).step !== 'draft', 'the draft');
});

test('a system notification announces a generated listing and opens its item', async () => {
  world = await startWorld();
  const itemId = await drop('blue shoes');
  await world.item(itemId, 'review');
  await world.until(() => listWrittenNotices().length > 0, 'the news');
  const title = world.companion().items.get(itemId).title;
  expect(listWrittenNotices()).toMatchObject([
    { kind: 'written', title: 'Ready to review', text: title, place: `/items/${itemId}` },
  ]);
});

test('a notification that was pending at exit is shown once after the next start', async () => {
  world = await startWorld();
  const itemId = await drop('blue shoes');
  // Notifications are collected for three seconds, so the clock stops once the listing is generated.
  await waitUntil(() => {
    const isWritten = world.companion().items.get(itemId).step === 'review';
    if (!isWritten) world.clock.advance(100);
    return isWritten;
  }, 'the review');
  await world.stop();
  expect(listWrittenNotices()).toEqual([]);
  await world.begin();
  await world.until(() => listWrittenNotices().length > 0, 'the news');
  await world.stop();
  await world.begin();
  await world.perform('readListing', { params: { listingId: world.companion().items.get(itemId).listingId ?? '' } });
  world.clock.advance(60_000);
  await new Promise(setImmediate);
  expect(listWrittenNotices()).toHaveLength(1);
});

test('a notification is not shown if its kind is switched off', async () => {
  world = await startWorld();
  const { notify } = world.companion().state(null).settings;
  world.companion().changeSettings({ notify: { ...notify, written: false } });
  const itemId = await drop('quietly');
  await world.item(itemId, 'review');
  world.clock.advance(60_000);
  await new Promise(setImmediate);
  expect(world.notices).toEqual([]);
});

test('a revoked key is reported in one notification', async () => {
  world = await startWorld();
  const { listingId } = await world.reviewed();
  const key = (await world.secrets.get('agent-key practice')) ?? '';
  await world.practice.call(key, 'DELETE', '/agent/keys/current');
  for (let turn = 0; turn < 2; turn += 1) {
    let isSettled = false;
    const read = world.perform('readListing', { params: { listingId } });
    void read.catch(() => undefined).finally(() => (isSettled = true));
    await world.until(() => isSettled, 'the answer');
  }
  expect(world.companion().state(null).connection).toBe('reconnect');
  const lost = world.notices.filter(({ kind }) => kind === 'connection');
  expect(lost.map(({ place }) => place)).toEqual(['/account']);
});

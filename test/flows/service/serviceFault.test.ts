import { afterEach, expect, test } from 'vitest';
import * as z from 'zod';
import { pairedAssistant } from '../../helpers/assistant.ts';
import { randomFrom } from '../../helpers/randomFrom.ts';
import { settled } from '../../helpers/testClock.ts';
import { startWorld, type World } from '../../helpers/world.ts';
import { allItems } from '../../helpers/allItems.ts';

let world: World;
afterEach(() => world.close());

const often = 1_000;
const waiting = z.array(z.object({ path: z.string(), times: z.int() }));
/** How often the fault of that path was met. */
const met = async (path: string): Promise<number> =>
  often - (waiting.parse(await world.practice.control('GET', '/faults')).find((one) => one.path === path)?.times ?? 0);
const calm = () => world.practice.control('DELETE', '/faults');
const items = () => world.companion().items;
const isWaiting = (itemId: string): boolean => items().get(itemId).words.includes('waiting for the service');

const drop = async (count: number): Promise<string[]> => {
  const paths: string[] = [];
  for (let at = 1; at <= count; at += 1) paths.push(await world.folder(`find ${at}`, 1));
  const { itemIds } = await world.companion().add({ kind: 'paths', paths });
  return itemIds;
};
/** Lets so much time run, and what follows from it with every second. */
const pass = async (seconds: number, each: () => void | Promise<void> = () => undefined): Promise<void> => {
  for (let second = 0; second < seconds; second += 1) {
    world.clock.advance(1_000);
    for (let turn = 0; turn < 4; turn += 1) await new Promise((resolve) => setTimeout(resolve, 2));
    await each();
  }
};
/** Until nothing is sent any more while the clock stands still. */
const quiet = async (path: string): Promise<number> => {
  for (let same = 0, before = -1; ;) {
    await new Promise((resolve) => setTimeout(resolve, 10));
    const now = await met(path);
    same = now === before ? same + 1 : 0;
    before = now;
    if (same === 5) return now;
  }
};
const failing = async (times: number): Promise<string[]> => {
  const itemIds = await drop(times);
  await settled(() => itemIds.some(isWaiting), 'the first failure');
  await quiet('/listings');
  return itemIds;
};

test('three items cause only a handful of sequential requests while the service fails, and all continue afterwards', async () => {
  world = await startWorld({ random: randomFrom(7) });
  world.companion().notifications.stop();
  await world.practice.fault({ method: 'POST', path: '/listings', status: 503, times: often });
  const itemIds = await failing(3);
  let before = await met('/listings');
  // What was under way when the first one failed; there are three places.
  expect(before).toBeLessThanOrEqual(3);
  const steps: number[] = [];
  await pass(45, async () => {
    const now = await met('/listings');
    steps.push(now - before);
    before = now;
  });
  expect(Math.max(...steps)).toBe(1);
  expect(before).toBeGreaterThan(3);
  expect(before).toBeLessThanOrEqual(10);
  // The one whose turn it was may not have its answer yet.
  await settled(() => itemIds.every(isWaiting), 'all three to wait for the service');
  await calm();
  for (const itemId of itemIds) await world.item(itemId, 'review');
  expect(await world.happened('draft')).toBe(3);
});

test('an hour of failure causes one request every few minutes, and recovery is noticed within minutes', async () => {
  world = await startWorld();
  world.companion().notifications.stop();
  await world.practice.fault({ method: 'POST', path: '/listings', drop: 'before', times: often });
  const itemIds = await failing(3);
  for (let quarter = 0; quarter < 240; quarter += 1) {
    world.clock.advance(15_000);
    await new Promise((resolve) => setTimeout(resolve, 4));
  }
  expect(await quiet('/listings')).toBeLessThan(30);
  await calm();
  const from = world.clock.now();
  await world.until(() => itemIds.every((itemId) => items().get(itemId).step !== 'draft'), 'all drafts');
  expect(world.clock.now() - from).toBeLessThan(8 * 60_000);
});

test('every item waits for the service’s Retry-After, and the person cannot shorten it', async () => {
  world = await startWorld({ random: randomFrom(3) });
  world.companion().notifications.stop();
  const headers = { 'retry-after': '90' };
  await world.practice.fault({ method: 'POST', path: '/listings', status: 503, times: often, headers });
  const [first = ''] = await failing(3);
  const before = await met('/listings');
  await items().resume(first);
  await pass(88);
  await items().resume(first);
  expect(await quiet('/listings')).toBe(before);
  await pass(95);
  expect(await quiet('/listings')).toBe(before + 1);
});

test('a retry by the person tests the service at once, and only once', async () => {
  world = await startWorld();
  world.companion().notifications.stop();
  await world.practice.fault({ method: 'POST', path: '/listings', status: 503, times: often });
  const [first = ''] = await failing(3);
  await pass(70);
  const before = await quiet('/listings');
  await items().resume(first);
  expect(await quiet('/listings')).toBe(before + 1);
  await calm();
  const from = world.clock.now();
  await items().resume(first);
  await settled(() => allItems(world.companion()).every(({ step }) => step !== 'draft'), 'all drafts');
  expect(world.clock.now()).toBe(from);
});

test('while one kind of request fails, the other kinds continue, and the failing kind is not called more often', async () => {
  world = await startWorld();
  const listingId = await world.practice.live((await world.secrets.get('agent-key practice')) ?? '');
  await world.practice.fault({ method: 'POST', path: '/listings', status: 500, times: often });
  await failing(2);
  const before = world.companion().notifications.list().readAt ?? 0;
  for (let second = 0; second < 300; second += 1) {
    world.clock.advance(1_000);
    await new Promise((resolve) => setTimeout(resolve, 2));
    if (second % 10 === 0) await world.perform('readListing', { params: { listingId } });
  }
  expect(world.companion().notifications.list().readAt).toBeGreaterThan(before + 200_000);
  expect(await quiet('/listings')).toBeLessThanOrEqual(12);
});

test('photos wait in the same way when only the upload host fails', async () => {
  world = await startWorld();
  world.companion().notifications.stop();
  const path = '/uploads/{token}';
  await world.practice.fault({ method: 'PUT', path, status: 503, times: often });
  const itemIds = await drop(3);
  await settled(() => itemIds.some(isWaiting), 'the first failure');
  await quiet(path);
  await pass(45);
  expect(await quiet(path)).toBeLessThanOrEqual(10);
  await calm();
  for (const itemId of itemIds) await world.item(itemId, 'review');
  expect(await world.happened('photo')).toBe(3);
});

test('after a start items in progress resume within seconds, not at once; a new drop does not wait', async () => {
  world = await startWorld({ random: () => 0.5 });
  world.companion().notifications.stop();
  await world.practice.fault({ method: 'POST', path: '/listings', status: 503, times: often });
  await failing(1);
  await world.stop();
  const before = await met('/listings');
  await world.begin();
  await pass(14);
  expect(await quiet('/listings')).toBe(before);
  await pass(2);
  expect(await quiet('/listings')).toBe(before + 1);

  await world.stop();
  await world.begin();
  const from = world.clock.now();
  await calm();
  const [another = ''] = await drop(1);
  await settled(() => !['photos', 'draft'].includes(items().get(another).step), 'the draft');
  expect(world.clock.now()).toBe(from);
});

test('after a start the standing is read at once for an open window, and later without one', async () => {
  const calls = z.record(z.string(), z.looseObject({ calls: z.int() }));
  const asked = async (): Promise<number> =>
    calls.parse(await world.practice.control('GET', '/calls'))['readStanding']?.calls ?? 0;
  world = await startWorld({ random: () => 0.5 });
  await settled(asked, 'the standing of whoever connects');
  await world.stop();
  const before = await asked();
  await world.begin();
  await pass(100);
  expect(await asked()).toBe(before);
  world.companion().seen();
  await settled(async () => (await asked()) === before + 1, 'the standing for the window');
  await pass(100);
  expect(await asked()).toBe(before + 1);

  await world.stop();
  await world.begin();
  for (let second = 0; second < 310; second += 1) {
    world.clock.advance(1_000);
    await new Promise(setImmediate);
  }
  await settled(async () => (await asked()) === before + 2, 'the standing that nobody waits for');
});

/** One call of an assistant while the service has a fault. */
const askWhileFaulty = async (fault: Record<string, unknown>, call: { path: string; body?: unknown }) => {
  const method = call.body === undefined ? 'GET' : 'POST';
  world = await startWorld();
  world.companion().notifications.stop();
  const bridge = await world.bridge();
  const assistant = await pairedAssistant(world, bridge.url);
  await world.practice.fault({ method, path: call.path, status: 503, times: often, ...fault });
  const answering = assistant.call(method, call.path, call.body === undefined ? {} : { body: call.body });
  await settled(async () => (await met(call.path)) > 0, 'the fault');
  const result = { status: 0 };
  void answering.then(({ status }) => (result.status = status));
  return {
    isAnswered: () => result.status !== 0,
    status: () => world.until(() => result.status, 'the answer'),
    stop: bridge.stop,
  };
};

test('a failed read by an assistant is retried once after the service’s wait, and then its error is returned', async () => {
  const path = '/market/policies';
  const { isAnswered, status, stop } = await askWhileFaulty({ headers: { 'retry-after': '3' } }, { path });
  await pass(2);
  expect([await met(path), isAnswered()]).toEqual([1, false]);
  expect(await status()).toBe(503);
  expect(await met(path)).toBe(2);
  await stop();
});

test('a read by an assistant that fails once is still answered', async () => {
  const path = '/market/policies';
  const { status, stop } = await askWhileFaulty({ times: 1 }, { path });
  expect(await status()).toBe(200);
  await stop();
});

test.each([
  ['a call with a body', { path: '/market/templates/validate', body: { html: '<p>x</p>' } }, {}],
  ['a read that the service asks to leave for a minute', { path: '/market/policies' }, { 'retry-after': '60' }],
])('%s: an assistant gets the first error', async (_what, call, headers) => {
  const { status, stop } = await askWhileFaulty({ headers }, call);
  expect(await status()).toBe(503);
  expect(await met(call.path)).toBe(1);
  await stop();
});

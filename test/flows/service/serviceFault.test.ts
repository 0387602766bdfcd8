import { afterEach, expect, test } from 'vitest';
import * as z from 'zod';
import { pairAssistant } from '../../helpers/assistant.ts';
import { createRandom } from '../../helpers/createRandom.ts';
import { waitUntil } from '../../helpers/testClock.ts';
import { startWorld, type World } from '../../helpers/world.ts';
import { listAllItems } from '../../helpers/listAllItems.ts';

let world: World;
afterEach(() => world.close());

const often = 1_000;
const waiting = z.array(z.object({ path: z.string(), times: z.int() }));
/** Returns how many requests the fault of the path has answered. */
const countFaultedRequests = async (path: string): Promise<number> =>
  often - (waiting.parse(await world.practice.control('GET', '/faults')).find((one) => one.path === path)?.times ?? 0);
const endFaults = () => world.practice.control('DELETE', '/faults');
const items = () => world.companion().items;
const isWaiting = (itemId: string): boolean => items().get(itemId).words.includes('waiting for the service');

const dropFolders = async (count: number): Promise<string[]> => {
  const paths: string[] = [];
  for (let at = 1; at <= count; at += 1) paths.push(await world.folder(`find ${at}`, 1));
  const { itemIds } = await world.companion().add({ kind: 'paths', paths });
  return itemIds;
};
/** Advances the clock second by second, and lets the work of each second run. */
const passSeconds = async (seconds: number, each: () => void | Promise<void> = () => undefined): Promise<void> => {
  for (let second = 0; second < seconds; second += 1) {
    world.clock.advance(1_000);
    for (let turn = 0; turn < 4; turn += 1) await new Promise((resolve) => setTimeout(resolve, 2));
    await each();
  }
};
/** Waits until no more requests are sent without advancing the clock, and returns their number. */
const waitUntilQuiet = async (path: string): Promise<number> => {
  for (let same = 0, before = -1; ;) {
    await new Promise((resolve) => setTimeout(resolve, 10));
    const now = await countFaultedRequests(path);
    same = now === before ? same + 1 : 0;
    before = now;
    if (same === 5) return now;
  }
};
const dropFailingItems = async (times: number): Promise<string[]> => {
  const itemIds = await dropFolders(times);
  await waitUntil(() => itemIds.some(isWaiting), 'the first failure');
  await waitUntilQuiet('/listings');
  return itemIds;
};

test('three items together send at most ten requests if the service fails for 45 seconds', async () => {
  world = await startWorld({ random: createRandom(7) });
  world.companion().notifications.stop();
  await world.practice.fault({ method: 'POST', path: '/listings', status: 503, times: often });
  const itemIds = await dropFailingItems(3);
  let before = await countFaultedRequests('/listings');
  // Up to three requests were in flight when the first request failed.
  expect(before).toBeLessThanOrEqual(3);
  const steps: number[] = [];
  await passSeconds(45, async () => {
    const now = await countFaultedRequests('/listings');
    steps.push(now - before);
    before = now;
  });
  expect(Math.max(...steps)).toBe(1);
  expect(before).toBeGreaterThan(3);
  expect(before).toBeLessThanOrEqual(10);
  // The last request might still be in flight.
  await waitUntil(() => itemIds.every(isWaiting), 'three waiting items');
  await endFaults();
  for (const itemId of itemIds) await world.item(itemId, 'review');
  expect(await world.happened('draft')).toBe(3);
});

test('three items together send fewer than 30 requests if the service fails for an hour', async () => {
  world = await startWorld();
  world.companion().notifications.stop();
  await world.practice.fault({ method: 'POST', path: '/listings', drop: 'before', times: often });
  const itemIds = await dropFailingItems(3);
  for (let quarter = 0; quarter < 240; quarter += 1) {
    world.clock.advance(15_000);
    await new Promise((resolve) => setTimeout(resolve, 4));
  }
  expect(await waitUntilQuiet('/listings')).toBeLessThan(30);
  await endFaults();
  const from = world.clock.now();
  await world.until(() => itemIds.every((itemId) => items().get(itemId).step !== 'draft'), 'all drafts');
  expect(world.clock.now() - from).toBeLessThan(8 * 60_000);
});

test('a retry by the person does not shorten the Retry-After of the service', async () => {
  world = await startWorld({ random: createRandom(3) });
  world.companion().notifications.stop();
  const headers = { 'retry-after': '90' };
  await world.practice.fault({ method: 'POST', path: '/listings', status: 503, times: often, headers });
  const [first = ''] = await dropFailingItems(3);
  const before = await countFaultedRequests('/listings');
  await items().resume(first);
  await passSeconds(88);
  await items().resume(first);
  expect(await waitUntilQuiet('/listings')).toBe(before);
  await passSeconds(95);
  expect(await waitUntilQuiet('/listings')).toBe(before + 1);
});

test('a retry by the person sends one request to the failing service at once', async () => {
  world = await startWorld();
  world.companion().notifications.stop();
  await world.practice.fault({ method: 'POST', path: '/listings', status: 503, times: often });
  const [first = ''] = await dropFailingItems(3);
  await passSeconds(70);
  const before = await waitUntilQuiet('/listings');
  await items().resume(first);
  expect(await waitUntilQuiet('/listings')).toBe(before + 1);
  await endFaults();
  const from = world.clock.now();
  await items().resume(first);
  await waitUntil(() => listAllItems(world.companion()).every(({ step }) => step !== 'draft'), 'all drafts');
  expect(world.clock.now()).toBe(from);
});

test('other kinds of requests continue while one kind fails', async () => {
  world = await startWorld();
  const listingId = await world.practice.live((await world.secrets.get('agent-key practice')) ?? '');
  await world.practice.fault({ method: 'POST', path: '/listings', status: 500, times: often });
  await dropFailingItems(2);
  const before = world.companion().notifications.list().readAt ?? 0;
  for (let second = 0; second < 300; second += 1) {
    world.clock.advance(1_000);
    await new Promise((resolve) => setTimeout(resolve, 2));
    if (second % 10 === 0) await world.perform('readListing', { params: { listingId } });
  }
  expect(world.companion().notifications.list().readAt).toBeGreaterThan(before + 200_000);
  expect(await waitUntilQuiet('/listings')).toBeLessThanOrEqual(12);
});

test('three items together send at most ten uploads while the upload host fails', async () => {
  world = await startWorld();
  world.companion().notifications.stop();
  const path = '/uploads/{token}';
  await world.practice.fault({ method: 'PUT', path, status: 503, times: often });
  const itemIds = await dropFolders(3);
  await waitUntil(() => itemIds.some(isWaiting), 'the first failure');
  await waitUntilQuiet(path);
  await passSeconds(45);
  expect(await waitUntilQuiet(path)).toBeLessThanOrEqual(10);
  await endFaults();
  for (const itemId of itemIds) await world.item(itemId, 'review');
  expect(await world.happened('photo')).toBe(3);
});

test('after a start items in progress resume with a delay, but new items do not', async () => {
  world = await startWorld({ random: () => 0.5 });
  world.companion().notifications.stop();
  await world.practice.fault({ method: 'POST', path: '/listings', status: 503, times: often });
  await dropFailingItems(1);
  await world.stop();
  const before = await countFaultedRequests('/listings');
  await world.begin();
  await passSeconds(14);
  expect(await waitUntilQuiet('/listings')).toBe(before);
  await passSeconds(2);
  expect(await waitUntilQuiet('/listings')).toBe(before + 1);

  await world.stop();
  await world.begin();
  const from = world.clock.now();
  await endFaults();
  const [another = ''] = await dropFolders(1);
  await waitUntil(() => !['photos', 'draft'].includes(items().get(another).step), 'the draft');
  expect(world.clock.now()).toBe(from);
});

test('after a start the account standing is read at once only if a window is open', async () => {
  const calls = z.record(z.string(), z.looseObject({ calls: z.int() }));
  const asked = async (): Promise<number> =>
    calls.parse(await world.practice.control('GET', '/calls'))['readStanding']?.calls ?? 0;
  world = await startWorld({ random: () => 0.5 });
  await waitUntil(asked, 'the first standing');
  await world.stop();
  const before = await asked();
  await world.begin();
  await passSeconds(100);
  expect(await asked()).toBe(before);
  world.companion().seen();
  await waitUntil(async () => (await asked()) === before + 1, 'the standing for the window');
  await passSeconds(100);
  expect(await asked()).toBe(before + 1);

  await world.stop();
  await world.begin();
  for (let second = 0; second < 310; second += 1) {
    world.clock.advance(1_000);
    await new Promise(setImmediate);
  }
  await waitUntil(async () => (await asked()) === before + 2, 'the delayed standing');
});

/** Starts one call of an assistant while the service has a fault. */
const callWithFault = async (fault: Record<string, unknown>, call: { path: string; body?: unknown }) => {
  const method = call.body === undefined ? 'GET' : 'POST';
  world = await startWorld();
  world.companion().notifications.stop();
  const bridge = await world.bridge();
  const assistant = await pairAssistant(world, bridge.url);
  await world.practice.fault({ method, path: call.path, status: 503, times: often, ...fault });
  const answering = assistant.call(method, call.path, call.body === undefined ? {} : { body: call.body });
  await waitUntil(async () => (await countFaultedRequests(call.path)) > 0, 'the fault');
  const result = { status: 0 };
  void answering.then(({ status }) => (result.status = status));
  return {
    isAnswered: () => result.status !== 0,
    status: () => world.until(() => result.status, 'the answer'),
    stop: bridge.stop,
  };
};

test('an assistant gets the error after one retry of its failed read', async () => {
  const path = '/market/policies';
  const { isAnswered, status, stop } = await callWithFault({ headers: { 'retry-after': '3' } }, { path });
  await passSeconds(2);
  expect([await countFaultedRequests(path), isAnswered()]).toEqual([1, false]);
  expect(await status()).toBe(503);
  expect(await countFaultedRequests(path)).toBe(2);
  await stop();
});

test('an assistant gets the answer if only the first attempt fails', async () => {
  const path = '/market/policies';
  const { status, stop } = await callWithFault({ times: 1 }, { path });
  expect(await status()).toBe(200);
  await stop();
});

test.each([
  ['a call with a body', { path: '/market/templates/validate', body: { html: '<p>x</p>' } }, {}],
  ['a read with a Retry-After of one minute', { path: '/market/policies' }, { 'retry-after': '60' }],
])('an assistant gets the error of %s without a retry', async (_what, call, headers) => {
  const { status, stop } = await callWithFault({ headers }, call);
  expect(await status()).toBe(503);
  expect(await countFaultedRequests(call.path)).toBe(1);
  await stop();
});

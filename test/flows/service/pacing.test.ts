import { afterEach, expect, test } from 'vitest';
import * as z from 'zod';
import { pairAssistant } from '../../helpers/assistant.ts';
import { waitUntil } from '../../helpers/testClock.ts';
import { startWorld, type World } from '../../helpers/world.ts';

let world: World;
afterEach(() => world.close());

const minute = 60_000;
const hour = 60 * minute;
const calls = z.record(z.string(), z.looseObject({ calls: z.int() }));
const countCalls = async (route: string): Promise<number> =>
  calls.parse(await world.practice.control('GET', '/calls'))[route]?.calls ?? 0;
/** Advances the clock by `ms` in steps, and lets the work of each step run. */
const passTime = async (ms: number, stepMs: number): Promise<void> => {
  for (let passed = 0; passed < ms; passed += stepMs) {
    world.clock.advance(stepMs);
    await new Promise((resolve) => setTimeout(resolve, 3));
  }
};
const getHalf = () => 0.5;

test('the interval between reads of notifications is randomly longer than a minute', async () => {
  world = await startWorld({ random: getHalf });
  await waitUntil(() => countCalls('listNotifications'), 'the first reading');
  await waitUntil(() => world.companion().notifications.list().readAt, 'its answer');
  await passTime(67_000, 1_000);
  expect(await countCalls('listNotifications')).toBe(1);
  world.clock.advance(1_000);
  await waitUntil(async () => (await countCalls('listNotifications')) === 2, 'the second reading');
});

test('all listings are read again every few hours, but not immediately after a start', async () => {
  world = await startWorld({ random: getHalf });
  const read = () => world.companion().listings.counts().sync.doneAt;
  const first = await waitUntil(read, 'the first reading');
  const before = await countCalls('listListings');
  world.companion().notifications.stop();
  await passTime(6.5 * hour, 10 * minute);
  expect(await countCalls('listListings')).toBe(before);
  await passTime(0.4 * hour, minute);
  await waitUntil(() => read() !== first, 'the second reading');

  await world.stop();
  world.clock.advance(9 * hour);
  await world.begin();
  world.companion().notifications.stop();
  const since = await countCalls('listListings');
  await passTime(7 * minute, 15_000);
  expect(await countCalls('listListings')).toBe(since);
  await passTime(minute, 15_000);
  await waitUntil(async () => (await countCalls('listListings')) > since, 'the reading after a start');
});

test('all listings are read without delay after the person connects', async () => {
  const calm = Promise.withResolvers<void>();
  world = await startWorld({ random: getHalf, calm: calm.promise });
  calm.resolve();
  await waitUntil(() => world.companion().listings.counts().sync.doneAt, 'the first reading');
});

test('a failed full read of listings is finished automatically after the fault ends', async () => {
  world = await startWorld();
  const { listings } = world.companion();
  await waitUntil(() => listings.counts().sync.doneAt, 'the first reading');
  await world.practice.fault({ method: 'GET', path: '/listings', status: 503, times: 1_000 });
  world.clock.advance(6 * hour);
  await waitUntil(() => listings.counts().sync.problem, 'what is wrong');
  expect(listings.counts().sync.running).toBe(true);
  await world.practice.control('DELETE', '/faults');
  await world.until(() => !listings.counts().sync.running, 'the end of the reading');
  expect(listings.counts().sync.problem).toBe(null);
});

test('the person can retry a failed full read of listings at once', async () => {
  world = await startWorld();
  const { listings } = world.companion();
  await waitUntil(() => listings.counts().sync.doneAt, 'the first reading');
  await world.practice.fault({ method: 'GET', path: '/listings', status: 503, times: 2 });
  world.clock.advance(2 * minute);
  listings.readAgain();
  await world.until(() => listings.counts().sync.problem, 'what is wrong');
  expect(listings.counts().sync.running).toBe(false);
  listings.readAgain();
  await waitUntil(() => !listings.counts().sync.running, 'the next reading');
  expect(listings.counts().sync.problem).toBe(null);
});

test('a daily budget is used again only some minutes after midnight Pacific time', async () => {
  world = await startWorld({ random: getHalf });
  const bridge = await world.bridge();
  const assistant = await pairAssistant(world, bridge.url);
  await world.practice.fault({ method: 'GET', path: '/market/policies', status: 429 });
  await assistant.call('GET', '/market/policies');
  const held = await assistant.call('GET', '/market/policies');
  const at = world.clock.now() + Number(held.headers['retry-after']) * 1_000;
  const there = new Intl.DateTimeFormat('en-GB', { timeZone: 'America/Los_Angeles', timeStyle: 'short' }).format(at);
  expect(there).toBe('00:07');
  await bridge.stop();
});

test('after a start the list of routes is read only when the first write is requested', async () => {
  world = await startWorld({ random: getHalf });
  const listingId = await world.practice.written((await world.secrets.get('agent-key practice')) ?? '');
  await waitUntil(() => countCalls('readRoutes'), 'the list');
  await world.stop();
  const before = await countCalls('readRoutes');
  await world.begin();
  world.companion().notifications.stop();
  await passTime(2 * minute, 10_000);
  expect(await countCalls('readRoutes')).toBe(before);
  await world.perform('updateListing', { params: { listingId }, body: { title: 'Another' } });
  await waitUntil(async () => (await countCalls('readRoutes')) === before + 1, 'the list, for a write');
  await passTime(15 * minute, minute);
  expect(await countCalls('readRoutes')).toBe(before + 1);
});

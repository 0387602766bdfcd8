import { afterEach, expect, test } from 'vitest';
import * as z from 'zod';
import { startWorld, type World } from '../../helpers/world.ts';

let world: World;
afterEach(() => world.close());

const generate = { method: 'POST', path: '/listings/{listingId}/generate' };
const minute = 60_000;
const calls = z.record(z.string(), z.looseObject({ calls: z.int() }));

const countGenerateCalls = async (): Promise<number> =>
  calls.parse(await world.practice.control('GET', '/calls'))['generateListing']?.calls ?? 0;

const faults = z.array(z.unknown());

/** Adds an item, and waits until its generation request has arrived and met its fault. */
const addItemInLine = async (): Promise<string> => {
  const { itemIds } = await world.companion().add({ kind: 'paths', paths: [await world.folder('green lamp')] });
  const isMet = async () => faults.parse(await world.practice.control('GET', '/faults')).length === 0;
  await world.until(isMet, 'the request');
  return itemIds[0] ?? '';
};

/** Advances the clock by `ms` and lets the work that wakes up run. */
const passTime = async (ms: number): Promise<void> => {
  const end = world.clock.now() + ms;
  await world.until(() => world.clock.now() >= end, 'the time to pass');
};

test('a generation whose answer is minutes late is requested only once', async () => {
  world = await startWorld();
  // The service measures the delay by its own clock, which advances only on request.
  await world.practice.fault({ ...generate, times: 1, delayMs: 5 * minute });
  const itemId = await addItemInLine();
  await passTime(2 * minute);
  await world.practice.advance(6 * minute);
  await world.item(itemId, 'review');
  expect([await countGenerateCalls(), await world.happened('generation')]).toEqual([1, 1]);
});

test('a generation request that never arrived is repeated after several minutes', async () => {
  world = await startWorld();
  await world.practice.fault({ ...generate, times: 1, silent: 'before' });
  const itemId = await addItemInLine();
  await passTime(2 * minute);
  world.clock.advance(6 * minute);
  await passTime(minute / 2);
  expect(await world.happened('generation')).toBe(0);
  await world.item(itemId, 'review');
  expect(await world.happened('generation')).toBe(1);
});

test('setting the clock forward does not cause a second generation request', async () => {
  world = await startWorld();
  await world.practice.fault({ ...generate, times: 1, delayMs: 5 * minute });
  const itemId = await addItemInLine();
  await passTime(2 * minute);
  world.clock.jumpWall(24 * 60 * minute);
  await passTime(2 * minute);
  // The delayed request has not been counted, because it has not arrived.
  expect(await countGenerateCalls()).toBe(0);
  await world.practice.advance(6 * minute);
  await world.item(itemId, 'review');
  expect([await countGenerateCalls(), await world.happened('generation')]).toEqual([1, 1]);
});

test('an unanswered generation is not requested again immediately after a restart', async () => {
  world = await startWorld();
  await world.practice.fault({ ...generate, times: 1, silent: 'before' });
  const itemId = await addItemInLine();
  await passTime(minute / 2);
  await world.stop();
  await world.begin();
  await passTime(2 * minute);
  expect(await world.happened('generation')).toBe(0);
  await world.item(itemId, 'review');
  expect(await world.happened('generation')).toBe(1);
});

test('a generation is not requested again within 12 seconds of a broken connection', async () => {
  world = await startWorld();
  await world.practice.fault({ ...generate, times: 1, drop: 'before' });
  const itemId = await addItemInLine();
  await passTime(12_000);
  expect(await world.happened('generation')).toBe(0);
  await world.item(itemId, 'review');
  expect(await world.happened('generation')).toBe(1);
});

test('the remaining allowance is correct after the last of several generations', async () => {
  world = await startWorld({ person: { plan: 'Free' } });
  const left = () => world.companion().state(null).allowance?.remaining;
  await world.until(() => left() === 5, 'the standing');
  const paths = [await world.folder('brass bell'), await world.folder('green lamp')];
  const { itemIds } = await world.companion().add({ kind: 'paths', paths });
  for (const itemId of itemIds) await world.item(itemId, 'review');
  await world.until(() => left() === 3, 'what is left after both');
});

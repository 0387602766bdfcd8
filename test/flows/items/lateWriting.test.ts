import { afterEach, expect, test } from 'vitest';
import * as z from 'zod';
import { startWorld, type World } from '../../helpers/world.ts';

let world: World;
afterEach(() => world.close());

const generate = { method: 'POST', path: '/listings/{listingId}/generate' };
const minute = 60_000;
const calls = z.record(z.string(), z.looseObject({ calls: z.int() }));

/** How often a writing was asked for at the service. */
const asked = async (): Promise<number> =>
  calls.parse(await world.practice.control('GET', '/calls'))['generateListing']?.calls ?? 0;

const inLine = async (): Promise<string> => {
  const { itemIds } = await world.companion().add({ kind: 'paths', paths: [await world.folder('green lamp')] });
  return (await world.item(itemIds[0] ?? '', 'line')).itemId;
};

/** Lets the clock run for so long, with the work that it wakes. */
const pass = async (ms: number): Promise<void> => {
  const end = world.clock.now() + ms;
  await world.until(() => world.clock.now() >= end, 'the time to pass');
};

test('a generation that finishes late is the only one, however often the listing still reads as a draft', async () => {
  world = await startWorld();
  // By the service's clock, which stands still until it is moved.
  await world.practice.fault({ ...generate, times: 1, delayMs: 5 * minute });
  const itemId = await inLine();
  await pass(2 * minute);
  await world.practice.advance(6 * minute);
  await world.item(itemId, 'review');
  expect([await asked(), await world.happened('generation')]).toEqual([1, 1]);
});

test('a generation that never arrived is requested again once the service can no longer be working on it', async () => {
  world = await startWorld();
  await world.practice.fault({ ...generate, times: 1, silent: 'before' });
  const itemId = await inLine();
  await pass(2 * minute);
  world.clock.advance(6 * minute);
  await pass(minute / 2);
  expect(await world.happened('generation')).toBe(0);
  await world.item(itemId, 'review');
  expect(await world.happened('generation')).toBe(1);
});

test('setting the clock forward does not cause a second generation request', async () => {
  world = await startWorld();
  await world.practice.fault({ ...generate, times: 1, delayMs: 5 * minute });
  const itemId = await inLine();
  await pass(2 * minute);
  world.clock.jumpWall(24 * 60 * minute);
  await pass(2 * minute);
  // The one that is late is counted when it arrives.
  expect(await asked()).toBe(0);
  await world.practice.advance(6 * minute);
  await world.item(itemId, 'review');
  expect([await asked(), await world.happened('generation')]).toEqual([1, 1]);
});

test('an unanswered generation is also waited for after a restart', async () => {
  world = await startWorld();
  await world.practice.fault({ ...generate, times: 1, silent: 'before' });
  const itemId = await inLine();
  await pass(minute / 2);
  await world.stop();
  await world.begin();
  await pass(2 * minute);
  expect(await world.happened('generation')).toBe(0);
  await world.item(itemId, 'review');
  expect(await world.happened('generation')).toBe(1);
});

test('a generation whose connection broke is checked several times before it is requested again', async () => {
  world = await startWorld();
  await world.practice.fault({ ...generate, times: 1, drop: 'before' });
  const itemId = await inLine();
  await pass(12_000);
  expect(await world.happened('generation')).toBe(0);
  await world.item(itemId, 'review');
  expect(await world.happened('generation')).toBe(1);
});

test('the remaining allowance includes the last generation', async () => {
  world = await startWorld({ person: { plan: 'Free' } });
  const left = () => world.companion().state(null).allowance?.remaining;
  await world.until(() => left() === 5, 'the standing');
  const paths = [await world.folder('brass bell'), await world.folder('green lamp')];
  const { itemIds } = await world.companion().add({ kind: 'paths', paths });
  for (const itemId of itemIds) await world.item(itemId, 'review');
  await world.until(() => left() === 3, 'what is left after both');
});

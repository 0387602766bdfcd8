import { afterEach, expect, test } from 'vitest';
import * as z from 'zod';
import { startWorld, type World } from '../../helpers/world.ts';

let world: World;
afterEach(() => world.close());

const calls = z.record(z.string(), z.looseObject({ calls: z.int() }));
const countStandingReads = async (): Promise<number> =>
  calls.parse(await world.practice.control('GET', '/calls'))['readStanding']?.calls ?? 0;

test('generating 24 of 100 remaining listings reads the allowance fewer than 12 times', async () => {
  world = await startWorld();
  const left = () => world.companion().state(null).allowance?.remaining;
  await world.until(() => left() === 100, 'the standing');
  const before = await countStandingReads();
  const names = Array.from({ length: 24 }, (_, at) => `thing ${at}`);
  const paths = await Promise.all(names.map((name) => world.folder(name, 1)));
  const { itemIds } = await world.companion().add({ kind: 'paths', paths });
  for (const itemId of itemIds) await world.item(itemId, 'review');
  await world.until(() => left() === 76, 'what is left after all of them');
  expect(await countStandingReads()).toBeLessThan(before + 12);
});

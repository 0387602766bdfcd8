import { afterEach, expect, test } from 'vitest';
import { countServiceCalls } from '../../helpers/practice/serviceCalls.ts';
import { startWorld, type World } from '../../helpers/world.ts';

let world: World;
afterEach(() => world.close());

const hourMs = 3_600_000;
const { asked } = countServiceCalls(() => world);

const dropFolders = async (count: number): Promise<string[]> => {
  const names = Array.from({ length: count }, (_, at) => `thing ${at}`);
  const paths = await Promise.all(names.map((name) => world.folder(name, 1)));
  return (await world.companion().add({ kind: 'paths', paths })).itemIds;
};

test.each([
  ['back', -hourMs],
  ['forward', hourMs],
])('all listings are generated with few allowance reads if the clock is set %s an hour', async (_, ms) => {
  world = await startWorld();
  await world.reviewed();
  const before = await asked('readStanding');
  world.clock.jumpWall(ms);
  const itemIds = await dropFolders(9);
  for (const itemId of itemIds) await world.item(itemId, 'review');
  expect(await asked('readStanding')).toBeLessThan(before + 12);
  expect(await world.happened('generation')).toBe(10);
});

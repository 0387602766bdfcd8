import { afterEach, expect, test } from 'vitest';
import { startWorld, type World } from '../../helpers/world.ts';

let world: World;
afterEach(() => world.close());

test('two routes can be called with the same input object', async () => {
  world = await startWorld();
  const { listingId } = await world.reviewed();
  const input = { params: { listingId }, body: { title: 'A better title' } };
  for (const route of ['readListing', 'updateListing'] as const)
    await world.companion().perform({ by: { kind: 'person' }, route, input });
  expect((await world.listing(listingId)).title).toBe('A better title');
});

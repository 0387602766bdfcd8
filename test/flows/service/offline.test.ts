import { afterEach, expect, test } from 'vitest';
import { startWorld, type World } from '../../helpers/world.ts';

let world: World;
afterEach(() => world.close());

const offline = () => world.companion().state(null).offline;

test('photos are prepared offline, and their item continues once the service is back', async () => {
  world = await startWorld();
  await world.practice.fault({ method: 'POST', path: '/listings', drop: 'before', times: 6 });
  const { itemIds } = await world.companion().add({ kind: 'paths', paths: [await world.folder('an attic find')] });
  await world.until(() => offline() !== null, 'the banner');
  const item = world.companion().items.get(itemIds[0] ?? '');
  expect(item.photos.every(({ state }) => state === 'ready')).toBe(true);
  await world.item(item.itemId, 'review');
  expect(offline()).toBeNull();
});

/** Returns the error of a request, advancing the clock until the request fails. */
const waitForRefusal = (request: Promise<unknown>): Promise<Error> => {
  const seen: Error[] = [];
  request.then(
    () => seen.push(new Error('It was not refused.')),
    (error: unknown) => seen.push(error as Error),
  );
  return world.until(() => seen[0], 'a refusal');
};

test('an edit or approval that fails offline is not sent later', async () => {
  world = await startWorld();
  const { listingId, approvalId, digest } = await world.asked();
  await world.practice.fault({ method: 'PUT', path: '/listings/{listingId}', drop: 'before', times: 2 });
  const edit = await waitForRefusal(
    world.perform('updateListing', { params: { listingId }, body: { title: 'Another' } }),
  );
  expect(edit).toMatchObject({ code: 'NO_ANSWER' });
  await world.practice.fault({ method: 'GET', path: '/listings/{listingId}', drop: 'before', times: 2 });
  const yes = await waitForRefusal(world.pressYes(approvalId, digest));
  expect(yes).toMatchObject({ code: 'NO_ANSWER' });
  expect(world.companion().approvals.readView(approvalId).state).toBe('pending');
  await world.until(() => offline() === null, 'the end of the banner');
  expect((await world.listing(listingId)).title).not.toBe('Another');
  expect(await world.happened('publish')).toBe(0);
});

test('the offline banner disappears automatically while all work is paused', async () => {
  world = await startWorld();
  world.companion().pauseAll(true);
  await world.practice.fault({ method: 'GET', path: '/market/status', drop: 'before', times: 2 });
  await waitForRefusal(world.perform('readMarketStatus', {}));
  expect(offline()).not.toBeNull();
  await world.until(() => offline() === null, 'the end of the banner');
});

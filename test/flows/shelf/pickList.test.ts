import { afterEach, expect, test } from 'vitest';
import { pairAssistant } from '../../helpers/assistant.ts';
import { listenToEvents } from '../../helpers/bridge/listenToEvents.ts';
import { waitUntil } from '../../helpers/testClock.ts';
import { startWorld, type World } from '../../helpers/world.ts';

let world: World;
afterEach(() => world.close());

const dayMs = 86_400_000;
const pickList = () => world.companion().pickList;
const readServiceKey = async () => (await world.secrets.get('agent-key practice')) ?? '';

/** Sells a live listing, and waits until the companion has seen it. */
const sellLiveListing = async (sku: string, place: string): Promise<string> => {
  const listingId = await world.practice.live(await readServiceKey());
  await world.perform('readListing', { params: { listingId } });
  world.companion().shelf.change({ listingIds: [listingId] }, { place, sku });
  await world.practice.control('POST', '/sales', { listingId, buyer: 'ada' });
  await world.perform('readListing', { params: { listingId } });
  return listingId;
};

test('sold listings are sorted by place and SKU until they are ticked as sent', async () => {
  world = await startWorld();
  await sellLiveListing('A10-1', 'A10');
  const second = await sellLiveListing('A2-10', 'A2');
  await sellLiveListing('A2-9', 'A2');
  const readSkus = () =>
    pickList()
      .read()
      .rows.map(({ sku, sentAt }) => (sentAt === null ? sku : `${sku} sent`));
  expect(readSkus()).toEqual(['A2-9', 'A2-10', 'A10-1']);
  pickList().markSent([second], true);
  expect(readSkus()).toEqual(['A2-9', 'A2-10 sent', 'A10-1']);
  pickList().markSent([second], false);
  expect(readSkus()).toEqual(['A2-9', 'A2-10', 'A10-1']);
  pickList().markSent([second], true);
  await world.stop();
  world.clock.advance(dayMs);
  await world.begin();
  expect(readSkus()).toEqual(['A2-9', 'A10-1']);
});

test('the place of a sold item is in the notification of the person, and in nothing that an assistant reads', async () => {
  world = await startWorld();
  const bridge = await world.bridge();
  const assistant = await pairAssistant(world, bridge.url);
  const stream = await listenToEvents(bridge.url, assistant.token);
  await waitUntil(() => world.companion().notifications.list().readAt, 'the notifications');
  const listingId = await sellLiveListing('QZ-77', 'Cellar 9');
  const told = () => world.notices.filter(({ kind }) => kind === 'sales');
  await world.until(() => {
    world.clock.advance(60_000);
    return told().length > 0;
  }, 'the notice');
  expect(told()[0]?.text).toMatch(/^Cellar 9 · QZ-77 · /);
  const paths = ['/notifications', `/listings/${listingId}`, '/listings', '/companion/items', '/companion/status'];
  const answers = [];
  for (const path of paths) answers.push((await assistant.call('GET', path)).body);
  const read = JSON.stringify(answers) + stream.text();
  expect(read).toContain(listingId);
  expect(read).not.toMatch(/Cellar 9|QZ-77/);
  stream.close();
  await bridge.stop();
});

test('a live listing that sold one piece is in the pick list', async () => {
  world = await startWorld();
  const key = await readServiceKey();
  const listingId = await world.practice.live(key);
  await world.practice.call(key, 'POST', `/market/revise/${listingId}`, { quantity: 3 });
  await world.perform('readListing', { params: { listingId } });
  world.companion().shelf.change({ listingIds: [listingId] }, { place: 'A4' });
  await world.practice.control('POST', '/sales', { listingId, buyer: 'ada' });
  await world.until(() => {
    world.clock.advance(60_000);
    return pickList().read().rows.length > 0;
  }, 'the parcel');
  expect(pickList().read().rows).toMatchObject([{ listingId, place: 'A4', buyer: 'ada', sentAt: null }]);
  expect(await world.listing(listingId)).toMatchObject({ status: 'published', quantity: 2 });
  pickList().markSent([listingId], true);
  expect(pickList().read().rows).toMatchObject([{ sentAt: expect.any(Number) as unknown }]);
});

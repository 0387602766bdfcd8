import { afterEach, expect, test } from 'vitest';
import { startWorld, type World } from '../../helpers/world.ts';

let world: World;
afterEach(() => world.close());

const written = (listingId: string) => world.companion().listings.written(listingId)?.listing ?? null;
const statusOf = async (listingId: string) => (await world.listing(listingId)).status;

test('what the writer wrote is kept through edits and a restart, until the listing is deleted', async () => {
  world = await startWorld();
  const { listingId } = await world.reviewed();
  const first = await world.listing(listingId);
  await world.perform('updateListing', { params: { listingId }, body: { title: 'Something else', price: 1_234 } });
  expect(await world.listing(listingId)).toMatchObject({ title: 'Something else', price: 1_234 });
  expect(written(listingId)).toMatchObject({ title: first.title, price: first.price });
  await world.stop();
  await world.begin();
  expect(written(listingId)?.title).toBe(first.title);
  await world.perform('deleteListing', { params: { listingId } });
  await world.yes();
  expect(written(listingId)).toBeNull();
});

test('an adaptation to another site is a new beginning, and its item goes back to review by itself', async () => {
  world = await startWorld();
  const { listingId, itemId } = await world.reviewed();
  await world.perform('updateListing', { params: { listingId }, body: { title: 'My own title' } });
  const body = { intent: 'adapt_marketplace' as const, targetMarketplaceId: 'MKT_DE', targetLanguage: 'de-DE' };
  const asked = await world.perform('generateListing', { params: { listingId }, body });
  expect(asked.state).toBe('done');
  await world.listing(listingId);
  await world.until(async () => (await statusOf(listingId)) === 'pending_review', 'the adapted listing');
  await world.item(itemId, 'review');
  const now = await world.listing(listingId);
  expect(now.marketplaceId).toBe('MKT_DE');
  expect(now.title).not.toBe('My own title');
  expect(written(listingId)).toMatchObject({ marketplaceId: 'MKT_DE', title: now.title });
});

test('an adaptation that is refused leaves the first writing known, so writing again still asks', async () => {
  world = await startWorld();
  const { listingId } = await world.reviewed();
  const body = { intent: 'adapt_marketplace' as const, targetMarketplaceId: 'MKT_NOWHERE' };
  await expect(world.perform('generateListing', { params: { listingId }, body })).rejects.toThrow(/site/);
  expect(written(listingId)).not.toBeNull();
  // The prompt's own words: it was to be asked about, and there is nothing to ask.
  await expect(world.perform('generateListing', { params: { listingId } })).rejects.toThrow(
    'Only a draft can be written. Take a failed listing back first.',
  );
});

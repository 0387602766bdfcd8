import { afterEach, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { readServiceKey } from '../../helpers/approvals/decisions.ts';
import { startWorld, type World } from '../../helpers/world.ts';

let world: World;
afterEach(() => world.close());

const getGeneratedListing = (listingId: string) => world.companion().listings.written(listingId)?.listing ?? null;
const statusOf = async (listingId: string) => (await world.listing(listingId)).status;

test('the generated text is stored unchanged until the listing is deleted', async () => {
  world = await startWorld();
  const { listingId } = await world.reviewed();
  const first = await world.listing(listingId);
  await world.perform('updateListing', { params: { listingId }, body: { title: 'Something else', price: 1_234 } });
  expect(await world.listing(listingId)).toMatchObject({ title: 'Something else', price: 1_234 });
  expect(getGeneratedListing(listingId)).toMatchObject({ title: first.title, price: first.price });
  await world.stop();
  await world.begin();
  expect(getGeneratedListing(listingId)?.title).toBe(first.title);
  await world.perform('deleteListing', { params: { listingId } });
  await world.yes();
  expect(getGeneratedListing(listingId)).toBeNull();
});

test('adapting a listing to another site replaces its generated text', async () => {
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
  expect(getGeneratedListing(listingId)).toMatchObject({ marketplaceId: 'MKT_DE', title: now.title });
});

test('a refused adaptation does not delete the generated text', async () => {
  world = await startWorld();
  const { listingId } = await world.reviewed();
  const body = { intent: 'adapt_marketplace' as const, targetMarketplaceId: 'MKT_NOWHERE' };
  await expect(world.perform('generateListing', { params: { listingId }, body })).rejects.toThrow(/site/);
  expect(getGeneratedListing(listingId)).not.toBeNull();
  // The prompt throws this error, so the request was not sent without a prompt.
  await expect(world.perform('generateListing', { params: { listingId } })).rejects.toThrow(
    'Only a draft can be written. Take a failed listing back first.',
  );
});

test('a listing that was once live cannot be deleted, even after a relist', async () => {
  world = await startWorld();
  const { listingId } = await world.reviewed();
  expect(world.companion().listings.written(listingId)?.wentLive).toBe(false);
  await world.perform('publishListing', { params: { listingId } });
  await world.yes();
  await world.perform('endListing', { params: { listingId } });
  await world.yes();
  await world.listing(listingId);
  await world.perform('relistListing', { params: { listingId } });
  await world.until(async () => (await statusOf(listingId)) === 'pending_review', 'the listing brought back');
  expect(world.companion().listings.written(listingId)?.wentLive).toBe(true);
  await expect(world.perform('deleteListing', { params: { listingId } })).rejects.toMatchObject({
    code: 'WRONG_STATE',
  });
  expect(world.companion().approvals.listPending()).toEqual([]);
});

describe('the record that a listing was live', () => {
  const wentLive = (listingId: string) => world.companion().listings.written(listingId)?.wentLive;
  const relistListing = async (): Promise<{ listingId: string }> => {
    const { listingId } = await world.reviewed();
    await world.perform('publishListing', { params: { listingId } });
    await world.yes();
    await world.perform('reviseListing', { params: { listingId }, body: { price: 2_500 } });
    await world.yes();
    await world.perform('endListing', { params: { listingId } });
    await world.yes();
    await world.perform('relistListing', { params: { listingId } });
    // The answer contains the relisted listing, so no read is needed.
    expect(world.companion().listings.readStored(listingId)?.status).toBe('pending_review');
    return { listingId };
  };
  const adaptListing = async (listingId: string, fail: string | null = null): Promise<void> => {
    // The generation is slow enough for the test to see the status `processing`.
    await world.practice.control('POST', '/writer', { delayMs: 150, fail });
    const body = { intent: 'adapt_marketplace' as const, targetMarketplaceId: 'MKT_DE' };
    await world.perform('generateListing', { params: { listingId }, body });
    expect(await statusOf(listingId)).toBe('processing');
    expect(wentLive(listingId)).toBe(true);
  };
  const expectNoDeletion = async (listingId: string): Promise<void> => {
    expect(wentLive(listingId)).toBe(true);
    await expect(world.perform('deleteListing', { params: { listingId } })).rejects.toMatchObject({
      code: 'WRONG_STATE',
    });
    expect(world.companion().approvals.listPending()).toEqual([]);
  };

  test('survives a relist, an adaptation to another site and a restart', async () => {
    world = await startWorld();
    const { listingId } = await relistListing();
    await adaptListing(listingId);
    await world.until(async () => (await statusOf(listingId)) === 'pending_review', 'the adapted listing');
    expect(getGeneratedListing(listingId)?.marketplaceId).toBe('MKT_DE');
    await world.stop();
    await world.begin();
    await expectNoDeletion(listingId);
  });

  test('survives a failed adaptation', async () => {
    world = await startWorld();
    const { listingId } = await relistListing();
    await adaptListing(listingId, 'WRITER_FAILED');
    await world.until(async () => (await statusOf(listingId)) === 'failed', 'the failed adaptation');
    await expectNoDeletion(listingId);
  });

  test('also exists for a listing that was live before the companion first read it', async () => {
    world = await startWorld();
    const listingId = await world.practice.live(await readServiceKey(world));
    await world.perform('hydrateListing', { params: { listingId } });
    await world.perform('listListings', { query: {} });
    expect(wentLive(listingId)).toBe(true);
    await world.perform('endListing', { params: { listingId } });
    await world.yes();
    await world.perform('relistListing', { params: { listingId } });
    await adaptListing(listingId);
    await world.until(async () => (await statusOf(listingId)) === 'pending_review', 'the adapted listing');
    await expectNoDeletion(listingId);
  });
});

test('a generation refused because of the usage limit can be retried without approval', async () => {
  world = await startWorld({ person: { plan: 'Lite', used: 30 } });
  const { itemIds } = await world.companion().add({ kind: 'paths', paths: [await world.folder('over', 1)] });
  const [itemId = ''] = itemIds;
  const item = () => world.companion().items.get(itemId);
  await world.until(() => item().stop, 'the stop');
  const listingId = item().listingId ?? '';
  // The generation fails as if the last listing had been used elsewhere after the check.
  await world.perform('generateListing', { params: { listingId } });
  await world.until(async () => (await statusOf(listingId)) === 'failed', 'the failed listing');
  await world.companion().items.resume(itemId);
  await world.until(() => item().stop?.code === 'USAGE_LIMIT', 'the stop of the writing');
  const account = await world.perform('readAccount', {});
  const { email } = z.looseObject({ email: z.string() }).parse(account.state === 'done' ? account.answer : null);
  await world.practice.person({ email, used: 0 });
  await world.companion().items.resume(itemId);
  expect(world.companion().approvals.listPending()).toEqual([]);
  await world.item(itemId, 'review');
});

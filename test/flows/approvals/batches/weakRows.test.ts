import { afterEach, expect, test } from 'vitest';
import type { BatchView } from '../../../../src/core/approvals/batches.ts';
import { startWorld, type World } from '../../../helpers/world.ts';

let world: World;
afterEach(() => world.close());

const goodListing = (name: string, price: number) => ({
  title: `${name}, used, complete and in good shape`,
  description: `<p>${name}, used, complete and in good shape. Sent in a box.</p>`,
  price,
  categoryId: '5001',
});

const weakListing = {
  title: 'Item, black – see photos',
  description: '<p>Item, black – see photos. See the photos.</p>',
  price: 1_299,
  categoryId: '9999',
};

const changeAtService = async (listingId: string, changes: Record<string, unknown>): Promise<void> => {
  const key = (await world.secrets.get('agent-key practice')) ?? '';
  const { status, body } = await world.practice.call(key, 'PUT', `/listings/${listingId}`, changes);
  expect([status, body]).toEqual([200, expect.anything()]);
};

/** Creates reviewed listings directly at the service. */
const createReviewedListings = async (all: readonly Record<string, unknown>[]): Promise<string[]> => {
  const key = (await world.secrets.get('agent-key practice')) ?? '';
  const ids = [];
  for (const changes of all) {
    const listingId = await world.practice.written(key);
    await changeAtService(listingId, changes);
    ids.push(listingId);
  }
  return ids;
};

const listCodes = ({ rows }: BatchView) => rows.map(({ warnings }) => warnings.map(({ code }) => code));

test('a batch marks the rows that share a title, a price and a general category', async () => {
  world = await startWorld();
  // The prices of a batch are compared only with each other.
  const others = Array.from({ length: 8 }, (_, at) => goodListing(`Doll number ${at}`, 900 + at));
  for (const listingId of await createReviewedListings(others)) await world.listing(listingId);
  const ids = await createReviewedListings([
    ...Array.from({ length: 6 }, () => weakListing),
    goodListing('Blue dolls’ house', 4_500),
  ]);
  const batch = await world.companion().batches.publishListings(ids);
  const codes = listCodes(batch);
  expect(codes.slice(0, 6)).toEqual(Array(6).fill(['TITLE_SHORT', 'TITLE_SHARED', 'CATEGORY_GENERAL', 'PRICE_SHARED']));
  expect(codes.at(-1)).toEqual([]);
  expect(batch.rows[0]?.warnings.find(({ code }) => code === 'TITLE_SHARED')?.sentence).toBe(
    '5 others have this title',
  );
});

test('a corrected row has no warnings, and a row that only kept the old description has one', async () => {
  world = await startWorld();
  const { title, price, categoryId } = goodListing('Red fire engine', 700);
  const [mended = '', half = ''] = await createReviewedListings([
    goodListing('Blue dolls’ house', 4_500),
    { title, price, categoryId },
  ]);
  const batch = await world.companion().batches.publishListings([mended, half]);
  expect(listCodes(batch)).toEqual([[], ['DESCRIPTION_STALE']]);
  await changeAtService(half, goodListing('Red fire engine', 700));
  const again = await world.companion().batches.publishListings([mended, half]);
  expect(listCodes(again)).toEqual([[], []]);
});

test('a price below the quoted fee is a warning', async () => {
  world = await startWorld();
  const ids = await createReviewedListings([goodListing('Blue dolls’ house', 20), goodListing('Red fire engine', 700)]);
  expect(listCodes(await world.companion().batches.publishListings(ids))).toEqual([['PRICE_UNDER_FEE'], []]);
});

test('a listing that is live has no warnings', async () => {
  world = await startWorld();
  const ids = await createReviewedListings([weakListing, weakListing, weakListing]);
  const batch = await world.companion().batches.publishListings(ids);
  const chosen = batch.rows.flatMap(({ approval }) =>
    approval ? [{ approvalId: approval.approvalId, digest: approval.digest }] : [],
  );
  expect(listCodes(batch).every((codes) => codes.includes('TITLE_SHARED'))).toBe(true);
  const person = { kind: 'person' } as const;
  expect(world.companion().readWarnings(person, ids).size).toBe(3);
  await world.pressYesToRows(batch.batchId, chosen);
  const over = await world.until(() => {
    const now = world.companion().batches.readBatch(batch.batchId);
    return now.state === 'over' ? now : null;
  }, 'the end of the batch');
  expect(listCodes(over)).toEqual([[], [], []]);
  expect(world.companion().readWarnings(person, ids).size).toBe(0);
});

test('the next weak item is one of the batch that the person would publish now', async () => {
  world = await startWorld();
  const { list } = world.companion().items;
  const items = [];
  for (const name of ['camera', 'lamp', 'doll', 'cup']) items.push(await world.reviewed(name));
  for (const at of [0, 2]) {
    const { listingId = '', name = '' } = items[at] ?? {};
    await changeAtService(listingId, goodListing(`The ${name} of my aunt`, 1_000 * (at + 1)));
    await world.listing(listingId);
  }
  const [camera = '', lamp = '', doll = '', cup = ''] = items.map(({ itemId }) => itemId);
  const next = (itemId: string | null, chosen: string[] = []) => list.nextWeak(null, itemId, chosen)?.itemId ?? null;
  // The list shows the newest item first.
  expect([next(null), next(cup), next(doll), next(lamp)]).toEqual([cup, lamp, lamp, cup]);
  expect([next(null, [camera, lamp]), next(lamp, [camera, lamp]), next(null, [camera, doll])]).toEqual([
    lamp,
    null,
    null,
  ]);
});

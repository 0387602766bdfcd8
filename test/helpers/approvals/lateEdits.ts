import { hash } from 'node:crypto';
import fc from 'fast-check';
import * as z from 'zod';
import { listing as listingShape, uploadSlot, type Listing } from '../../../src/contract/index.ts';
import type { Prompt } from '../../../src/core/storage/tables/approvalRecord.ts';
import { performAs, readServiceKey } from './decisions.ts';
import { drawnPhoto } from '../practice.ts';
import { formatCode, formatPath } from './shownLeaves.ts';
import type { World } from '../world.ts';
import type { Asker } from '../../../src/core/base/request.ts';

/** Who makes a change: another assistant, the person, or someone at the service without the companion. */
export type Editor = 'assistant' | 'person' | 'service';
type Body = Record<string, unknown>;
/** The change: fields of the listing, its first photo (behind the same address or in a new slot), or all fees. */
export type LateEdit =
  { what: 'fields'; body: Body } | { what: 'bytes' | 'slot'; seed: number } | { what: 'fees'; extraMinor: number };

const word = fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 12 }).map((text) => `New ${text.trim()}`);
const fields: fc.Arbitrary<Body> = fc.oneof(
  fc.record({ title: word }),
  fc.record({ price: fc.integer({ min: 1_300, max: 99_999 }) }),
  fc.record({ quantity: fc.integer({ min: 2, max: 9 }) }),
  fc.record({ condition: fc.constantFrom('USED_ACCEPTABLE', 'NEW') }),
  fc.record({ conditionDescription: word }),
  fc.record({ packageWeightGrams: fc.integer({ min: 1, max: 900 }) }),
  fc.record({ description: word.map((text) => `<p>${text}</p>`) }),
  fc.record({ itemSpecifics: fc.record({ 'Book Title': word, Price: word }) }),
  fc.record({
    bestOffer: fc.record({ enabled: fc.constant(true), autoAcceptCents: fc.integer({ min: 2, max: 900 }) }),
  }),
  fc.record({ title: word, price: fc.integer({ min: 1, max: 99 }) }),
);

export const lateEdit: fc.Arbitrary<LateEdit> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ what: fc.constant('fields' as const), body: fields }) },
  {
    weight: 3,
    arbitrary: fc.record({ what: fc.constantFrom('bytes', 'slot'), seed: fc.integer({ min: 20, max: 200 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ what: fc.constant('fees' as const), extraMinor: fc.integer({ min: 1, max: 90 }) }),
  },
);

const slots = z.array(uploadSlot);
const files = [{ contentType: 'image/jpeg' as const, index: 0 }];

const putByService = async (world: World, listingId: string, bytes: Buffer): Promise<void> => {
  const key = await readServiceKey(world);
  const { body } = await world.practice.call(key, 'POST', '/listings/upload-url', { listingId, files });
  const [slot] = slots.parse(body);
  await world.practice.upload(slot?.uploadUrl ?? '', bytes);
};

const putByCompanion = async (world: World, by: Asker, listingId: string, bytes: Buffer): Promise<void> => {
  const asked = {
    by,
    route: 'requestUploads' as const,
    input: { body: { listingId, files } },
    reachedAt: 'http://127.0.0.1:1',
  };
  const outcome = await world.companion().perform(asked);
  const [slot] = slots.parse(outcome.state === 'done' ? outcome.answer : []);
  if (!slot) return;
  const { uploads } = world.companion();
  const { signal } = new AbortController();
  if (by.kind === 'person') return uploads.put({ listingId, slot, bytes, contentType: 'image/jpeg' }, signal);
  const token = new URL(slot.uploadUrl).pathname.split('/').at(-1) ?? '';
  const body = (async function* () {
    yield await Promise.resolve(bytes);
  })();
  await uploads.take(token, 'image/jpeg', { bytes: body, length: null }, signal);
};

/**
 * Makes the change and throws a refusal of the companion or the service. Only the service can change bytes and fees.
 */
export const makeEdit = async (
  world: World,
  by: Asker | 'service',
  listingId: string,
  edit: LateEdit,
): Promise<void> => {
  if (edit.what === 'fees')
    return void (await world.practice.control('POST', '/fees', { extraMinor: edit.extraMinor }));
  if (edit.what === 'fields') {
    if (by !== 'service')
      return void (await performAs(world, by, 'updateListing', { params: { listingId }, body: edit.body }));
    return void (await world.practice.call(await readServiceKey(world), 'PUT', `/listings/${listingId}`, edit.body));
  }
  const bytes = await drawnPhoto(edit.seed);
  if (edit.what === 'slot' && by === 'service') return putByService(world, listingId, bytes);
  if (edit.what === 'slot' && by !== 'service') return putByCompanion(world, by, listingId, bytes);
  await world.practice.control('POST', '/photos', { listingId, index: 0, base64: bytes.toString('base64') });
};

/** Reads the listing at the service, and the hashes of its photos as anyone can download them. */
export const readAtService = async (
  world: World,
  listingId: string,
): Promise<{ listing: Listing; hashes: string[] }> => {
  const { body } = await world.practice.call(await readServiceKey(world), 'GET', `/listings/${listingId}`);
  const listing = listingShape.parse(body);
  const hashes = (listing.imageUrls ?? []).map(async (url) =>
    hash('sha256', Buffer.from(await (await fetch(url)).arrayBuffer())),
  );
  return { listing, hashes: await Promise.all(hashes) };
};

/**
 * Returns what a publish makes visible, in the words of a prompt. This is written independently of the code that it
 * checks.
 */
const buildBuyersView = ({ listing, hashes }: { listing: Listing; hashes: string[] }): Record<string, string> => ({
  title: listing.title ?? '',
  price: `US$${((listing.price ?? 0) / 100).toFixed(2)}`,
  quantity: String(listing.quantity),
  condition: formatCode(listing.condition ?? ''),
  format: formatCode(listing.format ?? ''),
  weight: listing.packageWeightGrams ? String(listing.packageWeightGrams) : '',
  conditionDescription: listing.conditionDescription ?? '',
  description: listing.description ?? '',
  offers: listing.bestOffer?.enabled ? 'yes' : 'no',
  itemSpecifics: JSON.stringify(Object.entries(listing.itemSpecifics ?? {}).toSorted()),
  photos: hashes.join(' '),
});

const shownView = ({ facts, target }: Prompt): Record<string, string> => {
  const valueOf = (...path: string[]): string =>
    facts.find(({ namespace, key }) => namespace !== 'specifics' && formatPath(key) === JSON.stringify(path))?.value ??
    '';
  const specifics = facts
    .filter(({ namespace }) => namespace === 'specifics')
    .map(({ label, value }) => [label, value]);
  return {
    title: valueOf('title'),
    price: valueOf('price'),
    quantity: valueOf('quantity'),
    condition: valueOf('condition'),
    format: valueOf('format'),
    weight: valueOf('packageWeightGrams'),
    conditionDescription: valueOf('conditionDescription'),
    description: valueOf('description'),
    offers: valueOf('bestOffer', 'enabled') === 'yes' ? 'yes' : 'no',
    itemSpecifics: JSON.stringify(specifics.toSorted()),
    photos: (target?.photos ?? []).map((address) => address.split('/').at(-1)).join(' '),
  };
};

/** Returns the fields of a listing that differ from the prompt. */
export const findDifferences = (prompt: Prompt, live: { listing: Listing; hashes: string[] }): string[] => {
  const [shown, is] = [shownView(prompt), buildBuyersView(live)];
  return Object.keys(is).filter((field) => shown[field] !== is[field]);
};

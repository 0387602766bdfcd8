import { isDeepStrictEqual } from 'node:util';
import { discardFile } from '../../disk/changeFiles.ts';
import type { Listing } from '../../contract/index.ts';
import type { Asker } from '../base/request.ts';
import { problem } from '../base/problem.ts';
import { isUnreadableNow } from '../../photoContract/refusals.ts';
import { boundListing } from '../listings/listings.ts';
import { isUnknownAtService } from '../service/serviceError.ts';
import type { BarcodeView, ItemView } from '../storage/tables/itemRecord.ts';
import type { ItemRow } from '../storage/tables/itemsTable.ts';
import { isArrangeable } from './arranging.ts';
import { applyIdentifiers, barcodesOf } from './barcodes.ts';
import { readListing, type ItemsContext } from './itemsContext.ts';
import { cancelledError, unknownListingCode } from './itemState.ts';
import { takenBack } from './listingPhotos.ts';
import type { ItemReads } from './itemView.ts';
import type { ItemRunner } from './itemRunner.ts';
import { running } from './steps.ts';

/** What acting on one item needs: the items, and what has them go on and stand still. */
export type ActionContext = {
  context: ItemsContext;
  reads: Pick<ItemReads, 'need' | 'view'>;
  runner: Pick<ItemRunner, 'start' | 'halt'>;
};

const viewNow = ({ reads }: ActionContext, itemId: string): ItemView => reads.view(reads.need(itemId));

/** Changes an item that is not under way then; where that fails, for want of room say, it goes on as before. */
const whileHalted = async ({ runner }: ActionContext, itemId: string, change: () => void): Promise<void> => {
  await runner.halt(itemId);
  try {
    change();
  } catch (error) {
    runner.start(itemId);
    throw error;
  }
};

/** Stops an item that goes on by itself; any other stays as it is. */
export const cancelItem = async (parts: ActionContext, itemId: string): Promise<ItemView> => {
  const { table, clock, touched } = parts.context;
  const item = parts.reads.need(itemId);
  if (running[item.step] && item.stop === null) {
    const stop = cancelledError(item.step === 'writing' ? 'CANCELLED.writing' : 'CANCELLED');
    await whileHalted(parts, itemId, () => table.change(itemId, { stop }, clock.now()));
    touched(itemId);
  }
  return viewNow(parts, itemId);
};

/** Has a stopped item go on, or its listing written again where that is what it needs. */
export const resumeItem = async (parts: ActionContext, itemId: string): Promise<ItemView> => {
  const { table, clock, pacing, touched } = parts.context;
  const item = parts.reads.need(itemId);
  pacing.hurry();
  if (item.stop?.next.includes('write_again')) return writeAgain(parts, item);
  if (item.stop?.code === unknownListingCode) return lookAgain(parts, item);
  table.change(itemId, { stop: null }, clock.now());
  parts.runner.start(itemId);
  touched(itemId);
  return viewNow(parts, itemId);
};

/** Reads a listing that the service did not know; what is read of it takes the item back to where it was. */
const lookAgain = async (parts: ActionContext, item: ItemRow): Promise<ItemView> => {
  const input = { params: { listingId: item.listing_id ?? '' } };
  try {
    await parts.context.perform({ by: { kind: 'person' }, route: 'readListing', input });
  } catch (error) {
    if (!isUnknownAtService(error)) throw error;
  }
  return viewNow(parts, item.item_id);
};

/** Has an item go on without the photos that cannot be read now. Throws TOO_LATE where there are none, or no others. */
export const skipUnreadable = (parts: ActionContext, itemId: string): ItemView => {
  const { table, clock, touched } = parts.context;
  if (!parts.reads.need(itemId).stop?.next.includes('without_photos')) throw problem('TOO_LATE.photos');
  table.atomically(() => {
    for (const { photo_id, code } of table.photos(itemId))
      if (isUnreadableNow(code)) table.changePhoto(photo_id, { state: 'refused' });
    table.change(itemId, { stop: null }, clock.now());
  });
  parts.runner.start(itemId);
  touched(itemId);
  return viewNow(parts, itemId);
};

const writeFirst = (parts: ActionContext, { account, item_id: itemId }: ItemRow, listingId: string): ItemView => {
  const { generations, table, clock, touched } = parts.context;
  generations.note(account, listingId, 'not_started', { at: clock.now() });
  table.change(itemId, { step: 'line', stop: null, writing_since: null }, clock.now());
  parts.runner.start(itemId);
  touched(itemId);
  return viewNow(parts, itemId);
};

/** Writing it again uses another listing of the allowance: it leads to a prompt, and the item goes on after the yes. */
const writeAgain = async (parts: ActionContext, item: ItemRow): Promise<ItemView> => {
  const { perform } = parts.context;
  const listingId = item.listing_id ?? '';
  const signal = new AbortController().signal;
  const by: Asker = { kind: 'person' };
  const { status } = await takenBack(parts.context, listingId);
  // It had been written before: the text is back for review, and nothing needs to be written again.
  if (status !== 'draft') return viewNow(parts, item.item_id);
  // Nothing was written and none of the listings was used: it is written for the first time.
  if (item.stop?.code === 'USAGE_LIMIT') return writeFirst(parts, item, listingId);
  await perform({ by, route: 'generateListing', input: { params: { listingId } }, signal });
  return viewNow(parts, item.item_id);
};

/** Removes an item with its photos; of the files only the companion's own copies. */
export const removeItem = async (parts: ActionContext, itemId: string): Promise<void> => {
  const { table, touched } = parts.context;
  parts.reads.need(itemId);
  const owned: string[] = [];
  await whileHalted(parts, itemId, () => {
    const all = [...table.photos(itemId), ...table.removedPhotos(itemId)];
    for (const photo of all) if (photo.owned === 1) owned.push(photo.source);
    table.remove(itemId);
  });
  await Promise.all(owned.map((source) => discardFile(source)));
  touched(itemId);
};

/** Changes what the writer is told. Throws TOO_LATE once the draft was sent with what was there before. */
const changeWords = (
  parts: ActionContext,
  itemId: string,
  words: { note: string } | { text_used: number },
): ItemView => {
  const { table, clock, touched } = parts.context;
  if (parts.reads.need(itemId).draft_sent_at !== null) throw problem('TOO_LATE.note', { field: 'note' });
  table.change(itemId, words, clock.now());
  touched(itemId);
  return viewNow(parts, itemId);
};

/** Sets the note for the writer. */
export const noteItem = (parts: ActionContext, itemId: string, note: string): ItemView =>
  changeWords(parts, itemId, { note });

/** Has the text file beside the photos go to the writer, or not. */
export const useText = (parts: ActionContext, itemId: string, used: boolean): ItemView =>
  changeWords(parts, itemId, { text_used: used ? 1 : 0 });

/** What a person who looks at a listing sees of it. */
const sightOf = (listing: Listing) => [boundListing(listing), listing.imageUrls?.length ?? 0];

/**
 * The person looked a listing over and found it right as they saw it, or takes that back with null; of an item that is not
 * up for review it says nothing. Throws LOOK_AGAIN where the listing is no longer the one that was seen.
 */
export const checkItem = (parts: ActionContext, itemId: string, seen: Listing | null): ItemView => {
  const { table, clock, touched, listings, account } = parts.context;
  const { step, stop, listing_id: listingId } = parts.reads.need(itemId);
  if (step === 'review' && stop === null) {
    const now = listings.read(account(), listingId ?? '');
    if (seen !== null && (now === null || !isDeepStrictEqual(sightOf(now), sightOf(seen)))) throw problem('LOOK_AGAIN');
    table.change(itemId, { checked_at: seen === null ? null : clock.now() }, clock.now());
  }
  touched(itemId);
  return viewNow(parts, itemId);
};

/** Has an item wait for the person's look. Throws TOO_LATE once its photos are at the service. */
export const holdItem = async (parts: ActionContext, itemId: string): Promise<ItemView> => {
  const { table, clock, touched } = parts.context;
  parts.reads.need(itemId);
  await whileHalted(parts, itemId, () => {
    const item = parts.reads.need(itemId);
    if (!isArrangeable(item, table.photos(itemId))) throw problem('TOO_LATE.photos');
    if (item.guessed !== 0 || item.stop !== null) return;
    const step = item.step === 'photos' ? 'photos' : 'arranging';
    table.change(itemId, { guessed: 2, hold: 'person', step }, clock.now());
  });
  parts.runner.start(itemId);
  touched(itemId);
  return viewNow(parts, itemId);
};

/**
 * Sets the template that an item begins with, or none; one that stood still for the want of it goes on. Throws TOO_LATE once
 * the draft was sent with another.
 */
export const beginWith = (parts: ActionContext, itemId: string, templateId: string | null): ItemView => {
  const { table, clock, touched } = parts.context;
  const item = parts.reads.need(itemId);
  if (item.draft_sent_at !== null || item.listing_id !== null) throw problem('TOO_LATE.template');
  const goesOn = item.stop?.code === 'TEMPLATE_GONE';
  table.change(itemId, { template_id: templateId ?? '', ...(goesOn ? { stop: null } : {}) }, clock.now());
  if (goesOn) parts.runner.start(itemId);
  touched(itemId);
  return viewNow(parts, itemId);
};

/** The person's word on a barcode; a confirmed one goes to the writer, or to the listing when that is written already. */
export const decideBarcode = async (
  parts: ActionContext,
  itemId: string,
  value: string,
  state: BarcodeView['state'],
): Promise<ItemView> => {
  const { context, reads } = parts;
  const { table, clock } = context;
  const item = reads.need(itemId);
  if (!barcodesOf(item, table.photos(itemId)).some((one) => one.value === value)) throw problem('NOT_FOUND.barcode');
  const { [value]: _before, ...others } = item.barcode_choices;
  const barcode_choices = state === 'offered' ? others : { ...others, [value]: state };
  table.change(itemId, { barcode_choices }, clock.now());
  if (item.step === 'review' && state === 'confirmed') {
    const { signal } = new AbortController();
    const listing = await readListing(context, item, signal);
    await applyIdentifiers(context, reads.need(itemId), listing, signal);
  }
  context.touched(itemId);
  return viewNow(parts, itemId);
};

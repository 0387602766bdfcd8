import { isDeepStrictEqual } from 'node:util';
import { discardFile } from '../../disk/changeFiles.ts';
import type { Listing } from '../../contract/index.ts';
import type { Asker } from '../base/request.ts';
import { createProblem } from '../base/problem.ts';
import { isUnreadableNow } from '../../photoContract/refusals.ts';
import { toBoundListing } from '../listings/listings.ts';
import { isUnknownAtService } from '../service/serviceError.ts';
import { getReviewReason, type BarcodeView, type ItemFields, type ItemView } from '../storage/tables/itemRecord.ts';
import type { ItemRow } from '../storage/tables/itemsTable.ts';
import { applyConfirmedIdentifiers, listItemBarcodes } from './barcodes.ts';
import { readItemListing, type ItemsContext } from './itemsContext.ts';
import { isArrangeable, createCancelledStop, isRetriable, unknownListingCode, usageLimitCode } from './itemState.ts';
import { isRunningChange } from '../storage/tables/photos/photoChangesTable.ts';
import { revertFailedListing } from './listingPhotos.ts';
import type { ItemReader } from './itemView.ts';
import type { ItemRunner } from './itemRunner.ts';
import { automaticSteps } from './itemSteps.ts';

export type ActionContext = {
  context: ItemsContext;
  reads: Pick<ItemReader, 'need' | 'view'>;
  runner: Pick<ItemRunner, 'start' | 'halt'>;
};

const readCurrentView = ({ reads }: ActionContext, itemId: string): ItemView => reads.view(reads.need(itemId));

/** Halts the item before the change. If the change fails, for example because the disk is full, the item resumes. */
const changeWhileHalted = async ({ runner }: ActionContext, itemId: string, change: () => void): Promise<void> => {
  await runner.halt(itemId);
  try {
    change();
  } catch (error) {
    runner.start(itemId);
    throw error;
  }
};

/** Stops an item unless it has already stopped or waits for the person. */
export const cancelRunningItem = async (parts: ActionContext, itemId: string): Promise<ItemView> => {
  const { table, clock, notifyItemChanged } = parts.context;
  const item = parts.reads.need(itemId);
  if (automaticSteps[item.step] && item.stop === null) {
    const stop = createCancelledStop(item.step === 'writing' ? 'CANCELLED.writing' : 'CANCELLED');
    await changeWhileHalted(parts, itemId, () => table.change(itemId, { stop }, clock.now()));
    notifyItemChanged(itemId);
  }
  return readCurrentView(parts, itemId);
};

/** Resumes a stopped item. Requests another generation if the listing must be generated again. */
export const resumeStoppedItem = async (parts: ActionContext, itemId: string): Promise<ItemView> => {
  const item = parts.reads.need(itemId);
  parts.context.pacing.hurry();
  if (item.stop?.next.includes('write_again')) return generateListingAgain(parts, item);
  if (item.stop?.code === unknownListingCode) return rereadListingUnknownAtService(parts, item);
  clearStop(parts, itemId);
  return readCurrentView(parts, itemId);
};

/** Resumes a stopped item for its assistant. Does nothing if only the person may resume the item. */
export const retryStoppedItem = async (parts: ActionContext, itemId: string): Promise<void> => {
  const item = parts.reads.need(itemId);
  if (!isRetriable(item)) return;
  if (item.stop?.code === usageLimitCode) await generateListingAgain(parts, item);
  else clearStop(parts, itemId);
};

const clearStop = ({ context: { table, clock, notifyItemChanged }, runner }: ActionContext, itemId: string): void => {
  table.change(itemId, { stop: null }, clock.now());
  runner.start(itemId);
  notifyItemChanged(itemId);
};

/**
 * Reads the listing of an item that stopped because the service did not know the listing. If it now does, the read
 * clears the stop.
 */
const rereadListingUnknownAtService = async (parts: ActionContext, item: ItemRow): Promise<ItemView> => {
  const input = { params: { listingId: item.listing_id ?? '' } };
  try {
    await parts.context.perform({ by: { kind: 'person' }, route: 'readListing', input });
  } catch (error) {
    if (!isUnknownAtService(error)) throw error;
  }
  return readCurrentView(parts, item.item_id);
};

/** Continues an item without its unreadable photos. Throws `TOO_LATE` if all or none of its photos are unreadable. */
export const skipUnreadablePhotos = (parts: ActionContext, itemId: string): ItemView => {
  const { table, clock, notifyItemChanged } = parts.context;
  if (!parts.reads.need(itemId).stop?.next.includes('without_photos')) throw createProblem('TOO_LATE.photos');
  table.atomically(() => {
    for (const { photo_id, code } of table.photos(itemId))
      if (isUnreadableNow(code)) table.changePhoto(photo_id, { state: 'refused' });
    table.change(itemId, { stop: null }, clock.now());
  });
  parts.runner.start(itemId);
  notifyItemChanged(itemId);
  return readCurrentView(parts, itemId);
};

const startFirstGeneration = (
  parts: ActionContext,
  { account, item_id: itemId }: ItemRow,
  listingId: string,
): ItemView => {
  const { generations, table, clock, notifyItemChanged } = parts.context;
  generations.note(account, listingId, 'not_started', { at: clock.now() });
  table.change(itemId, { step: 'line', stop: null, writing_since: null }, clock.now());
  parts.runner.start(itemId);
  notifyItemChanged(itemId);
  return readCurrentView(parts, itemId);
};

/** Another generation uses up another listing of the allowance, so it needs an approval. */
const generateListingAgain = async (parts: ActionContext, item: ItemRow): Promise<ItemView> => {
  const { perform } = parts.context;
  const listingId = item.listing_id ?? '';
  const signal = new AbortController().signal;
  const by: Asker = { kind: 'person' };
  const { status } = await revertFailedListing(parts.context, listingId);
  // If the listing is not a draft, the revert has restored an earlier generated text, which is ready for review.
  if (status !== 'draft') return readCurrentView(parts, item.item_id);
  if (item.stop?.code === usageLimitCode) return startFirstGeneration(parts, item, listingId);
  await perform({ by, route: 'generateListing', input: { params: { listingId } }, signal });
  return readCurrentView(parts, item.item_id);
};

/** Removes an item and its photos. Deletes copies of the originals but never the person's own files. */
export const removeItemWithPhotos = async (parts: ActionContext, itemId: string): Promise<void> => {
  const { table, notifyItemChanged } = parts.context;
  parts.reads.need(itemId);
  // The outcome of a running change would be lost with the item.
  if (isRunningChange(table.photoChanges.read(itemId))) throw createProblem('PHOTOS_UPLOADING');
  const owned: string[] = [];
  await changeWhileHalted(parts, itemId, () => {
    const all = [...table.photos(itemId), ...table.removedPhotos(itemId)];
    for (const photo of all) if (photo.owned === 1) owned.push(photo.source);
    table.remove(itemId);
  });
  await Promise.all(owned.map((source) => discardFile(source)));
  notifyItemChanged(itemId);
};

/**
 * Removes the items whose quantity a done request has added to a live listing. Keeps an item that already has a draft,
 * because the person had started it. Can be repeated after a crash.
 */
export const removeAddedItems = async (parts: ActionContext): Promise<void> => {
  const { table, account, approvalsTable } = parts.context;
  for (const { approval_id: approvalId, added_item_id: itemId } of approvalsTable.listAddedItems(account())) {
    if (table.read(itemId)?.listing_id === null) await removeItemWithPhotos(parts, itemId);
    approvalsTable.forgetAddedItem(approvalId);
  }
};

const changeGenerationContext = (
  parts: ActionContext,
  itemId: string,
  changes: Partial<ItemFields> | { text_used: number },
): ItemView => {
  const { table, clock, notifyItemChanged } = parts.context;
  if (parts.reads.need(itemId).draft_sent_at !== null) throw createProblem('TOO_LATE.note', { field: 'note' });
  table.change(itemId, changes, clock.now());
  notifyItemChanged(itemId);
  return readCurrentView(parts, itemId);
};

export const changeItemFields = (parts: ActionContext, itemId: string, changes: Partial<ItemFields>): ItemView =>
  changeGenerationContext(parts, itemId, changes);

export const setFolderTextUsed = (parts: ActionContext, itemId: string, used: boolean): ItemView =>
  changeGenerationContext(parts, itemId, { text_used: used ? 1 : 0 });

const getVisibleParts = (listing: Listing) => [toBoundListing(listing), listing.imageUrls?.length ?? 0];

/**
 * Marks a listing as checked by the person. `seen` is the listing that the person saw; null removes the mark. Throws
 * `LOOK_AGAIN` if the listing has changed since then.
 */
export const markListingChecked = (parts: ActionContext, itemId: string, seen: Listing | null): ItemView => {
  const { table, clock, notifyItemChanged, listings, account } = parts.context;
  const { step, stop, listing_id: listingId } = parts.reads.need(itemId);
  if (seen !== null && isRunningChange(table.photoChanges.read(itemId))) throw createProblem('PHOTOS_UPLOADING');
  if (step === 'review' && stop === null) {
    const now = listings.read(account(), listingId ?? '');
    if (seen !== null && (now === null || !isDeepStrictEqual(getVisibleParts(now), getVisibleParts(seen))))
      throw createProblem('LOOK_AGAIN');
    table.change(itemId, { checked_at: seen === null ? null : clock.now() }, clock.now());
  }
  notifyItemChanged(itemId);
  return readCurrentView(parts, itemId);
};

/** Defers an item until the person has reviewed it. Throws `TOO_LATE` if a photo already has an upload slot. */
export const deferItemForReview = async (parts: ActionContext, itemId: string): Promise<ItemView> => {
  const { table, clock, notifyItemChanged } = parts.context;
  parts.reads.need(itemId);
  await changeWhileHalted(parts, itemId, () => {
    const item = parts.reads.need(itemId);
    if (!isArrangeable(item, table.photos(itemId))) throw createProblem('TOO_LATE.photos');
    if (getReviewReason(item.review_reason) !== null || item.stop !== null) return;
    const step = item.step === 'photos' ? 'photos' : 'arranging';
    table.change(itemId, { review_reason: 'requested', step }, clock.now());
  });
  parts.runner.start(itemId);
  notifyItemChanged(itemId);
  return readCurrentView(parts, itemId);
};

/** Sets or removes the template of an item. Throws `TOO_LATE` if the draft has already been sent. */
export const chooseItemTemplate = (parts: ActionContext, itemId: string, templateId: string | null): ItemView => {
  const { table, clock, notifyItemChanged } = parts.context;
  const item = parts.reads.need(itemId);
  if (item.draft_sent_at !== null || item.listing_id !== null) throw createProblem('TOO_LATE.template');
  const goesOn = item.stop?.code === 'TEMPLATE_GONE';
  table.change(itemId, { template_id: templateId ?? '', ...(goesOn ? { stop: null } : {}) }, clock.now());
  if (goesOn) parts.runner.start(itemId);
  notifyItemChanged(itemId);
  return readCurrentView(parts, itemId);
};

/** Stores whether the person confirmed a barcode. If the listing is in review, a confirmed barcode is added to it. */
export const storeBarcodeChoice = async (
  parts: ActionContext,
  itemId: string,
  value: string,
  state: BarcodeView['state'],
): Promise<ItemView> => {
  const { context, reads } = parts;
  const { table, clock } = context;
  const item = reads.need(itemId);
  if (!listItemBarcodes(item, table.photos(itemId)).some((one) => one.value === value))
    throw createProblem('NOT_FOUND.barcode');
  const { [value]: _before, ...others } = item.barcode_choices;
  const barcode_choices = state === 'offered' ? others : { ...others, [value]: state };
  table.change(itemId, { barcode_choices }, clock.now());
  if (item.step === 'review' && state === 'confirmed') {
    const { signal } = new AbortController();
    const listing = await readItemListing(context, item, signal);
    await applyConfirmedIdentifiers(context, reads.need(itemId), listing, signal);
  }
  context.notifyItemChanged(itemId);
  return readCurrentView(parts, itemId);
};

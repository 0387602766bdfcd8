import { randomUUID } from 'node:crypto';
import { createProblem } from '../base/problem.ts';
import { toRecordOrEmpty } from '../base/json.ts';
import { person } from '../base/request.ts';
import { type Listing, listing as listingShape } from '../../contract/index.ts';
import type { ItemView } from '../storage/tables/itemRecord.ts';
import type { NewPhoto } from '../storage/tables/itemsTable.ts';
import type { ItemsContext } from './itemsContext.ts';
import { isArrangeable, isPhotoStop } from './itemState.ts';
import type { ItemReader } from './itemView.ts';
import type { ItemAdder } from './adding/addItems.ts';
import type { ItemRunner } from './itemRunner.ts';

type ListingPhotosContext = {
  context: ItemsContext;
  reads: Pick<ItemReader, 'need' | 'view'>;
  runner: Pick<ItemRunner, 'halt'>;
  adder: Pick<ItemAdder, 'addInto'>;
};

export type NewItemPhotoList = Omit<NewPhoto, 'photoId'>[];

/** Reads a listing. If its generation failed, it is reverted first, which costs nothing. */
export const revertFailedListing = async (
  { perform }: Pick<ItemsContext, 'perform'>,
  listingId: string,
): Promise<Listing> => {
  const signal = new AbortController().signal;
  const input = { params: { listingId } };
  const readListingNow = async (): Promise<Listing> => {
    const outcome = await perform({ by: person, route: 'readListing', input, signal });
    return listingShape.parse(outcome.state === 'done' ? outcome.answer : null);
  };
  const now = await readListingNow();
  if (toRecordOrEmpty(now)['status'] !== 'failed') return now;
  await perform({ by: person, route: 'revertListing', input, signal });
  return readListingNow();
};

/**
 * Lets the person replace photos that the service could not read. The listing becomes a draft again. Nothing is
 * uploaded or charged before the person starts the item.
 */
export const reopenPhotoArrangement = async (parts: ListingPhotosContext, itemId: string): Promise<ItemView> => {
  const { context, reads, runner } = parts;
  const { table, clock, notifyItemChanged } = context;
  const item = reads.need(itemId);
  if (item.listing_id === null || !item.stop?.next.includes('change_photos')) throw createProblem('TOO_LATE.photos');
  const { status } = await revertFailedListing(context, item.listing_id);
  // If the listing is not a draft, the revert has restored an earlier generated text and its photos, which are ready
  // for review.
  if (status !== 'draft') return reads.view(reads.need(itemId));
  await runner.halt(itemId);
  table.atomically(() => {
    table.photoChanges.remove(itemId);
    for (const { photo_id } of [...table.photos(itemId), ...table.removedPhotos(itemId)])
      table.changePhoto(photo_id, { slot: null, slot_at: null, uploaded_at: null });
    const fresh = { stop: null, writing_since: null, extras_approval: null };
    table.change(
      itemId,
      { ...fresh, step: 'arranging', review_reason: 'replacingPhotos', photos_from: 0 },
      clock.now(),
    );
  });
  notifyItemChanged(itemId);
  return reads.view(reads.need(itemId));
};

/** Adds photos to an item. Throws `TOO_LATE` if a photo already has an upload slot. */
export const addPhotosToItem = async (
  { context, reads, adder }: ListingPhotosContext,
  itemId: string,
  photos: NewItemPhotoList,
): Promise<string> => {
  const { table, clock } = context;
  await adder.addInto(itemId, photos, () => {
    const item = reads.need(itemId);
    if (!isArrangeable(item, table.photos(itemId))) throw createProblem('TOO_LATE.photos');
    table.change(itemId, { step: 'photos', stop: isPhotoStop(item.stop) ? null : item.stop }, clock.now());
  });
  return itemId;
};

/**
 * Adds photos to a listing that is not generated yet, and creates an item if the listing has none. Photos in a draft
 * are kept unless the service could not read them.
 */
export const addPhotosToListing = async (
  parts: ListingPhotosContext,
  listingId: string,
  photos: NewItemPhotoList,
): Promise<string> => {
  const { context, adder } = parts;
  const { table, clock, account } = context;
  const known = table.ofListing(account(), listingId);
  if (known !== null) return addPhotosToItem(parts, known.item_id, photos);
  const wasUnread = context.listings.read(account(), listingId)?.processingErrorCode === 'IMAGES_UNREADABLE';
  const listing = await revertFailedListing(context, listingId);
  if (listing.status !== 'draft') throw createProblem('TOO_LATE.photos');
  const itemId = `it_${randomUUID()}`;
  const at = clock.now();
  const item = {
    ...{ item_id: itemId, account: account(), by: person, idempotency_key: randomUUID(), created_at: at },
    name: listing.title ?? photos[0]?.name ?? '',
    quantity: listing.quantity ?? 1,
    marketplace_id: listing.marketplaceId ?? null,
    review_reason: 'replacingPhotos' as const,
    ...{ listing_id: listingId, draft_sent_at: at },
    photos_from: wasUnread ? 0 : (listing.imageUrls?.length ?? 0),
  };
  await adder.addInto(itemId, photos, () => table.add(item, []));
  return itemId;
};

import { randomUUID } from 'node:crypto';
import { setImmediate as immediate } from 'node:timers/promises';
import type { Asker } from '../base/request.ts';
import { begunCallRetentionMs, type ItemCall, type SkippedPhoto } from '../storage/tables/begunCallsTable.ts';
import type { ItemRow, NewPhoto, GenerationWishes } from '../storage/tables/itemsTable.ts';
import type { ItemsContext } from './itemsContext.ts';
import { type ItemReads, createItemReads } from './itemView.ts';
import { type ItemRunner, createItemRunner } from './itemRunner.ts';
import type { Listing } from '../../contract/index.ts';
import { type ItemChangeLog, createItemChangeLog, recordSettledItems } from './itemChanges.ts';
import { createCancelledStop, createItemProblem, toItemError, unknownListingCode } from './itemState.ts';
import { automaticSteps, stepOfStatus } from './itemSteps.ts';
import {
  readReviewReason,
  type BarcodeView,
  type ItemFields,
  type ReviewReason,
} from '../storage/tables/itemRecord.ts';
import { createArrangementActions } from './arrangementActions.ts';
import { readContactSheet } from './contactSheet.ts';
import { addPhotosToItem, addPhotosToListing, reopenPhotoArrangement, type NewItemPhotoList } from './listingPhotos.ts';
import {
  changeItemFields,
  chooseItemTemplate,
  cancelRunningItem,
  markListingChecked,
  decideItemBarcode,
  deferItemForReview,
  removeItemWithPhotos,
  resumeStoppedItem,
  skipUnreadablePhotos,
  useFolderText,
} from './itemActions.ts';
import type { FolderText } from '../photos/folderWords.ts';
import { createItemList } from './itemList.ts';
import { createPhotoPreparation } from './photoPreparation.ts';
import { createUnreadableWatch } from './unreadableWatch.ts';

/** A set of photos that becomes one item. With a `reviewReason`, nothing is sent before the person starts it. */
type NewItemPhotos = {
  name: string;
  note: string;
  reviewReason?: ReviewReason | null;
  text?: FolderText | null;
  /**
   * The assistant's call that creates the item, stored so that a repeated call is idempotent, with the photos that it
   * left out.
   */
  call?: (ItemCall & { left: SkippedPhoto[] }) | undefined;
  photos: Omit<NewPhoto, 'photoId'>[];
};

export type PhotosTarget = { itemId: string } | { listingId: string };

export type StartContext = {
  context: ItemsContext;
  reads: Pick<ItemReads, 'need'>;
  runner: Pick<ItemRunner, 'startInTurn'>;
};

/** The number of items changed in one transaction. */
const startChunkSize = 100;

/** Creates and starts an item for each set. Returns the item ids in the order of the sets. */
const addItemsFromSets = (
  { context, runner }: StartContext,
  sets: NewItemPhotos[],
  by: Asker,
  wishes: GenerationWishes,
): string[] => {
  const { table, clock, ages, account } = context;
  const { useFolderTexts: used } = context.settings();
  const itemIds = table.atomically(() =>
    sets.map(({ name, note, reviewReason = null, text = null, call, photos }) => {
      const itemId = `it_${randomUUID()}`;
      table.add(
        {
          ...{ item_id: itemId, account: account(), name, note, by, review_reason: reviewReason },
          ...{ idempotency_key: randomUUID(), created_at: clock.now() },
          ...(text && { text_name: text.name, text: text.text, text_used: used ? 1 : 0 }),
          quantity: wishes.quantity ?? 1,
          marketplace_id: wishes.marketplaceId ?? null,
          listing_language: wishes.listingLanguage ?? null,
          template_id: wishes.templateId === undefined ? context.settings().templateId : (wishes.templateId ?? ''),
        },
        photos.map((photo) => ({ ...photo, photoId: `ph_${randomUUID()}` })),
      );
      if (call) {
        ages.note(getCallAgeKey(call));
        const times = { at: clock.now(), forgetBefore: ages.earliestAt(begunCallRetentionMs) };
        table.begun.put(call, { itemId, left: call.left }, times);
      }
      return itemId;
    }),
  );
  itemIds.forEach(context.notifyItemChanged);
  void runner.startInTurn(itemIds);
  return itemIds;
};

const startDeferredChunk = ({ context, reads }: StartContext, itemIds: readonly string[]): string[] => {
  const { table, clock } = context;
  const begun = table.atomically(() =>
    itemIds.filter((itemId) => {
      const { review_reason: reason, step } = reads.need(itemId);
      if (readReviewReason(reason) === null) return false;
      const next = step === 'arranging' ? { step: 'photos' as const } : {};
      table.change(itemId, { review_reason: 'reviewed', ...next }, clock.now());
      return true;
    }),
  );
  begun.forEach(context.notifyItemChanged);
  return begun;
};

/**
 * Starts deferred items after the person's review. Returns how many. Writes in chunks, so that
 * thousands of items do not block the event loop.
 */
const startDeferredItems = async (parts: StartContext, itemIds: readonly string[]): Promise<number> => {
  let begun = 0;
  for (let from = 0; from < itemIds.length; from += startChunkSize) {
    const some = startDeferredChunk(parts, itemIds.slice(from, from + startChunkSize));
    begun += some.length;
    void parts.runner.startInTurn(some);
    await immediate();
  }
  return begun;
};

export type FollowContext = {
  context: ItemsContext;
  runner: Pick<ItemRunner, 'start' | 'isOn'>;
  changes: Pick<ItemChangeLog, 'note'>;
};

/** Updates the item of a listing after any read of the listing. */
const followReadListing = ({ context, runner, changes }: FollowContext, listing: Listing): void => {
  const { table, clock, account } = context;
  const item = table.ofListing(account(), listing.listingId);
  if (!item) return;
  changes.note(item.item_id);
  const isDraft = listing.status === 'draft';
  const wasUnknown = isUnknownListing(item.stop);
  // A draft is still in progress, so its item continues at its previous step.
  const step = isDraft && wasUnknown ? item.step : stepOfStatus[listing.status];
  const overtaken = step === 'live' || step === 'ended';
  const resting = !runner.isOn(item.item_id) && item.stop?.kind !== 'cancelled' && listing.status !== 'failed';
  const mayFollow = overtaken || (resting && (!isDraft || wasUnknown));
  if (mayFollow && (item.step !== step || item.stop !== null)) {
    table.change(item.item_id, { step, stop: null }, clock.now());
    if (automaticSteps[step]) runner.start(item.item_id);
    context.notifyItemChanged(item.item_id);
  }
};

/**
 * Stops the item of a listing that the service does not know. The stop clears once the service knows the listing again.
 */
const stopForUnknownListing = ({ context, runner }: FollowContext, listingId: string): void => {
  const { table, clock, account } = context;
  const item = table.ofListing(account(), listingId);
  // A running step reads the listing itself and stops.
  if (!item || runner.isOn(item.item_id) || item.stop?.kind === 'cancelled' || isUnknownListing(item.stop)) return;
  table.change(item.item_id, { stop: toItemError(createItemProblem(unknownListingCode), null) }, clock.now());
  context.notifyItemChanged(item.item_id);
};

const isUnknownListing = (stop: ItemRow['stop']): boolean => stop?.code === unknownListingCode;

/** Updates the items whose cached listings are further along. */
const catchUpWithListings = (parts: FollowContext): void => {
  const { table, account, listings } = parts.context;
  for (const listingId of table.behindTheirListings(account())) {
    const listing = listings.read(account(), listingId);
    if (listing) followReadListing(parts, listing);
  }
};

/** Clears the person's check mark, because the listing has changed since. */
const clearCheckedMark = ({ context }: FollowContext, listingId: string): void => {
  const { table, clock, account } = context;
  const item = table.ofListing(account(), listingId);
  if (item?.checked_at == null) return;
  table.change(item.item_id, { checked_at: null }, clock.now());
  context.notifyItemChanged(item.item_id);
};

/** Stops the item of a listing that was deleted at the service. The item keeps its photos. */
const markListingDeleted = ({ context }: FollowContext, listingId: string): void => {
  const { table, clock, account } = context;
  const item = table.ofListing(account(), listingId);
  if (!item) return;
  table.change(item.item_id, { stop: createCancelledStop('DELETED') }, clock.now());
  context.notifyItemChanged(item.item_id);
};

type ItemsDependencies = Omit<ItemsContext, 'preparing' | 'sentBytes' | 'watchUnreadable'>;

/** Creates the parts that all calls share: context, runner, reads, changes and the watch for unreadable photos. */
const createItemsParts = (given: ItemsDependencies) => {
  const changes = createItemChangeLog();
  const parts = { ...given, table: recordSettledItems(given.table, changes) };
  const notifyItemChanged = (itemId: string): void => {
    changes.note(itemId);
    parts.notifyItemChanged(itemId);
  };
  const preparing = createPhotoPreparation({ ...parts, notifyItemChanged });
  const watch = createUnreadableWatch({
    ...parts,
    notifyItemChanged,
    start: (itemId) => runner.start(itemId),
  });
  const context: ItemsContext = {
    ...parts,
    notifyItemChanged,
    preparing,
    watchUnreadable: watch.begin,
    sentBytes: new Map(),
  };
  const runner = createItemRunner(context);
  parts.pacing.onServiceStateChange(runner.turned);
  return { context, runner, reads: createItemReads(context, runner, changes), changes, watch };
};

const getCallAgeKey = ({ assistantId, key }: Omit<ItemCall, 'wish'>): string => `call ${assistantId} ${key}`;

export type Items = ReturnType<typeof createItems>;

/**
 * Runs every item from step to step. The result of a step is on disk before the next one starts, so that a crash at any
 * point resumes with the same step.
 */
export const createItems = (given: ItemsDependencies) => {
  const own = createItemsParts(given);
  const { context, runner, reads, changes, watch } = own;
  const { table, clock, ages, account } = context;

  return {
    ...reads,
    add: (sets: NewItemPhotos[], by: Asker, wishes: GenerationWishes = {}) => addItemsFromSets(own, sets, by, wishes),
    /** Returns what an assistant's call has created; null for nothing. */
    begunBy: (call: Omit<ItemCall, 'wish'>) => {
      const begun = table.begun.find(call, account());
      return begun && ages.ageMs(getCallAgeKey(call), begun.at) < begunCallRetentionMs ? begun : null;
    },
    /** Forgets these calls, so that repeating them starts new work. */
    forgetCalls: table.begun.forget,
    /** Starts deferred items after the person's review: the given ones, or all. Returns how many. */
    begin: (itemIds: readonly string[] = table.pages.deferred(account())) => startDeferredItems(own, itemIds),
    cancel: (itemId: string) => cancelRunningItem(own, itemId),
    resume: (itemId: string) => resumeStoppedItem(own, itemId),
    /** Continues an item without its unreadable photos. */
    skipUnreadable: (itemId: string) => skipUnreadablePhotos(own, itemId),
    remove: (itemId: string) => removeItemWithPhotos(own, itemId),
    change: (itemId: string, changes: Partial<ItemFields>) => changeItemFields(own, itemId, changes),
    beginWith: (itemId: string, templateId: string | null) => chooseItemTemplate(own, itemId, templateId),
    /** Sets whether the text file beside the photos is used. Also the default for later items. */
    useText: (itemId: string, used: boolean) => useFolderText(own, itemId, used),
    /** Marks the item's listing as checked by the person. */
    check: (itemId: string, seen: Listing | null) => markListingChecked(own, itemId, seen),
    /** Defers an item until the person has reviewed it. */
    defer: (itemId: string) => deferItemForReview(own, itemId),
    barcode: (itemId: string, value: string, state: BarcodeView['state']) =>
      decideItemBarcode(own, itemId, value, state),
    changePhotos: (itemId: string) => reopenPhotoArrangement(own, itemId),
    /** Adds photos to an item that can be arranged, or to a listing that is not generated yet. Returns the item id. */
    addPhotos: (into: PhotosTarget, photos: NewItemPhotoList) =>
      'itemId' in into ? addPhotosToItem(own, into.itemId, photos) : addPhotosToListing(own, into.listingId, photos),
    contactSheet: () => readContactSheet(context),
    arranging: createArrangementActions(context, { ...reads, ...runner }),
    follow: (listing: Listing) => followReadListing(own, listing),
    /** A listing was edited by an assistant or generated again, so the person must check it again. */
    listingEdited: (listingId: string) => clearCheckedMark(own, listingId),
    listingMissed: (listingId: string) => stopForUnknownListing(own, listingId),
    listingDeleted: (listingId: string) => markListingDeleted(own, listingId),
    get: (itemId: string) => reads.view(reads.need(itemId)),
    list: createItemList({
      pages: table.pages,
      ...{ account, clock, changes },
      placeInLine: context.writingSemaphore.position,
      trouble: runner.trouble,
    }),
    /** Returns the item id of a listing; null when it has none. */
    ofListing: (listingId: string): string | null => table.ofListing(account(), listingId)?.item_id ?? null,
    /** Resumes every unfinished item, oldest first. Items whose listing is being generated keep their places. */
    start: () => {
      runner.open();
      catchUpWithListings(own);
      watch.begin();
      void runner.startInTurn(table.pages.underWay(account(), Object.keys(automaticSteps)));
    },
    /** Retries items that failed while offline. */
    reconnected: () => {
      const itemIds = table.pages.unconnected(account());
      table.atomically(() => itemIds.forEach((itemId) => table.change(itemId, { stop: null }, clock.now())));
      void runner.startInTurn(itemIds);
    },
    stop: async () => {
      watch.stop();
      await runner.stop();
    },
  };
};

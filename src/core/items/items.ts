import { setImmediate as immediate } from 'node:timers/promises';
import { toProblemView } from '../base/problem.ts';
import { cutIntoSlices } from '../base/slices.ts';
import type { ItemRow } from '../storage/tables/itemsTable.ts';
import { createItemAdder } from './adding/addItems.ts';
import type { ItemsContext } from './itemsContext.ts';
import { type ItemReader, createItemReader } from './itemView.ts';
import { type ItemRunner, createItemRunner } from './itemRunner.ts';
import { findListingCurrency, type Listing } from '../../contract/index.ts';
import { type ItemChangeLog, createItemChangeLog, createChangeRecordingTable } from './itemChanges.ts';
import { createCancelledStop, createItemProblem, toItemError, unknownListingCode } from './itemState.ts';
import { automaticSteps, stepOfStatus } from './itemSteps.ts';
import { getReviewReason, type BarcodeView, type ItemFields, type PrivatePart } from '../storage/tables/itemRecord.ts';
import { readShelfFields } from '../photos/privateWords.ts';
import { createArrangementActions, createArrangementQueue } from './arranging/arrangementActions.ts';
import { createContactSheetReader } from './arranging/contactSheet.ts';
import { createContactSheetChanges } from './arranging/contactSheetChanges.ts';
import { createDropGrouper } from './arranging/groupPhotos.ts';
import { addPhotosToItem, addPhotosToListing, reopenPhotoArrangement, type NewItemPhotoList } from './listingPhotos.ts';
import {
  changeItemFields,
  chooseItemTemplate,
  cancelRunningItem,
  markListingChecked,
  storeBarcodeChoice,
  deferItemForReview,
  removeAddedItems,
  removeItemWithPhotos,
  resumeStoppedItem,
  retryStoppedItem,
  skipUnreadablePhotos,
  setFolderTextUsed,
} from './itemActions.ts';
import { createItemCalls } from './itemCalls.ts';
import { createItemList } from './itemList.ts';
import { createPhotoPreparation } from './photoPreparation.ts';
import { createUnreadableWatch } from './unreadableWatch.ts';
import { createPhotoChangeRunner } from './photoChange/photoChangeRunner.ts';
import { createPhotoChanges } from './photoChange/photoChanges.ts';
import { createItemFromWishedPhotos } from './photoChange/writeAgain.ts';

export type PhotosTarget = { itemId: string } | { listingId: string };

export type StartContext = {
  context: ItemsContext;
  reads: Pick<ItemReader, 'need'>;
  runner: Pick<ItemRunner, 'startInTurn'>;
};

const startChunkSize = 100;

/** A cost without a sign has no currency until the site of its listing is known. */
const storeCostOfFolder = ({ table }: ItemsContext, item: ItemRow, listing: Listing): void => {
  if (!item.private_words.some(({ kind }) => kind === 'cost')) return;
  const row = table.shelf.ofItem(item.account, item.item_id);
  const isUntouched = row !== null && row.fields.cost === null && row.changed_at <= item.created_at;
  const { cost = null } = readShelfFields(item.private_words, findListingCurrency(listing));
  if (isUntouched && cost !== null) table.shelf.change(row, { cost }, row.changed_at);
};

/**
 * A person who starts an item that waited as a possible duplicate says that it is not the thing of the live listing.
 */
const keepStartedDifferent = (
  { findDuplicates, duplicates, account }: ItemsContext,
  { item_id: itemId, review_reason: reason }: ItemRow,
): void => {
  if (reason !== 'liveDuplicate' && reason !== 'repeated') return;
  for (const live of findDuplicates({ itemId }, null)) duplicates.keepDifferent(account(), { itemId }, live);
};

const startDeferredChunk = ({ context, reads }: StartContext, itemIds: readonly string[]): string[] => {
  const { table, clock } = context;
  itemIds.forEach((itemId) => keepStartedDifferent(context, reads.need(itemId)));
  const begun = table.atomically(() =>
    itemIds.filter((itemId) => {
      const { review_reason: reason, step } = reads.need(itemId);
      if (getReviewReason(reason) === null) return false;
      const next = step === 'arranging' ? { step: 'photos' as const } : {};
      table.change(itemId, { review_reason: 'reviewed', ...next }, clock.now());
      return true;
    }),
  );
  begun.forEach(context.notifyItemChanged);
  return begun;
};

/** Starts items in chunks, so that thousands of items do not block the event loop. */
const startDeferredItems = async (parts: StartContext, itemIds: readonly string[]): Promise<number> => {
  let begun = 0;
  for (const chunk of cutIntoSlices(itemIds, startChunkSize)) {
    const some = startDeferredChunk(parts, chunk);
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

const updateItemFromListing = ({ context, runner, changes }: FollowContext, listing: Listing): void => {
  const { table, clock, account } = context;
  const item = table.ofListing(account(), listing.listingId);
  if (!item) return;
  storeCostOfFolder(context, item, listing);
  changes.note(item.item_id);
  const isDraft = listing.status === 'draft';
  const wasUnknown = isUnknownListingStop(item.stop);
  // A draft is not generated yet, so its item continues at its previous step.
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

const stopItemOfUnknownListing = ({ context, runner }: FollowContext, listingId: string): void => {
  const { table, clock, account } = context;
  const item = table.ofListing(account(), listingId);
  // If a step is running, it reads the listing itself and stops the item.
  if (!item || runner.isOn(item.item_id) || item.stop?.kind === 'cancelled' || isUnknownListingStop(item.stop)) return;
  table.change(item.item_id, { stop: toItemError(createItemProblem(unknownListingCode), null) }, clock.now());
  context.notifyItemChanged(item.item_id);
};

const isUnknownListingStop = (stop: ItemRow['stop']): boolean => stop?.code === unknownListingCode;

const updateItemsFromListings = (parts: FollowContext): void => {
  const { table, account, listings } = parts.context;
  for (const listingId of table.behindTheirListings(account())) {
    const listing = listings.read(account(), listingId);
    if (listing) updateItemFromListing(parts, listing);
  }
};

/** Removes the person's mark from a listing that has changed, so that the person checks it again. */
const clearCheckedMark = ({ context }: FollowContext, listingId: string): void => {
  const { table, clock, account } = context;
  const item = table.ofListing(account(), listingId);
  if (item?.checked_at == null) return;
  table.change(item.item_id, { checked_at: null }, clock.now());
  context.notifyItemChanged(item.item_id);
};

const stopItemOfDeletedListing = ({ context }: FollowContext, listingId: string): void => {
  const { table, clock, account } = context;
  const item = table.ofListing(account(), listingId);
  if (!item) return;
  table.change(item.item_id, { stop: createCancelledStop('DELETED') }, clock.now());
  context.notifyItemChanged(item.item_id);
};

type ItemsDependencies = Omit<
  ItemsContext,
  'notifyItemChanged' | 'preparing' | 'sentBytes' | 'watchUnreadable' | 'arrangeInTurn' | 'groupDrop'
>;

const createItemsParts = (given: ItemsDependencies) => {
  const changes = createItemChangeLog();
  const parts = { ...given, table: createChangeRecordingTable(given.table, changes) };
  const notifyItemChanged = (itemId: string): void => {
    changes.note(itemId);
    parts.notifyWindows();
  };
  const preparing = createPhotoPreparation({ ...parts, notifyItemChanged });
  const watch = createUnreadableWatch({
    ...parts,
    notifyItemChanged,
    start: (itemId) => runner.start(itemId),
  });
  const arrangeInTurn = createArrangementQueue();
  const drops = createDropGrouper({ ...parts, notifyItemChanged, arrangeInTurn });
  const sheet = createContactSheetReader(parts, changes);
  const context: ItemsContext = {
    ...parts,
    ...{ notifyItemChanged, preparing, arrangeInTurn },
    groupDrop: drops.group,
    watchUnreadable: watch.begin,
    sentBytes: new Map(),
  };
  const runner = createItemRunner(context);
  parts.pacing.onServiceStateChange(runner.turned);
  const photoRunner = createPhotoChangeRunner(context);
  const adder = createItemAdder(context, runner);
  const reads = createItemReader(context, { trouble: runner.trouble, photoTrouble: photoRunner.trouble }, changes);
  return { context, runner, photoRunner, adder, reads, changes, watch, drops, sheet };
};

type ItemsParts = ReturnType<typeof createItemsParts>;

const createPhotoChangeActions = (own: ItemsParts) => ({
  ...createPhotoChanges(own),
  /** Creates another item from the new photos. The item waits until the person starts it. Returns its id. */
  writeAgain: (itemId: string) => createItemFromWishedPhotos(own, itemId),
});

const resumePhotoChanges = ({ context, photoRunner }: ItemsParts): void => {
  photoRunner.open();
  for (const itemId of context.table.photoChanges.listRunning(context.account())) photoRunner.start(itemId);
};

/** Runs in the background. An item that cannot be removed now is removed at the next start. */
const removeAddedItemsLater = (own: ItemsParts): void =>
  void removeAddedItems(own).catch((error: unknown) =>
    own.context.log('warn', 'added item could not be removed', { code: toProblemView(error).code }),
  );

const createItemsLifecycle = (own: ItemsParts) => {
  const { context, runner, photoRunner, adder, watch, drops, sheet } = own;
  const { table, clock, account } = context;
  return {
    removeAddedItems: () => removeAddedItemsLater(own),
    start: () => {
      runner.open();
      updateItemsFromListings(own);
      removeAddedItemsLater(own);
      watch.begin();
      adder.resume();
      void runner.startInTurn(table.pages.underWay(account(), Object.keys(automaticSteps)));
      resumePhotoChanges(own);
      drops.open();
      drops.groupAll();
    },
    reconnected: () => {
      const itemIds = table.pages.unconnected(account());
      table.atomically(() => itemIds.forEach((itemId) => table.change(itemId, { stop: null }, clock.now())));
      own.context.notifyWindows();
      void runner.startInTurn(itemIds);
      resumePhotoChanges(own);
    },
    stop: async () => {
      watch.stop();
      sheet.stop();
      await Promise.all([runner.stop(), photoRunner.stop(), adder.stop(), drops.stop()]);
    },
  };
};

const createListReads = ({ context, runner, changes, sheet }: ItemsParts) => {
  const { table, account, clock, readWarnings, writingSemaphore } = context;
  const list = createItemList({
    ...{ pages: table.pages, shelf: table.shelf, account, clock, changes, readWarnings },
    placeInLine: writingSemaphore.position,
    trouble: runner.trouble,
  });
  const sheetChanges = createContactSheetChanges();
  return {
    ...{ list, sheetChanges },
    contactSheet: { load: sheet.load, readOrder: sheet.readOrder, readRow: sheet.readRow },
    /** Forgets the texts of the contact sheet and of searches. */
    releaseTexts: (): void => {
      for (const { release } of [sheet, sheetChanges, list]) release();
    },
  };
};

export type Items = ReturnType<typeof createItemsService>;

/**
 * Creates the items service. It stores the result of each step on disk before the next step, so that an item resumes
 * after a crash.
 */
export const createItemsService = (given: ItemsDependencies) => {
  const own = createItemsParts(given);
  const { context, runner, reads } = own;
  const { table, account } = context;
  /** The changed item may have been the last one for which the other photos of its drop waited. */
  const runAndGroupDrops = async <T>(change: Promise<T>): Promise<T> => {
    const result = await change;
    own.drops.groupAll();
    return result;
  };

  return {
    ...{ ...reads, ...createItemCalls(context, reads) },
    readFolderPattern: (): string => context.settings().folderPattern,
    ...{ add: own.adder.add, repeats: own.adder.repeats },
    /** Returns whether the person has not yet started an item with these private parts of a folder's name. */
    hasUnseenPrivateParts: (parts: readonly PrivatePart[]): boolean =>
      parts.length > 0 && !table.pages.hasStartedWith(account(), JSON.stringify(parts)),
    /**
     * Starts deferred items that the person has reviewed, by default all but those that look like a live listing.
     * Returns the number of started items.
     */
    begin: (itemIds: readonly string[] = table.pages.startable(account())) =>
      runAndGroupDrops(startDeferredItems(own, itemIds)),
    cancel: (itemId: string) => runAndGroupDrops(cancelRunningItem(own, itemId)),
    resume: (itemId: string) => resumeStoppedItem(own, itemId),
    retry: (itemId: string) => retryStoppedItem(own, itemId),
    skipUnreadable: (itemId: string) => skipUnreadablePhotos(own, itemId),
    remove: (itemId: string) => runAndGroupDrops(removeItemWithPhotos(own, itemId)),
    change: (itemId: string, changes: Partial<ItemFields>) => changeItemFields(own, itemId, changes),
    beginWith: (itemId: string, templateId: string | null) => chooseItemTemplate(own, itemId, templateId),
    useText: (itemId: string, used: boolean) => setFolderTextUsed(own, itemId, used),
    check: (itemId: string, seen: Listing | null) => markListingChecked(own, itemId, seen),
    defer: (itemId: string) => deferItemForReview(own, itemId),
    barcode: (itemId: string, value: string, state: BarcodeView['state']) =>
      storeBarcodeChoice(own, itemId, value, state),
    changePhotos: (itemId: string) => reopenPhotoArrangement(own, itemId),
    /** Adds photos to an item, or to a listing that is not generated yet. Returns the item id. */
    addPhotos: (into: PhotosTarget, photos: NewItemPhotoList) =>
      'itemId' in into ? addPhotosToItem(own, into.itemId, photos) : addPhotosToListing(own, into.listingId, photos),
    ...createListReads(own),
    arranging: createArrangementActions(context, { ...reads, ...runner, groupDrops: own.drops.groupAll }),
    photoChange: createPhotoChangeActions(own),
    follow: (listing: Listing) => updateItemFromListing(own, listing),
    listingEdited: (listingId: string) => clearCheckedMark(own, listingId),
    listingMissed: (listingId: string) => stopItemOfUnknownListing(own, listingId),
    listingDeleted: (listingId: string) => stopItemOfDeletedListing(own, listingId),
    get: (itemId: string) => reads.view(reads.need(itemId)),
    ofListing: (listingId: string): string | null => table.ofListing(account(), listingId)?.item_id ?? null,
    ...createItemsLifecycle(own),
  };
};

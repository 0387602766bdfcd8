import { randomUUID } from 'node:crypto';
import { setImmediate as immediate } from 'node:timers/promises';
import type { Asker } from '../base/request.ts';
import { begunCallsKeptMs, type ItemCall, type LeftPhoto } from '../storage/tables/begunCallsTable.ts';
import type { ItemRow, NewPhoto, GenerationWishes } from '../storage/tables/itemsTable.ts';
import type { ItemsContext } from './itemsContext.ts';
import { type ItemReads, createItemReads } from './itemView.ts';
import { type ItemRunner, createItemRunner } from './itemRunner.ts';
import type { Listing } from '../../contract/index.ts';
import { type Changes, createChanges, notingSettled } from './itemChanges.ts';
import { cancelledError, itemErrorFor, itemErrorOf, unknownListingCode } from './itemState.ts';
import { running, stepOfStatus } from './steps.ts';
import type { BarcodeView } from '../storage/tables/itemRecord.ts';
import { createArranging } from './arranging.ts';
import { contactSheet } from './contactSheet.ts';
import { addToItem, addToListing, changePhotos, type GivenPhotos } from './listingPhotos.ts';
import {
  beginWith,
  cancelItem,
  checkItem,
  decideBarcode,
  holdItem,
  noteItem,
  removeItem,
  resumeItem,
  skipUnreadable,
  useText,
} from './itemActions.ts';
import type { FolderText } from '../photos/folderWords.ts';
import { createItemList } from './itemList.ts';
import { createPreparing } from './preparing.ts';
import { createUnreadableWatch } from './unreadableWatch.ts';

/** A set of photos that becomes one item; a guessed one waits for the person's look before anything is sent. */
type PhotoSet = {
  name: string;
  note: string;
  guessed?: boolean;
  /** Whether it waits for the person's look in any case. */
  held?: boolean;
  text?: FolderText | null;
  /** The call that begins it, where the same call is to take it up, and the photos that it leaves out. */
  call?: (ItemCall & { left: LeftPhoto[] }) | undefined;
  photos: Omit<NewPhoto, 'photoId'>[];
};

/** What photos are added to. */
export type PhotosTarget = { itemId: string } | { listingId: string };

/** What starting items needs: the items, and what has them go on. */
export type StartContext = {
  context: ItemsContext;
  reads: Pick<ItemReads, 'need'>;
  runner: Pick<ItemRunner, 'startInTurn'>;
};

/** So many items are changed in one go. */
const atOnce = 100;

/** Makes an item of each set and has it go on. Answers their ids, in the order of the sets. */
const addItems = (
  { context, runner }: StartContext,
  sets: PhotoSet[],
  by: Asker,
  wishes: GenerationWishes,
): string[] => {
  const { table, clock, ages, account } = context;
  const { useFolderTexts: used } = context.settings();
  const itemIds = table.atomically(() =>
    sets.map(({ name, note, guessed = false, held = false, text = null, call, photos }) => {
      const itemId = `it_${randomUUID()}`;
      table.add(
        {
          ...{ itemId, account: account(), name, note, by, guessed },
          ...{ idempotencyKey: randomUUID(), at: clock.now() },
          ...{ hold: held ? 'person' : null, text: text && { ...text, used } },
          quantity: wishes.quantity ?? 1,
          marketplaceId: wishes.marketplaceId ?? null,
          listingLanguage: wishes.listingLanguage ?? null,
          templateId: wishes.templateId === undefined ? context.settings().templateId : (wishes.templateId ?? ''),
        },
        photos.map((photo) => ({ ...photo, photoId: `ph_${randomUUID()}` })),
      );
      if (call) {
        ages.note(nameOfCall(call));
        const times = { at: clock.now(), forgetBefore: ages.earliestAt(begunCallsKeptMs) };
        table.begun.put(call, { itemId, left: call.left }, times);
      }
      return itemId;
    }),
  );
  itemIds.forEach(context.touched);
  void runner.startInTurn(itemIds);
  return itemIds;
};

const beginSome = ({ context, reads }: StartContext, itemIds: readonly string[]): string[] => {
  const { table, clock } = context;
  const begun = table.atomically(() =>
    itemIds.filter((itemId) => {
      const { guessed, step } = reads.need(itemId);
      if (guessed !== 0)
        table.change(
          itemId,
          { guessed: 0, hold: 'begun', ...(step === 'arranging' ? { step: 'photos' } : {}) },
          clock.now(),
        );
      return guessed !== 0;
    }),
  );
  begun.forEach(context.touched);
  return begun;
};

/**
 * Has items go on whose photos were put together by a guess, after the person's look. Answers how many. Of thousands, a
 * few at a time are written, so that everything else goes on meanwhile.
 */
const beginItems = async (parts: StartContext, itemIds: readonly string[]): Promise<number> => {
  let begun = 0;
  for (let from = 0; from < itemIds.length; from += atOnce) {
    const some = beginSome(parts, itemIds.slice(from, from + atOnce));
    begun += some.length;
    void parts.runner.startInTurn(some);
    await immediate();
  }
  return begun;
};

/** What following the listings needs of the items and of what has them go on. */
export type FollowContext = {
  context: ItemsContext;
  runner: Pick<ItemRunner, 'start' | 'isOn'>;
  changes: Pick<Changes, 'note'>;
};

/** Follows what a read of the listing shows, wherever it was read. */
const followListing = ({ context, runner, changes }: FollowContext, listing: Listing): void => {
  const { table, clock, account } = context;
  const item = table.ofListing(account(), listing.listingId);
  if (!item) return;
  changes.note(item.item_id);
  const isDraft = listing.status === 'draft';
  const wasUnknown = isUnknownListing(item.stop);
  // A draft is on its way: its item goes on from where it stood.
  const step = isDraft && wasUnknown ? item.step : stepOfStatus[listing.status];
  const overtaken = step === 'live' || step === 'ended';
  const resting = !runner.isOn(item.item_id) && item.stop?.kind !== 'cancelled' && listing.status !== 'failed';
  const mayFollow = overtaken || (resting && (!isDraft || wasUnknown));
  if (mayFollow && (item.step !== step || item.stop !== null)) {
    table.change(item.item_id, { step, stop: null }, clock.now());
    if (running[step]) runner.start(item.item_id);
    context.touched(item.item_id);
  }
};

/** The service does not know the listing: its item says so, and is as before once the service knows it again. */
const stopForUnknownListing = ({ context, runner }: FollowContext, listingId: string): void => {
  const { table, clock, account } = context;
  const item = table.ofListing(account(), listingId);
  // The step that is on reads it, too, and stops.
  if (!item || runner.isOn(item.item_id) || item.stop?.kind === 'cancelled' || isUnknownListing(item.stop)) return;
  table.change(item.item_id, { stop: itemErrorOf(itemErrorFor(unknownListingCode), null) }, clock.now());
  context.touched(item.item_id);
};

const isUnknownListing = (stop: ItemRow['stop']): boolean => stop?.code === unknownListingCode;

/** Follows what is known here of listings that have come further than their items. */
const catchUpWithListings = (parts: FollowContext): void => {
  const { table, account, listings } = parts.context;
  for (const listingId of table.behindTheirListings(account())) {
    const listing = listings.read(account(), listingId);
    if (listing) followListing(parts, listing);
  }
};

/** The listing is not the one any more that the person looked over. */
const uncheckListing = ({ context }: FollowContext, listingId: string): void => {
  const { table, clock, account } = context;
  const item = table.ofListing(account(), listingId);
  if (item?.checked_at == null) return;
  table.change(item.item_id, { checked_at: null }, clock.now());
  context.touched(item.item_id);
};

/** The listing is gone at the service: its item says so and keeps the photos. */
const markListingDeleted = ({ context }: FollowContext, listingId: string): void => {
  const { table, clock, account } = context;
  const item = table.ofListing(account(), listingId);
  if (!item) return;
  table.change(item.item_id, { stop: cancelledError('DELETED') }, clock.now());
  context.touched(item.item_id);
};

type GivenContext = Omit<ItemsContext, 'preparing' | 'sending' | 'watchUnreadable'>;

/** What the calls share: what steps need, what has items go on, and what is read and noted of them. */
const createParts = (given: GivenContext) => {
  const changes = createChanges();
  const parts = { ...given, table: notingSettled(given.table, changes) };
  const touched = (itemId: string): void => {
    changes.note(itemId);
    parts.touched(itemId);
  };
  const preparing = createPreparing({ ...parts, touched });
  const watch = createUnreadableWatch({ ...parts, touched, start: (itemId) => runner.start(itemId) });
  const context: ItemsContext = { ...parts, touched, preparing, watchUnreadable: watch.begin, sending: new Map() };
  const runner = createItemRunner(context);
  parts.pacing.onTurn(runner.turned);
  return { context, runner, reads: createItemReads(context, runner, changes), changes, watch };
};

const nameOfCall = ({ assistantId, key }: Omit<ItemCall, 'wish'>): string => `call ${assistantId} ${key}`;

export type Items = ReturnType<typeof createItems>;

/**
 * Takes every item from step to step. What a step has reached is on disk before the next one starts, so that a crash at any
 * point is followed by the same steps from the same place.
 */
export const createItems = (given: GivenContext) => {
  const own = createParts(given);
  const { context, runner, reads, changes, watch } = own;
  const { table, clock, ages, account } = context;

  return {
    ...reads,
    add: (sets: PhotoSet[], by: Asker, wishes: GenerationWishes = {}) => addItems(own, sets, by, wishes),
    /** What a call of an assistant has begun; null for nothing. */
    begunBy: (call: Omit<ItemCall, 'wish'>) => {
      const begun = table.begun.find(call, account());
      return begun && ages.ageMs(nameOfCall(call), begun.at) < begunCallsKeptMs ? begun : null;
    },
    /** These calls of an assistant begin anew. */
    forgetCalls: table.begun.forget,
    /** Has guessed items go on after the person's look: the given ones, or all. Answers how many. */
    begin: (itemIds: readonly string[] = table.pages.guessed(account())) => beginItems(own, itemIds),
    cancel: (itemId: string) => cancelItem(own, itemId),
    resume: (itemId: string) => resumeItem(own, itemId),
    /** Has an item go on without the photos that cannot be read now. */
    skipUnreadable: (itemId: string) => skipUnreadable(own, itemId),
    remove: (itemId: string) => removeItem(own, itemId),
    note: (itemId: string, text: string) => noteItem(own, itemId, text),
    beginWith: (itemId: string, templateId: string | null) => beginWith(own, itemId, templateId),
    /** Whether the text file beside the photos is used; the next ones come as this one was left. */
    useText: (itemId: string, used: boolean) => useText(own, itemId, used),
    /** Whether the person found the item's listing right. */
    check: (itemId: string, seen: Listing | null) => checkItem(own, itemId, seen),
    /** Has an item wait for the person's look before anything is uploaded. */
    hold: (itemId: string) => holdItem(own, itemId),
    barcode: (itemId: string, value: string, state: BarcodeView['state']) => decideBarcode(own, itemId, value, state),
    changePhotos: (itemId: string) => changePhotos(own, itemId),
    /** Adds photos to an item that can be arranged, or to a listing that is not written. Answers the item's id. */
    addPhotos: (into: PhotosTarget, photos: GivenPhotos) =>
      'itemId' in into ? addToItem(own, into.itemId, photos) : addToListing(own, into.listingId, photos),
    /** What waits for the person's look, on one sheet. */
    contactSheet: () => contactSheet(context),
    arranging: createArranging(context, { ...reads, ...runner }),
    follow: (listing: Listing) => followListing(own, listing),
    /** A listing was edited by another than the person, or written anew: whoever looked it over looks again. */
    listingEdited: (listingId: string) => uncheckListing(own, listingId),
    listingMissed: (listingId: string) => stopForUnknownListing(own, listingId),
    listingDeleted: (listingId: string) => markListingDeleted(own, listingId),
    get: (itemId: string) => reads.view(reads.need(itemId)),
    list: createItemList({
      pages: table.pages,
      ...{ account, clock, changes },
      placeInLine: context.writingPlaces.position,
      trouble: runner.trouble,
    }),
    /** The item of a listing; null when it has none. */
    ofListing: (listingId: string): string | null => table.ofListing(account(), listingId)?.item_id ?? null,
    /** Resumes every item that was on its way, oldest first: those being written keep their places. */
    start: () => {
      runner.open();
      catchUpWithListings(own);
      watch.begin();
      void runner.startInTurn(table.pages.underWay(account(), Object.keys(running)));
    },
    /** Tries again at once what stopped for want of a connection. */
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

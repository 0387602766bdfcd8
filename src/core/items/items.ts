import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { setImmediate as immediate } from 'node:timers/promises';
import type { Listing } from '../../contract/index.ts';
import { problem } from '../base/problem.ts';
import { createArranging } from './arranging.ts';
import { applyIdentifiers, barcodesOf } from './barcodes.ts';
import { createChanges, notingSettled } from './changes.ts';
import type { ItemsContext } from './context.ts';
import type { BarcodeView, ItemView } from '../storage/tables/itemRecord.ts';
import { stopped } from './itemErrors.ts';
import type { ItemRow, NewPhoto, Wishes } from '../storage/tables/itemsTable.ts';
import { createItemList } from './itemList.ts';
import { itemView } from './itemView.ts';
import { createPreparing } from './preparing.ts';
import { running, stepOfStatus } from './steps.ts';
import { createWalking } from './itemRunner.ts';
import type { Asker } from '../base/asker.ts';

/** A set of photos that becomes one item; a guessed one waits for the person's look before anything is sent. */
export type PhotoSet = { name: string; note: string; guessed?: boolean; photos: Omit<NewPhoto, 'photoId'>[] };

export type Items = ReturnType<typeof createItems>;

/** So many items are changed in one go. */
const atOnce = 100;

/**
 * Walks every item along its way. What a step has reached is on disk before the next one starts, so that a crash at any
 * point is followed by the same way from the same place.
 */
export const createItems = (given: Omit<ItemsContext, 'preparing' | 'sending'>) => {
  const changes = createChanges();
  const parts = { ...given, table: notingSettled(given.table, changes) };
  const { table, clock, account } = parts;
  const touched = (itemId: string): void => {
    changes.note(itemId);
    parts.touched(itemId);
  };
  const context: ItemsContext = {
    ...parts,
    touched,
    preparing: createPreparing({ ...parts, touched }),
    sending: new Map(),
  };
  const walking = createWalking(context);
  const { start, startInTurn, halt } = walking;
  parts.pacing.onTurn(walking.turned);

  const need = (itemId: string): ItemRow => {
    const item = table.read(itemId);
    if (!item || item.account !== account()) throw problem('NOT_FOUND.item');
    return item;
  };

  const view = (item: ItemRow): ItemView =>
    itemView(item, table.photos(item.item_id), table.removedPhotos(item.item_id), {
      placeInLine: context.writingPlaces.position(item.item_id),
      trouble: walking.trouble(item.item_id, item.step),
      now: clock.now(),
      title: (item.listing_id && context.listings.read(item.account, item.listing_id)?.title) || null,
      cap: context.photoCap(),
      sending: context.sending,
    });

  /** Items by their ids, a few at a time; what is gone by then is left out. */
  function* views(itemIds: readonly string[]): Generator<ItemView[]> {
    for (let from = 0; from < itemIds.length; from += atOnce)
      yield itemIds.slice(from, from + atOnce).flatMap((itemId) => {
        const item = table.read(itemId);
        return item ? [view(item)] : [];
      });
  }

  const add = (sets: PhotoSet[], by: Asker, wishes: Wishes = {}): string[] => {
    const itemIds = table.atomically(() =>
      sets.map(({ name, note, guessed = false, photos }) => {
        const itemId = `it_${randomUUID()}`;
        table.add(
          {
            ...{ itemId, account: account(), name, note, by, guessed },
            ...{ idempotencyKey: randomUUID(), at: clock.now() },
            quantity: wishes.quantity ?? 1,
            marketplaceId: wishes.marketplaceId ?? null,
            listingLanguage: wishes.listingLanguage ?? null,
          },
          photos.map((photo) => ({ ...photo, photoId: `ph_${randomUUID()}` })),
        );
        return itemId;
      }),
    );
    itemIds.forEach(touched);
    void startInTurn(itemIds);
    return itemIds;
  };

  const beginSome = (itemIds: readonly string[]): string[] => {
    const begun = table.atomically(() =>
      itemIds.filter((itemId) => {
        const { guessed, step } = need(itemId);
        if (guessed !== 0)
          table.change(itemId, { guessed: 0, ...(step === 'arranging' ? { step: 'photos' } : {}) }, clock.now());
        return guessed !== 0;
      }),
    );
    begun.forEach(touched);
    return begun;
  };

  /**
   * Has items go on whose photos were put together by a guess, after the person's look: the given ones, or all. Answers how
   * many. Of thousands, a few at a time are written, so that everything else goes on meanwhile.
   */
  const begin = async (itemIds: readonly string[] = table.pages.guessed(account())): Promise<number> => {
    let begun = 0;
    for (let from = 0; from < itemIds.length; from += atOnce) {
      const some = beginSome(itemIds.slice(from, from + atOnce));
      begun += some.length;
      void startInTurn(some);
      await immediate();
    }
    return begun;
  };

  /** Changes an item that is not under way then; where that fails, for want of room say, it goes on as before. */
  const whileHalted = async (itemId: string, change: () => void): Promise<void> => {
    await halt(itemId);
    try {
      change();
    } catch (error) {
      start(itemId);
      throw error;
    }
  };

  const cancel = async (itemId: string): Promise<ItemView> => {
    const item = need(itemId);
    if (running[item.step] && item.stop === null) {
      const stop = stopped(item.step === 'writing' ? 'CANCELLED.writing' : 'CANCELLED');
      await whileHalted(itemId, () => table.change(itemId, { stop }, clock.now()));
      touched(itemId);
    }
    return view(need(itemId));
  };

  const resume = async (itemId: string): Promise<ItemView> => {
    const item = need(itemId);
    parts.pacing.hurry();
    if (item.stop?.next.includes('write_again')) return writeAgain(item);
    table.change(itemId, { stop: null }, clock.now());
    start(itemId);
    touched(itemId);
    return view(need(itemId));
  };

  /** Writing it again uses another listing of the allowance: it leads to a prompt, and the item goes on after the yes. */
  const writeAgain = async (item: ItemRow): Promise<ItemView> => {
    const listingId = item.listing_id ?? '';
    const signal = new AbortController().signal;
    const by: Asker = { kind: 'person' };
    const read = await context.perform({ by, route: 'readListing', input: { params: { listingId } }, signal });
    if (read.state === 'done' && (read.answer as Listing).status === 'failed') {
      await context.perform({ by, route: 'revertListing', input: { params: { listingId } }, signal });
      const after = await context.perform({ by, route: 'readListing', input: { params: { listingId } }, signal });
      // It had been written before: the text is back for review, and nothing needs to be written again.
      if (after.state === 'done' && (after.answer as Listing).status !== 'draft') return view(need(item.item_id));
    }
    await context.perform({ by, route: 'generateListing', input: { params: { listingId } }, signal });
    return view(need(item.item_id));
  };

  const remove = async (itemId: string): Promise<void> => {
    need(itemId);
    const owned: string[] = [];
    await whileHalted(itemId, () => {
      const all = [...table.photos(itemId), ...table.removedPhotos(itemId)];
      for (const photo of all) if (photo.owned === 1) owned.push(photo.source);
      table.remove(itemId);
    });
    await Promise.all(owned.map((source) => rm(source, { force: true })));
    touched(itemId);
  };

  const note = (itemId: string, text: string): ItemView => {
    const item = need(itemId);
    if (item.draft_sent_at !== null) {
      throw problem('TOO_LATE.note', {
        field: 'note',
      });
    }
    table.change(itemId, { note: text }, clock.now());
    touched(itemId);
    return view(need(itemId));
  };

  /** The person's word on a barcode; a confirmed one goes to the writer, or to the listing when that is written already. */
  const barcode = async (itemId: string, value: string, state: BarcodeView['state']): Promise<ItemView> => {
    const item = need(itemId);
    if (!barcodesOf(item, table.photos(itemId)).some((one) => one.value === value)) throw problem('NOT_FOUND.barcode');
    const { [value]: _before, ...others } = item.barcode_choices;
    table.change(
      itemId,
      { barcode_choices: state === 'offered' ? others : { ...others, [value]: state } },
      clock.now(),
    );
    if (item.step === 'review' && state === 'confirmed')
      await applyIdentifiers(context, need(itemId), new AbortController().signal);
    touched(itemId);
    return view(need(itemId));
  };

  /** Follows what a read of the listing shows, wherever it was read. */
  const follow = (listing: Listing): void => {
    const item = table.ofListing(account(), listing.listingId);
    if (!item) return;
    changes.note(item.item_id);
    const step = stepOfStatus[listing.status];
    const overtaken = step === 'live' || step === 'ended';
    const resting = !walking.isOn(item.item_id) && item.stop?.kind !== 'cancelled' && listing.status !== 'failed';
    if ((overtaken || (resting && listing.status !== 'draft')) && (item.step !== step || item.stop !== null)) {
      table.change(item.item_id, { step, stop: null }, clock.now());
      if (running[step]) start(item.item_id);
      touched(item.item_id);
    }
  };

  /** The listing is gone at the service: its item says so and keeps the photos. */
  const listingDeleted = (listingId: string): void => {
    const item = table.ofListing(account(), listingId);
    if (!item) return;
    table.change(item.item_id, { stop: stopped('DELETED') }, clock.now());
    touched(item.item_id);
  };

  /** Those of an assistant's items that changed since a mark of an earlier answer; all of them for null. */
  const ofAssistant = (assistantId: string, mark: string | null): { mark: string; itemIds: string[] } => {
    const isNew = changes.since(mark, account());
    // A place in the line moves when another item leaves it.
    const moves = (itemId: string): boolean => context.writingPlaces.position(itemId) !== null;
    const itemIds = table.pages.ofAssistant(account(), assistantId).filter((id) => isNew(id) || moves(id));
    return { mark: changes.mark(account()), itemIds };
  };

  return {
    add,
    begin,
    barcode,
    arranging: createArranging(context, { need, halt, start, view }),
    cancel,
    listingDeleted,
    resume,
    remove,
    note,
    follow,
    need,
    view,
    views,
    get: (itemId: string) => view(need(itemId)),
    list: createItemList({
      pages: table.pages,
      ...{ account, clock, changes },
      placeInLine: context.writingPlaces.position,
      trouble: walking.trouble,
    }),
    ofAssistant,
    /** The item of a listing; null when it has none. */
    ofListing: (listingId: string): string | null => table.ofListing(account(), listingId)?.item_id ?? null,
    /** Takes up every item that was on its way, oldest first: those being written keep their places. */
    start: () => {
      walking.open();
      for (const listingId of table.behindTheirListings(account())) {
        const listing = context.listings.read(account(), listingId);
        if (listing) follow(listing);
      }
      void startInTurn(table.pages.underWay(account(), Object.keys(running)));
    },
    /** Tries again at once what stopped for want of a connection. */
    reconnected: () => {
      const itemIds = table.pages.unconnected(account());
      table.atomically(() => itemIds.forEach((itemId) => table.change(itemId, { stop: null }, clock.now())));
      void startInTurn(itemIds);
    },
    stop: walking.stop,
  };
};

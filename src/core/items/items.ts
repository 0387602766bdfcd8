import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import type { Listing } from '../../contract/index.ts';
import { problem } from '../base/problem.ts';
import { createArranging } from './arranging.ts';
import { applyIdentifiers, barcodesOf } from './barcodes.ts';
import { createChanges } from './changes.ts';
import type { ItemsContext } from './context.ts';
import type { BarcodeView, ItemChanges, ItemView } from '../storage/tables/itemRecord.ts';
import { stopped } from './itemErrors.ts';
import type { ItemRow, NewPhoto, Wishes } from '../storage/tables/itemsTable.ts';
import { itemView } from './itemView.ts';
import { createPreparing } from './preparing.ts';
import { running, stepOfStatus } from './steps.ts';
import { createWalking } from './itemRunner.ts';
import type { Asker } from '../base/asker.ts';

/** A set of photos that becomes one item; a guessed one waits for the person's look before anything is sent. */
export type PhotoSet = { name: string; note: string; guessed?: boolean; photos: Omit<NewPhoto, 'photoId'>[] };

export type Items = ReturnType<typeof createItems>;

/**
 * Walks every item along its way. What a step has reached is on disk before the next one starts, so that a crash at any
 * point is followed by the same way from the same place.
 */
export const createItems = (parts: Omit<ItemsContext, 'preparing' | 'sending'>) => {
  const { table, clock, account } = parts;
  const changes = createChanges();
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
      trouble: walking.trouble(item.item_id),
      now: clock.now(),
      title: (item.listing_id && context.listings.read(item.account, item.listing_id)?.title) || null,
      cap: context.photoCap(),
      sending: context.sending,
    });

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

  /** Has items go on whose photos were put together by a guess, after the person's look: the given ones, or all. */
  const begin = (itemIds?: readonly string[]): ItemView[] => {
    const items = (itemIds?.map(need) ?? table.list(account())).filter(({ guessed }) => guessed !== 0);
    return items.map(({ item_id, step }) => {
      table.change(item_id, { guessed: 0, ...(step === 'arranging' ? { step: 'photos' } : {}) }, clock.now());
      touched(item_id);
      start(item_id);
      return view(need(item_id));
    });
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

  /** The items that changed since a mark of an earlier answer; all of them for null and for a mark that is not known. */
  const changed = (mark: string | null): ItemChanges => {
    const items = table.list(account());
    const isNew = changes.since(mark, account());
    // A place in the line moves when another item leaves it.
    const moves = ({ item_id, step }: ItemRow): boolean =>
      step === 'line' && context.writingPlaces.position(item_id) !== null;
    const told = items.filter((item) => isNew(item.item_id) || moves(item));
    return { mark: changes.mark(account()), itemIds: items.map(({ item_id }) => item_id), changed: told.map(view) };
  };

  return {
    add,
    begin,
    barcode,
    changed,
    arranging: createArranging(context, { need, halt, start, view }),
    cancel,
    listingDeleted,
    resume,
    remove,
    note,
    follow,
    need,
    view,
    get: (itemId: string) => view(need(itemId)),
    list: () => table.list(account()).map(view),
    /** Takes up every item that was on its way, oldest first: those being written keep their places. */
    start: () => {
      walking.open();
      for (const listingId of table.behindTheirListings(account())) {
        const listing = context.listings.read(account(), listingId);
        if (listing) follow(listing);
      }
      const open = table.list(account()).filter((item) => item.stop === null && running[item.step]);
      open.reverse().sort((a, b) => Number(b.step === 'writing') - Number(a.step === 'writing'));
      void startInTurn(open.map(({ item_id }) => item_id));
    },
    /** Tries again at once what stopped for want of a connection. */
    reconnected: () => {
      for (const item of table.list(account()).filter((one) => one.stop?.next.includes('connect'))) {
        table.change(item.item_id, { stop: null }, clock.now());
        start(item.item_id);
      }
    },
    stop: walking.stop,
  };
};

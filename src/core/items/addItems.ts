import { randomUUID } from 'node:crypto';
import { setImmediate as immediate } from 'node:timers/promises';
import * as z from 'zod';
import { findListingCurrency } from '../../contract/index.ts';
import { createProblem, toProblemView } from '../base/problem.ts';
import { type Asker, askerShape, person } from '../base/request.ts';
import { type ShelfChanges, shelfChanges } from '../base/shelfFields.ts';
import { cutIntoSlices } from '../base/slices.ts';
import { readShelfFields } from '../photos/privateWords.ts';
import { itemCallRetentionMs, itemCallShape, skippedPhoto } from '../storage/tables/begunCallsTable.ts';
import { privatePart, reviewReasons } from '../storage/tables/itemRecord.ts';
import type { GenerationWishes, NewPhoto } from '../storage/tables/itemsTable.ts';
import { getCallTimeKey } from './itemCalls.ts';
import type { ItemRunner } from './itemRunner.ts';
import { findItemTrouble } from './itemState.ts';
import type { ItemsContext } from './itemsContext.ts';

/** An `owned` file is a copy that can be deleted. Any other file is read only inside `root`. */
const newPhoto = z.object({ name: z.string(), source: z.string(), root: z.string().nullable(), owned: z.boolean() });

/** The photos of a new item. If it has a `reviewReason`, nothing is sent before the person has reviewed the item. */
export const newItemPhotos = z.object({
  name: z.string(),
  note: z.string(),
  reviewReason: z.enum(reviewReasons).nullable().default(null),
  privateParts: z.array(privatePart).readonly().default([]),
  /** The dropped folder of which the companion groups the photos; null if the photos are grouped. */
  dropId: z.string().nullable().default(null),
  /** What the asker says about the item for the shelf. It takes precedence over the name of the folder. */
  shelf: shelfChanges.optional(),
  text: z.object({ name: z.string(), text: z.string() }).nullable().default(null),
  /** The assistant's call that creates the item. It is stored so that a repeated call creates nothing. */
  call: itemCallShape.extend({ left: z.array(skippedPhoto) }).optional(),
  photos: z.array(newPhoto),
});
/** The values of the shelf are checked before. */
type CheckedShelf = { shelf?: ShelfChanges | undefined };
export type NewItemPhotos = Omit<z.input<typeof newItemPhotos>, 'shelf'> & CheckedShelf;

export const generationWishes = z.object({
  quantity: z.number().exactOptional(),
  marketplaceId: z.string().nullable().exactOptional(),
  listingLanguage: z.string().nullable().exactOptional(),
  templateId: z.string().nullable().optional(),
});

/** Photos of a new item. If it has more, `item` is null in all pieces but its first one. */
const piece = z.object({
  itemId: z.string(),
  item: newItemPhotos.omit({ photos: true }).nullable(),
  photos: z.array(newPhoto),
});
type Piece = Omit<z.output<typeof piece>, 'item'> & { item: Omit<NewItemPhotos, 'photos'> | null };
const additionPart = z.array(piece);

/** What the items of an addition have in common. `into` is the existing item that gets all photos; null for new items. */
const additionFacts = z.object({
  ...{ account: z.string(), at: z.int(), by: askerShape, wishes: generationWishes },
  into: z.string().nullable().default(null),
});
type AdditionFacts = z.infer<typeof additionFacts>;

/** Writing this many photos takes a few milliseconds. */
const maxPhotosPerPart = 200;
/** Showing this many items takes a few milliseconds. */
const maxRevealedItems = 300;

const assignPhotoId = (photo: z.infer<typeof newPhoto>): NewPhoto => ({ ...photo, photoId: `ph_${randomUUID()}` });

const cutIntoPieces = (itemId: string, photos: NewItemPhotos['photos']): Piece[] =>
  cutIntoSlices(photos, maxPhotosPerPart).map((some) => ({ itemId, item: null, photos: some }));

const cutItemIntoPieces = ({ photos, ...item }: NewItemPhotos): Piece[] => {
  const itemId = `it_${randomUUID()}`;
  const [first, ...others] = cutIntoPieces(itemId, photos);
  return [{ itemId, photos: [], ...first, item }, ...others];
};

const packIntoParts = (pieces: readonly Piece[]): Piece[][] => {
  const parts: Piece[][] = [];
  let room = 0;
  for (const one of pieces) {
    const last = parts.at(-1);
    // An item without photos needs a row, too.
    const size = one.photos.length + 1;
    if (last === undefined || size > room) [parts[parts.length], room] = [[one], maxPhotosPerPart - size];
    else [room] = [room - size, last.push(one)];
  }
  return parts;
};

/** Stores what the name of an item's folder and the asker say about its place, its SKU and the like. */
const storeShelfFields = (
  { table, settings }: Pick<ItemsContext, 'table' | 'settings'>,
  itemId: string,
  { privateParts = [], shelf = {} }: Pick<NewItemPhotos, 'privateParts' | 'shelf'>,
  { account, at }: AdditionFacts,
): void => {
  const changes = { ...readShelfFields(privateParts, findListingCurrency(settings())), ...shelf };
  if (Object.keys(changes).length === 0) return;
  table.shelf.change(table.shelf.open(account, { itemId, listingId: null }, at), changes, at);
};

type AdditionContext = Pick<ItemsContext, 'table' | 'clock' | 'ages' | 'account' | 'settings' | 'pacing' | 'log'> &
  Pick<ItemsContext, 'notifyItemChanged' | 'arrangeInTurn'>;

/** `account` is the id of the addition until all items are created. */
const createItem = (
  context: AdditionContext,
  { itemId, item, photos: found }: Piece,
  facts: AdditionFacts,
  account: string,
) => {
  const { table, ages, settings } = context;
  const photos = found.map(assignPhotoId);
  if (item === null) {
    // The person can have removed the item to which the photos are added.
    if (table.read(itemId) !== null) table.addPhotos(itemId, photos);
    return;
  }
  const { name, note, reviewReason = null, dropId = null, privateParts = [], text = null, call } = item;
  const { at, by, wishes } = facts;
  const { useFolderTexts, templateId } = settings();
  table.add(
    {
      ...{ item_id: itemId, account, name, note, by, review_reason: reviewReason, drop_id: dropId },
      ...{ idempotency_key: randomUUID(), created_at: at },
      ...(privateParts.length > 0 && { private_words: [...privateParts] }),
      ...(text && { text_name: text.name, text: text.text, text_used: useFolderTexts ? 1 : 0 }),
      quantity: wishes.quantity ?? 1,
      marketplace_id: wishes.marketplaceId ?? null,
      listing_language: wishes.listingLanguage ?? null,
      template_id: wishes.templateId === undefined ? templateId : (wishes.templateId ?? ''),
    },
    photos,
  );
  storeShelfFields(context, itemId, item, facts);
  if (call) {
    ages.note(getCallTimeKey(call));
    table.begun.put(call, { itemId, left: call.left }, { at, forgetBefore: ages.earliestAt(itemCallRetentionMs) });
  }
};

/** Stores the parts of an addition in slices. Nothing of it is carried out before the addition is complete. */
const storeParts = async (
  { table }: AdditionContext,
  additionId: string,
  parts: readonly Piece[][],
  signal: AbortSignal,
): Promise<void> => {
  for (const [at, part] of parts.entries()) {
    table.noteTogether(() => table.additions.addPart(additionId, at, JSON.stringify(part)));
    await immediate();
    signal.throwIfAborted();
  }
};

/** Creates the items of a stored addition in slices, and then shows them. Returns their ids. */
const createItemsOfAddition = async (
  context: AdditionContext,
  additionId: string,
  signal: AbortSignal,
): Promise<string[]> => {
  const { additions, noteTogether } = context.table;
  const facts = additionFacts.parse(JSON.parse(additions.readFacts(additionId)));
  for (let next = additions.readFirstPart(additionId); next; next = additions.readFirstPart(additionId)) {
    const { part, content } = next;
    const pieces = additionPart.parse(JSON.parse(content));
    noteTogether(() => {
      for (const one of pieces) createItem(context, one, facts, additionId);
      additions.removePart(additionId, part);
    });
    await immediate();
    signal.throwIfAborted();
  }
  const itemIds = facts.into === null ? additions.listItems(additionId) : [facts.into];
  while (noteTogether(() => additions.reveal(additionId, facts.account, maxRevealedItems)) > 0) {
    await immediate();
    signal.throwIfAborted();
  }
  additions.remove(additionId);
  return itemIds;
};

/** A stored addition is never given up: while the disk is full, it waits. */
const finishAddition = async (context: AdditionContext, additionId: string, signal: AbortSignal): Promise<string[]> => {
  for (let failures = 1; ; failures += 1) {
    try {
      return await createItemsOfAddition(context, additionId, signal);
    } catch (error) {
      if (signal.aborted || findItemTrouble(error) === null) throw error;
      context.log('warn', 'creating items failed', { code: toProblemView(error).code });
      await context.clock.sleep(context.pacing.localPauseMs(failures), signal);
    }
  }
};

/**
 * Creates the adder of items. It adds few photos in one transaction. Many photos would block everything else, so they are
 * added in slices: a crash before all are stored adds none of them, and after a later crash the next start adds the rest.
 */
export const createItemAdder = (
  context: AdditionContext,
  { startInTurn, halt }: Pick<ItemRunner, 'startInTurn' | 'halt'>,
) => {
  const { table, clock, account, log } = context;
  const running = new Map<string, Promise<unknown>>();
  let abort = new AbortController();
  const runAddition = (additionId: string, run: (signal: AbortSignal) => Promise<string[]>): Promise<string[]> => {
    const ended = run(abort.signal).finally(() => running.delete(additionId));
    running.set(additionId, ended);
    return ended;
  };
  /** No photo is arranged while photos are added to its item. */
  const resumeAddition = (additionId: string): Promise<string[]> =>
    runAddition(additionId, (signal) => context.arrangeInTurn(() => finishAddition(context, additionId, signal)));
  const startItems = (itemIds: readonly string[]): void => {
    itemIds.forEach(context.notifyItemChanged);
    void startInTurn(itemIds);
  };
  /** Stores the parts, and then calls `openItem` in the transaction after which the addition is carried out. */
  const runLargeAddition = (
    facts: AdditionFacts,
    parts: readonly Piece[][],
    openItem: () => void,
  ): Promise<string[]> => {
    const additionId = `addition_${randomUUID()}`;
    return runAddition(additionId, async (signal) => {
      await storeParts(context, additionId, parts, signal);
      if (facts.into !== null) await halt(facts.into);
      try {
        table.atomically(() => {
          openItem();
          table.additions.complete(additionId, JSON.stringify(facts));
        });
      } catch (error) {
        table.additions.removeParts(additionId);
        throw error;
      }
      return finishAddition(context, additionId, signal);
    });
  };
  const addIntoInTurn = async (into: string, photos: NewItemPhotos['photos'], openItem: () => void): Promise<void> => {
    const facts: AdditionFacts = { account: account(), at: clock.now(), by: person, wishes: {}, into };
    const parts = packIntoParts(cutIntoPieces(into, photos));
    await table.loadPhotos(into);
    if (parts.length > 1) return void (await runLargeAddition(facts, parts, openItem));
    await halt(into);
    table.atomically(() => {
      openItem();
      table.addPhotos(into, photos.map(assignPhotoId));
    });
  };
  return {
    /**
     * Adds photos to an item. `openItem` changes or creates the item, or throws. Until all photos are added, the item
     * does not run and no photo is arranged.
     */
    addInto: (itemId: string, photos: NewItemPhotos['photos'], openItem: () => void): Promise<void> =>
      context.arrangeInTurn(() => addIntoInTurn(itemId, photos, openItem).finally(() => startItems([itemId]))),
    add: async (sets: readonly NewItemPhotos[], by: Asker, wishes: GenerationWishes = {}): Promise<string[]> => {
      const facts: AdditionFacts = { account: account(), at: clock.now(), by, wishes, into: null };
      // The list shows the newest row first, so the last set is stored first: the list follows the order of the drop.
      const pieces = sets.toReversed().flatMap(cutItemIntoPieces);
      const parts = packIntoParts(pieces);
      if (parts.length > 1) await runLargeAddition(facts, parts, () => undefined);
      else
        table.atomically(() => {
          for (const one of pieces) createItem(context, one, facts, facts.account);
        });
      const itemIds = [...new Set(pieces.map(({ itemId }) => itemId))].toReversed();
      startItems(itemIds);
      return itemIds;
    },
    /** Carries out the additions that a crash has interrupted. */
    resume: (): void => {
      if (abort.signal.aborted) abort = new AbortController();
      table.additions.removeIncomplete([...running.keys()]);
      for (const additionId of table.additions.list())
        if (!running.has(additionId))
          void resumeAddition(additionId)
            .then((itemIds) => startItems(itemIds.filter((itemId) => table.read(itemId)?.account === account())))
            .catch((error: unknown) => log('warn', 'photos could not be added', { code: toProblemView(error).code }));
    },
    /** Additions that have not ended continue at the next start. */
    stop: async (): Promise<void> => {
      abort.abort(createProblem('CANCELLED'));
      await Promise.allSettled(running.values());
    },
  };
};

export type ItemAdder = ReturnType<typeof createItemAdder>;

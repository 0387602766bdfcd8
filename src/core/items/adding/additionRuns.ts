import { randomUUID } from 'node:crypto';
import { setImmediate as immediate } from 'node:timers/promises';
import { findListingCurrency } from '../../../contract/index.ts';
import { createProblem, toProblemView } from '../../base/problem.ts';
import { readShelfFields } from '../../photos/privateWords.ts';
import { itemCallRetentionMs } from '../../storage/tables/begunCallsTable.ts';
import { getCallTimeKey } from '../itemCalls.ts';
import type { ItemRunner } from '../itemRunner.ts';
import { findItemTrouble } from '../itemState.ts';
import type { ItemsContext } from '../itemsContext.ts';
import {
  type AdditionFacts,
  additionFacts,
  additionPart,
  assignPhotoId,
  type NewItemPhotos,
  type Piece,
} from './additionParts.ts';

/** Showing this many items takes a few milliseconds. */
const maxRevealedItems = 300;

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

export type AdditionContext = Pick<
  ItemsContext,
  'table' | 'clock' | 'ages' | 'account' | 'settings' | 'pacing' | 'log' | 'notifyItemChanged' | 'arrangeInTurn'
>;

/** `account` is the id of the addition until all items are created. */
export const createItem = (
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

type NewAddition = { facts: AdditionFacts; parts: readonly Piece[][]; openItem?: () => void };

/** Stores the parts, and then calls `openItem` in the transaction after which the addition is complete. */
const storeAddition = async (
  context: AdditionContext,
  additionId: string,
  { facts, parts, openItem }: NewAddition,
  { halt, signal }: Pick<ItemRunner, 'halt'> & { signal: AbortSignal },
): Promise<void> => {
  const { table } = context;
  await storeParts(context, additionId, parts, signal);
  if (facts.into !== null) await halt(facts.into);
  try {
    table.atomically(() => {
      openItem?.();
      table.additions.complete(additionId, JSON.stringify(facts));
    });
  } catch (error) {
    table.additions.removeParts(additionId);
    throw error;
  }
};

const createAdditionId = (): string => `addition_${randomUUID()}`;

export type AdditionRuns = ReturnType<typeof createAdditionRuns>;

/**
 * Creates the runs of additions. A crash before all parts of an addition are stored adds none of its photos, and after a
 * later crash the next start adds the rest.
 */
export const createAdditionRuns = (
  context: AdditionContext,
  { startInTurn, halt }: Pick<ItemRunner, 'startInTurn' | 'halt'>,
) => {
  const { table, account, log } = context;
  const running = new Map<string, Promise<unknown>>();
  let abort = new AbortController();
  const runAddition = (additionId: string, run: (signal: AbortSignal) => Promise<string[]>): Promise<string[]> => {
    const ended = run(abort.signal).finally(() => running.delete(additionId));
    running.set(additionId, ended);
    return ended;
  };
  const startItems = (itemIds: readonly string[]): void => {
    itemIds.forEach(context.notifyItemChanged);
    void startInTurn(itemIds);
  };
  /** Carries out a stored addition. No photo is arranged while photos are added to its item. */
  const carryOut = (additionId: string): Promise<string[]> =>
    runAddition(additionId, (signal) => context.arrangeInTurn(() => finishAddition(context, additionId, signal)));
  return {
    startItems,
    carryOut,
    storeAndCarryOut: (addition: NewAddition): Promise<string[]> => {
      const additionId = createAdditionId();
      return runAddition(additionId, async (signal) => {
        await storeAddition(context, additionId, addition, { halt, signal });
        return finishAddition(context, additionId, signal);
      });
    },
    /** Stores an addition that waits for an answer of the person. Returns its id. */
    keep: async (addition: NewAddition): Promise<string> => {
      const additionId = createAdditionId();
      await runAddition(additionId, async (signal) => {
        await storeAddition(context, additionId, addition, { halt, signal });
        return [];
      });
      return additionId;
    },
    /** Carries out the additions that a crash has interrupted. */
    resume: (): void => {
      if (abort.signal.aborted) abort = new AbortController();
      table.additions.removeIncomplete([...running.keys()]);
      for (const additionId of table.additions.list())
        if (!running.has(additionId))
          void carryOut(additionId)
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

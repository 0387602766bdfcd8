import { randomUUID } from 'node:crypto';
import { setImmediate as immediate } from 'node:timers/promises';
import type { Asker } from '../base/asker.ts';
import type { NewPhoto, Wishes } from '../storage/tables/itemsTable.ts';
import type { ItemsContext } from './context.ts';
import type { ItemReads } from './itemView.ts';
import type { ItemRunner } from './itemRunner.ts';

/** A set of photos that becomes one item; a guessed one waits for the person's look before anything is sent. */
export type PhotoSet = { name: string; note: string; guessed?: boolean; photos: Omit<NewPhoto, 'photoId'>[] };

/** What starting items needs: the items, and what has them go on. */
export type StartContext = {
  context: ItemsContext;
  reads: Pick<ItemReads, 'need'>;
  runner: Pick<ItemRunner, 'startInTurn'>;
};

/** So many items are changed in one go. */
const atOnce = 100;

/** Makes an item of each set and has it go on. Answers their ids, in the order of the sets. */
export const addItems = ({ context, runner }: StartContext, sets: PhotoSet[], by: Asker, wishes: Wishes): string[] => {
  const { table, clock, account } = context;
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
        table.change(itemId, { guessed: 0, ...(step === 'arranging' ? { step: 'photos' } : {}) }, clock.now());
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
export const beginItems = async (parts: StartContext, itemIds: readonly string[]): Promise<number> => {
  let begun = 0;
  for (let from = 0; from < itemIds.length; from += atOnce) {
    const some = beginSome(parts, itemIds.slice(from, from + atOnce));
    begun += some.length;
    void parts.runner.startInTurn(some);
    await immediate();
  }
  return begun;
};

import { type Asker, person } from '../../base/request.ts';
import type { GenerationWishes } from '../../storage/tables/itemsTable.ts';
import type { ItemRunner } from '../itemRunner.ts';
import {
  type AdditionFacts,
  assignPhotoId,
  cutIntoPieces,
  cutItemIntoPieces,
  type NewItemPhotos,
  packIntoParts,
} from './additionParts.ts';
import { type AdditionContext, createAdditionRuns, createItem } from './additionRuns.ts';
import { createRepeatStore } from './repeatStore.ts';

export type ItemAdder = ReturnType<typeof createItemAdder>;

/**
 * Creates the adder of items. It adds few photos in one transaction. Many photos would block everything else, so they are
 * added in slices.
 */
export const createItemAdder = (context: AdditionContext, runner: Pick<ItemRunner, 'startInTurn' | 'halt'>) => {
  const { table, clock, account } = context;
  const runs = createAdditionRuns(context, runner);
  const addIntoInTurn = async (into: string, photos: NewItemPhotos['photos'], openItem: () => void): Promise<void> => {
    const facts: AdditionFacts = { account: account(), at: clock.now(), by: person, wishes: {}, into, question: null };
    const parts = packIntoParts(cutIntoPieces(into, photos));
    await table.loadPhotos(into);
    if (parts.length > 1) return void (await runs.storeAndCarryOut({ facts, parts, openItem }));
    await runner.halt(into);
    table.atomically(() => {
      openItem();
      table.addPhotos(into, photos.map(assignPhotoId));
    });
  };
  return {
    repeats: createRepeatStore(context, runs),
    /**
     * Adds photos to an item. `openItem` changes or creates the item, or throws. Until all photos are added, the item
     * does not run and no photo is arranged.
     */
    addInto: (itemId: string, photos: NewItemPhotos['photos'], openItem: () => void): Promise<void> =>
      context.arrangeInTurn(() => addIntoInTurn(itemId, photos, openItem).finally(() => runs.startItems([itemId]))),
    add: async (sets: readonly NewItemPhotos[], by: Asker, wishes: GenerationWishes = {}): Promise<string[]> => {
      const facts: AdditionFacts = { account: account(), at: clock.now(), by, wishes, into: null, question: null };
      // The list shows the newest row first, so the last set is stored first: the list follows the order of the drop.
      const pieces = sets.toReversed().flatMap(cutItemIntoPieces);
      const parts = packIntoParts(pieces);
      if (parts.length > 1) await runs.storeAndCarryOut({ facts, parts });
      else
        table.atomically(() => {
          for (const one of pieces) createItem(context, one, facts, facts.account);
        });
      const itemIds = [...new Set(pieces.map(({ itemId }) => itemId))].toReversed();
      runs.startItems(itemIds);
      return itemIds;
    },
    resume: runs.resume,
    stop: runs.stop,
  };
};

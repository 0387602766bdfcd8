import { discardFile } from '../../../disk/changeFiles.ts';
import { createProblem } from '../../base/problem.ts';
import type { Asker } from '../../base/request.ts';
import { mapConcurrently } from '../../base/semaphore.ts';
import type { GenerationWishes } from '../../storage/tables/itemsTable.ts';
import type { ItemsContext } from '../itemsContext.ts';
import {
  type AddedFacts,
  additionFacts,
  cutItemIntoPieces,
  type NewItemPhotos,
  packIntoParts,
  type RepeatFacts,
} from './additionParts.ts';
import type { AdditionRuns } from './additionRuns.ts';

/** The number of items that already have the photos. */
export type RepeatQuestion = { repeatId: string; count: number };

/** Sets of photos that items already have. */
type RepeatedSets = { sets: readonly NewItemPhotos[]; by: Asker; wishes: GenerationWishes; question: RepeatFacts };

/** A person answers one question at a time, so older questions can be forgotten. */
const maxWaitingRepeats = 10;
const maxParallelRemovals = 8;

const noItems: AddedFacts = { items: 0, photos: 0, isGrouped: false, privateParts: [] };

/** Stores repeated sets until the person says whether to add them, so that a restart loses no photos. */
export const createRepeatStore = (
  { table: { additions }, account, clock }: Pick<ItemsContext, 'table' | 'account' | 'clock'>,
  { keep, carryOut, startItems }: Pick<AdditionRuns, 'keep' | 'carryOut' | 'startItems'>,
) => {
  const listWaiting = () =>
    additions.listWaiting().flatMap(({ addition_id: repeatId, facts }) => {
      const { question, ...rest } = additionFacts.parse(JSON.parse(facts));
      return question === null ? [] : [{ repeatId, question, facts: rest }];
    });
  /** After a crash the next start forgets the rest. */
  const forget = async (repeatId: string): Promise<void> => {
    additions.remove(repeatId);
    const copies: string[] = [];
    for await (const source of additions.iterateOwnedSources(repeatId)) copies.push(source);
    additions.removeParts(repeatId);
    await mapConcurrently(copies, maxParallelRemovals, discardFile);
  };
  return {
    list: (): RepeatQuestion[] =>
      listWaiting()
        .filter(({ facts }) => facts.account === account())
        .map(({ repeatId, question: { count } }) => ({ repeatId, count })),
    keep: async ({ sets, question, ...asked }: RepeatedSets): Promise<RepeatQuestion> => {
      // The questions are in the order of their times.
      const at = Math.max(clock.now(), (listWaiting().at(-1)?.facts.at ?? 0) + 1);
      const facts = { ...asked, account: account(), at, into: null, question };
      // The groups of the earlier drop are known, so the photos are not grouped again.
      const grouped = sets.map((set) => ({ ...set, dropId: null }));
      const repeatId = await keep({ facts, parts: packIntoParts(grouped.toReversed().flatMap(cutItemIntoPieces)) });
      for (const older of listWaiting().slice(0, -maxWaitingRepeats)) await forget(older.repeatId);
      return { repeatId, count: question.count };
    },
    /** Adds or forgets the photos, as the person answers. Throws `NOT_FOUND.item` if the question was answered before. */
    settle: async (repeatId: string, add: boolean): Promise<{ itemIds: string[]; added: AddedFacts }> => {
      const found = listWaiting().find((waiting) => waiting.repeatId === repeatId);
      if (found?.facts.account !== account()) throw createProblem('NOT_FOUND.item');
      if (!add) {
        await forget(repeatId);
        return { itemIds: [], added: noItems };
      }
      additions.complete(repeatId, JSON.stringify({ ...found.facts, at: clock.now() }));
      const itemIds = await carryOut(repeatId);
      startItems(itemIds);
      return { itemIds, added: found.question.added };
    },
  };
};

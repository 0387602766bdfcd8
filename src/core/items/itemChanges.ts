import { randomUUID } from 'node:crypto';
import type { Step, ItemError } from '../storage/tables/itemRecord.ts';
import { createBoundedMap } from '../base/boundedMap.ts';
import type { ItemsTable } from '../storage/tables/itemsTable.ts';

const maxSettledItems = 50;

const settledSteps: readonly Step[] = ['review', 'live', 'ended'];

/** Numbers all changes of items, so that a caller can ask what has changed since its last call. */
export type ItemChangeLog = ReturnType<typeof createItemChangeLog>;

export const createItemChangeLog = () => {
  const run = randomUUID();
  const last = new Map<string, number>();
  const settled = createBoundedMap<string, number>(maxSettledItems);
  let count = 0;
  const mark = (account: string): string => `${run} ${account} ${count}`;
  const parseMarkNumber = (before: string | null, account: string): number | null =>
    before?.startsWith(`${run} ${account} `) ? Number(before.split(' ').at(-1)) : null;
  return {
    note: (itemId: string): void => void last.set(itemId, ++count),
    noteSettled: (itemId: string): void => settled.set(itemId, ++count),
    mark,
    /**
     * Returns a predicate that tells whether an item has changed since the mark. If the mark is unknown, every item
     * counts as changed.
     */
    since: (before: string | null, account: string): ((itemId: string) => boolean) => {
      const known = parseMarkNumber(before, account) ?? -1;
      return (itemId) => (last.get(itemId) ?? 0) > known;
    },
    /** Returns the items that have changed since the mark; null if the mark is unknown. */
    listSince: (before: string, account: string): string[] | null => {
      const known = parseMarkNumber(before, account);
      return known === null ? null : [...last].flatMap(([itemId, number]) => (number > known ? [itemId] : []));
    },
    /**
     * Returns the items that since the mark have stopped or have reached the review or a later step; the latest item is
     * last. If the mark is unknown, returns none.
     */
    settledSince: (before: string | null, account: string): string[] => {
      const known = parseMarkNumber(before, account) ?? count;
      return [...settled.entries()].flatMap(([itemId, number]) => (number > known ? [itemId] : []));
    },
  };
};

/** Wraps the table so that `changes` records each change, and when an item reaches the review or a later step, or stops. */
export const createChangeRecordingTable = (table: ItemsTable, changes: ItemChangeLog): ItemsTable => {
  const recordAfterWrite =
    (write: ItemsTable['change']): ItemsTable['change'] =>
    (itemId, wanted, at) => {
      const { step, stop } = wanted;
      const was = step === undefined && stop === undefined ? null : table.read(itemId);
      write(itemId, wanted, at);
      changes.note(itemId);
      if (was === null) return;
      const now: { step: Step; stop: ItemError | null } = {
        step: step ?? was.step,
        stop: stop === undefined ? was.stop : stop,
      };
      const isSettled = now.stop !== null || settledSteps.includes(now.step);
      if (isSettled && (now.step !== was.step || now.stop?.code !== was.stop?.code)) changes.noteSettled(itemId);
    };
  return {
    ...table,
    change: recordAfterWrite(table.change),
    note: recordAfterWrite(table.note),
    add: (item, photos) => {
      table.add(item, photos);
      changes.note(item.item_id);
    },
    putBack: (stored) => {
      table.putBack(stored);
      changes.note(String(stored['item_id']));
    },
    remove: (itemId) => {
      table.remove(itemId);
      changes.note(itemId);
    },
  };
};

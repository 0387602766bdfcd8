import { setImmediate as immediate } from 'node:timers/promises';
import * as z from 'zod';
import { type Db, textValues } from '../database.ts';

const partRow = z.object({ part: z.int(), content: z.string() });
type StoredPart = z.infer<typeof partRow>;

const partKeys = z.array(z.object({ addition_id: z.string(), part: z.int() }));
const waitingRows = z.array(z.object({ addition_id: z.string(), facts: z.string() }));

/**
 * Yields the copies of photos that are not photos of an item yet, of all additions or of one. Other work runs between
 * the parts.
 */
export const iterateAdditionPhotoPaths = async function* (
  db: Db,
  additionId: string | null = null,
): AsyncGenerator<string> {
  const keys = db
    .prepare('select addition_id, part from addition_parts where addition_id = coalesce(?, addition_id)')
    .all(additionId);
  const sources = db
    .prepare(
      `select photo.value ->> '$.source' from addition_parts, json_each(content) as one,
         json_each(one.value, '$.photos') as photo where addition_id = ? and part = ? and photo.value ->> '$.owned'`,
    )
    .pluck();
  for (const { addition_id, part } of partKeys.parse(keys)) {
    yield* textValues.parse(sources.all(addition_id, part));
    await immediate();
  }
};

/**
 * Creates the table of additions. An addition is a drop of many photos, which is stored in parts before its items are
 * created. Until all of them are created, their account is the id of the addition, so that no window shows a part of a drop.
 */
export const createAdditionsTable = (db: Db) => {
  const addPart = db.prepare('insert into addition_parts (addition_id, part, content) values (?, ?, ?)');
  const firstPart = db.prepare('select part, content from addition_parts where addition_id = ? order by part limit 1');
  const removePart = db.prepare('delete from addition_parts where addition_id = ? and part = ?');
  const removeParts = db.prepare('delete from addition_parts where addition_id = ?');
  const removeIncomplete = db.prepare(`delete from addition_parts where addition_id not in
    (select addition_id from additions union all select value from json_each(?))`);
  const complete = db.prepare(`insert into additions (addition_id, facts) values (?, ?)
    on conflict (addition_id) do update set facts = excluded.facts`);
  const facts = db.prepare('select facts from additions where addition_id = ?').pluck();
  const addsTo = db.prepare("select 1 from additions where facts ->> '$.into' = ?").pluck();
  const listUnderWay = db.prepare("select addition_id from additions where facts ->> '$.question' is null").pluck();
  const listWaiting = db.prepare(`select addition_id, facts from additions where facts ->> '$.question' is not null
    order by facts ->> '$.at', addition_id`);
  const listItems = db.prepare('select item_id from items where account = ? order by rowid desc').pluck();
  const remove = db.prepare('delete from additions where addition_id = ?');
  const reveal = db.prepare(`update items set account = :account where item_id in
    (select item_id from items where account = :additionId limit :most)`);
  return {
    addPart: (additionId: string, part: number, content: string): void => void addPart.run(additionId, part, content),
    /** Stores that the addition has no further parts. Without a question it is carried out, even after a crash. */
    complete: (additionId: string, known: string): void => void complete.run(additionId, known),
    readFacts: (additionId: string): string => z.string().parse(facts.get(additionId)),
    /** Returns whether photos are being added to an existing item. */
    isAddingTo: (itemId: string): boolean => addsTo.get(itemId) !== undefined,
    /** Returns the additions that are carried out. */
    list: (): string[] => textValues.parse(listUnderWay.all()),
    /** Returns the additions that wait for an answer of the person, oldest first. */
    listWaiting: () => waitingRows.parse(listWaiting.all()),
    iterateOwnedSources: (additionId: string): AsyncGenerator<string> => iterateAdditionPhotoPaths(db, additionId),
    readFirstPart: (additionId: string): StoredPart | null =>
      partRow.optional().parse(firstPart.get(additionId)) ?? null,
    /** Must be called in the transaction that creates the items of the part. */
    removePart: (additionId: string, part: number): void => void removePart.run(additionId, part),
    removeParts: (additionId: string): void => void removeParts.run(additionId),
    /** Returns the items that have not been given to the account, the last created one first. */
    listItems: (additionId: string): string[] => textValues.parse(listItems.all(additionId)),
    /** Gives at most `most` items of the addition to the account. Returns their number. */
    reveal: (additionId: string, account: string, most: number): number =>
      reveal.run({ additionId, account, most }).changes,
    remove: (additionId: string): void => void remove.run(additionId),
    /** Removes the parts that a crash kept from becoming an addition. `running` are the additions in the making. */
    removeIncomplete: (running: readonly string[]): void => void removeIncomplete.run(JSON.stringify(running)),
  };
};

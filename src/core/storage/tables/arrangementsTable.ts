import * as z from 'zod';
import { createJsonColumn, type Db, textValues } from '../database.ts';
import { emptyShelf, shelfFields } from '../../base/shelfFields.ts';
import type { ChangeName } from './itemRecord.ts';
import { createShelfTable } from './shelfTable.ts';

const maxUndoableChanges = 20;

const photoBefore = z.object({
  photo_id: z.string(),
  item_id: z.string(),
  position: z.int(),
  choice: z.string().nullable(),
  removed_at: z.int().nullable(),
  edits: z.string().nullable(),
});
export type PreviousPhotoState = z.infer<typeof photoBefore>;
const before = z.object({
  items: z.array(z.object({ item_id: z.string() }).catchall(z.union([z.string(), z.number(), z.null()]))),
  photos: z.array(photoBefore),
  /** Empty in the rows of older versions. */
  shelf: z.array(z.object({ item_id: z.string(), account: z.string(), fields: shelfFields })).default([]),
  /** The ids of the items that the change created. */
  made: z.array(z.string()),
});
export type PreviousArrangement = z.infer<typeof before>;
const owners = z.array(z.object({ item_id: z.string(), account: z.string() }));
const label = z.object({ seq: z.int(), label: z.string(), at: z.int() });
const row = z.object({ ...label.shape, before: createJsonColumn(before) });

export type ArrangementsTable = ReturnType<typeof createArrangementsTable>;

export const createArrangementsTable = (db: Db) => {
  const add = db.prepare('insert into arrangements (account, label, at, before) values (?, ?, ?, ?)');
  const trim = db.prepare(`delete from arrangements where account = ? and seq not in
    (select seq from arrangements where account = ? order by seq desc limit ${maxUndoableChanges})`);
  const newest = db.prepare('select * from arrangements where account = ? order by seq desc limit 1');
  const newestLabel = db.prepare('select seq, label, at from arrangements where account = ? order by seq desc limit 1');
  const addItem = db.prepare('insert into arrangement_items (seq, item_id) values (?, ?) on conflict do nothing');
  const itemsOf = db.prepare('select item_id from arrangement_items where seq = ?').pluck();
  const remove = db.prepare('delete from arrangements where seq = ?');
  const shelf = createShelfTable(db);
  const item = db.prepare('select * from items where item_id = ?');
  const photos = db.prepare(
    'select photo_id, item_id, position, choice, removed_at, edits from photos where item_id = ?',
  );
  return {
    look: (itemIds: readonly string[]): Omit<PreviousArrangement, 'made'> => ({
      items: before.shape.items.parse(itemIds.flatMap((id) => item.all(id))),
      photos: before.shape.photos.parse(itemIds.flatMap((id) => photos.all(id))),
      shelf: owners.parse(itemIds.flatMap((id) => item.all(id))).map(({ item_id, account }) => ({
        ...{ item_id, account },
        fields: shelf.ofItem(account, item_id)?.fields ?? emptyShelf,
      })),
    }),
    push: db.transaction((account: string, label: ChangeName, at: number, was: PreviousArrangement): void => {
      const { lastInsertRowid: seq } = add.run(account, label, at, JSON.stringify(was));
      for (const { item_id } of was.items) addItem.run(seq, item_id);
      trim.run(account, account);
    }),
    last: (account: string) => {
      const found = newest.get(account);
      return found === undefined ? null : row.parse(found);
    },
    /** Returns the last change and the items that it changed, without the state before it. */
    lastLabel: (account: string) => {
      const found = newestLabel.get(account);
      if (found === undefined) return null;
      const last = label.parse(found);
      return { ...last, itemIds: textValues.parse(itemsOf.all(last.seq)) };
    },
    drop: (seq: number): void => void remove.run(seq),
  };
};

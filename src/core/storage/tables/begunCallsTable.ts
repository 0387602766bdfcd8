import * as z from 'zod';
import { createJsonColumn, type Db } from '../database.ts';

export const skippedPhoto = z.object({ name: z.string(), code: z.string(), error: z.string() });
const leftPhotos = z.array(skippedPhoto);
export type SkippedPhoto = z.infer<typeof skippedPhoto>;

const row = z.object({
  item_id: z.string(),
  left_out: createJsonColumn(leftPhotos),
  wish: z.string().nullable(),
  begun_at: z.int(),
  delivered: z.int(),
});

/** `wish` is the digest of the call's arguments. */
export const itemCallShape = z.object({ assistantId: z.string(), key: z.string(), wish: z.string() });
export type ItemCall = z.infer<typeof itemCallShape>;
/** `left` lists the photos that the item does not contain. `wish` is null for older rows. */
export type StartedItem = { itemId: string; left: SkippedPhoto[]; wish: string | null };
type StoredCall = StartedItem & { at: number; isDelivered: boolean };

/** A call without a delivered answer is forgotten after this time, because the folder might then contain other photos. */
export const itemCallRetentionMs = 24 * 3_600_000;

/** Creates the table of calls and their items, so that a repeated call creates no second item. */
export const createBegunCallsTable = (db: Db) => {
  const one = db.prepare(
    `select item_id, left_out, wish, begun_at, delivered from begun_calls join items using (item_id)
       where assistant_id = ? and call = ? and account = ?`,
  );
  const put = db.prepare(
    'insert or replace into begun_calls (assistant_id, call, wish, item_id, left_out, begun_at) values (?, ?, ?, ?, ?, ?)',
  );
  const dropOld = db.prepare('delete from begun_calls where begun_at <= ? and delivered = 0');
  const deliver = db.prepare('update begun_calls set delivered = 1 where assistant_id = ? and call = ?');
  return {
    find: ({ assistantId, key }: Omit<ItemCall, 'wish'>, account: string): StoredCall | null => {
      const found = row.optional().parse(one.get(assistantId, key, account));
      if (!found) return null;
      const { item_id: itemId, left_out: left, wish, begun_at: at, delivered } = found;
      return { itemId, left, wish, at, isDelivered: delivered === 1 };
    },
    /** Must run in the transaction that adds the item. */
    put: (
      { assistantId, key, wish }: ItemCall,
      { itemId, left }: Omit<StartedItem, 'wish'>,
      { at, forgetBefore }: { at: number; forgetBefore: number },
    ): void => {
      dropOld.run(forgetBefore);
      put.run(assistantId, key, wish, itemId, JSON.stringify(left), at);
    },
    markDelivered: db.transaction((assistantId: string, keys: readonly string[]): void =>
      keys.forEach((key) => deliver.run(assistantId, key)),
    ),
  };
};

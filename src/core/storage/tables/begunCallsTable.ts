import * as z from 'zod';
import { jsonColumn, type Db } from '../database.ts';

const leftPhotos = z.array(z.object({ name: z.string(), code: z.string(), error: z.string() }));
/** Photos left out of an item, with the reasons. */
export type SkippedPhoto = z.infer<typeof leftPhotos>[number];

const row = z.object({
  item_id: z.string(),
  left_out: jsonColumn(leftPhotos),
  wish: z.string().nullable(),
  begun_at: z.int(),
});

/** A call that creates an item: its assistant, its idempotency key and the digest of its arguments. */
export type ItemCall = { assistantId: string; key: string; wish: string };
/** The item created by a call and the photos left out. `wish` is null for older rows. */
export type BegunItem = { itemId: string; left: SkippedPhoto[]; wish: string | null };

/** A call repeated after more than a day creates another item, because the folder may hold other photos by then. */
export const begunCallRetentionMs = 24 * 3_600_000;

/** Items by the calls that created them, so that a repeated call is idempotent. */
export const createBegunCallsTable = (db: Db) => {
  const one = db.prepare(
    `select item_id, left_out, wish, begun_at from begun_calls join items using (item_id)
       where assistant_id = ? and call = ? and account = ?`,
  );
  const put = db.prepare(
    'insert or replace into begun_calls (assistant_id, call, wish, item_id, left_out, begun_at) values (?, ?, ?, ?, ?, ?)',
  );
  const dropOld = db.prepare('delete from begun_calls where begun_at <= ?');
  const drop = db.prepare('delete from begun_calls where assistant_id = ? and call = ?');
  return {
    /** Returns the item that this call created for the account; null for none. */
    find: ({ assistantId, key }: Omit<ItemCall, 'wish'>, account: string): (BegunItem & { at: number }) | null => {
      const found = row.optional().parse(one.get(assistantId, key, account));
      return found ? { itemId: found.item_id, left: found.left_out, wish: found.wish, at: found.begun_at } : null;
    },
    /** Stores a call and deletes calls made before a time. Must run in the transaction that adds the item. */
    put: (
      { assistantId, key, wish }: ItemCall,
      { itemId, left }: Omit<BegunItem, 'wish'>,
      { at, forgetBefore }: { at: number; forgetBefore: number },
    ): void => {
      dropOld.run(forgetBefore);
      put.run(assistantId, key, wish, itemId, JSON.stringify(left), at);
    },
    forget: db.transaction((assistantId: string, keys: readonly string[]): void =>
      keys.forEach((key) => drop.run(assistantId, key)),
    ),
  };
};

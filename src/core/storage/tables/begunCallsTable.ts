import * as z from 'zod';
import { json, type Db } from '../database.ts';

const leftPhotos = z.array(z.object({ name: z.string(), code: z.string(), error: z.string() }));
/** Photos that were not taken into an item, and why. */
export type LeftPhoto = z.infer<typeof leftPhotos>[number];

const row = z.object({
  item_id: z.string(),
  left_out: json(leftPhotos),
  wish: z.string().nullable(),
  begun_at: z.int(),
});

/** A call that begins an item: whose it is, what tells it from that assistant's other calls, and the digest of its wish. */
export type ItemCall = { assistantId: string; key: string; wish: string };
/** What a call has begun, and the photos that it left out; a wish of null is not known any more. */
export type BegunItem = { itemId: string; left: LeftPhoto[]; wish: string | null };

/** Whoever does not ask again within a day means another item: what is in the folder may be something else by then. */
export const begunCallsKeptMs = 24 * 3_600_000;

/** Items by the calls that began them, for those who make the same call again. */
export const begunCallsTable = (db: Db) => {
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
    /** What this assistant's call of that key has begun for the account; null for nothing. */
    find: ({ assistantId, key }: Omit<ItemCall, 'wish'>, account: string): (BegunItem & { at: number }) | null => {
      const found = row.optional().parse(one.get(assistantId, key, account));
      return found ? { itemId: found.item_id, left: found.left_out, wish: found.wish, at: found.begun_at } : null;
    },
    /** Belongs into the transaction that adds the item. Forgets the calls that were made before a time. */
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

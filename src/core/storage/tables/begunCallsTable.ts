import * as z from 'zod';
import { json, type Db } from '../database.ts';

const leftPhotos = z.array(z.object({ name: z.string(), code: z.string(), error: z.string() }));
/** Photos that were not taken into an item, and why. */
export type LeftPhoto = z.infer<typeof leftPhotos>[number];

const row = z.object({ item_id: z.string(), left_out: json(leftPhotos) });

/** A call that begins an item: what tells it from every other call, and the photos that it leaves out. */
export type ItemCall = { key: string; left: LeftPhoto[] };
/** What a call has begun. */
export type BegunItem = { itemId: string; left: LeftPhoto[] };

/** Whoever does not ask again within a day means another item: what is in the folder may be something else by then. */
const keptMs = 24 * 3_600_000;

/** Items whose beginning has not been answered, by the calls that began them. */
export const begunCallsTable = (db: Db) => {
  const one = db.prepare(
    `select item_id, left_out from begun_calls join items using (item_id)
       where call = ? and account = ? and begun_at > ?`,
  );
  const put = db.prepare('insert or replace into begun_calls (call, item_id, left_out, begun_at) values (?, ?, ?, ?)');
  const dropOld = db.prepare('delete from begun_calls where begun_at <= ?');
  const drop = db.prepare('delete from begun_calls where call = ?');
  return {
    /** What this call has begun for the account and nobody was told of; null for nothing. */
    find: (call: string, account: string, now: number): BegunItem | null => {
      const found = row.optional().parse(one.get(call, account, now - keptMs));
      return found ? { itemId: found.item_id, left: found.left_out } : null;
    },
    /** Belongs into the transaction that adds the item. */
    put: ({ key, left }: ItemCall, itemId: string, at: number): void => {
      dropOld.run(at - keptMs);
      put.run(key, itemId, JSON.stringify(left), at);
    },
    forget: db.transaction((calls: readonly string[]): void => calls.forEach((call) => drop.run(call))),
  };
};

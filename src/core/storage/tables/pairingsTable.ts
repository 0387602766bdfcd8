import type { Db } from '../database.ts';
import * as z from 'zod';
const pairing = z.object({
  pairing_id: z.string(),
  name: z.string(),
  code: z.string(),
  secret_sha256: z.string(),
  state: z.enum(['waiting', 'accepted', 'refused', 'collected']),
  asked_at: z.int(),
  expires_at: z.int(),
});
/** A request to be let in; it is kept until it is collected or over. */
export type PairingRow = z.infer<typeof pairing>;

export type PairingsTable = ReturnType<typeof pairingsTable>;

export const pairingsTable = (db: Db) => {
  const open = db.prepare(`select pairing_id from pairings where state in ('waiting', 'accepted')`).pluck();
  const close = db.prepare(`update pairings set state = 'refused' where state in ('waiting', 'accepted')`);
  const waiting = db.prepare(`select * from pairings where state = 'waiting' and expires_at > ? order by asked_at`);
  const decide = db
    .prepare(
      `update pairings set state = ? where pairing_id = ? and state = 'waiting' and expires_at > ? returning name`,
    )
    .pluck();
  const late = db.prepare(`select * from pairings where state = 'accepted' and expires_at <= ?`);
  const sweep = db.prepare(`delete from pairings where state <> 'collected' and expires_at < ?`);
  const insert = db.prepare(
    `insert into pairings (pairing_id, name, code, secret_sha256, state, asked_at, expires_at)
     values (:pairing_id, :name, :code, :secret_sha256, 'waiting', :asked_at, :expires_at)`,
  );
  const find = db.prepare('select * from pairings where pairing_id = ?');
  const collect = db.prepare(`update pairings set state = 'collected' where pairing_id = ?`);
  return {
    /** The ids of those that may still let somebody in. */
    open: (): string[] => z.array(z.string()).parse(open.all()),
    closeOpen: (): void => void close.run(),
    waiting: (now: number): PairingRow[] => z.array(pairing).parse(waiting.all(now)),
    /** Decides one that waits; its name, or null when it does not wait any more. */
    decide: (pairingId: string, state: 'accepted' | 'refused', now: number): string | null =>
      z
        .string()
        .optional()
        .parse(decide.get(state, pairingId, now)) ?? null,
    /** Accepted ones that nobody collected in time. */
    uncollected: (now: number): PairingRow[] => z.array(pairing).parse(late.all(now)),
    /** Adds one, and removes what was over before a time. */
    add: (row: Omit<PairingRow, 'state'>, overBefore: number): void =>
      db.transaction(() => {
        sweep.run(overBefore);
        insert.run(row);
      })(),
    find: (pairingId: string): PairingRow | null => pairing.optional().parse(find.get(pairingId)) ?? null,
    collect: (pairingId: string): void => void collect.run(pairingId),
  };
};

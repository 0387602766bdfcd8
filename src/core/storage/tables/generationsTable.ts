import * as z from 'zod';
import type { Db } from '../database.ts';
import { writeUnsynced } from '../unsyncedWrites.ts';

const states = z.object({ state: z.enum(['sent', 'started', 'not_started']) });
/** `sent` means that the result is unknown. */
export type GenerationState = z.infer<typeof states>['state'];
const beingWritten = z.array(z.object({ listingId: z.string(), extra: z.int().transform(Boolean) }));

export type GenerationsTable = ReturnType<typeof createGenerationsTable>;

export const createGenerationsTable = (db: Db) => {
  const find = db.prepare('select state from generations where account = ? and listing_id = ?');
  const findSent = db
    .prepare("select sent_at from generations where account = ? and listing_id = ? and state = 'sent'")
    .pluck();
  const put = db.prepare(
    `insert into generations (account, listing_id, state, sent_at, extras_approval) values (?, ?, ?, ?, ?)
     on conflict (account, listing_id) do update set state = excluded.state, sent_at = excluded.sent_at,
       extras_approval = coalesce(excluded.extras_approval, extras_approval)`,
  );
  const writing = db.prepare(
    `select listing_id as listingId, extras_approval is not null as extra from listings left join generations
       using (account, listing_id) where account = ? and status = 'processing'`,
  );
  return {
    state: (account: string, listingId: string): GenerationState | null =>
      states.optional().parse(find.get(account, listingId))?.state ?? null,
    /** Returns when the unanswered request was sent, in ms since 1970; null if every request has an answer. */
    unansweredSince: (account: string, listingId: string): number | null =>
      z.number().optional().parse(findSent.get(account, listingId)) ?? null,
    /** The write is synced before the next request that changes something at the service. */
    note: (
      account: string,
      listingId: string,
      state: GenerationState,
      { at, extrasApproval = null }: { at: number; extrasApproval?: string | null },
    ): void => void writeUnsynced(db, () => put.run(account, listingId, state, at, extrasApproval)),
    /** Returns the listings that were being generated when they were last read. */
    underWay: (account: string): { listingId: string; extra: boolean }[] => beingWritten.parse(writing.all(account)),
  };
};

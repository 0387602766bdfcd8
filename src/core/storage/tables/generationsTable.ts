import * as z from 'zod';
import type { Db } from '../database.ts';
import { withoutWaiting } from '../onDisk.ts';

const states = z.object({ state: z.enum(['sent', 'started', 'not_started']) });
/** `sent` means that nobody knows yet. */
export type GenerationState = z.infer<typeof states>['state'];
const beingWritten = z.array(z.object({ listingId: z.string(), extra: z.int().transform(Boolean) }));

export type GenerationsTable = ReturnType<typeof generationsTable>;

/** What became of writings that were asked for, a row a listing. */
export const generationsTable = (db: Db) => {
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
    /** Null for a listing that nobody here had written. */
    state: (account: string, listingId: string): GenerationState | null =>
      states.optional().parse(find.get(account, listingId))?.state ?? null,
    /** When a writing was asked for whose answer never came, in ms since 1970; null where there is none. */
    unansweredSince: (account: string, listingId: string): number | null =>
      z.number().optional().parse(findSent.get(account, listingId)) ?? null,
    /** On disk before the next request leaves that may change something. */
    note: (
      account: string,
      listingId: string,
      state: GenerationState,
      { at, extrasApproval = null }: { at: number; extrasApproval?: string | null },
    ): void => void withoutWaiting(db, () => put.run(account, listingId, state, at, extrasApproval)),
    /** The listings that were being written when they were last read, and whether on an extra. */
    underWay: (account: string): { listingId: string; extra: boolean }[] => beingWritten.parse(writing.all(account)),
  };
};

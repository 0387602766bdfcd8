import * as z from 'zod';
import { messageShape } from '../../base/messageShape.ts';
import { json, type Db } from '../database.ts';

const row = z.object({
  seq: z.int(),
  at: z.int(),
  kind: z.string(),
  facts: json(z.record(z.string(), z.unknown())),
  title: z.string().nullable(),
  act: z.string().nullable(),
  says: json(messageShape).nullable(),
});

const titled = `select ledger.seq, ledger.at, ledger.kind, ledger.facts, json_extract(approvals.prompt, '$.target.title') as title,
  json_extract(approvals.prompt, '$.act') as act, json_extract(approvals.prompt, '$.says.act') as says
  from ledger left join approvals on approvals.approval_id = json_extract(ledger.facts, '$.approvalId')`;

type Wanted = { before: number; q: string; listingId: string; approvalId: string; limit: number };

/** Finds rows of the ledger that hold a text anywhere, newest first, of one listing or approval or, where these are empty, of all. */
export const ledgerSearch = (db: Db) => {
  const find = db.prepare(`${titled}
    where ledger.seq < ? and (? = '' or ledger.kind like ? escape '\\' or ledger.facts like ? escape '\\' or title like ? escape '\\')
      and (? = '' or json_extract(approvals.prompt, '$.target.listingId') = ?)
      and (? = '' or approvals.approval_id = ?)
    order by ledger.seq desc limit ?`);
  return ({ before, q, listingId, approvalId, limit }: Wanted): z.infer<typeof row>[] => {
    const like = `%${q.replace(/[\\%_]/g, '\\$&')}%`;
    const about = [listingId, listingId, approvalId, approvalId];
    return z.array(row).parse(find.all(before, q, like, like, like, ...about, limit));
  };
};

import * as z from 'zod';
import { messageShape } from '../../../base/messages.ts';
import { createJsonColumn, type Db } from '../../database.ts';
import { ledgerRow, type LedgerRow } from './ledgerRow.ts';

const foundRow = z.object({
  seq: z.int(),
  at: z.int(),
  kind: z.string(),
  facts: createJsonColumn(z.record(z.string(), z.unknown())),
  title: z.string().nullable(),
  photoUrl: z.string().nullable(),
  act: z.string().nullable(),
  says: createJsonColumn(messageShape).nullable(),
  batchId: z.string().nullable(),
});
const foundRows = z.array(foundRow);

const titledRowsSql = `select ledger.seq, ledger.at, ledger.kind, ledger.facts, json_extract(approvals.prompt, '$.target.title') as title,
  json_extract(approvals.prompt, '$.target.photoUrl') as photoUrl,
  json_extract(approvals.prompt, '$.act') as act, json_extract(approvals.prompt, '$.says.act') as says,
  approvals.batch_id as batchId
  from ledger left join approvals on approvals.approval_id = json_extract(ledger.facts, '$.approvalId')`;

type LedgerQuery = { before: number; q: string; listingId: string; approvalId: string; limit: number };

/** Creates the search for ledger rows. An empty `q`, `listingId` or `approvalId` matches all rows. */
export const createLedgerSearch = (db: Db) => {
  const find = db.prepare(`${titledRowsSql}
    where ledger.seq < ? and (? = '' or ledger.kind like ? escape '\\' or ledger.facts like ? escape '\\' or title like ? escape '\\')
      and (? = '' or json_extract(approvals.prompt, '$.target.listingId') = ?)
      and (? = '' or approvals.approval_id = ?)
    order by ledger.seq desc limit ?`);
  return ({ before, q, listingId, approvalId, limit }: LedgerQuery): z.infer<typeof foundRow>[] => {
    const like = `%${q.replace(/[\\%_]/g, '\\$&')}%`;
    const about = [listingId, listingId, approvalId, approvalId];
    return foundRows.parse(find.all(before, q, like, like, like, ...about, limit));
  };
};

const row = z.object({ ...ledgerRow.shape, facts: createJsonColumn(ledgerRow.shape.facts) });
const rows = z.array(row);
const place = z.object({ seq: z.int(), hash: z.string() });

export type LedgerPosition = z.infer<typeof place>;

export type LedgerTable = ReturnType<typeof createLedgerTable>;

/** Creates the ledger table. Rows are only added, never changed or removed. */
export const createLedgerTable = (db: Db) => {
  const last = db.prepare('select seq, hash from ledger order by seq desc limit 1');
  const hashAt = db.prepare('select hash from ledger where seq = ?').pluck();
  const insert = db.prepare(
    'insert into ledger (seq, at, kind, facts, previous, hash, signature) values (?, ?, ?, ?, ?, ?, ?)',
  );
  const after = db.prepare('select * from ledger where seq > ? order by seq');
  const ofKind = db.prepare('select * from ledger where kind = ? order by seq desc');
  const naming = db.prepare('select * from ledger where instr(facts, ?) > 0 order by seq');
  return {
    end: (): LedgerPosition | null => place.optional().parse(last.get()) ?? null,
    hashAt: (seq: number): string | null => z.string().optional().parse(hashAt.get(seq)) ?? null,
    insert: ({ seq, at, kind, facts, previous, hash, signature }: LedgerRow): void =>
      void insert.run(seq, at, kind, JSON.stringify(facts), previous, hash, signature),
    /** Returns a number that changes when another connection writes to the database. */
    version: (): unknown => db.pragma('data_version', { simple: true }),
    rows: (): LedgerRow[] => rows.parse(after.all(0)),
    /** Yields null for an unreadable row. */
    *after(seq: number): Generator<LedgerRow | null> {
      for (const raw of after.iterate(seq)) yield row.safeParse(raw).data ?? null;
    },
    /** Returns the newest row of this kind, or null. Throws if the row is unreadable. */
    newestOf: (kind: string): LedgerRow | null => row.optional().parse(ofKind.get(kind)) ?? null,
    /** Returns the rows of this kind, newest first. Omits unreadable rows. */
    ofKind: (kind: string): LedgerRow[] =>
      ofKind.all(kind).flatMap((raw) => {
        const parsed = row.safeParse(raw);
        return parsed.success ? [parsed.data] : [];
      }),
    /** Returns the rows whose facts contain a text, oldest first. */
    naming: (text: string): LedgerRow[] => rows.parse(naming.all(text)),
  };
};

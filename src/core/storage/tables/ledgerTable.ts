import * as z from 'zod';
import { json, type Db } from '../database.ts';
import { ledgerRow, type LedgerRow } from './ledgerRow.ts';

const row = z.object({ ...ledgerRow.shape, facts: json(ledgerRow.shape.facts) });
const place = z.object({ seq: z.int(), hash: z.string() });

/** How far a ledger reaches: the number of its last row, and the hash of that. */
export type LedgerPlace = z.infer<typeof place>;

export type LedgerTable = ReturnType<typeof ledgerTable>;

/** The rows of the ledger. Nothing here changes or removes one. */
export const ledgerTable = (db: Db) => {
  const last = db.prepare('select seq, hash from ledger order by seq desc limit 1');
  const hashAt = db.prepare('select hash from ledger where seq = ?').pluck();
  const insert = db.prepare(
    'insert into ledger (seq, at, kind, facts, previous, hash, signature) values (?, ?, ?, ?, ?, ?, ?)',
  );
  const after = db.prepare('select * from ledger where seq > ? order by seq');
  const ofKind = db.prepare('select * from ledger where kind = ? order by seq desc');
  const naming = db.prepare('select * from ledger where instr(facts, ?) > 0 order by seq');
  return {
    end: (): LedgerPlace | null => place.optional().parse(last.get()) ?? null,
    hashAt: (seq: number): string | null => z.string().optional().parse(hashAt.get(seq)) ?? null,
    insert: ({ seq, at, kind, facts, previous, hash, signature }: LedgerRow): void =>
      void insert.run(seq, at, kind, JSON.stringify(facts), previous, hash, signature),
    /** Changes with every write of somebody else to the database. */
    version: (): unknown => db.pragma('data_version', { simple: true }),
    rows: (): LedgerRow[] => z.array(row).parse(after.all(0)),
    /** The rows after one, as far as they are asked for; null for one that cannot be read. */
    *after(seq: number): Generator<LedgerRow | null> {
      for (const raw of after.iterate(seq)) yield row.safeParse(raw).data ?? null;
    },
    /** The newest row of a kind. Throws when it cannot be read. */
    newestOf: (kind: string): LedgerRow | null => row.optional().parse(ofKind.get(kind)) ?? null,
    /** All rows of a kind that can be read, newest first. */
    ofKind: (kind: string): LedgerRow[] =>
      ofKind.all(kind).flatMap((raw) => {
        const parsed = row.safeParse(raw);
        return parsed.success ? [parsed.data] : [];
      }),
    /** The rows whose facts hold a text anywhere, oldest first. */
    naming: (text: string): LedgerRow[] => z.array(row).parse(naming.all(text)),
  };
};

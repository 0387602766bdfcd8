import { createHash } from 'node:crypto';
import * as z from 'zod';
import { canonical } from './canonical.ts';
import { json, type Db } from '../store/database.ts';

const row = z.object({
  seq: z.int(),
  at: z.int(),
  kind: z.string(),
  facts: json(z.record(z.string(), z.unknown())),
  previous: z.string(),
  hash: z.string(),
});
export type LedgerRow = z.infer<typeof row>;

const start = '0'.repeat(64);

const hashOf = (entry: Omit<LedgerRow, 'hash'>): string =>
  createHash('sha256')
    .update(canonical([entry.seq, entry.at, entry.kind, entry.facts, entry.previous]))
    .digest('hex');

/**
 * The append-only record of every request, prompt, decision, send and outcome. Each row carries the hash of the one
 * before it, so a row that was changed or taken out later shows.
 */
export type Ledger = ReturnType<typeof ledger>;

export const ledger = (db: Db) => {
  const last = db.prepare('select * from ledger order by seq desc limit 1');
  const insert = db.prepare('insert into ledger (seq, at, kind, facts, previous, hash) values (?, ?, ?, ?, ?, ?)');
  const all = db.prepare('select * from ledger order by seq');
  return {
    /** Adds a row; to be called in the transaction of the change that it records. */
    append: (at: number, kind: string, facts: Record<string, unknown>): void => {
      const before = last.get();
      const previous = before ? row.parse(before) : null;
      const entry = { seq: (previous?.seq ?? 0) + 1, at, kind, facts, previous: previous?.hash ?? start };
      insert.run(entry.seq, at, kind, JSON.stringify(facts), entry.previous, hashOf(entry));
    },
    /** The sequence number of the first row that does not follow from the one before it, or null when all do. */
    firstBroken: (): number | null => {
      let previous = start;
      let seq = 0;
      for (const raw of all.iterate()) {
        const parsed = row.safeParse(raw);
        if (!parsed.success || parsed.data.previous !== previous || parsed.data.seq !== seq + 1) return seq + 1;
        if (hashOf(parsed.data) !== parsed.data.hash) return parsed.data.seq;
        ({ seq, hash: previous } = parsed.data);
      }
      return null;
    },
    rows: (): LedgerRow[] => z.array(row).parse(all.all()),
  };
};

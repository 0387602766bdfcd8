import * as z from 'zod';
import { json, type Db } from '../storage/database.ts';
import { chainStart, keyFacts, ledgerRow, rowHash, type KeyFacts, type LedgerRow } from './signed/ledgerRow.ts';
import type { Signer } from './signed/signatures.ts';

export type { LedgerRow };

/** The approvals that a row is about: its own, and the one that this took the place of. */
export const approvalsOf = ({ facts: { approvalId, before } }: Pick<LedgerRow, 'facts'>): string[] =>
  [approvalId, before].filter((id) => typeof id === 'string');

const row = z.object({ ...ledgerRow.shape, facts: json(ledgerRow.shape.facts) });
const place = z.object({ seq: z.int(), hash: z.string() });

/** How far a ledger reaches: the number of its last row, and the hash of that. */
export type LedgerPlace = z.infer<typeof place>;

export type Ledger = ReturnType<typeof ledger>;

/**
 * The append-only record of every request, prompt, decision, send and outcome. Each row carries the hash of the one
 * before it and is signed, so a row that was changed or taken out later shows. Without a signer rows are unsigned;
 * `appended` is called after each row, still within the transaction.
 */
export const ledger = (db: Db, signer: Signer | null = null, appended: (kind: string) => void = () => undefined) => {
  const last = db.prepare('select seq, hash from ledger order by seq desc limit 1');
  const hashAt = db.prepare('select hash from ledger where seq = ?').pluck();
  const insert = db.prepare(
    'insert into ledger (seq, at, kind, facts, previous, hash, signature) values (?, ?, ?, ?, ?, ?, ?)',
  );
  const all = db.prepare('select * from ledger where seq > ? order by seq');
  const ofKind = db.prepare('select * from ledger where kind = ? order by seq desc');

  const end = (): LedgerPlace | null => place.optional().parse(last.get()) ?? null;
  const add = (at: number, kind: string, facts: Record<string, unknown>): LedgerPlace => {
    const before = end();
    const entry = { seq: (before?.seq ?? 0) + 1, at, kind, facts, previous: before?.hash ?? chainStart };
    const hash = rowHash(entry);
    const signature = signer?.sign('row', hash) ?? null;
    insert.run(entry.seq, at, kind, JSON.stringify(facts), entry.previous, hash, signature);
    return { seq: entry.seq, hash };
  };

  const naming = db.prepare('select * from ledger where instr(facts, ?) > 0 order by seq');

  const newestOf = (kind: string): LedgerRow | null => row.optional().parse(ofKind.get(kind)) ?? null;
  const keyBefore = (): { facts: KeyFacts; at: LedgerPlace } | null => {
    const found = newestOf('ledger.key');
    const facts = keyFacts.safeParse(found?.facts);
    return found && facts.success ? { facts: facts.data, at: { seq: found.seq, hash: found.hash } } : null;
  };

  // The row may be gone again where its transaction was taken back, so it is looked for each time.
  let announced: LedgerPlace | null = null;
  const announce = (at: number): void => {
    if (!signer || (announced && hashAt.get(announced.seq) === announced.hash)) return;
    const before = keyBefore();
    const { fingerprint, publicKey, keychain } = signer;
    announced =
      before?.facts.fingerprint === fingerprint
        ? before.at
        : add(at, 'ledger.key', { fingerprint, publicKey, keychain, before: before?.facts.fingerprint ?? null });
  };

  return {
    signer,
    /** Adds a row; to be called in the transaction of the change that it records. */
    append: (at: number, kind: string, facts: Record<string, unknown>): void => {
      announce(at);
      add(at, kind, facts);
      appended(kind);
    },
    /** Puts the key that signs from here on into the ledger, where it is not yet. */
    announce,
    end,
    hashAt: (seq: number): string | null => z.string().optional().parse(hashAt.get(seq)) ?? null,
    firstBroken: brokenFinder(db),
    rows: (): LedgerRow[] => z.array(row).parse(all.all(0)),
    /** At most so many rows after one, up to the first that cannot be read. */
    some: (after: number, most: number): LedgerRow[] => {
      const found: LedgerRow[] = [];
      for (const raw of all.iterate(after)) {
        const parsed = row.safeParse(raw);
        if (!parsed.success) break;
        found.push(parsed.data);
        if (found.length >= most) break;
      }
      return found;
    },
    /** All rows of a kind, newest first. */
    ofKind: (kind: string): LedgerRow[] =>
      ofKind.all(kind).flatMap((raw) => {
        const parsed = row.safeParse(raw);
        return parsed.success ? [parsed.data] : [];
      }),
    newestOf,
    ofApproval: (approvalId: string): LedgerRow[] =>
      z
        .array(row)
        .parse(naming.all(approvalId))
        .filter((one) => approvalsOf(one).includes(approvalId)),
  };
};

/**
 * Finds the sequence number of the first row that does not follow from the one before it; null when all do. What was
 * looked at is looked at again only when somebody else has written to the database since.
 */
const brokenFinder = (db: Db) => {
  const after = db.prepare('select * from ledger where seq > ? order by seq');
  let version: unknown = null;
  let sound = { seq: 0, hash: chainStart };
  return (): number | null => {
    const now = db.pragma('data_version', { simple: true });
    if (now !== version) sound = { seq: 0, hash: chainStart };
    version = now;
    for (const raw of after.iterate(sound.seq)) {
      const { data } = row.safeParse(raw);
      if (!data || data.previous !== sound.hash || data.seq !== sound.seq + 1) return sound.seq + 1;
      if (rowHash(data) !== data.hash) return data.seq;
      sound = { seq: data.seq, hash: data.hash };
    }
    return null;
  };
};

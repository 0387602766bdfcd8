import { join } from 'node:path';
import { existsSync } from 'node:fs';
import * as z from 'zod';
import { createLedger, type Ledger } from '../approvals/ledger/ledger.ts';
import { readStoredPosition } from '../approvals/ledger/ledgerAlarm.ts';
import type { Log, Secrets } from '../base/ports.ts';
import { isProofStored } from '../presence/proofStore.ts';
import { openDatabaseForReading } from '../storage/database.ts';
import type { LedgerPosition } from '../storage/tables/ledger/ledgerTable.ts';

const secretName = 'person-proof';

const proofFacts = z.object({
  kind: z.string(),
  credentialId: z.string().nullish(),
  keychain: z.string().optional(),
});

/**
 * Returns whether the ledger says that a proof is set up. Without a keychain, a PIN is lost when the companion stops.
 */
const isProofInLedger = (ledger: Pick<Ledger, 'ofKind'>, after = 0): boolean => {
  const rows = ['proof.added', 'proof.removed', 'proof.recovered'].flatMap((kind) => ledger.ofKind(kind));
  const active = new Set<string>();
  for (const { kind, facts, seq } of rows.sort((a, b) => a.seq - b.seq)) {
    if (seq <= after) continue;
    if (kind === 'proof.recovered') active.clear();
    const { data } = proofFacts.safeParse(facts);
    if (!data || data.keychain === 'memory') continue;
    const name = data.credentialId ?? data.kind;
    if (kind === 'proof.added') active.add(name);
    else active.delete(name);
  }
  return active.size > 0;
};

/** The note in the keychain that a proof is set up. A replaced database and a removed file do not change it. */
export type ProofMark = {
  /** Returns whether the ledger or the keychain says that a proof is set up. */
  isProofExpected: () => boolean;
  /** Notes whether a proof that outlasts this run is set up. */
  note: (isSetUp: boolean) => void;
};

type ProofMarkContext = { ledger: Ledger; secrets: Secrets; log: Log };

/**
 * The mark names the ledger row of the set-up. A ledger that contains this row also shows whether the proof was removed
 * later.
 */
export const openProofMark = async ({ ledger, secrets, log }: ProofMarkContext): Promise<ProofMark> => {
  let mark = await readStoredPosition(secrets, secretName);
  let writing: Promise<unknown> = Promise.resolve();
  const restoredSeq = ledger.newestOf('ledger.restored')?.seq ?? 0;
  const isInLedger = ({ seq, hash }: LedgerPosition): boolean => seq > restoredSeq && ledger.hashAt(seq) === hash;
  const write = (work: () => Promise<void>): void => {
    const logFailure = (): void => log('warn', 'the keychain could not note whether a proof is set up');
    writing = writing.then(work).catch(logFailure);
  };
  return {
    isProofExpected: () => {
      // A restored database shows what was set up at the time of the backup, so the keychain takes precedence.
      if (isProofInLedger(ledger, secrets.kind === 'system' ? restoredSeq : 0)) return true;
      // A database that never had an account has nothing to protect.
      return mark !== null && !isInLedger(mark) && ledger.newestOf('connection.made') !== null;
    },
    note: (isSetUp) => {
      if (isSetUp === (mark !== null)) return;
      const added = isSetUp ? ledger.newestOf('proof.added') : null;
      mark = isSetUp ? { seq: added?.seq ?? 0, hash: added?.hash ?? '' } : null;
      const text = JSON.stringify(mark);
      write(() => (isSetUp ? secrets.set(secretName, text) : secrets.remove(secretName)));
    },
  };
};

/** An unreadable ledger does not show whether a proof is set up. */
const isProofInDatabase = (dataDir: string): boolean => {
  const file = join(dataDir, 'companion.db');
  if (!existsSync(file)) return false;
  try {
    const db = openDatabaseForReading(file);
    try {
      return isProofInLedger(createLedger(db));
    } finally {
      db.close();
    }
  } catch {
    return false;
  }
};

/**
 * Returns whether the proofs file, the database or the keychain shows that a proof is set up. For a data folder whose
 * companion is not running.
 */
export const isProofKnown = async (dataDir: string, secrets: Secrets): Promise<boolean> =>
  isProofStored(dataDir) || isProofInDatabase(dataDir) || (await readStoredPosition(secrets, secretName)) !== null;

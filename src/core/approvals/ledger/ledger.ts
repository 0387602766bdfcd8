import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Db } from '../../storage/database.ts';
import {
  chainStart,
  keyFacts,
  computeRowHash,
  isUnreadableRow,
  type KeyFacts,
  type LedgerRow,
} from '../../storage/tables/ledger/ledgerRow.ts';
import { createLedgerTable, type LedgerPosition, type LedgerTable } from '../../storage/tables/ledger/ledgerTable.ts';
import { nothingChecked, type LedgerReport } from './chainCheck.ts';
import { openVerifier, type Signer } from './signatures.ts';

export type { LedgerRow };

/** Returns the ids of the approval that a row is about and of the approval that it supersedes. */
export const listApprovalIdsOfRow = ({ facts: { approvalId, before } }: Pick<LedgerRow, 'facts'>): string[] =>
  [approvalId, before].filter((id) => typeof id === 'string');

/** Returns whether a row added or removed this passkey. */
export const isPasskeyRow = ({ kind, facts }: Pick<LedgerRow, 'kind' | 'facts'>, credentialId: string): boolean =>
  (kind === 'proof.added' || kind === 'proof.removed') && facts['credentialId'] === credentialId;

/** The append-only record of requests, prompts, decisions and outcomes. */
export type Ledger = Pick<LedgerTable, 'end' | 'hashAt' | 'after' | 'ofKind' | 'newestOf'> & {
  signer: Signer | null;
  /** Must be called in the transaction of the change that the row records. */
  append: (at: number, kind: string, facts: Record<string, unknown>) => void;
  /** Appends the signing key unless it is already the latest key in the ledger. */
  announce: (at: number) => void;
  /**
   * Returns the number of the first row that breaks the hash chain; null if none is known. Many rows are checked later
   * in small steps, and `onBroken` is called if one of them breaks the chain.
   */
  findFirstBroken: () => number | null;
  /** Returns whether this companion wrote the row and its content is unchanged. */
  isOwn: (row: LedgerRow) => boolean;
  /** Returns at most `most` rows after the row number `after`. */
  readRowsAfter: (after: number, most: number) => LedgerRow[];
  /** Returns the rows about this approval, and the unreadable rows that contain its id. */
  listOfApproval: (approvalId: string) => LedgerRow[];
  /** Returns the rows that added and removed a passkey. */
  listOfPasskey: (credentialId: string) => LedgerRow[];
};

/** Called with each row in the transaction that appends it. `isStored` says afterwards whether it was rolled back. */
export type OnAppended = (kind: string, facts: Record<string, unknown>, isStored: () => boolean) => void;

/** `onBroken` is called once with the number of the first row that breaks the hash chain. */
export type LedgerChecks = {
  onBroken: (row: number) => void;
  /** Checks all rows of a long ledger in a thread. Resolves to null if the check was stopped. */
  checkLongLedger: () => Promise<LedgerReport | null>;
};

/** A longer ledger is checked in a thread, because its check would slow everything else for many seconds. */
export const maxRowsInSteps = 2_000;

/** Each row is signed and contains the hash of the previous row, so that a changed row is detected. */
export const createLedger = (
  db: Db,
  signer: Signer | null = null,
  onAppended: OnAppended = () => undefined,
  checks: LedgerChecks | null = null,
): Ledger => {
  const table = createLedgerTable(db);
  const { append, announce } = createLedgerWriter(table, signer);
  return {
    signer,
    append: (at, kind, facts) => {
      announce(at);
      const { seq, hash } = append(at, kind, facts);
      onAppended(kind, facts, () => table.hashAt(seq) === hash);
    },
    announce,
    isOwn: createOwnRowTest(signer),
    end: table.end,
    hashAt: table.hashAt,
    findFirstBroken: createBrokenRowFinder(db, table, checks),
    after: table.after,
    readRowsAfter: (after, most) => {
      const found: LedgerRow[] = [];
      for (const row of table.after(after)) {
        found.push(row);
        if (found.length >= most) break;
      }
      return found;
    },
    ofKind: table.ofKind,
    newestOf: table.newestOf,
    listOfPasskey: (credentialId) => table.ofPasskey(credentialId).filter((row) => isPasskeyRow(row, credentialId)),
    listOfApproval: (approvalId) =>
      table
        .ofApproval(approvalId)
        .filter((row) => isUnreadableRow(row) || listApprovalIdsOfRow(row).includes(approvalId)),
  };
};

/** A key that exists only during this run cannot tell whether the companion wrote the rows of earlier runs. */
const createOwnRowTest = (signer: Signer | null): Ledger['isOwn'] => {
  const verifies = signer?.keychain === 'system' ? openVerifier(signer.publicKey) : null;
  return (row) =>
    computeRowHash(row) === row.hash && (verifies === null || verifies('row', row.hash, row.signature ?? ''));
};

const createLedgerWriter = (table: LedgerTable, signer: Signer | null) => {
  const appendRow = (at: number, kind: string, facts: Record<string, unknown>): LedgerPosition => {
    const before = table.end();
    const entry = { seq: (before?.seq ?? 0) + 1, at, kind, facts, previous: before?.hash ?? chainStart };
    const hash = computeRowHash(entry);
    table.insert({ ...entry, hash, signature: signer?.sign('row', hash) ?? null });
    return { seq: entry.seq, hash };
  };
  const readLatestKey = (): { facts: KeyFacts; at: LedgerPosition } | null => {
    const found = table.newestOf('ledger.key');
    const facts = keyFacts.safeParse(found?.facts);
    return found && facts.success ? { facts: facts.data, at: { seq: found.seq, hash: found.hash } } : null;
  };
  // The position of the row that contains the key. A rollback can remove this row, so its hash is checked each time.
  let announced: LedgerPosition | null = null;
  const appendKeyIfNew = (at: number): void => {
    if (!signer || (announced && table.hashAt(announced.seq) === announced.hash)) return;
    const before = readLatestKey();
    const { fingerprint, publicKey, keychain } = signer;
    announced =
      before?.facts.fingerprint === fingerprint
        ? before.at
        : appendRow(at, 'ledger.key', { fingerprint, publicKey, keychain, before: before?.facts.fingerprint ?? null });
  };
  return { append: appendRow, announce: appendKeyIfNew };
};

/** Checking this many rows takes a few milliseconds. */
const maxRowsPerStep = 200;

/** `broken` means that the row after the sound ones does not follow them or cannot be read. */
type Followed = { sound: LedgerPosition; end: 'some' | 'all' | 'broken' };

/** Checks the hashes of some rows after the row `from`. */
const followRows = (table: LedgerTable, from: LedgerPosition): Followed => {
  let [sound, checked] = [from, 0];
  try {
    for (const row of table.after(from.seq)) {
      if (checked === maxRowsPerStep) return { sound, end: 'some' };
      checked += 1;
      const follows = row.seq === sound.seq + 1 && row.previous === sound.hash;
      if (!follows || computeRowHash(row) !== row.hash) return { sound, end: 'broken' };
      sound = { seq: row.seq, hash: row.hash };
    }
    return { sound, end: 'all' };
  } catch {
    return { sound, end: 'broken' };
  }
};

/** Rows are checked again only after another connection has written to the database. */
const createBrokenRowFinder = (db: Db, table: LedgerTable, checks: LedgerChecks | null) => {
  let version: unknown = null;
  /** The version at which a thread has checked a long ledger. */
  let checkedVersion: unknown = null;
  let { sound } = nothingChecked;
  /** Stays until another version has been checked. */
  let broken: number | null = null;
  let isBroken = false;
  let isRunning = false;

  const noteBroken = (row: number): void => {
    isBroken = true;
    if (broken === row) return;
    broken = row;
    checks?.onBroken(row);
  };
  const forgetRowsOfOtherVersion = (): void => {
    const now = table.version();
    if (now !== version) [sound, isBroken] = [nothingChecked.sound, false];
    version = now;
  };
  const isThreadDue = (): boolean =>
    checks !== null && checkedVersion !== version && (table.end()?.seq ?? 0) > maxRowsInSteps;
  /** Returns whether there are more rows to check. The thread comes first, because it also checks the signatures. */
  const checkSomeRows = (): boolean => {
    forgetRowsOfOtherVersion();
    if (isThreadDue()) return true;
    if (isBroken) return false;
    const followed = followRows(table, sound);
    ({ sound } = followed);
    if (followed.end === 'broken') noteBroken(sound.seq + 1);
    else if (followed.end === 'all') broken = null;
    return followed.end === 'some';
  };
  /** Returns whether the rest can be checked in steps. */
  const checkManyRows = async (): Promise<boolean> => {
    if (!isThreadDue()) return true;
    checkedVersion = version;
    const report = await checks?.checkLongLedger();
    if (!report) return false;
    sound = report.sound;
    if (report.broken !== null) noteBroken(report.broken);
    return true;
  };
  const checkOtherRows = async (): Promise<void> => {
    isRunning = true;
    try {
      do {
        await nextTurn();
        if (!db.open || !(await checkManyRows())) break;
      } while (db.open && checkSomeRows());
    } finally {
      isRunning = false;
    }
  };
  return (): number | null => {
    if (!isRunning && checkSomeRows()) void checkOtherRows();
    return broken;
  };
};

import {
  chainStart,
  keyFacts,
  computeRowHash,
  type KeyFacts,
  type LedgerRow,
} from '../../storage/tables/ledger/ledgerRow.ts';
import type { LedgerPosition, LedgerTable } from '../../storage/tables/ledger/ledgerTable.ts';
import { computeKeyFingerprint, openVerifier, type Verifier } from './signatures.ts';

/** `sequence`, `previous` and `hash` break the hash chain; the other faults concern the signature. */
export type ChainFault = 'sequence' | 'previous' | 'hash' | 'unsigned' | 'noKey' | 'key' | 'signature';
export type ChainFinding = { row: number; fault: ChainFault };

/** A signing key; `from` is the number of the first row that it signs. */
export type ChainKey = Pick<KeyFacts, 'fingerprint' | 'publicKey' | 'keychain'> & { from: number };

/** `unsigned` counts the rows of older versions, which did not sign rows. `last` is the hash of the last row. */
export type ChainSummary = { keys: readonly ChainKey[]; unsigned: number; last: string };

/** Checks the rows of a ledger. The rows must be passed in their order. */
export type ChainCheck = {
  checkRow: (row: LedgerRow) => ChainFinding[];
  readSummary: () => ChainSummary;
};

export const createChainCheck = (): ChainCheck => {
  let [seq, hash] = [0, chainStart];
  let unsigned = 0;
  let verifier: Verifier | null = null;
  const keys: ChainKey[] = [];

  const acceptSigningKey = (row: LedgerRow): boolean => {
    const facts = keyFacts.safeParse(row.facts);
    if (!facts.success) return false;
    const { fingerprint, publicKey, keychain, before } = facts.data;
    const opened = openVerifier(publicKey);
    if (!opened || computeKeyFingerprint(publicKey) !== fingerprint || before !== (keys.at(-1)?.fingerprint ?? null))
      return false;
    verifier = opened;
    keys.push({ fingerprint, publicKey, keychain, from: row.seq });
    return true;
  };

  const findSignatureFault = (row: LedgerRow): ChainFault | null => {
    if (row.kind === 'ledger.key' && !acceptSigningKey(row)) return 'key';
    if (row.signature === null) {
      if (verifier) return 'unsigned';
      unsigned += 1;
      return null;
    }
    if (!verifier) return 'noKey';
    return verifier('row', row.hash, row.signature) ? null : 'signature';
  };

  const findChainFault = (row: LedgerRow): ChainFault | null => {
    if (row.seq !== seq + 1) return 'sequence';
    if (row.previous !== hash) return 'previous';
    return computeRowHash(row) === row.hash ? null : 'hash';
  };

  return {
    checkRow: (row) => {
      const faults = [findChainFault(row), findSignatureFault(row)].filter((fault) => fault !== null);
      const expected = seq + 1;
      ({ seq, hash } = row);
      return faults.map((fault) => ({ row: fault === 'sequence' ? expected : row.seq, fault }));
    },
    readSummary: () => ({ keys, unsigned, last: hash }),
  };
};

const chainFaults: ReadonlySet<ChainFault> = new Set(['sequence', 'previous', 'hash']);

export const breaksChain = ({ fault }: ChainFinding): boolean => chainFaults.has(fault);

/**
 * What a check of the whole ledger has found: the first fault, the number of the first row that breaks the hash chain, and
 * the last row before it.
 */
export type LedgerReport = { fault: ChainFinding | null; broken: number | null; sound: LedgerPosition };

/** The report of a check that failed. The hashes of all rows must be checked elsewhere. */
export const nothingChecked: LedgerReport = { fault: null, broken: null, sound: { seq: 0, hash: chainStart } };

/** Reading this many rows at once does not keep SQLite from emptying its write-ahead log for long. */
const rowsPerRead = 100;

/**
 * Checks all rows with their signatures, which takes a while. Stops at the first row that breaks the hash chain. `pause` is
 * called after each step of a few ms.
 */
export const checkWholeLedger = (
  { after }: Pick<LedgerTable, 'after'>,
  pause: () => void = () => undefined,
): LedgerReport => {
  const check = createChainCheck();
  let { fault, sound } = nothingChecked;
  for (let read = rowsPerRead; read === rowsPerRead;) {
    read = 0;
    for (const row of after(sound.seq)) {
      const found = check.checkRow(row);
      fault ??= found[0] ?? null;
      if (found.some(breaksChain)) return { fault, broken: sound.seq + 1, sound };
      sound = { seq: row.seq, hash: row.hash };
      read += 1;
      if (read === rowsPerRead) break;
    }
    pause();
  }
  return { fault, broken: null, sound };
};

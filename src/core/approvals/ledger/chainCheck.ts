import { chainStart, keyFacts, computeRowHash, type KeyFacts, type LedgerRow } from '../../storage/tables/ledgerRow.ts';
import { fingerprintPublicKey, openVerifier, type Verifier } from './signatures.ts';

/** What is wrong with a row. The first three break the hash chain, the others concern signatures. */
export type ChainFault = 'sequence' | 'previous' | 'hash' | 'unsigned' | 'noKey' | 'key' | 'signature';
export type ChainFinding = { row: number; fault: ChainFault };

/** A signing key, valid from the row `from` on. */
export type ChainKey = Pick<KeyFacts, 'fingerprint' | 'publicKey' | 'keychain'> & { from: number };

/** What was found so far: the keys in order, and the number of rows from before rows were signed. */
export type ChainSummary = { keys: readonly ChainKey[]; unsigned: number; last: string };

/** Checks a ledger row by row and reports each row that does not follow from its predecessors. */
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
    if (!opened || fingerprintPublicKey(publicKey) !== fingerprint || before !== (keys.at(-1)?.fingerprint ?? null))
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

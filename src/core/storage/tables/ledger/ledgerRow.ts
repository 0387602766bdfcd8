import { createHash } from 'node:crypto';
import * as z from 'zod';
import { exceedsJsonBounds, isPlainRecord } from '../../../../contract/untrusted.ts';
import { toCanonicalJson } from '../../../base/json.ts';

const fields = {
  seq: z.int(),
  at: z.int(),
  kind: z.string(),
  facts: z.record(z.string(), z.unknown()),
  previous: z.string(),
  hash: z.string(),
  /** Null in rows of older versions, which did not sign rows. */
  signature: z.string().nullable(),
};

/** Exported rows have exactly these fields. */
export const ledgerRow = z.strictObject(fields);
export type LedgerRow = z.infer<typeof ledgerRow>;

/** No row of ours is nested so deeply. A deeper text would crash the computation of its hash. */
const factsBounds = { levels: 500, values: Infinity };

const parseFacts = (text: string): unknown => {
  if (exceedsJsonBounds(text, factsBounds)) return null;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

/**
 * Reads the facts of a row in the database. A text that is not exactly what the companion writes was changed: it becomes
 * the facts `{ unreadable }`, which do not match the hash of the row, so that every check finds the row.
 */
export const readStoredFacts = (text: string): LedgerRow['facts'] => {
  const facts = parseFacts(text);
  return isPlainRecord(facts) && JSON.stringify(facts) === text ? facts : { unreadable: text };
};

export const isUnreadableRow = ({ facts }: Pick<LedgerRow, 'facts'>): boolean => 'unreadable' in facts;

/** The value of `previous` in the first row. */
export const chainStart = '0'.repeat(64);

/** Returns the hash of a row, in hex. The hash also covers the hash of the previous row. */
export const computeRowHash = ({ seq, at, kind, facts, previous }: Omit<LedgerRow, 'hash' | 'signature'>): string =>
  createHash('sha256')
    .update(toCanonicalJson([seq, at, kind, facts, previous]))
    .digest('hex');

/** The facts of a `ledger.key` row. Its key signs all rows up to the next `ledger.key` row. */
export const keyFacts = z.strictObject({
  fingerprint: z.string(),
  publicKey: z.string(),
  keychain: z.enum(['system', 'memory']),
  before: z.string().nullable(),
});
export type KeyFacts = z.infer<typeof keyFacts>;

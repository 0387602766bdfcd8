import { createHash } from 'node:crypto';
import * as z from 'zod';
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

import { createHash } from 'node:crypto';
import * as z from 'zod';
import { canonical } from '../../base/json.ts';

const fields = {
  seq: z.int(),
  at: z.int(),
  kind: z.string(),
  facts: z.record(z.string(), z.unknown()),
  previous: z.string(),
  hash: z.string(),
  /** Null in rows from before rows were signed. */
  signature: z.string().nullable(),
};

/** One row of the ledger; a file that holds one has exactly these fields. */
export const ledgerRow = z.strictObject(fields);
export type LedgerRow = z.infer<typeof ledgerRow>;

/** What the first row has as the hash of the row before it. */
export const chainStart = '0'.repeat(64);

/** The hash that a row carries: of everything it says, and of the row before it. */
export const rowHash = ({ seq, at, kind, facts, previous }: Omit<LedgerRow, 'hash' | 'signature'>): string =>
  createHash('sha256')
    .update(canonical([seq, at, kind, facts, previous]))
    .digest('hex');

/** The facts of the row that begins a new key ("ledger.key"): all rows up to the next one are signed with it. */
export const keyFacts = z.strictObject({
  fingerprint: z.string(),
  publicKey: z.string(),
  keychain: z.enum(['system', 'memory']),
  /** The fingerprint of the key before it. */
  before: z.string().nullable(),
});
export type KeyFacts = z.infer<typeof keyFacts>;

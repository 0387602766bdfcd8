import * as z from 'zod';
import { canonical } from '../../base/canonicalJson.ts';
import { openVerifier, type Signer } from './signatures.ts';

const count = z.int().min(0);
const key = z.strictObject({ fingerprint: z.string(), publicKey: z.string(), from: count });
const signedBy = {
  at: z.int(),
  keychain: z.enum(['system', 'memory']),
  publicKey: z.string(),
  fingerprint: z.string(),
};

const ledgerStatement = z.strictObject({
  version: z.literal(1),
  of: z.literal('ledger'),
  rows: count,
  /** Of these, from the first on, those from before rows were signed. */
  unsigned: count,
  first: z.string().nullable(),
  last: z.string().nullable(),
  keys: z.array(key),
  ...signedBy,
});
const receiptsStatement = z.strictObject({
  version: z.literal(1),
  of: z.literal('receipts'),
  receipts: count,
  /** SHA-256 over the signatures of all receipts, in their order. */
  digest: z.string(),
  ...signedBy,
});

/** The last line of an export: how much there is and where it ends, so that nothing can be left off unseen. */
export const statementLine = z.strictObject({
  statement: z.discriminatedUnion('of', [ledgerStatement, receiptsStatement]),
  signature: z.string(),
});
export type StatementLine = z.infer<typeof statementLine>;
export type Statement = StatementLine['statement'];
type Unsigned<S> = S extends Statement ? Omit<S, 'version' | keyof typeof signedBy> : never;

/** Signs what is stated about an export, now. */
export const signStatement = (stated: Unsigned<Statement>, signer: Signer, at: number): StatementLine => {
  const { publicKey, fingerprint, keychain } = signer;
  const statement = statementLine.shape.statement.parse({
    version: 1,
    ...stated,
    at,
    keychain,
    publicKey,
    fingerprint,
  });
  return { statement, signature: signer.sign('statement', canonical(statement)) };
};

/** Whether a statement is signed by the key that it names. */
export const statementHolds = ({ statement, signature }: StatementLine): boolean =>
  openVerifier(statement.publicKey)?.('statement', canonical(statement), signature) === true;

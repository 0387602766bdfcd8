import * as z from 'zod';
import { toCanonicalJson } from '../../base/json.ts';
import { openVerifier, type Signer } from './signatures.ts';
import { ledgerRow } from '../../storage/tables/ledger/ledgerRow.ts';
import { proofShape } from '../../presence/proof.ts';
import { evidenceShape } from '../../presence/windowSessions.ts';
import { askerShape } from '../../base/request.ts';

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
  /** The number of rows that an older version, which did not sign rows, wrote at the beginning. */
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
  /** SHA-256 over the signatures of all receipts, in order. */
  digest: z.string(),
  ...signedBy,
});

/** The last line of an export. It states how many lines precede it, so that removed lines are detected. */
export const statementLine = z.strictObject({
  statement: z.discriminatedUnion('of', [ledgerStatement, receiptsStatement]),
  signature: z.string(),
});
export type StatementLine = z.infer<typeof statementLine>;
export type Statement = StatementLine['statement'];
type UnsignedStatement<S> = S extends Statement ? Omit<S, 'version' | keyof typeof signedBy> : never;

export const signExportStatement = (
  stated: UnsignedStatement<Statement>,
  signer: Signer,
  at: number,
): StatementLine => {
  const { publicKey, fingerprint, keychain } = signer;
  const statement = statementLine.shape.statement.parse({
    version: 1,
    ...stated,
    at,
    keychain,
    publicKey,
    fingerprint,
  });
  return { statement, signature: signer.sign('statement', toCanonicalJson(statement)) };
};

/** Returns whether a statement is signed with the key that it contains. */
export const isStatementSigned = ({ statement, signature }: StatementLine): boolean =>
  openVerifier(statement.publicKey)?.('statement', toCanonicalJson(statement), signature) === true;

const time = z.int();
const request = z.strictObject({ route: z.string(), input: z.unknown() });

const shownShape = z.strictObject({
  prompt: z.unknown(),
  subject: z.unknown(),
  sinceShown: z.unknown(),
  askedAt: time,
  expiresAt: time,
});

const answerShape = z.strictObject({ state: z.string(), decidedAt: time.nullable() });

const commonFields = {
  approvalId: z.string(),
  /** An assistant chooses its own name and reason, so both are untrusted. */
  asker: askerShape,
  reason: z.string().nullable(),
  account: z.string(),
  batchId: z.string().nullable(),
  digest: z.string(),
  answer: answerShape,
  /** A null `sentAt` means that the request was never sent. */
  sent: z.strictObject({ ...request.shape, first: z.array(request), sentAt: time.nullable() }),
  result: z.strictObject({
    settledAt: time.nullable(),
    status: z.int().nullable(),
    body: z.unknown(),
    outcome: z.unknown(),
    supersededBy: z.string().nullable(),
  }),
  further: z.record(z.string(), z.unknown()),
  /** The ledger rows about the approval; `keys` contains the keys that signed them. */
  ledger: z.array(ledgerRow),
  keys: z.array(z.strictObject({ fingerprint: z.string(), publicKey: z.string() })),
  madeAt: time,
  keychain: z.enum(['system', 'memory']),
  publicKey: z.string(),
  fingerprint: z.string(),
};

/** For a passkey, `validity` contains the ledger rows that added it, and that removed it if it was removed. */
export const receiptProof = z.strictObject({ given: proofShape, validity: z.array(ledgerRow) });
export type ReceiptProof = z.infer<typeof receiptProof>;

/**
 * Version 3 states how the person gave the yes. `evidence` is null for a yes of an older version; `proof` is null if no
 * proof was set up.
 */
const receiptFields = z.strictObject({
  version: z.literal(3),
  ...commonFields,
  proof: receiptProof.nullable(),
  shown: shownShape,
  answer: answerShape.extend({ evidence: evidenceShape.nullable() }),
});
/** Version 2 has no `shownAt`, because nothing measured when the person saw the prompt. */
const secondReceiptFields = z.strictObject({ version: z.literal(2), ...commonFields, shown: shownShape });
/** Version 1 stored the time of the request as `shownAt`. Old receipts keep it, because their signature covers it. */
const firstReceiptFields = z.strictObject({
  version: z.literal(1),
  ...commonFields,
  shown: shownShape.extend({ shownAt: time }),
});

const signature = { signature: z.string() };
export const receiptShape = z.discriminatedUnion('version', [
  receiptFields.extend(signature),
  secondReceiptFields.extend(signature),
  firstReceiptFields.extend(signature),
]);
export type Receipt = z.infer<typeof receiptShape>;
type SignerFields = 'version' | 'madeAt' | 'keychain' | 'publicKey' | 'fingerprint';
export type UnsignedReceipt = Omit<z.infer<typeof receiptFields>, SignerFields>;

export const signReceipts = (unsigned: readonly UnsignedReceipt[], signer: Signer, madeAt: number): Receipt[] => {
  const { keychain, publicKey, fingerprint } = signer;
  const receipts = unsigned.map((fields) => {
    // Removes undefined fields, because a file does not contain them.
    const text = JSON.stringify({ ...fields, version: 3, madeAt, keychain, publicKey, fingerprint });
    return receiptFields.parse(JSON.parse(text));
  });
  const texts = receipts.map((receipt) => toCanonicalJson(receipt));
  const signatures = signer.signAll('receipt', texts);
  return receipts.map((receipt, at) => ({ ...receipt, signature: z.string().parse(signatures[at]) }));
};

/** Returns whether a receipt is signed with the key that it contains. */
export const isReceiptSigned = ({ signature, ...receipt }: Receipt): boolean =>
  openVerifier(receipt.publicKey)?.('receipt', toCanonicalJson(receipt), signature) === true;

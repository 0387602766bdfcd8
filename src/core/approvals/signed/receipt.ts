import * as z from 'zod';
import { canonical } from '../../base/canonicalJson.ts';
import { ledgerRow } from '../../storage/tables/ledgerRow.ts';
import { openVerifier, type Signer } from './signatures.ts';
import { askerShape } from '../../base/asker.ts';

const time = z.int();
const request = z.strictObject({ route: z.string(), input: z.unknown() });

const fields = {
  version: z.literal(1),
  approvalId: z.string(),
  /** Who asked; an assistant under the name it gave itself, with the reason it gave. */
  asker: askerShape,
  reason: z.string().nullable(),
  account: z.string(),
  batchId: z.string().nullable(),
  /** What the person had before their eyes, and what the yes was bound to. */
  shown: z.strictObject({
    prompt: z.unknown(),
    subject: z.unknown(),
    sinceShown: z.unknown(),
    askedAt: time,
    shownAt: time,
    expiresAt: time,
  }),
  digest: z.string(),
  answer: z.strictObject({ state: z.string(), decidedAt: time.nullable() }),
  /** The request as it is stored, and those before it; null times: it was never sent. */
  sent: z.strictObject({ ...request.shape, first: z.array(request), sentAt: time.nullable() }),
  result: z.strictObject({
    settledAt: time.nullable(),
    status: z.int().nullable(),
    body: z.unknown(),
    outcome: z.unknown(),
    supersededBy: z.string().nullable(),
  }),
  /** Whatever else is stored of it. */
  further: z.record(z.string(), z.unknown()),
  /** The rows of the ledger about it, and the keys that these were signed with. */
  ledger: z.array(ledgerRow),
  keys: z.array(z.strictObject({ fingerprint: z.string(), publicKey: z.string() })),
  madeAt: time,
  keychain: z.enum(['system', 'memory']),
  publicKey: z.string(),
  fingerprint: z.string(),
};

/** What became of one question, from the asking to the end, signed as a whole. */
export const receiptShape = z.strictObject({ ...fields, signature: z.string() });
export type Receipt = z.infer<typeof receiptShape>;
type SignedBy = 'version' | 'madeAt' | 'keychain' | 'publicKey' | 'fingerprint' | 'signature';

/** Signs a receipt, now. */
export const signReceipt = (unsigned: Omit<Receipt, SignedBy>, signer: Signer, madeAt: number): Receipt => {
  const { keychain, publicKey, fingerprint } = signer;
  // As a file gives it back: without what is undefined, its fields in the one order.
  const plain: unknown = JSON.parse(
    JSON.stringify({ ...unsigned, version: 1, madeAt, keychain, publicKey, fingerprint }),
  );
  const receipt = z.strictObject(fields).parse(plain);
  return { ...receipt, signature: signer.sign('receipt', canonical(receipt)) };
};

/** Whether a receipt is signed by the key that it names. */
export const receiptHolds = ({ signature, ...receipt }: Receipt): boolean =>
  openVerifier(receipt.publicKey)?.('receipt', canonical(receipt), signature) === true;

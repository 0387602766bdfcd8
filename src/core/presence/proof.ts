import * as z from 'zod';
import { createHash } from 'node:crypto';
import { toCanonicalJson } from '../base/json.ts';

/** The money of all rows: amounts by currency, and the number of rows whose fee is unknown. */
export const totalShape = z.strictObject({
  amounts: z.array(z.strictObject({ currency: z.string().nullable(), minor: z.int() })),
  unknown: z.int().min(0),
});
export type Total = z.infer<typeof totalShape>;

type Money = { state: 'fee' | 'free' | 'unavailable'; currency: string | null; totalMinor: number | null };

/** Returns the total of the prompts of one yes. A prompt without money counts as nothing. */
export const computeTotal = (moneys: readonly (Money | null)[]): Total => {
  const sums = new Map<string | null, number>();
  let unknown = 0;
  for (const money of moneys) {
    if (money === null || money.state === 'free') continue;
    if (money.state === 'unavailable' || money.totalMinor === null) unknown += 1;
    else sums.set(money.currency, (sums.get(money.currency) ?? 0) + money.totalMinor);
  }
  const amounts = [...sums].map(([currency, minor]) => ({ currency, minor }));
  return { amounts: amounts.sort((a, b) => ((a.currency ?? '') < (b.currency ?? '') ? -1 : 1)), unknown };
};

/** For a yes to approvals, `inputHash` is null: their ids and digests say what the yes is to. */
const purposeShape = z.strictObject({ call: z.string(), inputHash: z.string().nullable() });
export type Purpose = z.infer<typeof purposeShape>;

/** What the person confirms. A passkey signs its hash, so the proof covers exactly this. */
export const challengeShape = z.strictObject({
  purpose: purposeShape,
  approvals: z.array(z.strictObject({ id: z.string(), digest: z.string() })),
  total: totalShape,
  account: z.string(),
  nonce: z.string(),
  expiresAt: z.int(),
});
export type Challenge = z.infer<typeof challengeShape>;

/** Returns the WebAuthn challenge: the SHA-256 of the canonical challenge object, in base64url. */
export const computeWebAuthnChallenge = (challenge: Challenge): string =>
  createHash('sha256').update(toCanonicalJson(challenge)).digest('base64url');

const base64url = z.string().regex(/^[\w-]+$/);

/** The parts of a WebAuthn assertion, in base64url as the browser sends them. */
export const assertionShape = z.strictObject({
  clientDataJSON: base64url,
  authenticatorData: base64url,
  signature: base64url,
});

const proofFields = { proofId: z.string(), challenge: challengeShape };

/** Only a passkey signs the challenge; the other kinds state it. */
export const proofShape = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('passkey'),
    ...proofFields,
    credentialId: base64url,
    /** The COSE key in base64url. */
    publicKey: base64url,
    assertion: assertionShape,
  }),
  z.strictObject({ kind: z.literal('system'), ...proofFields }),
  z.strictObject({ kind: z.literal('pin'), ...proofFields }),
]);
export type Proof = z.infer<typeof proofShape>;
export type ProofKind = Proof['kind'];

/** How many minutes a proof can count for the person's own acts; 0 means that each act needs its own. */
export const relaxedTimes = [0, 5, 15] as const;
export type RelaxedMinutes = (typeof relaxedTimes)[number];

import * as z from 'zod';
import { challengeShape } from './challenge.ts';

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

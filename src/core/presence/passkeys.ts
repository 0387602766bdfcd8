import * as z from 'zod';
import { createProblem } from '../base/problem.ts';
import { computeWebAuthnChallenge, type Challenge } from './proof.ts';
import type { Passkey } from './proofStore.ts';

/** The relying party of the ceremony page, which is always served at `localhost`. */
export const relyingPartyId = 'localhost';
/** The addresses of the ceremony page; its port differs from run to run. */
export const relyingPartyOrigin = /^http:\/\/localhost:\d{1,5}$/;

const text = z.string().min(1).max(100_000);
const credentialFields = { id: text, rawId: text, type: z.literal('public-key') };

/** What the browser answers to `navigator.credentials.create`. Fields that are not verified are left out. */
export const registrationResponse = z.object({
  ...credentialFields,
  response: z.object({
    clientDataJSON: text,
    attestationObject: text,
    transports: z.array(z.string().max(40)).max(10).default([]),
  }),
});
export type RegistrationResponse = z.infer<typeof registrationResponse>;

/** What the browser answers to `navigator.credentials.get`. */
export const authenticationResponse = z.object({
  ...credentialFields,
  response: z.object({ clientDataJSON: text, authenticatorData: text, signature: text }),
});
export type AuthenticationResponse = z.infer<typeof authenticationResponse>;

/** Loaded on first use, because its parsers for certificates would slow down the start. */
const loadWebAuthn = () => import('@simplewebauthn/server');

const toBytes = (base64url: string): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.from(base64url, 'base64url'));
const toBase64url = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url');

const timeoutMs = 60_000;
/** EdDSA, ES256 and RS256: what authenticators use. */
const supportedAlgorithmIDs = [-8, -7, -257];

export const createRegistrationOptions = async (challenge: Challenge, known: readonly Passkey[]) =>
  (await loadWebAuthn()).generateRegistrationOptions({
    rpName: 'Listing Companion',
    rpID: relyingPartyId,
    userName: 'Listing Companion',
    userID: toBytes(Buffer.from('person').toString('base64url')),
    challenge: toBytes(computeWebAuthnChallenge(challenge)),
    timeout: timeoutMs,
    attestationType: 'none',
    supportedAlgorithmIDs,
    excludeCredentials: known.map(({ credentialId: id }) => ({ id })),
    authenticatorSelection: { userVerification: 'required', residentKey: 'discouraged' },
  });

export const createAuthenticationOptions = async (challenge: Challenge, known: readonly Passkey[]) =>
  (await loadWebAuthn()).generateAuthenticationOptions({
    rpID: relyingPartyId,
    challenge: toBytes(computeWebAuthnChallenge(challenge)),
    timeout: timeoutMs,
    userVerification: 'required',
    allowCredentials: known.map(({ credentialId: id }) => ({ id })),
  });

const clientDataShape = z.looseObject({ crossOrigin: z.boolean().optional(), topOrigin: z.string().optional() });

/** The page works only at top level: another page around it could cover what it shows. */
const isFromTopLevel = (clientDataJson: string): boolean => {
  const { data } = clientDataShape.safeParse(JSON.parse(Buffer.from(clientDataJson, 'base64url').toString('utf8')));
  return data?.crossOrigin !== true && data?.topOrigin === undefined;
};

/** Verifies a new passkey. Throws PROOF_REFUSED. */
export const verifyRegistration = async (
  { challenge, origin }: { challenge: Challenge; origin: string },
  response: RegistrationResponse,
): Promise<Omit<Passkey, 'label' | 'addedAt'>> => {
  const { verifyRegistrationResponse } = await loadWebAuthn();
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: { ...response, clientExtensionResults: {} },
      expectedChallenge: computeWebAuthnChallenge(challenge),
      expectedOrigin: origin,
      expectedRPID: relyingPartyId,
      requireUserVerification: true,
      supportedAlgorithmIDs,
    });
    if (!verified || !isFromTopLevel(response.response.clientDataJSON)) throw new Error('not verified');
    const { id, publicKey, counter } = registrationInfo.credential;
    const { transports } = response.response;
    return { credentialId: id, publicKey: toBase64url(publicKey), counter, transports };
  } catch (error) {
    throw createProblem('PROOF_REFUSED', { cause: error });
  }
};

type AssertionCheck = {
  challenge: Challenge;
  /** The origin of the ceremony page. */
  origin: string;
  credential: Pick<Passkey, 'credentialId' | 'publicKey' | 'counter'>;
};

/** Returns the new counter of the passkey. Throws if the assertion is not over exactly this challenge. */
export const verifyAssertion = async (
  { challenge, origin, credential }: AssertionCheck,
  response: AuthenticationResponse,
): Promise<number> => {
  const { verifyAuthenticationResponse } = await loadWebAuthn();
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: { ...response, clientExtensionResults: {} },
    expectedChallenge: computeWebAuthnChallenge(challenge),
    expectedOrigin: origin,
    expectedRPID: relyingPartyId,
    credential: {
      id: credential.credentialId,
      publicKey: toBytes(credential.publicKey),
      counter: credential.counter,
    },
    requireUserVerification: true,
  });
  if (!verified || response.id !== credential.credentialId || !isFromTopLevel(response.response.clientDataJSON))
    throw new Error('not verified');
  return authenticationInfo.newCounter;
};

import { randomUUID } from 'node:crypto';
import { createProblem, toProblemView } from '../base/problem.ts';
import { toCeremonyFacts } from './callFacts.ts';
import type { Ceremonies, Ceremony } from './ceremonies.ts';
import type { Challenge, Proof, ProofKind } from './proof.ts';
import { verifyAssertion, type AuthenticationResponse } from './passkeys.ts';
import type { Pin } from './pin.ts';
import type { PresenceContext, RecordRefusal } from './presenceContext.ts';
import type { Proofs } from './proofs.ts';
import { listProofKinds, type Passkey, type ProofStore } from './proofStore.ts';

export type ConfirmContext = PresenceContext & {
  store: ProofStore;
  ceremonies: Ceremonies;
  proofs: Proofs;
  pin: Pin;
  recordRefusal: RecordRefusal;
  /** Called after the person has confirmed with an existing proof, which makes a recovery needless. */
  cancelRecovery: () => void;
};

const requireKind = ({ store }: ConfirmContext, kind: ProofKind): void => {
  if (!listProofKinds(store.read()).includes(kind)) throw createProblem('PROOF_KIND_OFF');
};

const requireConfirmation = ({ drawn }: Ceremony): void => {
  if (drawn.of === 'registration') throw createProblem('PROOF_KIND_OFF');
};

const describeError = (error: unknown): string => {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error ? cause.message.slice(0, 200) : toProblemView(error).code;
};

export const recordRefusedProof = (
  { recordRefusal }: ConfirmContext,
  ceremony: Ceremony,
  kind: ProofKind,
  error: unknown,
): void =>
  recordRefusal('proof.refused', `${kind} ${ceremony.challenge.purpose.call} ${toProblemView(error).code}`, {
    kind,
    ...toCeremonyFacts(ceremony),
    why: describeError(error),
  });

type ProofEvidence<P = Proof> = P extends Proof ? Omit<P, 'proofId' | 'challenge'> : never;

const addProof = (context: ConfirmContext, ceremony: Ceremony, evidence: ProofEvidence): string => {
  const { challenge } = ceremony;
  const proof = { proofId: `pr_${randomUUID()}`, challenge, ...evidence };
  context.record('proof.given', {
    proofId: proof.proofId,
    kind: proof.kind,
    ...toCeremonyFacts(ceremony),
  });
  context.proofs.add({ proof, evidence: ceremony.evidence, windowSession: ceremony.windowSession });
  context.cancelRecovery();
  ceremony.proofId = proof.proofId;
  return proof.proofId;
};

const runConfirmation = (
  context: ConfirmContext,
  token: string,
  kind: ProofKind,
  check: (ceremony: Ceremony, challenge: Challenge) => Promise<ProofEvidence>,
): Promise<string> =>
  context.ceremonies.runCheck(
    token,
    async (ceremony) => {
      try {
        requireConfirmation(ceremony);
        requireKind(context, kind);
        const evidence = await check(ceremony, ceremony.challenge);
        // The kind might have been removed during the check.
        requireKind(context, kind);
        return addProof(context, ceremony, evidence);
      } catch (error) {
        recordRefusedProof(context, ceremony, kind, error);
        throw error;
      }
    },
    (error) => ['PIN_WRONG', 'PIN_WAITS'].includes(toProblemView(error).code),
  );

const requirePasskey = ({ store }: ConfirmContext, credentialId: string): Passkey => {
  const found = store.read().passkeys.find((passkey) => passkey.credentialId === credentialId);
  if (!found) throw new Error('unknown passkey');
  return found;
};

const checkPasskey = async (
  context: ConfirmContext,
  { challenge, place }: Ceremony,
  response: AuthenticationResponse,
): Promise<ProofEvidence> => {
  if (place === null) throw new Error('not open');
  const credential = requirePasskey(context, response.id);
  const counter = await verifyAssertion({ challenge, ...place, credential }, response);
  const { credentialId, publicKey } = requirePasskey(context, response.id);
  const { store } = context;
  store.change({
    passkeys: store
      .read()
      .passkeys.map((passkey) => (passkey.credentialId === credentialId ? { ...passkey, counter } : passkey)),
  });
  const { clientDataJSON, authenticatorData, signature } = response.response;
  return { kind: 'passkey', credentialId, publicKey, assertion: { clientDataJSON, authenticatorData, signature } };
};

/** Each function ends one ceremony with a proof and returns its id. */
export const createConfirmations = (context: ConfirmContext) => ({
  /** Throws PROOF_REFUSED or CEREMONY_OVER. */
  confirmWithPasskey: (token: string, response: AuthenticationResponse): Promise<string> =>
    runConfirmation(context, token, 'passkey', async (ceremony) => {
      try {
        return await checkPasskey(context, ceremony, response);
      } catch (error) {
        throw createProblem('PROOF_REFUSED', { cause: error });
      }
    }),
  /** Throws PROOF_REFUSED or CEREMONY_OVER. */
  confirmWithSystemPrompt: (token: string): Promise<string> =>
    runConfirmation(context, token, 'system', async ({ drawn }) => {
      if ((await context.systemPrompt?.confirm(drawn)) !== true) throw createProblem('PROOF_REFUSED');
      return { kind: 'system' };
    }),
  /** Throws PIN_WRONG or PIN_WAITS, after which the same ceremony can continue, or CEREMONY_OVER. */
  confirmWithPin: (token: string, pin: string): Promise<string> =>
    runConfirmation(context, token, 'pin', async () => {
      await context.pin.require(pin);
      return { kind: 'pin' };
    }),
});

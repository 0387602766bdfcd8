import type { Clock } from '../base/ports.ts';
import { createBoundedMap } from '../base/boundedMap.ts';
import { createProblem } from '../base/problem.ts';
import { toCanonicalJson } from '../base/json.ts';
import type { ProofNeed } from './callFacts.ts';
import type { Challenge, Proof } from './proof.ts';
import type { ShownEvidence } from './ceremonies.ts';

/**
 * How long the proof of a finished ceremony is valid. A short time is enough, because the window repeats its call at
 * once.
 */
const maxProofAgeMs = 60_000;
const maxProofs = 100;

type RefusalReason =
  | 'missing'
  | 'relaxationOver'
  | 'otherWindow'
  | 'unknown'
  | 'used'
  | 'expired'
  | 'otherAccount'
  | 'otherTotal'
  | 'otherSubject';

/** A proof with the evidence that a window showed the approvals when its ceremony began. */
export type GivenProof = {
  proof: Proof;
  evidence: readonly ShownEvidence[] | null;
  /** Set if an earlier proof counts, because the person relaxed the confirmation of their own acts. */
  earlier: EarlierProof | null;
};
export type EarlierProof = { ageMs: number; minutes: number };

type NewProof = { proof: Proof; evidence: readonly ShownEvidence[]; windowSession: string | undefined };
type HeldProof = NewProof & { atMs: number; isUsed: boolean };

/** The finished proofs of this run. Each is valid once. */
export type Proofs = {
  add: (given: NewProof) => void;
  /**
   * Returns the newest proof of approvals that this window session showed, if it is younger than `minutes` and from the
   * same account; null otherwise. A proof of another call does not count, because its page says nothing about approvals.
   */
  findEarlier: (account: string, windowSession: string | undefined, minutes: number) => GivenProof | null;
  /** Returns the proof that `findEarlier` finds. Throws PROOF_NEEDED and records why. */
  requireEarlier: (need: ProofNeed, windowSession: string | undefined, minutes: number) => GivenProof;
  /** Returns the proof without using it. Throws PROOF_NEEDED and records why. */
  require: (need: ProofNeed, proofId: string | undefined) => GivenProof;
  /** Uses up a proof that `require` returned. Throws PROOF_NEEDED if it was used or forgotten since. */
  use: (given: Pick<GivenProof, 'proof' | 'earlier'>) => void;
  /** Invalidates all proofs, because a passkey or PIN that gave them might be gone. */
  forgetAll: () => void;
};

export const sortApprovals = (approvals: Challenge['approvals']): Challenge['approvals'] =>
  [...approvals].sort((a, b) => (a.id < b.id ? -1 : 1));

const isSame = (a: unknown, b: unknown): boolean => toCanonicalJson(a) === toCanonicalJson(b);

const findMismatch = ({ challenge }: Proof, need: ProofNeed): RefusalReason | null => {
  if (challenge.account !== need.account) return 'otherAccount';
  if ('purpose' in need)
    return challenge.approvals.length === 0 && isSame(challenge.purpose, need.purpose) ? null : 'otherSubject';
  if (challenge.purpose.inputHash !== null || !isSame(challenge.approvals, sortApprovals(need.approvals)))
    return 'otherSubject';
  return isSame(challenge.total, need.total) ? null : 'otherTotal';
};

export const createProofs = (
  { elapsedMs }: Pick<Clock, 'elapsedMs'>,
  recordRefusal: (facts: { reason: RefusalReason; proofId: string | null; need: ProofNeed }) => void,
): Proofs => {
  const held = createBoundedMap<string, HeldProof>(maxProofs);
  const findRefusal = (found: HeldProof | undefined, need: ProofNeed): RefusalReason | null => {
    if (!found) return 'unknown';
    if (found.isUsed) return 'used';
    if (elapsedMs() > found.atMs + maxProofAgeMs) return 'expired';
    return findMismatch(found.proof, need);
  };
  const findLastOfApprovals = (isCounted: (held: HeldProof) => boolean): HeldProof | undefined =>
    [...held.entries()].findLast(([, one]) => one.proof.challenge.approvals.length > 0 && isCounted(one))?.[1];
  const findEarlier: Proofs['findEarlier'] = (account, windowSession, minutes) => {
    const last = findLastOfApprovals((one) => one.windowSession === windowSession);
    if (last === undefined || windowSession === undefined || last.proof.challenge.account !== account) return null;
    const ageMs = Math.floor(elapsedMs() - last.atMs);
    return ageMs >= minutes * 60_000 ? null : { proof: last.proof, evidence: null, earlier: { ageMs, minutes } };
  };
  const findEarlierRefusal = (account: string, windowSession: string | undefined, minutes: number): RefusalReason => {
    const own = findLastOfApprovals((one) => one.windowSession === windowSession);
    if (own !== undefined) return own.proof.challenge.account === account ? 'relaxationOver' : 'otherAccount';
    const other = findLastOfApprovals((one) => one.proof.challenge.account === account);
    return other !== undefined && elapsedMs() - other.atMs < minutes * 60_000 ? 'otherWindow' : 'missing';
  };
  return {
    findEarlier,
    add: (given) => void held.set(given.proof.proofId, { ...given, atMs: elapsedMs(), isUsed: false }),
    requireEarlier: (need, windowSession, minutes) => {
      const earlier = findEarlier(need.account, windowSession, minutes);
      if (earlier !== null) return earlier;
      const reason = findEarlierRefusal(need.account, windowSession, minutes);
      recordRefusal({ reason, proofId: null, need });
      throw createProblem('PROOF_NEEDED');
    },
    require: (need, proofId) => {
      const found = proofId === undefined ? undefined : held.get(proofId);
      const reason = proofId === undefined ? 'missing' : findRefusal(found, need);
      if (found && reason === null) return { proof: found.proof, evidence: found.evidence, earlier: null };
      recordRefusal({ reason: reason ?? 'unknown', proofId: proofId ?? null, need });
      throw createProblem('PROOF_NEEDED');
    },
    use: ({ proof: { proofId }, earlier }) => {
      const found = held.get(proofId);
      if (!found || (found.isUsed && earlier === null)) throw createProblem('PROOF_NEEDED');
      found.isUsed = true;
    },
    forgetAll: () => {
      for (const [proofId] of [...held.entries()]) held.delete(proofId);
    },
  };
};

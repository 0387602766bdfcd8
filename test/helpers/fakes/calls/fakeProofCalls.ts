import type { PresenceState } from '../../../../src/core/presence/presence.ts';
import type { Answers } from '../fakeCompanion.ts';
import { refuseCall } from '../fakeRefusal.ts';

type Proofs = Pick<Answers, Extract<keyof Answers, `proofs.${string}`>>;

const noProof: PresenceState = {
  kinds: [],
  isSetUp: false,
  passkeys: [],
  pin: null,
  hasSystemPrompt: false,
  isSignInFresh: false,
  recoveryLeftMs: null,
  isLost: false,
};

/** Calls about proofs of the person, of which this companion has none. */
export const createProofCalls = (): Proofs => ({
  'proofs.state': () => noProof,
  'proofs.begin': () => refuseCall('NO_PROOF_NEEDED', 'This needs no confirmation.'),
  'proofs.open': () => ({ url: null }),
  'proofs.result': () => ({ state: 'expired', proofId: null }),
  'proofs.cancel': () => null,
  'proofs.register': () => refuseCall('SIGN_IN_NEEDED', 'Sign in with a code from an e-mail first.'),
  'proofs.remove': () => noProof,
  'proofs.startSignIn': () => ({ challengeId: 'challenge' }),
  'proofs.signIn': () => noProof,
  'proofs.startRecovery': () => noProof,
  'proofs.cancelRecovery': () => noProof,
});

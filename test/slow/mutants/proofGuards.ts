import type { Guard } from './guard.ts';

const proofs = 'src/core/presence/proofs.ts';
const ceremonies = 'src/core/presence/ceremonies.ts';
const passkeys = 'src/core/presence/passkeys.ts';
const presence = 'src/core/presence/presence.ts';
const register = 'src/core/presence/register.ts';
const verify = 'src/core/approvals/verify/verifyProof.ts';
const approving = ['test/flows/presence/passkeyApproval.test.ts'];
const settingUp = ['test/flows/presence/setUp.test.ts'];
const protectedCalls = ['test/flows/presence/protectedCalls.test.ts'];
const pins = ['test/flows/presence/pin.test.ts'];
const recovering = ['test/flows/presence/recovery.test.ts'];
const receipts = ['test/unit/core/presence/provenReceipts.test.ts'];

/** Checks that only the person can confirm what needs a proof. */
export const proofGuards: readonly Guard[] = [
  {
    id: 'proof-of-yes',
    keeps: 'A yes needs a proof once one is set up.',
    file: presence,
    source: 'isSetUp(parts) ? parts.proofs.require(need, proofId) : null',
    without: 'proofId === undefined ? null : parts.proofs.require(need, proofId)',
    tests: approving,
    only: 'is sent only after its ceremony',
  },
  {
    id: 'proof-of-call',
    keeps: 'A protected call needs a proof once one is set up.',
    file: 'src/ipc/serveCalls.ts',
    source: "if (protection === 'proof' && !isFree(input)) requireProof(name, input, proofId);",
    without: '',
    tests: protectedCalls,
    only: 'is refused without a proof, and leaves a row',
  },
  {
    id: 'proof-once',
    keeps: 'A proof is valid once.',
    file: proofs,
    source: "if (found.isUsed) return 'used';",
    without: '',
    tests: protectedCalls,
    only: 'covers one call with one input, once',
  },
  {
    id: 'proof-expiry',
    keeps: 'A proof expires after a minute.',
    file: proofs,
    source: "if (elapsedMs() > found.untilMs) return 'expired';",
    without: '',
    tests: approving,
    only: 'expires a minute after its ceremony',
  },
  {
    id: 'proof-subject',
    keeps: 'A proof covers exactly the approvals that it names.',
    file: proofs,
    source: '!isSame(challenge.approvals, sortApprovals(need.approvals))',
    without: 'challenge.approvals.length === 0',
    tests: approving,
    only: 'exactly the ticked rows of a batch',
  },
  {
    id: 'proof-input',
    keeps: 'A proof covers one call with one input.',
    file: proofs,
    source: 'challenge.approvals.length === 0 && isSame(challenge.purpose, need.purpose)',
    without: 'challenge.approvals.length === 0',
    tests: protectedCalls,
    only: 'covers one call with one input, once',
  },
  {
    id: 'ceremony-once',
    keeps: 'A token opens one page once, and its ceremony is checked once.',
    file: ceremonies,
    source:
      "if (found.state !== wanted) return refuseCeremony(state, found.state === 'begun' ? 'notOpen' : 'reused', found);",
    without: '',
    tests: approving,
    only: 'opens once, within a minute',
  },
  {
    id: 'ceremony-expiry',
    keeps: 'A token is valid for a minute.',
    file: ceremonies,
    source: "if (isExpired(state, found)) return refuseCeremony(state, 'expired', found);",
    without: '',
    tests: approving,
    only: 'opens once, within a minute',
  },
  {
    id: 'passkey-top-level',
    keeps: 'A passkey is created only on a page at top level.',
    file: passkeys,
    source: '!verified || !isCreatedAtTopLevel(response.response.clientDataJSON)',
    without: '!verified',
    tests: settingUp,
    only: 'in a frame',
  },
  {
    id: 'passkey-removed',
    keeps: 'What a removed passkey has confirmed no longer counts.',
    file: presence,
    source: '  proofs.forgetAll();\n  ceremonies.cancelAll();\n  record(',
    without: '  record(',
    tests: settingUp,
    only: 'a removed one no longer does',
  },
  {
    id: 'set-up-sign-in',
    keeps: 'The first proof needs a sign-in.',
    file: presence,
    source: 'if (!isSetUp(parts) && !parts.signIn.isFresh()) {',
    without: 'if (parts.isProofExpected() && !parts.signIn.isFresh()) {',
    tests: settingUp,
    only: 'without a sign-in and without a proof',
  },
  {
    id: 'set-up-once',
    keeps: 'One sign-in sets up one proof.',
    file: register,
    source: '    ceremonies.cancelAll();\n',
    without: '',
    tests: settingUp,
    only: 'for ten minutes, and only one',
  },
  {
    id: 'pin-attempt-first',
    keeps: 'A PIN attempt is counted before it is checked.',
    file: 'src/core/presence/pin.ts',
    source: '    const wrong = noteAttempt();\n    const hash = await hashPin(pin, Buffer',
    without: '    const hash = await hashPin(pin, Buffer',
    tests: pins,
    only: 'five wrong PINs start waits',
  },
  {
    id: 'pin-wait',
    keeps: 'Wrong PINs start waits.',
    file: 'src/core/presence/pin.ts',
    source: "if (waitLeftMs() > 0) throw createProblem('PIN_WAITS', { retryAfterS: Math.ceil(waitLeftMs() / 1_000) });",
    without: '',
    tests: pins,
    only: '60 PINs over restarts',
  },
  {
    id: 'pin-off',
    keeps: 'A stronger proof turns the PIN off.',
    file: register,
    source: "if (kind !== 'pin') await removePin(context);",
    without: '',
    tests: settingUp,
    only: 'turns the PIN off',
  },
  {
    id: 'recovery-sign-in',
    keeps: 'A recovery needs a sign-in.',
    file: presence,
    source: "    record('proof.recovery_refused', {});\n    throw createProblem('SIGN_IN_NEEDED');",
    without: '',
    tests: recovering,
    only: 'a recovery needs a sign-in',
  },
  {
    id: 'recovery-pauses',
    keeps: 'A recovery pauses all assistants.',
    file: presence,
    source: '  pauseAssistants();\n',
    without: '',
    tests: recovering,
    only: 'pauses all assistants at once',
  },
  {
    id: 'receipt-digest',
    keeps: 'The digest that the passkey signed covers the subject.',
    file: verify,
    source: 'data === undefined || hashCanonicalJson(data.subject) !== digest',
    without: 'data === undefined',
    tests: receipts,
    only: 'cannot change what the passkey signed',
  },
  {
    id: 'receipt-assertion',
    keeps: 'A receipt is accepted only with the signature of the passkey.',
    file: verify,
    source: "[await isAssertionValid(given), 'The passkey did not sign this.'],",
    without: '',
    tests: receipts,
    only: 'a new row of the yes',
  },
];

import type { Companion } from '../core/companion/createCompanion.ts';
import { createProblem } from '../core/base/problem.ts';
import type { BegunCeremony, PresenceState } from '../core/presence/presence.ts';
import type { ShownPrompt } from '../core/presence/windowSessions.ts';
import { calls, type CallHandlers, type CallName } from '../ipc/calls.ts';
import type { RequireProof } from '../ipc/serveCalls.ts';
import { refuseWithoutDesktop } from './shell.ts';

type ProofHandlers = Pick<CallHandlers, Extract<CallName, `proofs.${string}`>>;

const isCallName = (name: string): name is CallName => Object.hasOwn(calls, name);

/** Returns the approvals that a call says yes to; null for every other call. */
const findApprovedPrompts = (call: CallName, input: unknown): ShownPrompt[] | null => {
  if (call === 'approvals.approve') return [calls[call].input.parse(input)];
  return call === 'batch.approve' ? calls[call].input.parse(input).rows : null;
};

/** Creates the guard of calls. A yes to approvals uses up its proof in the transaction that stores the yes instead. */
export const createProofGuard =
  ({ presence }: Pick<Companion, 'presence'>): RequireProof =>
  (name, input, proofId) => {
    if (findApprovedPrompts(name, input) === null) presence.requireForCall(name, input, proofId);
  };

const beginCeremony = (
  { presence }: Companion,
  { call, input }: { call: string; input?: unknown },
  windowSession: string | undefined,
): BegunCeremony => {
  if (!isCallName(call) || calls[call].protection !== 'proof') throw createProblem('NO_PROOF_NEEDED');
  const parsed = calls[call].input.safeParse(input);
  if (!parsed.success) throw createProblem('NO_PROOF_NEEDED');
  const prompts = findApprovedPrompts(call, parsed.data);
  return prompts === null
    ? presence.beginForCall(call, parsed.data)
    : presence.beginForApprovals(call, prompts, windowSession);
};

export const createProofHandlers = (companion: Companion): ProofHandlers => {
  const { presence } = companion;
  const readStateAfter = async (change: unknown): Promise<PresenceState> => {
    await change;
    return presence.readState();
  };
  return {
    'proofs.state': async () => presence.readState(),
    'proofs.begin': async (begun, windowSession) => beginCeremony(companion, begun, windowSession),
    // Only a host with a window can show a page, so each host replaces this handler.
    'proofs.open': refuseWithoutDesktop,
    'proofs.result': async ({ token }) => presence.readCeremony(token),
    'proofs.cancel': async ({ token }) => presence.cancelCeremony(token),
    'proofs.register': async ({ kind, label }) => presence.beginRegistration(kind, label),
    'proofs.remove': async ({ kind, credentialId }) => readStateAfter(presence.removeProof(kind, credentialId)),
    'proofs.startSignIn': () => companion.connect.startAgain(),
    'proofs.signIn': async (given) => readStateAfter(companion.connect.verifyAgain(given)),
    'proofs.startRecovery': async () => readStateAfter(presence.startRecovery()),
    'proofs.cancelRecovery': async () => readStateAfter(presence.cancelRecovery()),
  };
};

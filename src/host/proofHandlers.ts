import type * as z from 'zod';
import type { Companion } from '../core/companion/createCompanion.ts';
import { createProblem, type Problem } from '../core/base/problem.ts';
import type { BegunCeremony, PresenceState } from '../core/presence/presence.ts';
import type { ShownPrompt } from '../core/presence/windowSessions.ts';
import { calls, isProofNeeded, type CallHandlers, type CallName } from '../ipc/calls.ts';
import { describeInvalidInput, type RequireProof } from '../ipc/serveCalls.ts';
import { nameCallIds, nameCallSubjects } from './ceremony/ceremonyCore.ts';
import { refuseWithoutDesktop } from './shell.ts';

type ProofHandlers = Pick<CallHandlers, Extract<CallName, `proofs.${string}`>>;

const isCallName = (name: string): name is CallName => Object.hasOwn(calls, name);

/** Returns the approvals that a call says yes to; null for every other call. */
const findApprovedPrompts = (call: CallName, input: unknown): ShownPrompt[] | null => {
  if (call === 'approvals.approve') return [calls[call].input.parse(input)];
  return call === 'batch.approve' ? calls[call].input.parse(input).rows : null;
};

/**
 * The calls that only read, and those that add photos after the check. While the database is checked after a crash, a
 * window can make no others.
 */
const callsDuringCheck: ReadonlySet<CallName> = new Set<CallName>([
  ...(['app.state', 'app.shell', 'app.showLogs', 'app.diagnostics', 'backups.list', 'links.inspect'] as const),
  ...(['listings.search', 'listings.counts', 'listings.askingValue', 'listings.kept', 'listings.written'] as const),
  ...(['listings.warnings', 'listings.duplicates', 'listings.isUnknown', 'listings.lastBulkEdit'] as const),
  ...(['notifications.list', 'approvals.list', 'approvals.history', 'approvals.get', 'batch.list'] as const),
  ...(['history.search', 'exports.list', 'assistants.list', 'assistants.activity', 'clients.list'] as const),
  ...(['offers.list', 'shelf.read', 'shelf.lastEdit', 'shelf.find', 'shelf.pickList', 'photos.diskUse'] as const),
  ...(['items.list', 'items.counts', 'items.ready', 'items.chosen', 'items.between', 'items.beside'] as const),
  ...(['items.nextWeak', 'items.ofListing', 'items.get', 'items.repeats', 'items.settled', 'items.sheet'] as const),
  ...(['items.sheetRow', 'items.lastChange', 'proofs.state'] as const),
  ...(['items.add', 'items.addInto', 'items.addSamples', 'listingPhotos.replace'] as const),
]);

/** Creates the guard of calls. A yes to approvals uses up its proof in the transaction that stores the yes instead. */
export const createProofGuard =
  (companion: Pick<Companion, 'presence' | 'readCallState' | 'assistants' | 'offers' | 'dataCheck'>): RequireProof =>
  (call, input, proofId) => {
    const problem = companion.dataCheck.findProblem();
    if (problem && !callsDuringCheck.has(call)) throw problem;
    const { presence, readCallState } = companion;
    // A proof that comes with a call is checked even if the call needs none, because the call might do more with a
    // proof.
    if (proofId === undefined && !isProofNeeded(call, input, readCallState())) return;
    if (findApprovedPrompts(call, input) !== null) return;
    presence.requireForCall({ call, input, subjects: nameCallIds(companion, input) }, proofId);
  };

const createInvalidInputProblem = (error: z.ZodError): Problem => {
  const { field, why } = describeInvalidInput(error);
  return field === undefined
    ? createProblem('INVALID_INPUT.whole', { values: { why } })
    : createProblem('INVALID_INPUT.field', { field, values: { field, why } });
};

type ProofContext = { companion: Companion; listClients: CallHandlers['clients.list'] };

const beginCeremony = async (
  { companion, listClients }: ProofContext,
  { call, input }: { call: string; input?: unknown },
  windowSession: string | undefined,
): Promise<BegunCeremony> => {
  const { presence } = companion;
  if (!isCallName(call)) throw createProblem('UNKNOWN_CALL');
  if (calls[call].protection !== 'proof') throw createProblem('NO_PROOF_NEEDED');
  const parsed = calls[call].input.safeParse(input);
  if (!parsed.success) throw createInvalidInputProblem(parsed.error);
  if (!isProofNeeded(call, parsed.data, companion.readCallState())) throw createProblem('NO_PROOF_NEEDED');
  const prompts = findApprovedPrompts(call, parsed.data);
  if (prompts !== null) return presence.beginForApprovals(call, prompts, windowSession);
  if (call === 'proofs.register') presence.requireSetUpAllowed(calls[call].input.parse(input).kind, windowSession);
  const subjects = await nameCallSubjects(companion, listClients, { call, input: parsed.data });
  return presence.beginForCall({ call, input: parsed.data, subjects }, windowSession);
};

export const createProofHandlers = (companion: Companion, listClients: CallHandlers['clients.list']): ProofHandlers => {
  const { presence } = companion;
  const readStateAfter = async (change: unknown, windowSession: string | undefined): Promise<PresenceState> => {
    await change;
    return presence.readState(windowSession);
  };
  return {
    'proofs.state': async (_input, windowSession) => presence.readState(windowSession),
    'proofs.begin': (begun, windowSession) => beginCeremony({ companion, listClients }, begun, windowSession),
    // Only a host with a window can show a page, so each host replaces this handler.
    'proofs.open': refuseWithoutDesktop,
    'proofs.result': async ({ token }) => presence.readCeremony(token),
    'proofs.cancel': async ({ token }) => presence.cancelCeremony(token),
    'proofs.register': async ({ kind, label }, windowSession) => presence.beginRegistration(kind, label, windowSession),
    'proofs.remove': async ({ kind, credentialId }, windowSession) =>
      readStateAfter(presence.removeProof(kind, credentialId), windowSession),
    'proofs.relax': async ({ minutes }, windowSession) => readStateAfter(presence.relax(minutes), windowSession),
    'proofs.startSignIn': (_input, windowSession) => companion.connect.startAgain(windowSession),
    'proofs.signIn': async (given, windowSession) =>
      readStateAfter(companion.connect.verifyAgain(given, windowSession), windowSession),
    'proofs.startRecovery': async (_input, windowSession) =>
      readStateAfter(presence.startRecovery(windowSession), windowSession),
    'proofs.cancelRecovery': async (_input, windowSession) => readStateAfter(presence.cancelRecovery(), windowSession),
  };
};

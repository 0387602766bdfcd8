import { hashCanonicalJson } from '../base/json.ts';
import { createProblem } from '../base/problem.ts';
import {
  createCeremonies,
  type CeremonyPlace,
  type CeremonyStatus,
  type DrawnCeremony,
  type ShownEvidence,
} from './ceremonies.ts';
import { computeTotal, type Challenge, type Purpose, type ProofKind, type RelaxedMinutes } from './proof.ts';
import {
  hideSecrets,
  toCeremonyFacts,
  toNeedFacts,
  toNeedName,
  type ProofNeed,
  type ProtectedCall,
} from './callFacts.ts';
import { createConfirmations } from './confirm.ts';
import { createAuthenticationOptions, createRegistrationOptions } from './passkeys.ts';
import { createPin } from './pin.ts';
import { type PresenceContext, createRefusalRecorder } from './presenceContext.ts';
import { createProofs, sortApprovals, type GivenProof } from './proofs.ts';
import { listProofKinds, noProofs, openProofStore, type Passkey } from './proofStore.ts';
import { createRecovery, type Recovery } from './recovery.ts';
import { createRegistrations, type RegisterContext } from './register.ts';
import type { ShownPrompt } from './windowSessions.ts';

export type PresenceState = {
  /** The kinds of proof that count now. */
  kinds: ProofKind[];
  isSetUp: boolean;
  passkeys: Pick<Passkey, 'credentialId' | 'label' | 'addedAt'>[];
  pin: { keychain: 'system' | 'memory'; waitLeftMs: number } | null;
  /** Whether this host has a system prompt. */
  hasSystemPrompt: boolean;
  /**
   * Whether this window had a sign-in in the last ten minutes, so that the person can set up the first proof or start a
   * recovery.
   */
  isSignInFresh: boolean;
  recoveryLeftMs: number | null;
  /** How long after a proof the person's own acts need no further proof. */
  relaxedMinutes: RelaxedMinutes;
  isLost: boolean;
};

export type BegunCeremony = { token: string; expiresAt: number; kinds: ProofKind[] };

const maxSignInAgeMs = 10 * 60_000;

export type Presence = ReturnType<typeof createPresence>;

type PresenceParts = RegisterContext & { recovery: Recovery; signIn: SignInAge };

/** A sign-in counts only for the window session that made it, because any program can open another window. */
type SignInAge = {
  isFresh: (windowSession: string | undefined) => boolean;
  note: (windowSession: string | undefined) => void;
  end: () => void;
};

const createSignInAge = ({ elapsedMs }: PresenceContext['clock']): SignInAge => {
  let last: { windowSession: string; atMs: number } | null = null;
  return {
    isFresh: (windowSession) =>
      last !== null && last.windowSession === windowSession && elapsedMs() - last.atMs <= maxSignInAgeMs,
    note: (windowSession) => void (last = windowSession === undefined ? null : { windowSession, atMs: elapsedMs() }),
    end: () => void (last = null),
  };
};

const openPresenceParts = (context: PresenceContext): PresenceParts => {
  const { clock, secrets, log, record, changed } = context;
  const recordRefusal = createRefusalRecorder(context);
  const store = openProofStore({ ...context, now: clock.now, onPinEnded: () => record('proof.pin_ended', {}) });
  const proofs = createProofs(clock, ({ reason, proofId, need }) =>
    recordRefusal('proof.missing', `${reason} ${toNeedName(need)}`, { why: reason, proofId, ...toNeedFacts(need) }),
  );
  const ceremonies = createCeremonies(clock, {
    recordFault: (fault, ceremony) => {
      const facts = ceremony === null ? { call: null } : toCeremonyFacts(ceremony);
      recordRefusal('proof.token_refused', `${fault} ${String(facts['call'])}`, { why: fault, ...facts });
    },
    onEnded: () => changed('ceremonies'),
  });
  const recordChange = (kind: string, facts: Record<string, unknown>): void => {
    record(kind, facts);
    changed('app');
  };
  const pin = createPin({
    ...{ secrets, store, clock, cost: context.pinCost },
    onWait: (wrong, waitMs) => recordChange('proof.pin_waits', { wrong, waitMs }),
  });
  const recovery = createRecovery({
    ...{ store, clock, readServiceTime: context.readServiceTime },
    onOver: () => {
      proofs.forgetAll();
      ceremonies.cancelAll();
      recordChange('proof.recovered', {});
      store.change(noProofs);
      pin.remove().catch(() => log('warn', 'the PIN could not be removed from the keychain'));
    },
  });
  const signIn = createSignInAge(clock);
  return {
    ...context,
    ...{ store, proofs, ceremonies, pin, recovery, signIn, recordRefusal },
    endSignIn: signIn.end,
    cancelRecovery: () => {
      if (recovery.cancel()) recordChange('proof.recovery_cancelled', {});
    },
  };
};

const isSetUp = ({ store }: PresenceParts): boolean => store.read().isLost || listProofKinds(store.read()).length > 0;

const readState = (parts: PresenceParts, windowSession?: string): PresenceState => {
  const { store, pin, recovery, signIn, systemPrompt } = parts;
  const stored = store.read();
  return {
    kinds: listProofKinds(stored),
    isSetUp: isSetUp(parts),
    passkeys: stored.passkeys.map(({ credentialId, label, addedAt }) => ({ credentialId, label, addedAt })),
    pin: stored.pin === null ? null : { keychain: stored.pin, waitLeftMs: pin.waitLeftMs() },
    hasSystemPrompt: systemPrompt !== null,
    isSignInFresh: signIn.isFresh(windowSession),
    recoveryLeftMs: recovery.readLeftMs(),
    relaxedMinutes: stored.relaxedMinutes,
    isLost: stored.isLost,
  };
};

type CeremonyRequest = {
  about: Pick<Challenge, 'purpose'> & Partial<Pick<Challenge, 'approvals' | 'total'>>;
  drawn: DrawnCeremony;
  evidence?: readonly ShownEvidence[];
  windowSession: string | undefined;
};

const beginCeremony = (
  { ceremonies, account, store }: PresenceParts,
  { about, evidence = [], ...shown }: CeremonyRequest,
): BegunCeremony => {
  const challenge = { approvals: [], total: computeTotal([]), account: account(), ...about };
  const { token, challenge: made } = ceremonies.begin({ challenge, evidence, ...shown });
  return { token, expiresAt: made.expiresAt, kinds: listProofKinds(store.read()) };
};

const toPurpose = (call: string, input: unknown): Purpose => ({ call, inputHash: hashCanonicalJson(input) });

const requireSetUpAllowed = (parts: PresenceParts, kind: ProofKind, windowSession: string | undefined): void => {
  // If a proof is set up, the call needs it, as every protected call does.
  if (isSetUp(parts) || parts.signIn.isFresh(windowSession)) return;
  parts.recordRefusal('proof.set_up_refused', kind, { kind, windowSession: windowSession ?? null });
  throw createProblem('SIGN_IN_NEEDED');
};

const openCeremony = async (parts: PresenceParts, token: string, place: CeremonyPlace) => {
  const { challenge, drawn, untilMs } = parts.ceremonies.open(token, place);
  const { passkeys, ...stored } = parts.store.read();
  const kinds = listProofKinds({ passkeys, ...stored });
  const { of } = drawn;
  return {
    drawn,
    leftMs: Math.max(0, untilMs - parts.clock.elapsedMs()),
    kinds,
    registrationOptions:
      of === 'registration' && drawn.kind === 'passkey' ? await createRegistrationOptions(challenge, passkeys) : null,
    authenticationOptions:
      of !== 'registration' && kinds.includes('passkey')
        ? await createAuthenticationOptions(challenge, passkeys)
        : null,
  };
};

/** The first functions begin ceremonies for a window; the others serve the ceremony page. */
const createCeremonyApi = (parts: PresenceParts) => ({
  /**
   * Throws NOT_WHAT_WAS_SHOWN unless each approval is pending and has this digest, and PROMPT_NOT_SHOWN or
   * SHOWN_TOO_BRIEFLY unless the window session has shown each of them for long enough. Throws NO_PROOF_NEEDED if an
   * earlier proof counts.
   */
  beginForApprovals: (call: string, prompts: readonly ShownPrompt[], windowSession?: string): BegunCeremony => {
    const { drawn, evidence, ...about } = parts.readPrompts(prompts, windowSession);
    const isOwn = drawn.every(({ asker }) => asker.kind === 'person');
    const { relaxedMinutes } = parts.store.read();
    if (isOwn && parts.proofs.findEarlier(about.account, windowSession, relaxedMinutes) !== null)
      throw createProblem('NO_PROOF_NEEDED');
    const challenge = { ...about, purpose: { call, inputHash: null }, approvals: sortApprovals(about.approvals) };
    return beginCeremony(parts, {
      about: challenge,
      drawn: { of: 'approvals', approvals: drawn, total: about.total },
      ...{ evidence, windowSession },
    });
  },
  beginForCall: ({ call, input, subjects }: ProtectedCall, windowSession?: string): BegunCeremony =>
    beginCeremony(parts, {
      about: { purpose: toPurpose(call, input) },
      drawn: { of: 'call', call, input: hideSecrets(input), subjects },
      windowSession,
    }),
  /** Throws SIGN_IN_NEEDED if no proof is set up and this window session has made no sign-in, or one that is too old. */
  requireSetUpAllowed: (kind: ProofKind, windowSession?: string): void =>
    requireSetUpAllowed(parts, kind, windowSession),
  /** Throws SIGN_IN_NEEDED, as `requireSetUpAllowed`. */
  beginRegistration: (kind: ProofKind, label: string, windowSession?: string): BegunCeremony => {
    requireSetUpAllowed(parts, kind, windowSession);
    if (kind === 'system' && parts.systemPrompt === null) throw createProblem('PROOF_KIND_OFF');
    return beginCeremony(parts, {
      about: { purpose: toPurpose('proofs.register', { kind, label }) },
      drawn: { of: 'registration', kind, label },
      windowSession,
    });
  },
  /** Throws CEREMONY_OVER unless the page of the token can still be opened. */
  requireBegunCeremony: (token: string): void => void parts.ceremonies.require(token, 'begun'),
  /** Opens the page of a token and returns what the page shows. Throws CEREMONY_OVER. */
  openCeremony: (token: string, place: CeremonyPlace) => openCeremony(parts, token, place),
  cancelReopenedCeremony: parts.ceremonies.cancelReopened,
  /** Returns the kinds of proof that can end the ceremony. */
  readCeremonyKinds: (token: string): ProofKind[] => {
    const drawn = parts.ceremonies.find(token)?.drawn;
    return drawn?.of === 'registration' ? [drawn.kind] : listProofKinds(parts.store.read());
  },
  /** Returns the path of the photo in a row of an open ceremony; null if the row has no photo. */
  findCeremonyPhoto: (token: string, row: number): string | null => {
    const drawn = parts.ceremonies.find(token)?.drawn;
    const isOpen = ['open', 'checking'].includes(parts.ceremonies.readStatus(token).state);
    return (isOpen && drawn?.of === 'approvals' ? drawn.approvals[row]?.photoUrl : null) ?? null;
  },
  cancelCeremony: (token: string): void => parts.ceremonies.cancel(token),
  readCeremony: (token: string): CeremonyStatus => parts.ceremonies.readStatus(token),
  ...createConfirmations(parts),
  ...createRegistrations(parts),
});

const createGuardApi = (parts: PresenceParts) => ({
  /** Uses up the proof of a protected call. Throws PROOF_NEEDED. */
  requireForCall: (about: ProtectedCall, proofId: string | undefined): void => {
    if (!isSetUp(parts)) return;
    const { proofs, record, account } = parts;
    const need = { purpose: toPurpose(about.call, about.input), account: account(), about };
    const given = proofs.require(need, proofId);
    proofs.use(given);
    record('proof.used', { proofId: given.proof.proofId, kind: given.proof.kind, ...toNeedFacts(need) });
  },
});

type GivenYes = { windowSession?: string | undefined; proofId?: string | undefined };

export type ApprovalProofs = {
  /**
   * Returns the proof of a yes; null if no proof is set up. If the person requested all of the approvals, an earlier
   * proof can count. Throws PROOF_NEEDED.
   */
  require: (need: ApprovalsNeed, given: GivenYes, isOwn: boolean) => GivenProof | null;
  /** Uses up the proof in the transaction that stores the yes. Throws PROOF_NEEDED if it was used or forgotten since. */
  use: (given: Pick<GivenProof, 'proof' | 'earlier'> | null) => void;
};
type ApprovalsNeed = Extract<ProofNeed, { approvals: unknown }>;

const requireForApprovals = (
  { proofs, store }: PresenceParts,
  need: ApprovalsNeed,
  { windowSession, proofId }: GivenYes,
  isOwn: boolean,
): GivenProof => {
  const { relaxedMinutes } = store.read();
  return isOwn && proofId === undefined && relaxedMinutes > 0
    ? proofs.requireEarlier(need, windowSession, relaxedMinutes)
    : proofs.require(need, proofId);
};

const createApprovalProofs = (parts: PresenceParts): ApprovalProofs => ({
  require: (need, given, isOwn) => (isSetUp(parts) ? requireForApprovals(parts, need, given, isOwn) : null),
  use: (given) => {
    if (given !== null) parts.proofs.use(given);
  },
});

/** A longer time is weaker, so its row raises a notification. */
const relaxProofs = ({ store, record, changed }: PresenceParts, minutes: RelaxedMinutes): void => {
  const { relaxedMinutes: before } = store.read();
  if (minutes === before) return;
  store.change({ relaxedMinutes: minutes });
  record(minutes > before ? 'proof.relaxed' : 'proof.tightened', { minutes, before });
  changed('app');
};

const removeProof = async (parts: PresenceParts, kind: ProofKind, credentialId: string | null): Promise<void> => {
  const { store, record, proofs, ceremonies, pin, changed } = parts;
  const { passkeys } = store.read();
  const left = passkeys.filter((passkey) => passkey.credentialId !== credentialId);
  if (kind === 'passkey' && left.length === passkeys.length) throw createProblem('NOT_FOUND.passkey');
  // The row comes first: a file without proofs counts as lost while the ledger says that a proof is set up.
  record('proof.removed', { kind, credentialId, why: 'person' });
  if (kind === 'passkey') store.change({ passkeys: left });
  if (kind === 'system') store.change({ hasSystemPrompt: false });
  if (kind === 'pin') await pin.remove();
  if (!isSetUp(parts)) store.change({ relaxedMinutes: 0 });
  // Confirmations that the removed proof has given, or might still give, are no longer valid.
  proofs.forgetAll();
  ceremonies.cancelAll();
  changed('app');
};

const startRecovery = (parts: PresenceParts, windowSession: string | undefined): void => {
  const { signIn, recovery, record, recordRefusal, changed, pauseAssistants } = parts;
  if (!isSetUp(parts)) throw createProblem('NOT_FOUND.proof');
  if (!signIn.isFresh(windowSession)) {
    recordRefusal('proof.recovery_refused', '', { windowSession: windowSession ?? null });
    throw createProblem('SIGN_IN_NEEDED');
  }
  if (recovery.readLeftMs() !== null) return;
  pauseAssistants();
  recovery.start();
  record('proof.recovery_started', {});
  signIn.end();
  changed('app');
};

/** Proves that a person, and not a program that presses buttons, confirms what needs a proof. */
export const createPresence = (context: PresenceContext) => {
  const parts = openPresenceParts(context);
  return {
    /** `windowSession` is the session of the window that asks. That window might have signed in recently. */
    readState: (windowSession?: string) => readState(parts, windowSession),
    isSetUp: () => isSetUp(parts),
    ...createCeremonyApi(parts),
    ...createGuardApi(parts),
    approvalProofs: createApprovalProofs(parts),
    removeProof: (kind: ProofKind, credentialId: string | null) => removeProof(parts, kind, credentialId),
    relax: (minutes: RelaxedMinutes) => relaxProofs(parts, minutes),
    /** Notes that the person has just signed in with a code from an e-mail in this window session. */
    noteSignIn: parts.signIn.note,
    /** Forgets the sign-in, because another account or none is connected. */
    endSignIn: parts.signIn.end,
    /** Pauses all assistants, and removes the proofs after 24 hours. Throws SIGN_IN_NEEDED. */
    startRecovery: (windowSession?: string) => startRecovery(parts, windowSession),
    cancelRecovery: parts.cancelRecovery,
    /** Called at each start. Reminds the person of a lost proofs file or a running recovery. */
    announceState: (): void => {
      if (parts.store.read().isLost) parts.remind('proofsLost');
      if (parts.recovery.readLeftMs() !== null) parts.remind('recoveryRuns');
    },
    stop: parts.recovery.stop,
  };
};

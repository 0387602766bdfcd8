import {
  findDiskProblem,
  createProblem,
  createProblemText,
  toProblemView,
  type DeclineReason,
  type ProblemText,
  Problem,
} from '../base/problem.ts';
import type { ApprovalView } from '../storage/tables/approvalRecord.ts';
import type { ApprovalRow } from '../storage/tables/approvalsTable.ts';
import type { ApprovalsContext } from './approvalsContext.ts';
import { createDecisionAgeKey, getAnswerLeftMs } from './deadlines.ts';
import type { Executor, SupersedePrompt } from './execute.ts';
import type { ListingLock } from './listingLocks.ts';
import { createDeclinedProblem } from './checks/repeats.ts';
import type { Requester, SubjectRead } from './request.ts';
import { isTransientError, parseRetryAfter, ServiceError } from '../service/serviceError.ts';
import type { StoredAgeTracker } from '../base/storedAges.ts';
import type { DrawnPrompt, PresenceEvidence, ShownPrompt, WindowSessions } from '../presence/windowSessions.ts';
import type { RecordRefusal } from '../presence/presenceContext.ts';
import { computeTotal } from '../presence/proof.ts';
import type { PromptsToProve, ShownEvidence } from '../presence/ceremonies.ts';
import type { GivenProof } from '../presence/proofs.ts';
import { hashCanonicalJson } from '../base/json.ts';
import type { Message } from '../../i18n/message.ts';

export type DecideContext = ApprovalsContext & {
  requester: Requester;
  executor: Executor;
  windowSessions: WindowSessions;
  recordRefusal: RecordRefusal;
  running: Map<string, Promise<ApprovalView>>;
  /** Ids of approvals that wait for the undo window to end or for earlier rows of their batch. */
  approvedHere: Set<string>;
  /** Aborted when the companion stops. */
  ended: AbortController;
};

/** Throws NOT_FOUND if the connected account has no such approval. */
export const requireApproval = (context: ApprovalsContext, approvalId: string): ApprovalRow => {
  const row = context.table.read(approvalId);
  if (!row || row.account !== context.account()) throw createProblem('NOT_FOUND.approval');
  return row;
};

/** Returns the approval; throws NOT_WHAT_WAS_SHOWN if its prompt has another digest. */
export const requireShownApproval = (context: DecideContext, approvalId: string, digest: string): ApprovalRow => {
  const row = requireApproval(context, approvalId);
  if (row.digest === digest) return row;
  context.recordRefusal('approval.wrong_digest', approvalId, { approvalId });
  throw createProblem('NOT_WHAT_WAS_SHOWN');
};

/** Returns how the window session has shown the prompt; throws if it has not, or only briefly. */
export const requirePresence = (
  { windowSessions, recordRefusal }: DecideContext,
  { approval_id: approvalId, digest }: ApprovalRow,
  windowSession: string | undefined,
): PresenceEvidence => {
  try {
    return windowSessions.requireShown(windowSession, { approvalId, digest });
  } catch (error) {
    const { code } = toProblemView(error);
    const facts = { approvalId, code, windowSession: windowSession ?? null };
    recordRefusal('approval.not_shown', `${code} ${approvalId}`, facts);
    throw error;
  }
};

/** `windowSession` has shown the prompts. `proofId` names the proof of the person, if one is set up. */
export type GivenYes = { windowSession?: string | undefined; proofId?: string | undefined };

/** How the person gave one yes to one or more approvals. */
export type ProvenYes = { given: GivenProof | null; findEvidence: (row: ApprovalRow) => PresenceEvidence };

const readShownEvidence = (
  context: DecideContext,
  rows: readonly ApprovalRow[],
  windowSession: string | undefined,
): ShownEvidence[] =>
  rows.map((row) => ({
    approvalId: row.approval_id,
    evidence: requirePresence(context, row, windowSession),
  }));

const createEvidenceReader = (evidence: readonly ShownEvidence[]) => {
  const byId = new Map(evidence.map((shown) => [shown.approvalId, shown.evidence]));
  return ({ approval_id: approvalId }: ApprovalRow): PresenceEvidence => {
    const found = byId.get(approvalId);
    if (!found) throw createProblem('PROMPT_NOT_SHOWN');
    return found;
  };
};

/**
 * Checks that a window has shown the prompts and, if a proof is set up, that the person has confirmed exactly these
 * approvals. Does not use up the proof. Throws PROMPT_NOT_SHOWN, SHOWN_TOO_BRIEFLY or PROOF_NEEDED.
 */
export const requireProvenYes = (
  context: DecideContext,
  rows: readonly ApprovalRow[],
  { windowSession, proofId }: GivenYes,
): ProvenYes => {
  const readShown = (): ShownEvidence[] => readShownEvidence(context, rows, windowSession);
  // The window shows the prompts until the ceremony begins. Then the ceremony page can cover it.
  const shown = proofId === undefined ? readShown() : null;
  const isOwn = rows.every(({ asker }) => asker.kind === 'person');
  const given = context.proofs.require(toProofNeed(context, rows), { windowSession, proofId }, isOwn);
  return {
    given,
    findEvidence: createEvidenceReader(given?.evidence ?? shown ?? readShown()),
  };
};

const toProofNeed = (context: ApprovalsContext, rows: readonly ApprovalRow[]) => ({
  approvals: rows.map(({ approval_id: id, digest }) => ({ id, digest })),
  total: computeTotal(rows.map(({ prompt }) => prompt.money)),
  account: context.account(),
});

/** Reads what the ceremony for these prompts shows and signs. Throws NOT_WHAT_WAS_SHOWN if one is no longer pending. */
export const readPromptsToProve = (
  context: DecideContext,
  prompts: readonly ShownPrompt[],
  windowSession: string | undefined,
): PromptsToProve => {
  const rows = prompts.map(({ approvalId, digest }) => requireShownApproval(context, approvalId, digest));
  if (rows.some((row) => row.state !== 'pending')) throw createProblem('NOT_WHAT_WAS_SHOWN');
  return {
    ...toProofNeed(context, rows),
    evidence: readShownEvidence(context, rows, windowSession),
    drawn: rows.map(({ approval_id: approvalId, asker, prompt: { act, says, target, mainFact, ...prompt } }) => ({
      ...{ approvalId, asker, act, actSays: says?.act },
      ...{ title: target?.title ?? null, photoUrl: target?.photoUrl ?? null, mainFact, mainFactSays: says?.mainFact },
      ...{ changes: prompt.changes, facts: prompt.facts.filter(({ namespace }) => namespace === 'request') },
    })),
  };
};

/** Notes which pending prompts a window shows, with one ledger row per window session and digest. */
export const recordShownPrompts = (
  context: DecideContext,
  windowSession: string,
  prompts: readonly DrawnPrompt[],
): void => {
  const { db, table, windowSessions, requester } = context;
  const way = windowSessions.readKind(windowSession);
  const isPending = ({ approvalId, digest }: ShownPrompt): boolean => {
    const row = table.read(approvalId);
    return row?.state === 'pending' && row.digest === digest && isAccountConnected(context, row);
  };
  const pending = prompts.filter(isPending);
  db.transaction(() => {
    for (const { approvalId, digest, drawnAs } of pending)
      if (!windowSessions.hasShown(windowSession, { approvalId, digest }))
        requester.recordEvent(approvalId, 'approval.shown', { digest, windowSession, way, drawnAs });
  })();
  windowSessions.replaceShown(windowSession, pending);
};

/** Returns the approval, or the latest approval that supersedes it. */
export const readLatestApproval = (context: ApprovalsContext, row: ApprovalRow): ApprovalRow => {
  const next = row.superseded_by === null ? null : context.table.read(row.superseded_by);
  return next ? readLatestApproval(context, next) : row;
};

/** Like `readLatestApproval`, but stops before an approval of another request, which the caller did not make. */
export const readLatestApprovalOfRequest = (context: ApprovalsContext, row: ApprovalRow): ApprovalRow => {
  const next = row.superseded_by === null ? null : context.table.read(row.superseded_by);
  return next?.request_digest === row.request_digest ? readLatestApprovalOfRequest(context, next) : row;
};

const isAccountConnected = (context: ApprovalsContext, row: ApprovalRow): boolean => row.account === context.account();

/** Locks the listing. A request without a listing locks the account, because it can affect any other request. */
export const acquireListingLock = ({ locks }: ApprovalsContext, row: ApprovalRow): Promise<ListingLock> =>
  locks.acquire(row.listing_id, row.approval_id);

/** Unlocks the listing unless the approval is in the undo window or its outcome is unknown. */
export const releaseLockIfSettled = ({ table }: ApprovalsContext, row: ApprovalRow, lock: ListingLock): void => {
  const { state, held_until: heldUntil = null } = table.read(row.approval_id) ?? {};
  if (state === 'approved' && heldUntil !== null) return;
  if (state === 'sending' || state === 'unconfirmed') lock.keepLockedUnsettled();
  else lock.release();
};

export type EndEvent = {
  event: 'decline' | 'withdraw' | 'expire' | 'takeBack';
  facts: Record<string, unknown>;
  reason?: ProblemText;
  declinedBecause?: DeclineReason;
};

/** Ends an approval that is pending or in the undo window. */
export const endUnsentApproval = (
  context: DecideContext,
  row: ApprovalRow,
  { event, facts, reason, declinedBecause }: EndEvent,
): ApprovalView => {
  const { db, table, clock, ages, requester } = context;
  const marks = {
    ...(reason ? { outcome: { ...reason, url: null } } : {}),
    ...(declinedBecause ? { declinedBecause } : {}),
  };
  db.transaction(() => {
    if (!table.move(row.approval_id, event, { at: clock.now(), ...marks })) return;
    ages.note(createDecisionAgeKey(row));
    requester.recordEvent(row.approval_id, `approval.${event}`, facts);
  })();
  context.changed('approvals');
  return requester.readView(row);
};

/** The ledger row names the proof by its hash, so that a receipt cannot get another one. */
const describeProof = ({ proof, earlier }: GivenProof) => ({
  proofId: proof.proofId,
  kind: proof.kind,
  hash: hashCanonicalJson(proof),
  ...(earlier === null ? {} : { earlier }),
});

/** Must run in a transaction. Returns false if the approval is no longer pending. */
export const markApproved = (
  { table, ages, requester }: DecideContext,
  row: ApprovalRow,
  yes: { at: number; heldUntil?: number; yes: ProvenYes },
): boolean => {
  const {
    at,
    heldUntil,
    yes: { given, findEvidence },
  } = yes;
  const facts = { evidence: findEvidence(row), ...(heldUntil === undefined ? {} : { heldUntil }) };
  if (given !== null) table.keepProof(given.proof);
  if (!table.move(row.approval_id, 'approve', { at, ...facts, proofId: given?.proof.proofId })) return false;
  ages.note(createDecisionAgeKey(row));
  requester.recordEvent(row.approval_id, 'approval.approve', {
    digest: row.digest,
    ...facts,
    ...(given === null ? {} : { proof: describeProof(given) }),
  });
  return true;
};

/** If the deadline has passed, ends the approval and returns true. */
export const expireIfDue = (context: DecideContext, row: ApprovalRow): boolean => {
  if (getAnswerLeftMs(context, row) > 0) return false;
  endUnsentApproval(context, row, { event: 'expire', facts: {} });
  return true;
};

/** Ends all approvals whose deadline has passed. If the disk is full or failing, a later call ends them. */
export const expireDueApprovals = (context: DecideContext): void => {
  try {
    for (const row of context.table
      .pendingTimes(context.account())
      .filter((pending) => getAnswerLeftMs(context, pending) <= 0))
      expireIfDue(context, requireApproval(context, row.approval_id));
  } catch (error) {
    if (findDiskProblem(error) === null) throw error;
  }
};

const createWithdrawalEvent = (row: ApprovalRow, reason: ProblemText): EndEvent => ({
  event: row.state === 'pending' ? 'withdraw' : 'takeBack',
  facts: { code: reason.code },
  reason,
});

/** A request for one account must never be sent to another account. */
const withdrawAfterAccountChange = (context: DecideContext, row: ApprovalRow): null => {
  endUnsentApproval(context, row, createWithdrawalEvent(row, createProblemText('ACCOUNT_CHANGED')));
  return null;
};

/** Withdraws the unsent approvals of one asker, or of all askers if `askerId` is null. */
export const withdrawUnsentApprovals = (
  context: DecideContext,
  account: string,
  askerId: string | null,
  reason: ProblemText,
): void => {
  for (const row of context.table.inState(account, 'pending', 'approved')) {
    if (askerId !== null && row.asker_id !== askerId) continue;
    // If a preceding request is in flight, the sending code checks the approval afterwards and stores the outcome.
    if (context.executor.isBeingSent(row.approval_id)) continue;
    endUnsentApproval(context, row, createWithdrawalEvent(row, reason));
    context.locks.release(row.listing_id, row.approval_id);
  }
};

/** Reads the subject again. Returns null if the request must not be sent; the reason is then already stored. */
export const rereadSubjectIfUnchanged = async (
  context: DecideContext,
  row: ApprovalRow,
): Promise<SubjectRead | null> => {
  const { rereadSubject, isCurrent, supersedePrompt, dropPrompt } = context.requester;
  let fresh: SubjectRead;
  try {
    if (!isAccountConnected(context, row)) return withdrawAfterAccountChange(context, row);
    if (row.listing_id !== null && context.uploads.changing(row.listing_id)) throw createProblem('PHOTOS_UPLOADING');
    fresh = await rereadSubject(row, context.readsAtApproval);
  } catch (error) {
    // A transient or unexpected error keeps the prompt, so that the person can approve again.
    if (isTransientError(error) || !(error instanceof Problem)) throw error;
    dropPrompt(row, error);
    return null;
  }
  // Data read with one key must not be sent with another key.
  if (!isAccountConnected(context, row) || fresh.subject.key !== context.keyPrint())
    return withdrawAfterAccountChange(context, row);
  if (!isCurrent(row, fresh)) {
    supersedePrompt(row, fresh);
    return null;
  }
  try {
    context.checkAsker(row.asker, row.route, row.subject.request.input);
    context.checkBudget(row.asker, row.route, row.prompt.money, [row.approval_id]);
  } catch (error) {
    dropPrompt(row, error);
    return null;
  }
  return fresh;
};

const getBoundKey = ({ subject }: ApprovalRow): string => (subject.version === 2 ? subject.key : '');

/** If something changed after the approval, returns a function that supersedes the prompt; otherwise returns null. */
export const recheckBoundSubject = async (
  context: DecideContext,
  row: ApprovalRow,
): Promise<SupersedePrompt | null> => {
  const { rereadSubject, isCurrent, supersedePrompt } = context.requester;
  const fresh = await rereadSubject(row, context.readsAfterNotice);
  if (!isAccountConnected(context, row) || fresh.subject.key !== getBoundKey(row))
    throw createProblem('ACCOUNT_CHANGED');
  context.checkAsker(row.asker, row.route, row.subject.request.input);
  return isCurrent(row, fresh) ? null : (inWords) => void supersedePrompt(row, fresh, { inWords });
};

/** Returns false if the message contains a string value, because a string is foreign text. */
const isCompanionText = (says: Message | undefined): boolean =>
  says !== undefined &&
  Object.values(says.values ?? {}).every((value) =>
    typeof value === 'object' && 'key' in value ? isCompanionText(value) : typeof value !== 'string',
  );

/** Returns why the request was not carried out. If the reason contains words of the service, it is a `ServiceError`. */
export const getApprovalFailure = (ages: StoredAgeTracker, row: ApprovalRow): Problem => {
  const { state, answer, outcome } = row;
  if (state === 'declined') return createDeclinedProblem(ages, row);
  if (state === 'expired') return createProblem('APPROVAL_EXPIRED');
  if (state === 'withdrawn' && !outcome) return createProblem('APPROVAL_WITHDRAWN');
  const { sentence, says, code } = outcome ?? createProblemText('SUPERSEDED');
  if (!answer && isCompanionText(says)) return new Problem(code ?? 'SUPERSEDED', sentence, { says });
  const { status, headers, body } = answer ?? { status: 409, headers: {}, body: { error: sentence } };
  return new ServiceError({
    ...{ code: code ?? (answer ? 'REFUSED' : 'SUPERSEDED'), sentence, says, effect: 'refused' },
    ...{ status, headers, body },
    retryAfterS: parseRetryAfter(headers['retry-after']),
  });
};

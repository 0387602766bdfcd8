import { toAskerId } from '../base/request.ts';
import { type Problem, createProblem, toProblemView } from '../base/problem.ts';
import { readRequestParams } from '../base/json.ts';
import { getSubjectListingId, type ApprovalRow, type NewApproval } from '../storage/tables/approvalsTable.ts';
import type { ApprovalsContext, ApprovalRequest } from './approvalsContext.ts';
import { toApprovalView } from './approvalView.ts';
import { createDecisionAgeKey } from './deadlines.ts';
import { areLookupsEnded } from './outcomes.ts';
import { canReadsSettle } from './reconcile.ts';
import { raceWithAbort } from '../base/raceWithAbort.ts';
import { randomUUID } from 'node:crypto';
import { isTransientError } from '../service/serviceError.ts';
import type { ApprovalOutcome, ApprovalView, FieldChange, Subject } from '../storage/tables/approvalRecord.ts';
import { coversFreshSubject, listUnboundDifferences, digestSubject, digestRequest } from './subject.ts';
import { refuseBeforeAsking } from './checks/refusals.ts';
import { checkRedrawAllowed, checkRepeatedRequest, didAskerChangeListing, type RepeatCheck } from './checks/repeats.ts';
import { createPromptNotice } from './approvalNotice.ts';
import { renderPrompt, gatherBoundSubject } from './prompts/index.ts';
import type { PromptMoment, Reads } from './prompts/promptAct.ts';
import { listShownChanges } from './shownChanges.ts';

/** The maximum of pending prompts: per assistant, and in total. A batch counts as one prompt. */
const maxPendingPrompts = { anAssistant: 5, all: 20 };

/** Throws TOO_MANY_WAITING if no further prompt may be pending. `superseded` are the prompts that this request supersedes. */
const checkPendingCaps = (
  { table, account }: ApprovalsContext,
  { by, batchId }: ApprovalRequest,
  superseded: readonly ApprovalRow[],
): void => {
  const supersededIds = superseded.map(({ approval_id: id }) => id);
  const waiting = table
    .inState(account(), 'pending')
    .filter((row) => row.batch_id !== (batchId ?? '') && !supersededIds.includes(row.approval_id));
  const countPrompts = (rows: ApprovalRow[]): number =>
    new Set(rows.map((row) => row.batch_id ?? row.approval_id)).size;
  const own = waiting.filter((row) => row.asker_id === toAskerId(by));
  // Many requests of assistants do not keep the person from asking.
  if (
    by.kind === 'person'
      ? countPrompts(own) < maxPendingPrompts.all
      : countPrompts(waiting) < maxPendingPrompts.all && countPrompts(own) < maxPendingPrompts.anAssistant
  )
    return;
  throw createProblem('TOO_MANY_WAITING.questions', { retryAfterS: 60 });
};

/**
 * Throws while photos are being uploaded. The person's request closes the listing's upload slots first, so it is refused
 * only for uploads that have started.
 */
const checkUploadsInFlight = ({ uploads }: ApprovalsContext, { by, input }: ApprovalRequest): void => {
  const { listingId } = readRequestParams(input);
  if (typeof listingId !== 'string') return;
  if (by.kind === 'person') uploads.close(listingId);
  const isBusy = by.kind === 'person' ? uploads.putting : uploads.inFlight;
  if (isBusy(listingId)) throw createProblem('PHOTOS_UPLOADING', { retryAfterS: 5 });
};

/** Throws if this asker may not request this now; returns how the request relates to earlier ones. */
const checkMayRequest = (context: ApprovalsContext, request: ApprovalRequest, fresh: Subject | null): RepeatCheck => {
  context.checkAsker(request.by, request.route, request.input);
  const repeat = checkRepeatedRequest(context, request, fresh);
  const { superseded } = repeat;
  // A batch shows only its own prompts.
  if (superseded.length > 0 && request.batchId !== undefined) throw createProblem('ALREADY_ASKED');
  checkPendingCaps(context, request, superseded);
  checkUploadsInFlight(context, request);
  return repeat;
};

/**
 * Returns the same request if it is still open. An unconfirmed request that can no longer be settled is not: it may be
 * asked again.
 */
const findOpenDuplicate = ({ table, keyPrint }: ApprovalsContext, requestDigest: string): ApprovalRow | null => {
  const same = table.waitingSame(requestDigest);
  if (same === null || areLookupsEnded(same)) return null;
  return same.state === 'unconfirmed' && !canReadsSettle(same, keyPrint()) ? null : same;
};

/** Returns the pending approval of the same request. Throws ALREADY_ASKED if it is not in the batch of the request. */
const returnDuplicate = (same: ApprovalRow, { batchId }: ApprovalRequest): ApprovalRow => {
  if (batchId !== undefined && same.batch_id !== batchId) throw createProblem('ALREADY_ASKED');
  return same;
};

/** What was read for a prompt, fresh from the service. */
export type SubjectRead = { subject: Subject; moment: PromptMoment };

/** The changed input of a fresh prompt, and the error to report for the previous one if part of its work was done. */
type ReplacementOptions = { input?: unknown; inWords?: (error: unknown) => Problem };

/** Stores requests for approval, each once, and replaces a stale prompt with a fresh one. */
export type Requester = {
  requestApproval: (request: ApprovalRequest) => Promise<ApprovalView>;
  readSubject: (ask: Pick<ApprovalRequest, 'by' | 'route' | 'input'>) => Promise<SubjectRead>;
  /** Reads the subject of a stored approval again, from other reads if given. */
  rereadSubject: (row: ApprovalRow, from?: Reads) => Promise<SubjectRead>;
  isCurrent: (row: ApprovalRow, fresh: SubjectRead) => boolean;
  supersedePrompt: (row: ApprovalRow, fresh: SubjectRead, more?: ReplacementOptions) => ApprovalView;
  dropPrompt: (row: ApprovalRow, error: unknown) => ApprovalView;
  readView: (row: ApprovalRow) => ApprovalView;
  /** Returns the view of exactly this row. */
  toView: (row: ApprovalRow) => ApprovalView;
  recordEvent: (approvalId: string, kind: string, facts?: Record<string, unknown>) => void;
};

export const createRequester = (context: ApprovalsContext): Requester => ({
  requestApproval: (approvalRequest) => requestPersonApproval(context, approvalRequest),
  readSubject: (approvalRequest) => readBoundSubject(context, approvalRequest),
  rereadSubject: (row, from) => rereadBoundSubject(context, row, from),
  isCurrent: (row, fresh) => isPromptCurrent(context, row, fresh),
  supersedePrompt: (row, fresh, more) => replacePrompt(context, row, fresh, more),
  dropPrompt: (row, error) => dropStalePrompt(context, row, error),
  readView: (row) => readCurrentView(context, row),
  toView: (row) => toApprovalView(context, row),
  recordEvent: (approvalId, kind, facts) => recordLedgerEvent(context, approvalId, kind, facts),
});

const readCurrentView = (context: ApprovalsContext, row: ApprovalRow): ApprovalView =>
  toApprovalView(context, context.table.read(row.approval_id) ?? row);

const readStoredView = (context: ApprovalsContext, approvalId: string): ApprovalView => {
  const row = context.table.read(approvalId);
  if (!row) throw new Error('An approval that was stored is not there.');
  return toApprovalView(context, row);
};

const recordLedgerEvent = (
  { ledger, clock }: ApprovalsContext,
  approvalId: string,
  kind: string,
  facts: Record<string, unknown> = {},
): void => ledger.append(clock.now(), kind, { approvalId, ...facts });

/** Reads everything that the approval of this request is bound to. */
const readBoundSubject = (
  context: ApprovalsContext,
  { by, route, input }: Pick<ApprovalRequest, 'by' | 'route' | 'input'>,
  from = context.reads,
): Promise<SubjectRead> => {
  const asked = { route, input, account: context.account(), askerId: toAskerId(by), key: context.keyPrint() };
  return gatherBoundSubject(asked, by.kind, from);
};

const rereadBoundSubject = (context: ApprovalsContext, row: ApprovalRow, from = context.reads): Promise<SubjectRead> =>
  readBoundSubject(context, { by: row.asker, route: row.route, input: row.subject.request.input }, from);

const createNewApproval = (
  context: ApprovalsContext,
  request: ApprovalRequest,
  { subject, moment }: SubjectRead,
): NewApproval => {
  const { by: asker, route, reason, batchId } = request;
  const now = context.clock.now();
  return {
    approvalId: `ap_${randomUUID()}`,
    account: subject.account,
    asker,
    askerId: subject.asker,
    route,
    subject,
    requestDigest: digestRequest({ ...request, account: subject.account, askerId: subject.asker }),
    digest: digestSubject(subject),
    prompt: renderPrompt(subject, moment),
    reason: reason ?? null,
    sinceShown: [],
    askedAt: now,
    shownAt: now,
    expiresAt: now + context.settings().approvalMinutes * 60_000,
    batchId: batchId ?? null,
    placeSeq: null,
    askedSeq: null,
    isCorrection: false,
  };
};

/** Stores a request that needs the person's approval. The same request of the same asker is stored once. */
const requestPersonApproval = async (context: ApprovalsContext, request: ApprovalRequest): Promise<ApprovalView> => {
  const { db, table, account } = context;
  const requestDigest = digestRequest({ ...request, account: account(), askerId: toAskerId(request.by) });
  const same = findOpenDuplicate(context, requestDigest);
  if (same) {
    returnDuplicate(same, request);
    return request.by.kind === 'person'
      ? raceWithAbort(renewPendingPrompt(context, same), request.signal)
      : toApprovalView(context, same);
  }
  checkMayRequest(context, request, null);
  await raceWithAbort(refuseBeforeAsking(request.route, request.input, context.knownState), request.signal);
  const fresh = await raceWithAbort(readBoundSubject(context, request), request.signal);
  // The approval would be orphaned if the account changed while it was read.
  if (fresh.subject.account !== account()) throw createProblem('ACCOUNT_CHANGED');
  // Another call may have stored the same request while this one was reading.
  const concurrent = findOpenDuplicate(context, requestDigest);
  if (concurrent) return toApprovalView(context, returnDuplicate(concurrent, request));
  // While the subject was read, the asker may have been paused, restricted or declined: check again.
  const { superseded, isCorrection } = checkMayRequest(context, request, fresh.subject);
  const approval = inheritPromptPosition(context, superseded, {
    ...createNewApproval(context, request, fresh),
    isCorrection,
  });
  const left = superseded.map(({ approval_id: id }) => id);
  context.checkBudget(request.by, request.route, approval.prompt.money, left);
  db.transaction(() => {
    const { approvalId: supersededBy, askerId: by, route, digest, prompt } = approval;
    const marks = { at: context.clock.now(), supersededBy, outcome: toProblemOutcome(createProblem('ASKED_AGAIN')) };
    for (const previous of superseded) {
      table.move(previous.approval_id, 'replace', marks);
      context.ages.note(createDecisionAgeKey(previous));
    }
    table.add(approval);
    context.ages.note(approval.approvalId);
    const facts = { by, route, digest, act: prompt.act };
    if (left.length === 0) recordLedgerEvent(context, supersededBy, 'approval.asked', facts);
    for (const before of left) recordLedgerEvent(context, supersededBy, 'approval.replaced', { ...facts, before });
  })();
  closeUploadSlots(context, approval.subject);
  notifyOfPrompt(context, approval);
  return readStoredView(context, approval.approvalId);
};

/** Gives the approval the position of the prompts that it supersedes, and the changes since they were shown. */
const inheritPromptPosition = (
  context: ApprovalsContext,
  superseded: readonly ApprovalRow[],
  next: NewApproval,
): NewApproval => {
  const [first] = superseded;
  if (first === undefined) return next;
  const { asked_at: askedAt, place_seq: placeSeq, batch_id: batchId } = first;
  return { ...next, askedAt, placeSeq, batchId, sinceShown: listChangesSinceShown(context, first, next) };
};

/** Closes the upload slots of the listing, so that earlier presigned URLs cannot change its photos. */
const closeUploadSlots = ({ uploads }: ApprovalsContext, subject: Subject): void => {
  const listingId = getSubjectListingId(subject);
  if (listingId !== null) uploads.close(listingId);
};

/** The person repeats a pending request: redraw it as it is now. An assistant's repeats read nothing. */
const renewPendingPrompt = async (context: ApprovalsContext, row: ApprovalRow): Promise<ApprovalView> => {
  if (row.state !== 'pending') return toApprovalView(context, row);
  const fresh = await rereadBoundSubject(context, row).catch((error: unknown) => {
    if (!isTransientError(error)) dropStalePrompt(context, row, error);
    throw error;
  });
  return isPromptCurrent(context, row, fresh) ? readCurrentView(context, row) : replacePrompt(context, row, fresh);
};

/** Whether the prompt still shows the current state. */
const isPromptCurrent = ({ moving }: ApprovalsContext, row: ApprovalRow, { subject }: SubjectRead): boolean =>
  coversFreshSubject(row.subject, subject, moving.listMoving(row.account));

const notifyOfPrompt = (
  context: ApprovalsContext,
  { asker, prompt, approvalId, route, digest, batchId }: NewApproval,
): void => {
  context.changed('approvals');
  // A batch sends one notification for all its rows.
  if (asker.kind === 'person' || batchId !== null || context.isQuiet(asker)) return;
  const ceiling = context.settings().publishFromNotificationMinor;
  context.notify({
    kind: 'approvals',
    ...createPromptNotice({ name: asker.name, route, prompt, digest }, ceiling),
    approvalId,
  });
};

/** Records fields of the listing that changed by themselves since they were shown. */
const noteMovedFields = (
  { ledger, clock, ages, locks, moving }: ApprovalsContext,
  row: ApprovalRow,
  subject: Subject,
): void => {
  const listingId = getSubjectListingId(subject);
  if (row.subject.version !== 2 || listingId === null) return;
  if ((locks.wroteAgoMs(listingId) ?? Infinity) <= ages.ageMs(row.approval_id, row.shown_at)) return;
  const differences = listUnboundDifferences(row.subject, subject, moving.listMoving(row.account));
  for (const field of moving.noteDifferences(row.account, differences))
    ledger.append(clock.now(), 'listing.field_moves', { account: row.account, field });
};

const createReplacement = (
  context: ApprovalsContext,
  row: ApprovalRow,
  fresh: SubjectRead,
  input: unknown,
): NewApproval => {
  const { asker: by, route, reason, batch_id: batchId } = row;
  const request = { by, route, input, reason: reason ?? undefined, batchId: batchId ?? undefined };
  const next = createNewApproval(context, request, fresh);
  const sinceShown = listChangesSinceShown(context, row, next);
  const { asked_at: askedAt, place_seq: placeSeq, asked_seq: askedSeq, request_digest: requestDigest } = row;
  // Keep the request digest, so that a repeat of the original request finds this row even if the person reduced it.
  return { ...next, askedAt, placeSeq, askedSeq, requestDigest, isCorrection: row.is_correction === 1, sinceShown };
};

const listChangesSinceShown = (
  { moving }: ApprovalsContext,
  row: ApprovalRow,
  { subject, prompt }: NewApproval,
): FieldChange[] =>
  row.subject.version === 2
    ? listShownChanges(row.prompt, prompt, listUnboundDifferences(row.subject, subject, moving.listMoving(row.account)))
    : [];

/** Ends a prompt without an answer, and stores whether its asker caused it. */
const endPromptUnanswered = (
  context: ApprovalsContext,
  row: ApprovalRow,
  marks: { supersededBy?: string; outcome?: ApprovalOutcome },
): boolean => {
  const { table, ages, clock } = context;
  const isMoved = table.move(row.approval_id, 'replace', {
    at: clock.now(),
    isChangedByAsker: didAskerChangeListing(context, row),
    ...marks,
  });
  if (isMoved) ages.note(createDecisionAgeKey(row));
  return isMoved;
};

/** Supersedes a prompt with a fresh one, perhaps for another input. The person must approve again. */
const replacePrompt = (
  context: ApprovalsContext,
  row: ApprovalRow,
  fresh: SubjectRead,
  { input = row.subject.request.input, inWords }: ReplacementOptions = {},
): ApprovalView => {
  const { db, table } = context;
  const next = createReplacement(context, row, fresh, input);
  try {
    checkRedrawAllowed(context, row, fresh.subject);
    context.checkBudget(row.asker, row.route, next.prompt.money, [row.approval_id]);
  } catch (error) {
    return dropStalePrompt(context, row, inWords ? inWords(error) : error);
  }
  const outcome = inWords ? { outcome: toProblemOutcome(inWords(createProblem('SUPERSEDED'))) } : {};
  const replaced = db.transaction(() => {
    const marks = { supersededBy: next.approvalId, ...outcome };
    if (!endPromptUnanswered(context, row, marks)) return false;
    table.add(next);
    context.ages.note(next.approvalId);
    recordLedgerEvent(context, next.approvalId, 'approval.replaced', { before: row.approval_id, digest: next.digest });
    noteMovedFields(context, row, fresh.subject);
    return true;
  })();
  if (!replaced) return readCurrentView(context, row);
  closeUploadSlots(context, next.subject);
  notifyOfPrompt(context, next);
  return toApprovalView(context, table.read(next.approvalId) ?? row);
};

const toProblemOutcome = (error: unknown): ApprovalOutcome => {
  const { sentence, code, says } = toProblemView(error);
  return { sentence, code, says, url: null };
};

/** Ends a prompt whose act is no longer possible, with the reason. */
const dropStalePrompt = (context: ApprovalsContext, row: ApprovalRow, error: unknown): ApprovalView => {
  const { db } = context;
  const outcome = toProblemOutcome(error);
  db.transaction(() => {
    if (endPromptUnanswered(context, row, { outcome }))
      recordLedgerEvent(context, row.approval_id, 'approval.dropped', { code: outcome.code });
  })();
  context.changed('approvals');
  return readCurrentView(context, row);
};

import { toAskerId } from '../base/request.ts';
import { type Problem, createProblem, toProblemView } from '../base/problem.ts';
import { getRequestParams } from '../base/json.ts';
import { getSubjectListingId, type ApprovalRow, type NewApproval } from '../storage/tables/approvalsTable.ts';
import type { ApprovalsContext, ApprovalRequest } from './approvalsContext.ts';
import { toApprovalView } from './approvalView.ts';
import { createDecisionAgeKey } from './deadlines.ts';
import { areLookupsEnded } from './outcomes/outcomes.ts';
import { canReadsShowOutcome } from './outcomes/reconcile.ts';
import { raceWithAbort } from '../base/raceWithAbort.ts';
import { randomUUID } from 'node:crypto';
import { isTransientError } from '../service/serviceError.ts';
import type { ApprovalOutcome, ApprovalView, FieldChange, Subject } from '../storage/tables/approvalRecord.ts';
import { coversFreshSubject, listUnboundDifferences, computeSubjectDigest, computeRequestDigest } from './subject.ts';
import { refuseNewRequest } from './checks/refusals.ts';
import {
  refuseDisallowedReplacement,
  refuseRepeatedRequest,
  didAskerChangeListing,
  type RepeatCheck,
} from './checks/repeats.ts';
import { createPromptNotice } from './approvalNotice.ts';
import { renderPrompt, gatherBoundSubject } from './prompts/index.ts';
import type { UnboundPromptInfo, Reads } from './prompts/promptDefinition.ts';
import { listShownChanges } from './shownChanges.ts';

/** How many prompts may be pending, per assistant and in total. A batch counts as one prompt. */
const maxPendingPrompts = { anAssistant: 5, all: 20 };

/** Throws TOO_MANY_WAITING if too many prompts are pending. Prompts in `superseded` do not count. */
const refuseTooManyPendingPrompts = (
  { table, account }: ApprovalsContext,
  { by, batchId }: ApprovalRequest,
  superseded: readonly ApprovalRow[],
): void => {
  const supersededIds = superseded.map(({ approval_id: id }) => id);
  const waiting = table
    .pendingPrompts(account())
    .filter((row) => row.batch_id !== (batchId ?? '') && !supersededIds.includes(row.approval_id));
  const countPrompts = (rows: typeof waiting): number =>
    new Set(rows.map((row) => row.batch_id ?? row.approval_id)).size;
  const own = waiting.filter((row) => row.asker_id === toAskerId(by));
  // Requests of assistants do not count against the limit of the person.
  if (
    by.kind === 'person'
      ? countPrompts(own) < maxPendingPrompts.all
      : countPrompts(waiting) < maxPendingPrompts.all && countPrompts(own) < maxPendingPrompts.anAssistant
  )
    return;
  throw createProblem('TOO_MANY_WAITING.questions', { retryAfterS: 60 });
};

/**
 * Throws PHOTOS_UPLOADING while photos of the listing are being uploaded or changed. While upload slots are being requested, only
 * requests of assistants are refused; a request by the person closes the slots instead.
 */
const refuseUploadsInFlight = ({ uploads }: ApprovalsContext, { by, input }: ApprovalRequest): void => {
  const { listingId } = getRequestParams(input);
  if (typeof listingId !== 'string') return;
  if (by.kind === 'person') uploads.close(listingId);
  const isBusy = by.kind === 'person' ? uploads.putting : uploads.inFlight;
  if (isBusy(listingId) || uploads.changing(listingId)) throw createProblem('PHOTOS_UPLOADING', { retryAfterS: 5 });
};

const refuseDisallowedRequest = (
  context: ApprovalsContext,
  request: ApprovalRequest,
  fresh: Subject | null,
): RepeatCheck => {
  context.checkAsker(request.by, request.route, request.input);
  const repeat = refuseRepeatedRequest(context, request, fresh);
  const { superseded } = repeat;
  // A batch shows only its own prompts, so it cannot replace another prompt.
  if (superseded.length > 0 && request.batchId !== undefined) throw createProblem('ALREADY_ASKED');
  refuseTooManyPendingPrompts(context, request, superseded);
  refuseUploadsInFlight(context, request);
  return repeat;
};

/** An unconfirmed approval that reads cannot settle does not count, so the request can be repeated. */
const findOpenDuplicate = ({ table, keyPrint }: ApprovalsContext, requestDigest: string): ApprovalRow | null => {
  const same = table.waitingSame(requestDigest);
  if (same === null || areLookupsEnded(same)) return null;
  return same.state === 'unconfirmed' && !canReadsShowOutcome(same, keyPrint()) ? null : same;
};

/** Throws ALREADY_ASKED if the pending approval is not in the batch of the request. */
const requireDuplicateInBatch = (same: ApprovalRow, { batchId }: ApprovalRequest): ApprovalRow => {
  if (batchId !== undefined && same.batch_id !== batchId) throw createProblem('ALREADY_ASKED');
  return same;
};

export type SubjectRead = { subject: Subject; moment: UnboundPromptInfo };

/** If a preceding request was already sent, `inWords` creates the problem that the old prompt gets. */
type ReplacementOptions = { input?: unknown; inWords?: (error: unknown) => Problem };

/** Stores each request for approval once, and replaces stale prompts. */
export type Requester = {
  requestApproval: (request: ApprovalRequest) => Promise<ApprovalView>;
  readSubject: (ask: Pick<ApprovalRequest, 'by' | 'route' | 'input'>) => Promise<SubjectRead>;
  rereadSubject: (row: ApprovalRow, from?: Reads) => Promise<SubjectRead>;
  isCurrent: (row: ApprovalRow, fresh: SubjectRead) => boolean;
  supersedePrompt: (row: ApprovalRow, fresh: SubjectRead, more?: ReplacementOptions) => ApprovalView;
  dropPrompt: (row: ApprovalRow, error: unknown) => ApprovalView;
  readView: (row: ApprovalRow) => ApprovalView;
  toView: (row: ApprovalRow) => ApprovalView;
  recordEvent: (approvalId: string, kind: string, facts?: Record<string, unknown>) => void;
};

export const createRequester = (context: ApprovalsContext): Requester => ({
  requestApproval: (approvalRequest) => storeApprovalRequest(context, approvalRequest),
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
  const { by: asker, route, reason, batchId, addedItemId } = request;
  const now = context.clock.now();
  return {
    approvalId: `ap_${randomUUID()}`,
    account: subject.account,
    asker,
    askerId: subject.asker,
    route,
    subject,
    requestDigest: computeRequestDigest({ ...request, account: subject.account, askerId: subject.asker }),
    digest: computeSubjectDigest(subject),
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
    addedItemId: addedItemId ?? null,
  };
};

/** An identical request of an asker is stored only once. */
const storeApprovalRequest = async (context: ApprovalsContext, request: ApprovalRequest): Promise<ApprovalView> => {
  const { db, table, account } = context;
  const requestDigest = computeRequestDigest({ ...request, account: account(), askerId: toAskerId(request.by) });
  const same = findOpenDuplicate(context, requestDigest);
  if (same) {
    requireDuplicateInBatch(same, request);
    if (request.addedItemId !== undefined) table.setAddedItem(same.approval_id, request.addedItemId);
    return request.by.kind === 'person'
      ? raceWithAbort(refreshPendingPrompt(context, same), request.signal)
      : toApprovalView(context, same);
  }
  refuseDisallowedRequest(context, request, null);
  await raceWithAbort(refuseNewRequest(request.route, request.input, context.knownState), request.signal);
  const fresh = await raceWithAbort(readBoundSubject(context, request), request.signal);
  // The person could not answer an approval for an account that is no longer connected.
  if (fresh.subject.account !== account()) throw createProblem('ACCOUNT_CHANGED');
  // Another call might have stored an identical request during the read.
  const concurrent = findOpenDuplicate(context, requestDigest);
  if (concurrent) return toApprovalView(context, requireDuplicateInBatch(concurrent, request));
  // The asker might have been paused, restricted or declined during the read.
  const { superseded, isCorrection } = refuseDisallowedRequest(context, request, fresh.subject);
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

/** Earlier presigned URLs must not change the photos after the prompt is shown. */
const closeUploadSlots = ({ uploads }: ApprovalsContext, subject: Subject): void => {
  const listingId = getSubjectListingId(subject);
  if (listingId !== null) uploads.close(listingId);
};

/** If the person repeats a pending request, its prompt is read again. */
const refreshPendingPrompt = async (context: ApprovalsContext, row: ApprovalRow): Promise<ApprovalView> => {
  if (row.state !== 'pending') return toApprovalView(context, row);
  const fresh = await rereadBoundSubject(context, row).catch((error: unknown) => {
    if (!isTransientError(error)) dropStalePrompt(context, row, error);
    throw error;
  });
  return isPromptCurrent(context, row, fresh) ? readCurrentView(context, row) : replacePrompt(context, row, fresh);
};

const isPromptCurrent = (
  { volatileFields: moving }: ApprovalsContext,
  row: ApprovalRow,
  { subject }: SubjectRead,
): boolean => coversFreshSubject(row.subject, subject, moving.listMoving(row.account));

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

const recordVolatileFields = (
  { ledger, clock, ages, locks, volatileFields: moving }: ApprovalsContext,
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

const createReplacementApproval = (
  context: ApprovalsContext,
  row: ApprovalRow,
  fresh: SubjectRead,
  input: unknown,
): NewApproval => {
  const { asker: by, route, reason, batch_id: batchId, added_item_id: addedItemId } = row;
  const optional = {
    reason: reason ?? undefined,
    batchId: batchId ?? undefined,
    addedItemId: addedItemId ?? undefined,
  };
  const request = { by, route, input, ...optional };
  const next = createNewApproval(context, request, fresh);
  const sinceShown = listChangesSinceShown(context, row, next);
  const { asked_at: askedAt, place_seq: placeSeq, asked_seq: askedSeq, request_digest: requestDigest } = row;
  // The digest of the original request stays, so that an identical request finds this row.
  return { ...next, askedAt, placeSeq, askedSeq, requestDigest, isCorrection: row.is_correction === 1, sinceShown };
};

const listChangesSinceShown = (
  { volatileFields: moving }: ApprovalsContext,
  row: ApprovalRow,
  { subject, prompt }: NewApproval,
): FieldChange[] =>
  row.subject.version === 2
    ? listShownChanges(row.prompt, prompt, listUnboundDifferences(row.subject, subject, moving.listMoving(row.account)))
    : [];

const endUnansweredPrompt = (
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

const replacePrompt = (
  context: ApprovalsContext,
  row: ApprovalRow,
  fresh: SubjectRead,
  { input = row.subject.request.input, inWords }: ReplacementOptions = {},
): ApprovalView => {
  const { db, table } = context;
  const next = createReplacementApproval(context, row, fresh, input);
  try {
    refuseDisallowedReplacement(context, row, fresh.subject);
    context.checkBudget(row.asker, row.route, next.prompt.money, [row.approval_id]);
  } catch (error) {
    return dropStalePrompt(context, row, inWords ? inWords(error) : error);
  }
  const outcome = inWords ? { outcome: toProblemOutcome(inWords(createProblem('SUPERSEDED'))) } : {};
  const replaced = db.transaction(() => {
    const marks = { supersededBy: next.approvalId, ...outcome };
    if (!endUnansweredPrompt(context, row, marks)) return false;
    table.add(next);
    context.ages.note(next.approvalId);
    recordLedgerEvent(context, next.approvalId, 'approval.replaced', { before: row.approval_id, digest: next.digest });
    recordVolatileFields(context, row, fresh.subject);
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

const dropStalePrompt = (context: ApprovalsContext, row: ApprovalRow, error: unknown): ApprovalView => {
  const { db } = context;
  const outcome = toProblemOutcome(error);
  db.transaction(() => {
    if (endUnansweredPrompt(context, row, { outcome }))
      recordLedgerEvent(context, row.approval_id, 'approval.dropped', { code: outcome.code });
  })();
  context.changed('approvals');
  return readCurrentView(context, row);
};

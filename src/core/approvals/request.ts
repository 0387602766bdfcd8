import { askerIdOf } from '../base/request.ts';
import { type Problem, problem, problemView } from '../base/problem.ts';
import { paramsOf } from '../base/json.ts';
import { listingIdOfSubject, type ApprovalRow, type NewApproval } from '../storage/tables/approvalsTable.ts';
import type { ApprovalsContext, Ask } from './approvalsContext.ts';
import { approvalView } from './approvalView.ts';
import { decisionOf } from './deadlines.ts';
import { isLetGo } from './outcomes.ts';
import { maySettle } from './reconcile.ts';
import { abortable } from '../base/abortable.ts';
import { randomUUID } from 'node:crypto';
import { isTransient } from '../service/serviceError.ts';
import type { ApprovalOutcome, ApprovalView, Change, Subject } from '../storage/tables/approvalRecord.ts';
import { covers, unboundDifferences, digestOfSubject, requestDigestOf } from './subject.ts';
import { refuseKnown } from './checks/refusals.ts';
import { checkRedraw, checkRepeat, isChangedByAsker, type Repeat } from './checks/repeats.ts';
import { noticeOf } from './approvalNotice.ts';
import { drawPrompt, gatherSubject } from './prompts/index.ts';
import type { Moment, Reads } from './prompts/prompt.ts';
import { shownChanges } from './shownChanges.ts';

/** The maximum of pending prompts: per assistant, and in total. A batch counts as one prompt. */
const caps = { anAssistant: 5, all: 20 };

/** Throws TOO_MANY_WAITING if no further prompt may be pending. `superseded` are the prompts that this request supersedes. */
const checkCaps = (
  { table, account }: ApprovalsContext,
  { by, batchId }: Ask,
  leaving: readonly ApprovalRow[],
): void => {
  const leavingIds = leaving.map(({ approval_id: id }) => id);
  const waiting = table
    .inState(account(), 'pending')
    .filter((row) => row.batch_id !== (batchId ?? '') && !leavingIds.includes(row.approval_id));
  const prompts = (rows: ApprovalRow[]): number => new Set(rows.map((row) => row.batch_id ?? row.approval_id)).size;
  const own = waiting.filter((row) => row.asker_id === askerIdOf(by));
  // Many requests of assistants do not keep the person from asking.
  if (by.kind === 'person' ? prompts(own) < caps.all : prompts(waiting) < caps.all && prompts(own) < caps.anAssistant)
    return;
  throw problem('TOO_MANY_WAITING.questions', { retryAfterS: 60 });
};

/**
 * Throws while photos are being uploaded. The person's request closes the listing's upload slots first, so it is refused
 * only for uploads that have started.
 */
const checkUploads = ({ uploads }: ApprovalsContext, { by, input }: Ask): void => {
  const { listingId } = paramsOf(input);
  if (typeof listingId !== 'string') return;
  if (by.kind === 'person') uploads.close(listingId);
  const isBusy = by.kind === 'person' ? uploads.putting : uploads.inFlight;
  if (isBusy(listingId)) throw problem('PHOTOS_UPLOADING', { retryAfterS: 5 });
};

/** Throws if this asker may not request this now; returns how the request relates to earlier ones. */
const checkMayAsk = (context: ApprovalsContext, request: Ask, fresh: Subject | null): Repeat => {
  context.checkAsker(request.by, request.route, request.input);
  const repeat = checkRepeat(context, request, fresh);
  const { leaving } = repeat;
  // A batch shows only its own prompts.
  if (leaving.length > 0 && request.batchId !== undefined) throw problem('ALREADY_ASKED');
  checkCaps(context, request, leaving);
  checkUploads(context, request);
  return repeat;
};

/**
 * Returns the same request if it is still open. An unconfirmed request that can no longer be settled is not: it may be
 * asked again.
 */
const openSame = ({ table, keyPrint }: ApprovalsContext, requestDigest: string): ApprovalRow | null => {
  const same = table.waitingSame(requestDigest);
  if (same === null || isLetGo(same)) return null;
  return same.state === 'unconfirmed' && !maySettle(same, keyPrint()) ? null : same;
};

/** Returns the pending approval of the same request. Throws ALREADY_ASKED if it is not in the batch of the request. */
const asBefore = (same: ApprovalRow, { batchId }: Ask): ApprovalRow => {
  if (batchId !== undefined && same.batch_id !== batchId) throw problem('ALREADY_ASKED');
  return same;
};

/** What was read for a prompt, fresh from the service. */
export type Read = { subject: Subject; moment: Moment };

/** The changed input of a fresh prompt, and the error to report for the previous one if part of its work was done. */
type Replacing = { input?: unknown; inWords?: (error: unknown) => Problem };

/** Stores requests for approval, each once, and replaces a stale prompt with a fresh one. */
export type Requester = {
  ask: (request: Ask) => Promise<ApprovalView>;
  read: (ask: Pick<Ask, 'by' | 'route' | 'input'>) => Promise<Read>;
  /** Reads the subject of a stored approval again, from other reads if given. */
  readAgain: (row: ApprovalRow, from?: Reads) => Promise<Read>;
  stands: (row: ApprovalRow, fresh: Read) => boolean;
  replace: (row: ApprovalRow, fresh: Read, more?: Replacing) => ApprovalView;
  drop: (row: ApprovalRow, error: unknown) => ApprovalView;
  view: (row: ApprovalRow) => ApprovalView;
  /** Returns the view of exactly this row. */
  viewOf: (row: ApprovalRow) => ApprovalView;
  record: (approvalId: string, kind: string, facts?: Record<string, unknown>) => void;
};

export const createRequester = (context: ApprovalsContext): Requester => ({
  ask: (request) => ask(context, request),
  read: (request) => read(context, request),
  readAgain: (row, from) => readAgain(context, row, from),
  stands: (row, fresh) => stands(context, row, fresh),
  replace: (row, fresh, more) => replace(context, row, fresh, more),
  drop: (row, error) => drop(context, row, error),
  view: (row) => view(context, row),
  viewOf: (row) => approvalView(context, row),
  record: (approvalId, kind, facts) => record(context, approvalId, kind, facts),
});

const view = (context: ApprovalsContext, row: ApprovalRow): ApprovalView =>
  approvalView(context, context.table.read(row.approval_id) ?? row);

const storedView = (context: ApprovalsContext, approvalId: string): ApprovalView => {
  const row = context.table.read(approvalId);
  if (!row) throw new Error('An approval that was stored is not there.');
  return approvalView(context, row);
};

const record = (
  { ledger, clock }: ApprovalsContext,
  approvalId: string,
  kind: string,
  facts: Record<string, unknown> = {},
): void => ledger.append(clock.now(), kind, { approvalId, ...facts });

/** Reads everything that the approval of this request is bound to. */
const read = (
  context: ApprovalsContext,
  { by, route, input }: Pick<Ask, 'by' | 'route' | 'input'>,
  from = context.reads,
): Promise<Read> => {
  const asked = { route, input, account: context.account(), askerId: askerIdOf(by), key: context.keyPrint() };
  return gatherSubject(asked, by.kind, from);
};

const readAgain = (context: ApprovalsContext, row: ApprovalRow, from = context.reads): Promise<Read> =>
  read(context, { by: row.asker, route: row.route, input: row.subject.request.input }, from);

const newApproval = (context: ApprovalsContext, request: Ask, { subject, moment }: Read): NewApproval => {
  const { by: asker, route, reason, batchId } = request;
  const now = context.clock.now();
  return {
    approvalId: `ap_${randomUUID()}`,
    account: subject.account,
    asker,
    askerId: subject.asker,
    route,
    subject,
    requestDigest: requestDigestOf({ ...request, account: subject.account, askerId: subject.asker }),
    digest: digestOfSubject(subject),
    prompt: drawPrompt(subject, moment),
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
const ask = async (context: ApprovalsContext, request: Ask): Promise<ApprovalView> => {
  const { db, table, account } = context;
  const requestDigest = requestDigestOf({ ...request, account: account(), askerId: askerIdOf(request.by) });
  const same = openSame(context, requestDigest);
  if (same) {
    asBefore(same, request);
    return request.by.kind === 'person'
      ? abortable(renewed(context, same), request.signal)
      : approvalView(context, same);
  }
  checkMayAsk(context, request, null);
  await abortable(refuseKnown(request.route, request.input, context.known), request.signal);
  const fresh = await abortable(read(context, request), request.signal);
  // The approval would be orphaned if the account changed while it was read.
  if (fresh.subject.account !== account()) throw problem('ACCOUNT_CHANGED');
  // Another call may have stored the same request while this one was reading.
  const meanwhile = openSame(context, requestDigest);
  if (meanwhile) return approvalView(context, asBefore(meanwhile, request));
  // While the subject was read, the asker may have been paused, restricted or declined: check again.
  const { leaving, isCorrection } = checkMayAsk(context, request, fresh.subject);
  const approval = inPlaceOf(context, leaving, { ...newApproval(context, request, fresh), isCorrection });
  const left = leaving.map(({ approval_id: id }) => id);
  context.checkBudget(request.by, request.route, approval.prompt.money, left);
  db.transaction(() => {
    const { approvalId: supersededBy, askerId: by, route, digest, prompt } = approval;
    const marks = { at: context.clock.now(), supersededBy, outcome: outcomeOf(problem('ASKED_AGAIN')) };
    for (const one of leaving) {
      table.move(one.approval_id, 'replace', marks);
      context.ages.note(decisionOf(one));
    }
    table.add(approval);
    context.ages.note(approval.approvalId);
    const facts = { by, route, digest, act: prompt.act };
    if (left.length === 0) record(context, supersededBy, 'approval.asked', facts);
    for (const before of left) record(context, supersededBy, 'approval.replaced', { ...facts, before });
  })();
  closeSlots(context, approval.subject);
  announce(context, approval);
  return storedView(context, approval.approvalId);
};

/** Gives the approval the position of the prompts that it supersedes, and the changes since they were shown. */
const inPlaceOf = (context: ApprovalsContext, leaving: readonly ApprovalRow[], next: NewApproval): NewApproval => {
  const [first] = leaving;
  if (first === undefined) return next;
  const { asked_at: askedAt, place_seq: placeSeq, batch_id: batchId } = first;
  return { ...next, askedAt, placeSeq, batchId, sinceShown: sinceShownOf(context, first, next) };
};

/** Closes the upload slots of the listing, so that earlier presigned URLs cannot change its photos. */
const closeSlots = ({ uploads }: ApprovalsContext, subject: Subject): void => {
  const listingId = listingIdOfSubject(subject);
  if (listingId !== null) uploads.close(listingId);
};

/** The person repeats a pending request: redraw it as it is now. An assistant's repeats read nothing. */
const renewed = async (context: ApprovalsContext, row: ApprovalRow): Promise<ApprovalView> => {
  if (row.state !== 'pending') return approvalView(context, row);
  const fresh = await readAgain(context, row).catch((error: unknown) => {
    if (!isTransient(error)) drop(context, row, error);
    throw error;
  });
  return stands(context, row, fresh) ? view(context, row) : replace(context, row, fresh);
};

/** Whether the prompt still shows the current state. */
const stands = ({ moving }: ApprovalsContext, row: ApprovalRow, { subject }: Read): boolean =>
  covers(row.subject, subject, moving.of(row.account));

const announce = (
  context: ApprovalsContext,
  { asker, prompt, approvalId, route, digest, batchId }: NewApproval,
): void => {
  context.changed('approvals');
  // A batch sends one notification for all its rows.
  if (asker.kind === 'person' || batchId !== null || context.isQuiet(asker)) return;
  const ceiling = context.settings().publishFromNotificationMinor;
  context.notify({
    kind: 'approvals',
    ...noticeOf({ name: asker.name, route, prompt, digest }, ceiling),
    approvalId,
  });
};

/** Records fields of the listing that changed by themselves since they were shown. */
const noteMoves = (
  { ledger, clock, ages, locks, moving }: ApprovalsContext,
  row: ApprovalRow,
  subject: Subject,
): void => {
  const listingId = listingIdOfSubject(subject);
  if (row.subject.version !== 2 || listingId === null) return;
  if ((locks.wroteAgoMs(listingId) ?? Infinity) <= ages.ageMs(row.approval_id, row.shown_at)) return;
  const differences = unboundDifferences(row.subject, subject, moving.of(row.account));
  for (const field of moving.seen(row.account, differences))
    ledger.append(clock.now(), 'listing.field_moves', { account: row.account, field });
};

const replacementOf = (context: ApprovalsContext, row: ApprovalRow, fresh: Read, input: unknown): NewApproval => {
  const { asker: by, route, reason, batch_id: batchId } = row;
  const request = { by, route, input, reason: reason ?? undefined, batchId: batchId ?? undefined };
  const next = newApproval(context, request, fresh);
  const sinceShown = sinceShownOf(context, row, next);
  const { asked_at: askedAt, place_seq: placeSeq, asked_seq: askedSeq, request_digest: requestDigest } = row;
  // Keep the request digest, so that a repeat of the original request finds this row even if the person reduced it.
  return { ...next, askedAt, placeSeq, askedSeq, requestDigest, isCorrection: row.is_correction === 1, sinceShown };
};

const sinceShownOf = ({ moving }: ApprovalsContext, row: ApprovalRow, { subject, prompt }: NewApproval): Change[] =>
  row.subject.version === 2
    ? shownChanges(row.prompt, prompt, unboundDifferences(row.subject, subject, moving.of(row.account)))
    : [];

/** Ends a prompt without an answer, and stores whether its asker caused it. */
const leave = (
  context: ApprovalsContext,
  row: ApprovalRow,
  marks: { supersededBy?: string; outcome?: ApprovalOutcome },
): boolean => {
  const { table, ages, clock } = context;
  const isMoved = table.move(row.approval_id, 'replace', {
    at: clock.now(),
    isChangedByAsker: isChangedByAsker(context, row),
    ...marks,
  });
  if (isMoved) ages.note(decisionOf(row));
  return isMoved;
};

/** Supersedes a prompt with a fresh one, perhaps for another input. The person must approve again. */
const replace = (
  context: ApprovalsContext,
  row: ApprovalRow,
  fresh: Read,
  { input = row.subject.request.input, inWords }: Replacing = {},
): ApprovalView => {
  const { db, table } = context;
  const next = replacementOf(context, row, fresh, input);
  try {
    checkRedraw(context, row, fresh.subject);
    context.checkBudget(row.asker, row.route, next.prompt.money, [row.approval_id]);
  } catch (error) {
    return drop(context, row, inWords ? inWords(error) : error);
  }
  const outcome = inWords ? { outcome: outcomeOf(inWords(problem('SUPERSEDED'))) } : {};
  const replaced = db.transaction(() => {
    const marks = { supersededBy: next.approvalId, ...outcome };
    if (!leave(context, row, marks)) return false;
    table.add(next);
    context.ages.note(next.approvalId);
    record(context, next.approvalId, 'approval.replaced', { before: row.approval_id, digest: next.digest });
    noteMoves(context, row, fresh.subject);
    return true;
  })();
  if (!replaced) return view(context, row);
  closeSlots(context, next.subject);
  announce(context, next);
  return approvalView(context, table.read(next.approvalId) ?? row);
};

const outcomeOf = (error: unknown): ApprovalOutcome => {
  const { sentence, code, says } = problemView(error);
  return { sentence, code, says, url: null };
};

/** Ends a prompt whose act is no longer possible, with the reason. */
const drop = (context: ApprovalsContext, row: ApprovalRow, error: unknown): ApprovalView => {
  const { db } = context;
  const outcome = outcomeOf(error);
  db.transaction(() => {
    if (leave(context, row, { outcome })) record(context, row.approval_id, 'approval.dropped', { code: outcome.code });
  })();
  context.changed('approvals');
  return view(context, row);
};

import { randomUUID } from 'node:crypto';
import type { ParsedInput, RouteName } from '../../contract/index.ts';
import { problem, problemView } from '../base/problem.ts';
import { isPassing } from '../service/serviceError.ts';
import type { ApprovalView, Change } from '../storage/tables/approvalRecord.ts';
import {
  approvalView,
  listingIdOfSubject,
  type ApprovalRow,
  type NewApproval,
} from '../storage/tables/approvalsTable.ts';
import type { ApprovalsContext } from './context.ts';
import { covers, unboundDifferences } from './covers.ts';
import { evidence } from './reconcile.ts';
import { noticeOf } from './noticeOf.ts';
import { drawPrompt, gatherSubject } from './prompts/index.ts';
import type { Moment } from './prompts/prompt.ts';
import { shownChanges } from './shownChanges.ts';
import { digestOfSubject, requestDigestOf } from './subject.ts';
import { type Asker, askerIdOf } from '../base/asker.ts';
import type { Subject } from '../storage/tables/subjectRecord.ts';

/** A request that needs the person. One of a batch is shown in the batch's prompt instead of one of its own. */
export type Ask = {
  by: Asker;
  route: RouteName;
  input: unknown;
  reason?: string | undefined;
  batchId?: string | undefined;
};

/** What was read afresh for a prompt. */
export type Read = { subject: Subject; moment: Moment };

/** How many prompts may wait: of one assistant, and in all. A batch is one prompt. */
const caps = { anAssistant: 5, all: 20 };
/** An assistant that repeats what was just declined gets the same no, not a second prompt. */
const declinedStandsMs = 10 * 60_000;

export const declined = () => problem('PERSON_DECLINED');

export type Asking = ReturnType<typeof createAsking>;

/** Storing what is to be asked, once, and putting a fresh prompt in the place of one that no longer holds. */
export const createAsking = (context: ApprovalsContext) => {
  const { db, table, ledger, clock } = context;

  const viewOf = (row: ApprovalRow): ApprovalView =>
    approvalView(row, { now: clock.now(), nameLike: context.nameLike(row.asker) });
  const view = (row: ApprovalRow): ApprovalView => viewOf(table.read(row.approval_id) ?? row);
  const record = (approvalId: string, kind: string, facts: Record<string, unknown> = {}): void =>
    ledger.append(clock.now(), kind, { approvalId, ...facts });

  /** Everything that a yes to this request is bound to, as it is now. */
  const read = (ask: Pick<Ask, 'by' | 'route' | 'input'>, from = context.reads): Promise<Read> => {
    const asked = {
      route: ask.route,
      input: ask.input,
      account: context.account(),
      askerId: askerIdOf(ask.by),
      key: context.keyPrint(),
    };
    return gatherSubject(asked, ask.by.kind, from);
  };
  const readAgain = (row: ApprovalRow, from = context.reads): Promise<Read> =>
    read({ by: row.asker, route: row.route, input: row.subject.request.input }, from);

  type Before = { sinceShown: Change[]; askedAt: number };
  const newApproval = (ask: Ask, { subject, moment }: Read, before: Before | null): NewApproval => {
    const { by: asker, route, reason, batchId } = ask;
    const now = clock.now();
    return {
      approvalId: `ap_${randomUUID()}`,
      account: subject.account,
      asker,
      askerId: subject.asker,
      route,
      subject,
      requestDigest: requestDigestOf({ ...ask, account: subject.account, askerId: subject.asker }),
      digest: digestOfSubject(subject),
      prompt: drawPrompt(subject, moment),
      reason: reason ?? null,
      sinceShown: before?.sinceShown ?? [],
      askedAt: before?.askedAt ?? now,
      shownAt: now,
      expiresAt: now + context.settings().approvalMinutes * 60_000,
      batchId: batchId ?? null,
    };
  };

  const checkCaps = ({ by, batchId }: Ask): void => {
    const waiting = table.inState(context.account(), 'pending').filter((row) => row.batch_id !== (batchId ?? ''));
    const prompts = (rows: ApprovalRow[]): number => new Set(rows.map((row) => row.batch_id ?? row.approval_id)).size;
    const own = waiting.filter((row) => row.asker_id === askerIdOf(by));
    // Assistants that ask a lot do not keep the person from asking.
    if (by.kind === 'person' ? prompts(own) < caps.all : prompts(waiting) < caps.all && prompts(own) < caps.anAssistant)
      return;
    throw problem('TOO_MANY_WAITING.questions', { retryAfterS: 60 });
  };

  const checkDeclined = (by: Asker, requestDigest: string): void => {
    if (by.kind === 'person') return;
    const said = table.ofAsker(context.account(), by.assistantId).find((row) => row.request_digest === requestDigest);
    if (said?.state === 'declined' && clock.now() - (said.decided_at ?? 0) < declinedStandsMs) throw declined();
  };

  /** Photos that are on their way are waited for; the person goes before addresses that an assistant holds or asks for. */
  const checkUploads = ({ by, input }: Ask): void => {
    const { listingId } = (input as { params?: Partial<ParsedInput<'readListing'>['params']> }).params ?? {};
    if (listingId === undefined) return;
    if (by.kind === 'person') context.uploads.close(listingId);
    const isBusy = by.kind === 'person' ? context.uploads.putting : context.uploads.inFlight;
    if (isBusy(listingId)) throw problem('PHOTOS_UPLOADING', { retryAfterS: 5 });
  };

  /** The same request that is not over. One that nothing can settle any more is: it may be asked again. */
  const openSame = (requestDigest: string): ApprovalRow | null => {
    const same = table.waitingSame(requestDigest);
    return same?.state === 'unconfirmed' && evidence[same.route] === undefined ? null : same;
  };

  /** Answers the question that waits already; a batch shows only its own. */
  const asBefore = (same: ApprovalRow, { batchId }: Ask): ApprovalRow => {
    if (batchId !== undefined && same.batch_id !== batchId) throw problem('ALREADY_ASKED');
    return same;
  };

  /** Stores a request that needs the person's yes. The same request of the same asker is asked once. */
  const ask = async (request: Ask): Promise<ApprovalView> => {
    const requestDigest = requestDigestOf({
      ...request,
      account: context.account(),
      askerId: askerIdOf(request.by),
    });
    const same = openSame(requestDigest);
    if (same) {
      asBefore(same, request);
      return request.by.kind === 'person' ? renewed(same) : viewOf(same);
    }
    context.checkAsker(request.by, request.route, request.input);
    checkDeclined(request.by, requestDigest);
    checkCaps(request);
    checkUploads(request);
    const fresh = await read(request);
    // Another call may have asked the same while this one was reading.
    const meanwhile = openSame(requestDigest);
    if (meanwhile) return viewOf(asBefore(meanwhile, request));
    checkCaps(request);
    checkUploads(request);
    const approval = newApproval(request, fresh, null);
    context.checkBudget(request.by, request.route, approval.prompt.money);
    db.transaction(() => {
      table.add(approval);
      const { askerId: by, route, digest, prompt } = approval;
      record(approval.approvalId, 'approval.asked', { by, route, digest, act: prompt.act });
    })();
    closeSlots(approval.subject);
    announce(approval);
    return view({ approval_id: approval.approvalId } as ApprovalRow);
  };

  /** From here on nobody puts a photo to that listing by an address that was given out before. */
  const closeSlots = (subject: Subject): void => {
    const listingId = listingIdOfSubject(subject);
    if (listingId !== null) context.uploads.close(listingId);
  };

  /** The person asks again for what already waits: they see it as it is now. An assistant's repeats read nothing. */
  const renewed = async (row: ApprovalRow): Promise<ApprovalView> => {
    if (row.state !== 'pending') return viewOf(row);
    const fresh = await readAgain(row).catch((error: unknown) => {
      if (!isPassing(error)) drop(row, error);
      throw error;
    });
    return stands(row, fresh) ? view(row) : replace(row, fresh);
  };

  /** Whether what was shown is what is there now. */
  const stands = (row: ApprovalRow, { subject }: Read): boolean =>
    covers(row.subject, subject, context.moving.of(row.account));

  const announce = ({ asker, prompt, approvalId, route, digest, batchId }: NewApproval): void => {
    context.changed('approvals');
    // A batch is told as one, by itself.
    if (asker.kind === 'person' || batchId !== null) return;
    const ceiling = context.settings().publishFromNotificationMinor;
    context.notify({
      kind: 'approvals',
      ...noticeOf({ name: asker.name, route, prompt, digest }, ceiling),
      approvalId,
    });
  };

  /** Notes fields of the listing that moved by themselves since they were shown. */
  const noteMoves = (row: ApprovalRow, subject: Subject): void => {
    const listingId = listingIdOfSubject(subject);
    if (row.subject.version !== 2 || listingId === null) return;
    if ((context.locks.wroteAt(listingId) ?? 0) >= row.shown_at) return;
    const differences = unboundDifferences(row.subject, subject, context.moving.of(row.account));
    for (const field of context.moving.seen(row.account, differences))
      ledger.append(clock.now(), 'listing.field_moves', { account: row.account, field });
  };

  /** Puts a fresh prompt, perhaps for another input, in the place of one. The yes must be given again. */
  const replace = (row: ApprovalRow, fresh: Read, input: unknown = row.subject.request.input): ApprovalView => {
    const request = {
      by: row.asker,
      route: row.route,
      input,
      reason: row.reason ?? undefined,
      batchId: row.batch_id ?? undefined,
    };
    const next = newApproval(request, fresh, { sinceShown: [], askedAt: row.asked_at });
    // A repeat of what was asked finds this one, also where the person took less.
    next.requestDigest = row.request_digest;
    next.sinceShown = sinceShown(row, next);
    try {
      context.checkBudget(row.asker, row.route, next.prompt.money, row.approval_id);
    } catch (error) {
      return drop(row, error);
    }
    const replaced = db.transaction(() => {
      if (!table.move(row.approval_id, 'replace', { at: clock.now(), supersededBy: next.approvalId })) return false;
      table.add(next);
      record(next.approvalId, 'approval.replaced', { before: row.approval_id, digest: next.digest });
      noteMoves(row, fresh.subject);
      return true;
    })();
    if (!replaced) return view(row);
    closeSlots(next.subject);
    announce(next);
    return viewOf(table.read(next.approvalId) ?? row);
  };

  const sinceShown = (row: ApprovalRow, { subject, prompt }: NewApproval): Change[] =>
    row.subject.version === 2
      ? shownChanges(row.prompt, prompt, unboundDifferences(row.subject, subject, context.moving.of(row.account)))
      : [];

  /** What was shown cannot be done any more: the prompt goes, with the reason. */
  const drop = (row: ApprovalRow, error: unknown): ApprovalView => {
    const { sentence, code, says } = problemView(error);
    db.transaction(() => {
      const outcome = { sentence, code, says, url: null };
      if (table.move(row.approval_id, 'replace', { at: clock.now(), outcome }))
        record(row.approval_id, 'approval.dropped', { code });
    })();
    context.changed('approvals');
    return view(row);
  };

  return { ask, read, readAgain, stands, replace, drop, view, viewOf, record };
};

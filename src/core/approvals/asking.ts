import { randomUUID } from 'node:crypto';
import type { RouteName } from '../../contract/index.ts';
import { problem, problemView } from '../problem.ts';
import { isPassing } from '../service/serviceError.ts';
import type { ApprovalView, Asker, Change, Prompt } from './approval.ts';
import { approvalView, type ApprovalRow, type NewApproval } from './approvalsTable.ts';
import type { ApprovalsContext } from './context.ts';
import { changesBetween, covers, requestDigestOf, yesDigest } from './digests.ts';
import { evidence } from './evidence.ts';
import { noticeOf } from './noticeOf.ts';
import { drawPrompt } from './prompts/index.ts';
import type { Drawn } from './prompts/prompt.ts';

/** A request that needs the person. One of a batch is shown in the batch's prompt instead of one of its own. */
export type Ask = {
  by: Asker;
  route: RouteName;
  input: unknown;
  reason?: string | undefined;
  batchId?: string | undefined;
};

/** How many prompts may wait: of one assistant, and in all. A batch is one prompt. */
const caps = { anAssistant: 5, all: 20 };
/** An assistant that repeats what was just declined gets the same no, not a second prompt. */
const declinedStandsMs = 10 * 60_000;

export const askerIdOf = (by: Asker): string => (by.kind === 'person' ? 'person' : by.assistantId);

const longestTitle = 80;

/** Whether a notification says all that this yes is to: nothing changes, nothing is new, and the fee is low enough. */
const fitsNotice = ({ money, feeNotice, changes, target }: Prompt, ceilingMinor: number | null): boolean => {
  if (ceilingMinor === null || !money || money.state === 'unavailable') return false;
  const fee = money.state === 'free' ? 0 : (money.totalMinor ?? Infinity);
  const title = target?.title ?? '';
  return (
    fee <= ceilingMinor &&
    feeNotice === null &&
    changes.length === 0 &&
    title.length <= longestTitle &&
    !/\p{C}/u.test(title)
  );
};

export const declined = () => problem('PERSON_DECLINED');

export type Asking = ReturnType<typeof createAsking>;

/** Storing what is to be asked, once, and putting a fresh prompt in the place of one that no longer holds. */
export const createAsking = (context: ApprovalsContext) => {
  const { db, table, ledger, clock, reads } = context;

  const view = (row: ApprovalRow): ApprovalView => approvalView(table.read(row.approval_id) ?? row);
  const record = (approvalId: string, kind: string, facts: Record<string, unknown> = {}): void =>
    ledger.append(clock.now(), kind, { approvalId, ...facts });

  type Before = { sinceShown: Change[]; askedAt: number };
  const newApproval = (ask: Ask, drawn: Drawn, before: Before | null): NewApproval => {
    const asked = { ...ask, account: context.account(), askerId: askerIdOf(ask.by) };
    const now = clock.now();
    return {
      approvalId: `ap_${randomUUID()}`,
      account: asked.account,
      asker: ask.by,
      askerId: asked.askerId,
      route: ask.route,
      input: ask.input,
      requestDigest: requestDigestOf(asked),
      digest: yesDigest(asked, drawn),
      ...drawn,
      reason: ask.reason ?? null,
      sinceShown: before?.sinceShown ?? [],
      askedAt: before?.askedAt ?? now,
      shownAt: now,
      expiresAt: now + context.settings().approvalMinutes * 60_000,
      batchId: ask.batchId ?? null,
    };
  };

  const checkCaps = ({ by, batchId }: Ask): void => {
    if (batchId !== undefined) return;
    const waiting = table.inState(context.account(), 'pending').filter((row) => row.batch_id === null);
    const own = waiting.filter((row) => row.asker_id === askerIdOf(by));
    if (waiting.length < caps.all && (by.kind === 'person' || own.length < caps.anAssistant)) return;
    throw problem('TOO_MANY_WAITING.questions', { retryAfterS: 60 });
  };

  const checkDeclined = (by: Asker, requestDigest: string): void => {
    if (by.kind === 'person') return;
    const said = table.ofAsker(context.account(), by.assistantId).find((row) => row.request_digest === requestDigest);
    if (said?.state === 'declined' && clock.now() - (said.decided_at ?? 0) < declinedStandsMs) throw declined();
  };

  /** The same request that is not over. One that nothing can settle any more is: it may be asked again. */
  const openSame = (requestDigest: string): ApprovalRow | null => {
    const same = table.waitingSame(requestDigest);
    return same?.state === 'unconfirmed' && evidence[same.route] === undefined ? null : same;
  };

  /** Stores a request that needs the person's yes. The same request of the same asker is asked once. */
  const ask = async (request: Ask): Promise<ApprovalView> => {
    const requestDigest = requestDigestOf({
      ...request,
      account: context.account(),
      askerId: askerIdOf(request.by),
    });
    const same = openSame(requestDigest);
    if (same) return request.by.kind === 'person' ? renewed(same) : approvalView(same);
    checkDeclined(request.by, requestDigest);
    checkCaps(request);
    const drawn = await drawPrompt(request.route, request.input, reads);
    // Another call may have asked the same while this one was reading.
    const meanwhile = openSame(requestDigest);
    if (meanwhile) return approvalView(meanwhile);
    checkCaps(request);
    context.checkBudget(request.by, request.route, drawn.prompt.money);
    const approval = newApproval(request, drawn, null);
    db.transaction(() => {
      table.add(approval);
      const { askerId: by, route, digest, prompt } = approval;
      record(approval.approvalId, 'approval.asked', { by, route, digest, act: prompt.act });
    })();
    announce(approval);
    return view({ approval_id: approval.approvalId } as ApprovalRow);
  };

  /** The person asks again for what already waits: they see it as it is now. An assistant's repeats read nothing. */
  const renewed = async (row: ApprovalRow): Promise<ApprovalView> => {
    if (row.state !== 'pending') return approvalView(row);
    const drawn = await drawPrompt(row.route, row.input, reads).catch((error: unknown) => {
      if (!isPassing(error)) drop(row, error);
      throw error;
    });
    return covers(row, drawn) ? view(row) : replace(row, drawn);
  };

  const announce = ({ asker, prompt, approvalId, route, digest }: NewApproval): void => {
    context.changed('approvals');
    if (asker.kind === 'person') return;
    const ceiling = context.settings().publishFromNotificationMinor;
    const publish = route === 'publishListing' || route === 'publishChannels';
    const mayYes = publish && fitsNotice(prompt, ceiling);
    const yes = mayYes ? { yes: { label: prompt.yes, says: prompt.says?.yes, digest } } : {};
    context.notify({ kind: 'approvals', ...noticeOf(asker.name, prompt), approvalId, ...yes });
  };

  /** Puts a fresh prompt, perhaps for another input, in the place of one. The yes must be given again. */
  const replace = (row: ApprovalRow, drawn: Drawn, input: unknown = row.input): ApprovalView => {
    const request = {
      by: row.asker,
      route: row.route,
      input,
      reason: row.reason ?? undefined,
      batchId: row.batch_id ?? undefined,
    };
    const sinceShown = changesBetween(row.bound, drawn.bound);
    const next = newApproval(request, drawn, { sinceShown, askedAt: row.asked_at });
    const replaced = db.transaction(() => {
      if (!table.move(row.approval_id, 'replace', { at: clock.now(), supersededBy: next.approvalId })) return false;
      table.add(next);
      record(next.approvalId, 'approval.replaced', { before: row.approval_id, digest: next.digest });
      return true;
    })();
    if (replaced) announce(next);
    return view(replaced ? (table.read(next.approvalId) ?? row) : row);
  };

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

  return { ask, replace, drop, view, record };
};

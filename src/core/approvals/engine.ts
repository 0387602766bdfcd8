import { randomUUID } from 'node:crypto';
import type { RouteName } from '../../contract/index.ts';
import { Problem, problemView } from '../problem.ts';
import { isPassing } from '../service/serviceError.ts';
import type { ApprovalView, Asker, Change, DeclineReason } from './approval.ts';
import { approvalView, type ApprovalRow, type NewApproval } from './approvalsTable.ts';
import type { ApprovalsContext } from './context.ts';
import { changesBetween, digestFor, requestDigestOf, yesDigest } from './digests.ts';
import { drawPrompt } from './prompts/index.ts';
import type { Drawn } from './prompts/prompt.ts';
import { sending } from './sending.ts';

export type Ask = { by: Asker; route: RouteName; input: unknown; reason?: string | undefined };

/** How many prompts may wait: of one assistant, and in all. */
const caps = { anAssistant: 5, all: 20 };
/** An assistant that repeats what was just declined gets the same no, not a second prompt. */
const declinedStandsMs = 10 * 60_000;
export const askerIdOf = (by: Asker): string => (by.kind === 'person' ? 'person' : by.assistantId);

export type Approvals = ReturnType<typeof createApprovals>;

/** The approvals engine: keeps what was asked, shows it once, and sends what the person said yes to, once. */
export const createApprovals = (context: ApprovalsContext) => {
  const { db, table, ledger, clock, reads } = context;
  const sender = sending(context);
  const deciding = new Map<string, Promise<ApprovalView>>();

  const need = (approvalId: string): ApprovalRow => {
    const row = table.read(approvalId);
    if (!row || row.account !== context.account()) throw new Problem('NOT_FOUND', 'There is no such approval.');
    return row;
  };
  /** The approval itself, or the one that took its place, and so on. */
  const latest = (row: ApprovalRow): ApprovalRow => {
    const next = row.superseded_by === null ? null : table.read(row.superseded_by);
    return next ? latest(next) : row;
  };
  const view = (row: ApprovalRow): ApprovalView => approvalView(table.read(row.approval_id) ?? row);

  const record = (row: { approvalId: string }, kind: string, facts: Record<string, unknown> = {}) =>
    ledger.append(clock.now(), kind, { approvalId: row.approvalId, ...facts });

  const newApproval = (
    ask: Ask,
    drawn: Drawn,
    before: { sinceShown: Change[]; askedAt: number } | null,
  ): NewApproval => {
    const account = context.account();
    const askerId = askerIdOf(ask.by);
    const now = clock.now();
    return {
      approvalId: `ap_${randomUUID()}`,
      account,
      asker: ask.by,
      askerId,
      route: ask.route,
      input: ask.input,
      requestDigest: requestDigestOf({ ...ask, account, askerId }),
      digest: yesDigest({ ...ask, account, askerId }, drawn),
      prompt: drawn.prompt,
      bound: drawn.bound,
      first: drawn.first,
      reason: ask.reason ?? null,
      sinceShown: before?.sinceShown ?? [],
      askedAt: before?.askedAt ?? now,
      shownAt: now,
      expiresAt: now + context.settings().approvalMinutes * 60_000,
    };
  };

  const checkCaps = (by: Asker): void => {
    const waiting = table.inState(context.account(), 'pending');
    const own = waiting.filter((row) => row.asker_id === askerIdOf(by));
    if (waiting.length >= caps.all || (by.kind === 'assistant' && own.length >= caps.anAssistant)) {
      throw new Problem(
        'TOO_MANY_WAITING',
        'Too many questions are waiting for the person. Ask again when some are answered.',
        { retryAfterS: 60 },
      );
    }
  };

  const checkDeclined = (by: Asker, requestDigest: string): void => {
    if (by.kind === 'person') return;
    const said = table.ofAsker(context.account(), askerIdOf(by)).find((row) => row.request_digest === requestDigest);
    if (said?.state === 'declined' && clock.now() - (said.decided_at ?? 0) < declinedStandsMs) throw declined();
  };

  /** Stores a request that needs the person's yes. The same request of the same asker is asked once. */
  const ask = async (request: Ask): Promise<ApprovalView> => {
    expireDue();
    const requestDigest = requestDigestOf({ ...request, account: context.account(), askerId: askerIdOf(request.by) });
    const same = table.waitingSame(requestDigest);
    if (same) return request.by.kind === 'person' ? renewed(same) : approvalView(same);
    checkDeclined(request.by, requestDigest);
    checkCaps(request.by);
    const drawn = await drawPrompt(request.route, request.input, reads);
    // Another call may have asked the same while this one was reading.
    const meanwhile = table.waitingSame(requestDigest);
    if (meanwhile) return approvalView(meanwhile);
    checkCaps(request.by);
    const approval = newApproval(request, drawn, null);
    db.transaction(() => {
      table.add(approval);
      record(approval, 'approval.asked', {
        by: approval.askerId,
        route: approval.route,
        digest: approval.digest,
        act: approval.prompt.act,
      });
    })();
    announce(approval);
    return approvalView(need(approval.approvalId));
  };

  /** The person asks again for what already waits: they see it as it is now. An assistant's repeats read nothing. */
  const renewed = async (row: ApprovalRow): Promise<ApprovalView> => {
    if (row.state !== 'pending') return approvalView(row);
    const drawn = await drawPrompt(row.route, row.input, reads).catch((error: unknown) => {
      if (!isPassing(error)) drop(row, error);
      throw error;
    });
    return digestFor(row, drawn) === row.digest ? view(row) : replace(row, drawn);
  };

  const announce = (approval: NewApproval): void => {
    context.changed('approvals');
    if (approval.asker.kind === 'person') return;
    const { prompt, asker } = approval;
    context.notify({
      title: `${asker.name} asks: ${prompt.act}`,
      text: [prompt.target?.title, prompt.target?.facts.find(({ label }) => label === 'Price')?.value, prompt.yes]
        .filter(Boolean)
        .join(' · '),
      approvalId: approval.approvalId,
    });
  };

  /** Puts a fresh prompt in the place of one that no longer holds. The yes must be given again. */
  const replace = (row: ApprovalRow, drawn: Drawn): ApprovalView => {
    const request = {
      by: row.asker,
      route: row.route,
      input: row.input,
      ...(row.reason === null ? {} : { reason: row.reason }),
    };
    const next = newApproval(request, drawn, {
      sinceShown: changesBetween(row.bound, drawn.bound),
      askedAt: row.asked_at,
    });
    const replaced = db.transaction(() => {
      if (!table.move(row.approval_id, 'replace', { at: clock.now(), supersededBy: next.approvalId })) return false;
      table.add(next);
      record(next, 'approval.replaced', { before: row.approval_id, digest: next.digest });
      return true;
    })();
    context.changed('approvals');
    return view(replaced ? need(next.approvalId) : row);
  };

  /** What was shown cannot be done any more: the prompt goes, with the reason. */
  const drop = (row: ApprovalRow, error: unknown): ApprovalView => {
    const { sentence, code } = problemView(error);
    db.transaction(() => {
      if (table.move(row.approval_id, 'replace', { at: clock.now(), outcome: { sentence, code, url: null } })) {
        record({ approvalId: row.approval_id }, 'approval.dropped', { code });
      }
    })();
    context.changed('approvals');
    return view(row);
  };

  const decide = async (row: ApprovalRow): Promise<ApprovalView> => {
    let drawn: Drawn;
    try {
      drawn = await drawPrompt(row.route, row.input, reads);
    } catch (error) {
      // Not being able to look is no reason to take the prompt away; the yes can be given again.
      if (isPassing(error) || !(error instanceof Problem)) throw error;
      return drop(row, error);
    }
    const digest = digestFor(row, drawn);
    if (digest !== row.digest) return replace(row, drawn);
    if (expired(row)) return view(row);
    const approved = db.transaction(() => {
      const moved = table.move(row.approval_id, 'approve', { at: clock.now() });
      if (moved) record({ approvalId: row.approval_id }, 'approval.approve', { digest });
      return moved;
    })();
    if (approved) await sender.transmit(row);
    return view(row);
  };

  /**
   * The person's yes to exactly what was shown. Everything shown is read again first; when it differs, the answer is the
   * prompt that took its place and nothing is sent. Saying yes twice is harmless.
   */
  const approve = async (approvalId: string, digest: string): Promise<ApprovalView> => {
    const row = need(approvalId);
    if (row.digest !== digest) {
      record({ approvalId }, 'approval.wrong_digest');
      throw new Problem('NOT_WHAT_WAS_SHOWN', 'This yes is not for what was shown. Please look at it again.');
    }
    if (row.state !== 'pending' || expired(row)) return view(latest(row));
    const running = deciding.get(approvalId) ?? decide(row).finally(() => deciding.delete(approvalId));
    deciding.set(approvalId, running);
    return running;
  };

  const end = (
    row: ApprovalRow,
    event: 'decline' | 'withdraw' | 'expire',
    facts: Record<string, unknown>,
  ): ApprovalView => {
    db.transaction(() => {
      if (table.move(row.approval_id, event, { at: clock.now() }))
        record({ approvalId: row.approval_id }, `approval.${event}`, facts);
    })();
    context.changed('approvals');
    return view(row);
  };

  const decline = (approvalId: string, why: DeclineReason): ApprovalView => end(need(approvalId), 'decline', { why });
  const withdraw = (approvalId: string): ApprovalView => end(need(approvalId), 'withdraw', {});

  const expired = (row: ApprovalRow): boolean => {
    if (clock.now() < row.expires_at) return false;
    end(row, 'expire', {});
    return true;
  };
  const expireDue = (): void => {
    for (const row of table.inState(context.account(), 'pending')) expired(row);
  };

  /** After a start: what was being sent is looked up, what was only approved or shown is drawn afresh and asked again. */
  const recover = async (): Promise<void> => {
    expireDue();
    for (const row of table.inState(context.account(), 'sending')) await sender.interrupted(row);
    for (const row of table.inState(context.account(), 'approved', 'pending')) await askAgain(row);
  };

  const askAgain = async (row: ApprovalRow): Promise<void> => {
    try {
      const drawn = await drawPrompt(row.route, row.input, reads);
      // A prompt that still tells the truth stays; a yes that was given but not used must be given again.
      if (row.state === 'approved' || digestFor(row, drawn) !== row.digest) replace(row, drawn);
    } catch (error) {
      if (!isPassing(error)) drop(row, error);
    }
  };

  /** Looks again at what is still unconfirmed. */
  const settle = async (): Promise<void> => {
    for (const row of table.inState(context.account(), 'unconfirmed')) await sender.settle(row);
  };

  return {
    ask,
    approve,
    decline,
    withdraw,
    recover,
    settle,
    expireDue,
    need,
    /** The approval of that id as it is now, for a window. */
    view: (approvalId: string) => approvalView(need(approvalId)),
    latest: (approvalId: string) => latest(need(approvalId)),
    waiting: () => {
      expireDue();
      return table.inState(context.account(), 'pending').map(approvalView);
    },
    unsettled: () => table.inState(context.account(), 'approved', 'sending', 'unconfirmed').map(approvalView),
    history: (count: number) => table.newest(context.account(), count).map(approvalView),
    ofAsker: (askerId: string) => table.ofAsker(context.account(), askerId),
  };
};

export const declined = () =>
  new Problem('PERSON_DECLINED', 'The person said no to this. Do not ask again unless the person wants it.');

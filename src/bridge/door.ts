import { createHash } from 'node:crypto';
import { setImmediate as immediate } from 'node:timers/promises';
import { idempotencyKey, routeOf, type RawInput, type RouteName } from '../contract/index.ts';
import type { ApprovalRow } from '../core/storage/tables/approvalsTable.ts';
import { isFinal } from '../core/storage/tables/approvalStates.ts';
import { plainWords } from '../core/assistants/assistantName.ts';
import type { Assistant, ItemWish } from '../core/assistants/assistantWork.ts';
import { plainSentence, storedAnswer } from '../core/service/personPages.ts';
import type { Companion } from '../core/companion/createCompanion.ts';
import { Problem } from '../core/base/problem.ts';
import { statusOf } from './bridgeProblem.ts';
import { createPatience } from './patience.ts';
import { itemRecord, type ItemRecord } from './itemRecord.ts';

export type { Assistant };

/** A request of an assistant, by the name of its route. */
export type DoorRequest = {
  by: Assistant;
  route: RouteName;
  input: RawInput;
  reason?: string | undefined;
  waitMs?: number;
  signal?: AbortSignal | undefined;
};

/** What comes of it: an answer (of the service, or one that was kept), or an approval that waits for the person. */
export type DoorAnswer =
  | {
      state: 'done';
      status: number;
      headers: Record<string, string>;
      body: unknown;
      /** The body as the service wrote it, where nothing was taken out of it. */
      text: string | undefined;
      source: 'service' | 'cache';
      /** How old a kept answer is, in whole seconds. */
      ageS: number;
    }
  | { state: 'pending'; approval: ApprovalRecord };

/** An approval as its assistant sees it: how it stands, and when it is done, what the service answered. */
export type ApprovalRecord = {
  id: string;
  state: string;
  summary: string;
  expiresAt: string;
  pollAfterMs?: number;
  supersededBy?: string;
  outcome?: string;
  code?: string | null;
  answer?: { status: number; headers: Record<string, string>; body: unknown };
};

const pollAfterMs = 2_000;

export type Door = ReturnType<typeof createDoor>;

/**
 * What assistants can do here, over HTTP and MCP alike: the core's one door, seen by the one who asks, noted for the
 * person. `url` is where they reach it.
 */
export const createDoor = (companion: Companion, url: () => string) => {
  const { approvals, assistantWork, activity } = companion;
  const patient = createPatience();

  const ownRow = ({ assistantId }: Assistant, id: string): ApprovalRow => {
    const row = approvals.ofAsker(assistantId).find((one) => one.approval_id === id);
    if (!row) throw new Problem('NOT_FOUND', 'There is no such approval of yours.');
    return row;
  };

  const note = (
    by: Assistant,
    route: RouteName,
    status: number,
    answeredFrom: 'service' | 'cache' | 'refused' | 'companion',
  ) => {
    const { summary, method, path } = routeOf(route);
    activity.note({ assistantId: by.assistantId, name: by.name, what: summary, method, path, status, answeredFrom });
  };

  const call = async (request: DoorRequest): Promise<DoorAnswer> => {
    const { by, route } = request;
    try {
      const outcome = await patient(by, request.waitMs ?? 0, (waitMs) =>
        companion.perform({
          ...request,
          waitMs,
          input: ownKey(by, request.input),
          reason: plainWords(request.reason),
          reachedAt: url(),
        }),
      );
      if (outcome.state === 'pending') {
        note(by, route, 202, 'companion');
        return { state: 'pending', approval: approvalRecord(ownRow(by, outcome.approvalId)) };
      }
      const { status, headers, answer: body, text, source, ageMs } = outcome;
      note(by, route, status, source);
      return { state: 'done', status, headers, body, text, source, ageS: Math.floor(ageMs / 1_000) };
    } catch (error) {
      note(by, route, statusOf(error), 'refused');
      throw error;
    }
  };

  return {
    call,
    /** One of this assistant's approvals, after at most `waitMs`. Throws `NOT_FOUND`. */
    approval: async (by: Assistant, id: string, waitMs: number, signal?: AbortSignal): Promise<ApprovalRecord> => {
      const row = ownRow(by, id);
      // How it ended is in the record; here only the waiting matters.
      await patient(by, waitMs, (ms) => companion.outcome(row.approval_id, ms, signal)).catch(() => undefined);
      return approvalRecord(ownRow(by, id));
    },
    approvals: (by: Assistant): ApprovalRecord[] => {
      approvals.expireDue();
      return approvals.ofAsker(by.assistantId).map(approvalRecord);
    },
    /** Takes a question back while it waits. */
    withdraw: (by: Assistant, id: string): ApprovalRecord => {
      const row = ownRow(by, id);
      if (row.state !== 'pending') throw new Problem('WRONG_STATE', 'This is decided already and cannot be withdrawn.');
      approvals.withdraw(row.approval_id);
      return approvalRecord(ownRow(by, id));
    },
    /** Several questions in one prompt; what cannot be asked is a row with its reason. */
    askTogether: async (by: Assistant, requests: { route: RouteName; input: RawInput }[], reason?: string) =>
      companion.batches.askFor(by, requests, plainWords(reason)),
    addItem: async (
      by: Assistant,
      wish: ItemWish,
    ): Promise<{ item: ItemRecord; left: { name: string; code: string; error: string }[] }> => {
      const { item, left } = await assistantWork.addItem(by, wish);
      return { item: itemRecord(item), left };
    },
    item: async (by: Assistant, itemId: string, waitMs: number, signal?: AbortSignal): Promise<ItemRecord> =>
      itemRecord(await patient(by, waitMs, (ms) => assistantWork.item(by, itemId, ms, signal))),
    /** This assistant's items as JSON, newest first. Of thousands, a few at a time are read and written out. */
    itemsJson: async (by: Assistant): Promise<string> => {
      const parts: string[] = [];
      for (const some of assistantWork.items(by, null).some) {
        parts.push(...some.map((item) => JSON.stringify(itemRecord(item))));
        await immediate();
      }
      return `{"items":[${parts.join(',')}]}`;
    },
    /** Those of its items that changed since a mark of an earlier answer; all of them for null. */
    changedItems: (by: Assistant, since: string | null): { mark: string; items: ItemRecord[] } => {
      const { mark, some } = assistantWork.items(by, since);
      return { mark, items: [...some].flat().map(itemRecord) };
    },
    addPhotos: assistantWork.addPhotos,
    addReceived: assistantWork.addReceived,
    /** What the person lets this assistant do, and what of it is left today. */
    me: ({ assistantId, name }: Assistant) => {
      const view = companion.assistants.list().assistants.find((one) => one.assistantId === assistantId);
      const waitingApprovals = approvals.ofAsker(assistantId).filter(({ state }) => state === 'pending').length;
      const { budget, touches, scope, folders, paused } = view ?? {};
      return { assistantId, name, scope, touches, folders, budget, paused, waitingApprovals };
    },
  };
};

/** The same request with its key made the assistant's own: nobody gets another's draft by guessing the key it was made with. */
const ownKey = ({ assistantId }: Assistant, input: RawInput): RawInput => {
  const given = idempotencyKey.safeParse(input.headers?.['idempotency-key']);
  if (!given.success) return input;
  const key = createHash('sha256').update(`${assistantId}\n${given.data}`).digest('hex');
  return { ...input, headers: { ...input.headers, 'idempotency-key': key } };
};

/** An approval without the pages that are the person's to open. */
export const approvalRecord = (row: ApprovalRow): ApprovalRecord => ({
  id: row.approval_id,
  // Held back after the yes: the person may still take it back.
  state: row.state === 'approved' && row.held_until !== null ? 'held' : row.state,
  summary: row.prompt.target ? `${row.prompt.act}: ${row.prompt.target.title}` : row.prompt.act,
  expiresAt: new Date(row.expires_at).toISOString(),
  ...(row.superseded_by === null ? {} : { supersededBy: row.superseded_by }),
  ...(row.outcome ? { outcome: plainSentence(row.outcome.sentence), code: row.outcome.code } : {}),
  ...(row.answer ? { answer: { ...row.answer, body: storedAnswer(row.route, row.answer) } } : {}),
  ...(isFinal(row.state) ? {} : { pollAfterMs }),
});

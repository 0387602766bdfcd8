import type { Assistant, ItemRequest } from '../core/assistants/assistantWork.ts';
import { createHash } from 'node:crypto';
import { setImmediate as immediate } from 'node:timers/promises';
import { idempotencyKey, type RawInput, type RouteName } from '../contract/index.ts';
import type { BatchRequest, BatchView } from '../core/approvals/batches.ts';
import type { AssistantView } from '../core/assistants/assistant.ts';
import type { ApprovalRow } from '../core/storage/tables/approvalsTable.ts';
import { plainWords } from '../core/assistants/assistantName.ts';
import type { Companion } from '../core/companion/createCompanion.ts';
import { Problem } from '../core/base/problem.ts';
import type { Outcome, Told } from '../core/base/request.ts';
import { statusOf } from './bridgeProblem.ts';
import { approvalRecord, itemRecord, type ApprovalRecord, type ItemRecord } from './assistantRecords.ts';
import { createLinkJudge, unknownHostsIn, type JudgeLink } from './liveLinks.ts';

/** So many requests of one assistant may wait at a time; each holds a connection, and those are for all. */
const mostWaiting = 32;

/**
 * Runs a request that may wait for news. `work` is told how many ms it may wait: as long as its caller wants, or 0 while
 * too many requests of that assistant wait already.
 */
type LongPoll = <T>(by: Assistant, wantedMs: number, work: (waitMs: number) => Promise<T>) => Promise<T>;

/** Limits how many requests of each assistant wait at a time. */
const createLongPoll = (): LongPoll => {
  const waiting = new Map<string, number>();
  return async ({ assistantId }, wantedMs, work) => {
    const now = waiting.get(assistantId) ?? 0;
    if (wantedMs === 0 || now >= mostWaiting) return work(0);
    waiting.set(assistantId, now + 1);
    try {
      return await work(wantedMs);
    } finally {
      const left = (waiting.get(assistantId) ?? 1) - 1;
      if (left > 0) waiting.set(assistantId, left);
      else waiting.delete(assistantId);
    }
  };
};

/** A request of an assistant, by the name of its route. */
export type AssistantRequest = {
  by: Assistant;
  route: RouteName;
  input: RawInput;
  reason?: string | undefined;
  waitMs?: number;
  signal?: AbortSignal | undefined;
};

/** What comes of it: an answer (of the service, or one that was kept), or an approval that waits for the person. */
export type AssistantAnswer =
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
      /** What the person reads of it where they said yes to it. */
      told?: Told | undefined;
      /** Hosts of pages in the body where no listing had a page before. */
      unknownHosts: string[];
    }
  | { state: 'pending'; approval: ApprovalRecord };

type AddedItem = {
  item: ItemRecord;
  left: { name: string; code: string; error: string }[];
  replayed: boolean;
};

/** What the person lets an assistant do, and what of it is left today. */
export type AssistantStanding = Pick<Assistant, 'assistantId' | 'name'> &
  Partial<Pick<AssistantView, 'scope' | 'touches' | 'folders' | 'budget' | 'paused'>> & { waitingApprovals: number };

/**
 * What assistants can do here, over HTTP and MCP alike, each seeing only what is its own. Everything goes through the
 * core's `perform` or its assistant work, is noted for the person, and throws `Problem` or `ServiceError`.
 */
export type AssistantApi = {
  /** A request to the service: its answer, or the approval that now waits for the person. */
  call: (request: AssistantRequest) => Promise<AssistantAnswer>;
  /** What came of one of this assistant's questions after at most `waitMs`: answers and throws as `call` does. */
  decision: (by: Assistant, approvalId: string, waitMs: number, signal?: AbortSignal) => Promise<AssistantAnswer>;
  /** One of this assistant's approvals, after at most `waitMs`. Throws `NOT_FOUND`. */
  approval: (by: Assistant, id: string, waitMs: number, signal?: AbortSignal) => Promise<ApprovalRecord>;
  approvals: (by: Assistant) => ApprovalRecord[];
  /** Takes a question back while it waits. Throws `NOT_FOUND`, `WRONG_STATE`. */
  withdraw: (by: Assistant, id: string) => ApprovalRecord;
  /** Several questions in one prompt; what cannot be asked is a row with its reason. */
  askTogether: (by: Assistant, requests: BatchRequest[], reason?: string) => Promise<BatchView[]>;
  /**
   * Makes an item of photos on this machine; `left` are those that were not taken, and why. With a `key` the same call
   * of this assistant takes up what it began before (`replayed`). Throws `IDEMPOTENCY_KEY_REUSED` for another wish.
   */
  addItem: (by: Assistant, wish: ItemRequest, key?: string) => Promise<AddedItem>;
  /** The same calls of this assistant begin anew. */
  forgetCalls: Companion['assistantWork']['forgetCalls'];
  /** This assistant's items of these ids, once all rest, one has stopped, or `waitMs` are over. Throws `NOT_FOUND`. */
  items: (by: Assistant, itemIds: readonly string[], waitMs: number, signal?: AbortSignal) => Promise<ItemRecord[]>;
  /** This assistant's items as the JSON of `{ items }`, newest first. */
  itemsJson: (by: Assistant) => Promise<string>;
  /** Those of its items that changed since a mark of an earlier answer; all of them for null. */
  changedItems: (by: Assistant, since: string | null) => { mark: string; items: ItemRecord[] };
  /** Puts photos on a listing: of paths that the person allowed, or the bytes of one. */
  addPhotos: Companion['assistantWork']['addPhotos'];
  addReceived: Companion['assistantWork']['addReceived'];
  /** A photo of a listing by its number, from 1, as `listingPhotos` serves it. Throws `NOT_FOUND`, `PHOTOS_UNREADABLE`. */
  photo: (by: Assistant, listingId: string, number: number, signal: AbortSignal) => Promise<ListingPhoto>;
  /** A small JPEG of a photo of a listing that was read just now; null where it cannot be had. */
  smallPhoto: (by: Assistant, listingId: string, number: number, signal: AbortSignal) => Promise<ListingPhoto | null>;
  /** Where an assistant reads that photo with its token. */
  photoUrl: (listingId: string, number: number) => string;
  me: (by: Assistant) => AssistantStanding;
  judgeLink: JudgeLink;
  /** Throws where this assistant may not be told anything any more, or not of this listing. */
  checkTold: (by: Assistant, listingId?: string) => void;
};

/** The bytes of a photo, and what kind of picture they are. */
export type ListingPhoto = { bytes: Uint8Array; contentType: string };

type ApiContext = Pick<Companion, 'approvals' | 'activity' | 'assistantWork' | 'assistants' | 'batches'> &
  Pick<Companion, 'perform' | 'outcome'> & {
    /** Where assistants reach this companion. */
    url: () => string;
    longPoll: LongPoll;
    judgeLink: JudgeLink;
  };

/** `url` is where assistants reach this companion: addresses of its own that they are given begin with it. */
export const createAssistantApi = (companion: Companion, url: () => string): AssistantApi => {
  const context: ApiContext = {
    ...{ ...companion, url, longPoll: createLongPoll() },
    judgeLink: createLinkJudge(companion.pageLinks),
  };
  const { addPhotos, addReceived, checkTold } = companion.assistantWork;
  return {
    call: (request) => call(context, request),
    ...approvalCalls(context),
    ...itemCalls(context),
    ...photoCalls(context),
    addPhotos,
    addReceived,
    checkTold,
    judgeLink: context.judgeLink,
    me: (by) => standingOf(context, by),
  };
};

type AnsweredFrom = 'service' | 'cache' | 'refused' | 'companion';

/** Notes a call for the person, who sees what each assistant has done. */
const note = (
  { activity }: ApiContext,
  { by, route, input }: AssistantRequest,
  status: number,
  answeredFrom: AnsweredFrom,
): void => activity.note({ assistantId: by.assistantId, name: by.name, route, input, status, answeredFrom });

const call = async (context: ApiContext, request: AssistantRequest): Promise<AssistantAnswer> => {
  const { by } = request;
  try {
    const outcome = await context.longPoll(by, request.waitMs ?? 0, (waitMs) =>
      context.perform({
        ...request,
        waitMs,
        input: ownKey(by, request.input),
        reason: plainWords(request.reason),
        reachedAt: context.url(),
      }),
    );
    const answer = answerOf(context, by, outcome);
    if (answer.state === 'pending') note(context, request, 202, 'companion');
    else note(context, request, answer.status, answer.source);
    return answer;
  } catch (error) {
    note(context, request, statusOf(error), 'refused');
    throw error;
  }
};

const answerOf = (context: ApiContext, by: Assistant, outcome: Outcome): AssistantAnswer => {
  if (outcome.state === 'pending')
    return { state: 'pending', approval: recordOf(context, ownApproval(context, by, outcome.approvalId)) };
  const { status, headers, answer: body, text, source, ageMs, told } = outcome;
  const unknownHosts = unknownHostsIn(body, context.judgeLink);
  return { state: 'done', status, headers, body, text, source, ageS: Math.floor(ageMs / 1_000), told, unknownHosts };
};

const ownApproval = ({ approvals }: ApiContext, { assistantId }: Assistant, id: string): ApprovalRow => {
  const row = approvals.ofAsker(assistantId).find((one) => one.approval_id === id);
  if (!row) throw new Problem('NOT_FOUND', 'There is no such approval of yours.');
  return row;
};

const recordOf = ({ approvals, judgeLink }: ApiContext, row: ApprovalRow): ApprovalRecord =>
  approvalRecord(row, approvals.declinedForS(row), judgeLink);

const approvalCalls = (
  context: ApiContext,
): Pick<AssistantApi, 'decision' | 'approval' | 'approvals' | 'withdraw' | 'askTogether'> => {
  const { approvals, batches, longPoll, outcome } = context;
  return {
    decision: async (by, id, waitMs, signal) => {
      const row = ownApproval(context, by, id);
      return answerOf(context, by, await longPoll(by, waitMs, (ms) => outcome(row.approval_id, ms, signal)));
    },
    approval: async (by, id, waitMs, signal) => {
      const row = ownApproval(context, by, id);
      // How it ended is in the record; here only the waiting matters.
      await longPoll(by, waitMs, (ms) => outcome(row.approval_id, ms, signal)).catch(() => undefined);
      return recordOf(context, ownApproval(context, by, id));
    },
    approvals: (by) => {
      approvals.expireDue();
      return approvals.ofAsker(by.assistantId).map((row) => recordOf(context, row));
    },
    withdraw: (by, id) => {
      const row = ownApproval(context, by, id);
      if (row.state !== 'pending')
        throw new Problem('WRONG_STATE', 'This has already been decided and cannot be withdrawn.');
      approvals.withdraw(row.approval_id);
      return recordOf(context, ownApproval(context, by, id));
    },
    askTogether: async (by, requests, reason) => batches.askFor(by, requests, plainWords(reason)),
  };
};

const itemCalls = ({
  assistantWork,
  longPoll,
}: ApiContext): Pick<AssistantApi, 'addItem' | 'forgetCalls' | 'items' | 'itemsJson' | 'changedItems'> => ({
  addItem: async (by, wish, key) => {
    const { item, ...more } = await assistantWork.addItem(by, wish, key);
    return { item: itemRecord(item), ...more };
  },
  forgetCalls: assistantWork.forgetCalls,
  items: async (by, itemIds, waitMs, signal) =>
    (await longPoll(by, waitMs, (ms) => assistantWork.itemsAtRest(by, itemIds, ms, signal))).map(itemRecord),
  itemsJson: async (by) => {
    const parts: string[] = [];
    // Of thousands, a few at a time are read and written out.
    for (const some of assistantWork.items(by, null).some) {
      parts.push(...some.map((item) => JSON.stringify(itemRecord(item))));
      await immediate();
    }
    return `{"items":[${parts.join(',')}]}`;
  },
  changedItems: (by, since) => {
    const { mark, some } = assistantWork.items(by, since);
    return { mark, items: [...some].flat().map(itemRecord) };
  },
});

const photoCalls = (context: ApiContext): Pick<AssistantApi, 'photo' | 'smallPhoto' | 'photoUrl'> => {
  const { picture } = context.assistantWork;
  return {
    photo: async (by, listingId, number, signal) => {
      // Whoever may read the listing sees its photos, those that it has now.
      await call(context, { by, route: 'readListing', input: { params: { listingId } }, signal });
      const found = await picture(by, 'read', { listingId, index: number - 1 }, signal);
      if (!found) throw new Problem('NOT_FOUND', 'The listing has no photo of this number.', { field: 'number' });
      return found;
    },
    smallPhoto: (by, listingId, number, signal) => picture(by, 'small', { listingId, index: number - 1 }, signal),
    photoUrl: (listingId, number) =>
      new URL(`/companion/listings/${encodeURIComponent(listingId)}/photos/${number}`, context.url()).href,
  };
};

const standingOf = ({ assistants, approvals }: ApiContext, { assistantId, name }: Assistant): AssistantStanding => {
  const view = assistants.list().assistants.find((one) => one.assistantId === assistantId);
  const waitingApprovals = approvals.ofAsker(assistantId).filter(({ state }) => state === 'pending').length;
  if (!view) return { assistantId, name, waitingApprovals };
  const { budget, touches, scope, folders, paused } = view;
  return { assistantId, name, scope, touches, folders, budget, paused, waitingApprovals };
};

/** The same request with its key made the assistant's own: nobody gets another's draft by guessing the key it was made with. */
const ownKey = ({ assistantId }: Assistant, input: RawInput): RawInput => {
  const named = input.headers?.['idempotency-key'];
  if (named === undefined) return input;
  const given = idempotencyKey.safeParse(named);
  if (!given.success) return input;
  const key = createHash('sha256').update(`${assistantId}\n${given.data}`).digest('hex');
  return { ...input, headers: { ...input.headers, 'idempotency-key': key } };
};

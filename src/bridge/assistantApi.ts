import type { ItemRequest } from '../core/assistants/assistantWork.ts';
import { createHash } from 'node:crypto';
import { setImmediate as immediate } from 'node:timers/promises';
import { idempotencyKey, type RawInput, type RouteName } from '../contract/index.ts';
import type { AssistantView } from '../core/assistants/assistant.ts';
import { sanitizeAssistantText } from '../core/assistants/assistantName.ts';
import type { Companion } from '../core/companion/createCompanion.ts';
import { Problem } from '../core/base/problem.ts';
import type { AssistantAsker } from '../core/base/request.ts';
import { toHttpStatus } from './bridgeProblem.ts';
import {
  createApprovalCalls,
  createLongPollLimiter,
  toAssistantAnswer,
  type ApprovalCalls,
  type ApprovalCallsContext,
  type AssistantAnswer,
} from './approvalCalls.ts';
import { toItemRecord, toWarningRecords, type ItemRecord, type WarningRecord } from './assistantRecords.ts';
import type { ItemView } from '../core/storage/tables/itemRecord.ts';
import { createLinkClassifier, type ClassifyLink } from './liveLinks.ts';

export type AssistantRequest = {
  by: AssistantAsker;
  route: RouteName;
  input: RawInput;
  reason?: string | undefined;
  waitMs?: number;
  signal?: AbortSignal | undefined;
};

type AddedItem = {
  item: ItemRecord;
  left: { name: string; code: string; error: string }[];
  /** What the assistant must tell the person. */
  warnings: WarningRecord[];
  replayed: boolean;
};

export type AssistantStanding = Pick<AssistantAsker, 'assistantId' | 'name'> &
  Partial<Pick<AssistantView, 'scope' | 'shelf' | 'touches' | 'folders' | 'budget' | 'paused'>> & {
    waitingApprovals: number;
  };

/**
 * The companion records every call for the person. A failed call throws `Problem` or `ServiceError`. An assistant sees
 * only its own data.
 */
export type AssistantApi = ApprovalCalls & {
  /** Sends a request to the service. Returns the answer, or the approval if the person must decide first. */
  call: (request: AssistantRequest) => Promise<AssistantAnswer>;
  /**
   * Creates an item from photos on this machine. A repeated call with the same `key` returns the first item, and resumes
   * it if it has stopped. Throws `IDEMPOTENCY_KEY_REUSED` if the key belongs to a different request.
   */
  addItem: (by: AssistantAsker, wish: ItemRequest, key?: string) => Promise<AddedItem>;
  markCallsDelivered: Companion['assistantWork']['markCallsDelivered'];
  /** Waits until all items need no more work, one item has stopped, or `waitMs` have passed. Throws `NOT_FOUND`. */
  items: (
    by: AssistantAsker,
    itemIds: readonly string[],
    waitMs: number,
    signal?: AbortSignal,
  ) => Promise<ItemRecord[]>;
  itemsJson: (by: AssistantAsker) => Promise<string>;
  /**
   * Returns this assistant's items that changed after the mark `since`, and a new mark. If `since` is null, returns all
   * items.
   */
  changedItems: (by: AssistantAsker, since: string | null) => { mark: string; items: ItemRecord[] };
  addPhotos: Companion['assistantWork']['addPhotos'];
  addReceived: Companion['assistantWork']['addReceived'];
  /** Returns a photo by its number, which starts at 1. Throws `NOT_FOUND` or `PHOTOS_UNREADABLE`. */
  photo: (by: AssistantAsker, listingId: string, number: number, signal: AbortSignal) => Promise<ListingPhoto>;
  /**
   * Returns a small JPEG of a listing's photo, or null if it is not available. The caller must read the listing first.
   */
  smallPhoto: (
    by: AssistantAsker,
    listingId: string,
    number: number,
    signal: AbortSignal,
  ) => Promise<ListingPhoto | null>;
  photoUrl: (listingId: string, number: number) => string;
  me: (by: AssistantAsker) => AssistantStanding;
  /** Returns why listings that this assistant may see are weak. Listings without warnings are omitted. */
  listingWarnings: (by: AssistantAsker, listingIds: readonly string[]) => ReadonlyMap<string, WarningRecord[]>;
  /** What the person knows about listings. Only an assistant with the right `shelf` sees and changes it. */
  shelf: Companion['assistantShelf'];
  classifyLink: ClassifyLink;
  /** Throws if this assistant has lost its access, or if it may not see this listing. */
  checkVisibility: (by: AssistantAsker, listingId?: string) => void;
};

export type ListingPhoto = { bytes: Uint8Array; contentType: string };

type ApiContext = ApprovalCallsContext &
  Pick<Companion, 'activity' | 'assistantShelf' | 'assistantWork' | 'assistants' | 'perform'> & { url: () => string };

/** Creates the API for assistants. `url` returns the base URL for links in answers. */
export const createAssistantApi = (companion: Companion, url: () => string): AssistantApi => {
  const context: ApiContext = {
    ...{ ...companion, url, longPoll: createLongPollLimiter() },
    classifyLink: createLinkClassifier(companion.pageLinks),
  };
  const { addPhotos, addReceived, checkVisibility } = companion.assistantWork;
  return {
    call: (request) => performAssistantCall(context, request),
    ...recordBatchCalls(context, createApprovalCalls(context)),
    ...createItemCalls(context),
    ...createPhotoCalls(context),
    addPhotos,
    addReceived,
    checkVisibility,
    shelf: recordShelfCalls(context),
    classifyLink: context.classifyLink,
    me: (by) => getAssistantStanding(context, by),
    listingWarnings: (by, listingIds) => {
      const found = companion.readWarnings(by, listingIds);
      return new Map([...found].map(([listingId, warnings]) => [listingId, toWarningRecords(warnings)]));
    },
  };
};

/** Records the batches of an assistant, so that the person sees them. A batch is one entry, whatever its size. */
const recordBatchCalls = (context: ApiContext, calls: ApprovalCalls): ApprovalCalls => ({
  ...calls,
  askTogether: async (by, requests, reason) => {
    const routes = new Set(requests.map(({ route }) => route));
    const recordRoutes = (status: number, answeredFrom: AnsweredFrom): void => {
      for (const route of routes) recordAssistantCall(context, { by, route, input: {} }, status, answeredFrom);
    };
    try {
      const batches = await calls.askTogether(by, requests, reason);
      recordRoutes(202, 'companion');
      return batches;
    } catch (error) {
      recordRoutes(toHttpStatus(error), 'refused');
      throw error;
    }
  },
});

/** Records the shelf calls of an assistant, so that the person sees them. */
const recordShelfCalls = (context: ApiContext): AssistantApi['shelf'] => {
  const { assistantShelf } = context;
  const record = <T>(request: AssistantRequest, answer: T): T => {
    recordAssistantCall(context, request, 200, 'companion');
    return answer;
  };
  return {
    ...assistantShelf,
    readAllowed: (by, { listingId }) => {
      const input = { params: { listingId } };
      return record({ by, route: 'readListing', input }, assistantShelf.readAllowed(by, { listingId }));
    },
    change: (by, listingId, changes) => {
      const input = { params: { listingId }, body: { shelf: Object.keys(changes) } };
      return record({ by, route: 'updateListing', input }, assistantShelf.change(by, listingId, changes));
    },
    find: (by, search) => record({ by, route: 'listListings', input: {} }, assistantShelf.find(by, search)),
  };
};

type AnsweredFrom = 'service' | 'cache' | 'refused' | 'companion';

const recordAssistantCall = (
  { activity }: ApiContext,
  { by, route, input }: AssistantRequest,
  status: number,
  answeredFrom: AnsweredFrom,
): void => activity.note({ assistantId: by.assistantId, name: by.name, route, input, status, answeredFrom });

const performAssistantCall = async (context: ApiContext, request: AssistantRequest): Promise<AssistantAnswer> => {
  const { by } = request;
  try {
    const outcome = await context.longPoll(by, request.waitMs ?? 0, (waitMs) =>
      context.perform({
        ...request,
        waitMs,
        input: bindIdempotencyKeyToAssistant(by, request.input),
        reason: sanitizeAssistantText(request.reason),
        reachedAt: context.url(),
      }),
    );
    const answer = toAssistantAnswer(context, by, outcome);
    if (answer.state === 'pending') recordAssistantCall(context, request, 202, 'companion');
    else recordAssistantCall(context, request, answer.status, answer.source);
    return answer;
  } catch (error) {
    recordAssistantCall(context, request, toHttpStatus(error), 'refused');
    throw error;
  }
};

/** The new item is created anyway: a person can own two equal things. Names no item of another asker. */
const createRepeatWarning = (ownItemIds: readonly string[]): WarningRecord => ({
  code: 'PHOTOS_REPEATED',
  sentence: `The same photos are already in ${ownItemIds.join(', ') || 'another item of the person'}. If this was a mistake, ask the person to remove the new item before it is written.`,
});

const createListedWarning = ({ itemId, step }: ItemView): WarningRecord => ({
  code: 'ITEM_EXISTS',
  sentence: `Nothing was made: the same call already made ${itemId} of these photos, and it is ${step === 'live' ? 'live' : 'in review'}. If the person has one more of it, call again with another note.`,
});

/** Reads the warnings of all items at once. */
const createItemConverter = (
  { readWarnings }: Pick<ApiContext, 'readWarnings'>,
  by: AssistantAsker,
  items: readonly ItemView[],
): ((item: ItemView) => ItemRecord) => {
  const listingIds = items.flatMap(({ listingId, step }) => (step === 'review' && listingId !== null ? listingId : []));
  const warnings = listingIds.length === 0 ? null : readWarnings(by, listingIds);
  return (item) => toItemRecord(item, warnings?.get(item.listingId ?? ''));
};

const createItemCalls = (
  context: Pick<ApiContext, 'assistantWork' | 'longPoll' | 'readWarnings'>,
): Pick<AssistantApi, 'addItem' | 'markCallsDelivered' | 'items' | 'itemsJson' | 'changedItems'> => {
  const { assistantWork, longPoll } = context;
  return {
    addItem: async (by, wish, key) => {
      const { item, sameAs, isListed, ...more } = await assistantWork.addItem(by, wish, key);
      const toRecord = createItemConverter(context, by, [item]);
      const warnings = [
        ...(sameAs ? [createRepeatWarning(sameAs)] : []),
        ...(isListed ? [createListedWarning(item)] : []),
      ];
      return { item: toRecord(item), warnings, ...more };
    },
    markCallsDelivered: assistantWork.markCallsDelivered,
    items: async (by, itemIds, waitMs, signal) => {
      const found = await longPoll(by, waitMs, (ms) => assistantWork.waitForIdleItems(by, itemIds, ms, signal));
      return found.map(createItemConverter(context, by, found));
    },
    itemsJson: async (by) => {
      const parts: string[] = [];
      // Serialise in chunks, so that thousands of items do not block the event loop.
      for (const some of assistantWork.items(by, null).some) {
        const toRecord = createItemConverter(context, by, some);
        parts.push(...some.map((item) => JSON.stringify(toRecord(item))));
        await immediate();
      }
      return `{"items":[${parts.join(',')}]}`;
    },
    changedItems: (by, since) => {
      const { mark, some } = assistantWork.items(by, since);
      return { mark, items: [...some].flatMap((part) => part.map(createItemConverter(context, by, part))) };
    },
  };
};

const createPhotoCalls = (context: ApiContext): Pick<AssistantApi, 'photo' | 'smallPhoto' | 'photoUrl'> => {
  const { picture } = context.assistantWork;
  return {
    photo: async (by, listingId, number, signal) => {
      await performAssistantCall(context, { by, route: 'readListing', input: { params: { listingId } }, signal });
      const found = await picture(by, 'read', { listingId, index: number - 1 }, signal);
      if (!found) throw new Problem('NOT_FOUND', 'The listing has no photo of this number.', { field: 'number' });
      return found;
    },
    smallPhoto: (by, listingId, number, signal) => picture(by, 'small', { listingId, index: number - 1 }, signal),
    photoUrl: (listingId, number) =>
      new URL(`/companion/listings/${encodeURIComponent(listingId)}/photos/${number}`, context.url()).href,
  };
};

const getAssistantStanding = (
  { assistants, approvals }: ApiContext,
  { assistantId, name }: AssistantAsker,
): AssistantStanding => {
  const view = assistants.list().assistants.find((one) => one.assistantId === assistantId);
  const waitingApprovals = approvals.listOfAsker(assistantId).filter(({ state }) => state === 'pending').length;
  if (!view) return { assistantId, name, waitingApprovals };
  const { budget, touches, scope, shelf, folders, paused } = view;
  return { assistantId, name, scope, shelf, touches, folders, budget, paused, waitingApprovals };
};

/** Binds the idempotency key to the assistant, so that no other assistant can obtain its draft with a guessed key. */
const bindIdempotencyKeyToAssistant = ({ assistantId }: AssistantAsker, input: RawInput): RawInput => {
  const named = input.headers?.['idempotency-key'];
  if (named === undefined) return input;
  const given = idempotencyKey.safeParse(named);
  if (!given.success) return input;
  const key = createHash('sha256').update(`${assistantId}\n${given.data}`).digest('hex');
  return { ...input, headers: { ...input.headers, 'idempotency-key': key } };
};

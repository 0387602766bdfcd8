import { randomUUID } from 'node:crypto';
import type { AssistantAsker } from '../core/base/request.ts';
import type { ListingNews } from '../core/notifications/news.ts';
import type { Companion } from '../core/companion/createCompanion.ts';
import type { AssistantApi } from './assistantApi.ts';
import type { ApprovalRecord, ItemRecord } from './assistantRecords.ts';
import { Router, type Request, type Response } from 'express';
import { Problem } from '../core/base/problem.ts';
import { authenticateAssistant } from './guard.ts';

type FeedEvent = { id: string } & FeedState;
type FeedState =
  | { type: 'approval'; data: { approval: ApprovalRecord } }
  | { type: 'item'; data: { item: ItemRecord } }
  | { type: 'listing'; data: { listing: ListingNewsRecord } };
type ListingNewsRecord = {
  listingId: string;
  news: 'written' | 'sold';
  status: string;
  title: string | null;
  at: string;
};
type Listener = (event: FeedEvent) => void;

type Feed = {
  by: AssistantAsker;
  /** The latest event of each approval and item. A new event is sent only if its text differs from the latest one. */
  newest: Map<string, { text: string; event: FeedEvent }>;
  events: FeedEvent[];
  listeners: Set<Listener>;
  mark: string | null;
  /** The ids of a feed's events do not depend on other feeds, so that gaps do not reveal events of others. */
  ids: { prefix: string; count: number };
};

type FeedsContext = {
  api: Pick<AssistantApi, 'approvals' | 'changedItems' | 'checkVisibility'>;
};

export type EventFeeds = {
  /**
   * Returns the events after `lastId`. If `lastId` is null or unknown, returns the latest event of each approval and
   * item. Calls `listener` with each new event until `stop` is called.
   */
  listen: (by: AssistantAsker, lastId: string | null, listener: Listener) => { missed: FeedEvent[]; stop: () => void };
  count: () => number;
};

type FeedSource = Pick<Companion, 'onChanged' | 'onListingNews'> & {
  isConnected: () => boolean;
  isPaired: (assistantId: string) => boolean;
};

const maxRemembered = 500;

/**
 * Creates one event feed per assistant for its own approvals and items, and for news of the listings that it may see.
 * Of approvals and items the core announces only that something has changed, so a feed reads its assistant's data again
 * and sends the differences. Event ids are valid for one run of the companion, so after a restart a listener gets the
 * latest event of each approval and item.
 */
export const createEventFeedService = (source: FeedSource, api: FeedsContext['api']): EventFeeds => {
  const feeds = new Map<string, Feed>();
  const context: FeedsContext = { api };
  const updateActiveFeeds = (): void => {
    if (!source.isConnected()) return;
    for (const feed of feeds.values()) {
      if (feed.listeners.size === 0) continue;
      try {
        updateAssistantFeed(context, feed);
      } catch {
        // Ignore the error, because the listeners receive the events with the next change.
      }
    }
  };

  let scheduled = false;
  source.onChanged((topic) => {
    if (topic === 'assistants') for (const id of feeds.keys()) if (!source.isPaired(id)) feeds.delete(id);
    if (scheduled || feeds.size === 0 || (topic !== 'approvals' && topic !== 'items')) return;
    scheduled = true;
    setImmediate(() => {
      scheduled = false;
      updateActiveFeeds();
    });
  });

  source.onListingNews((news) => {
    // An item has events of its own.
    if (news.kind === 'written' && news.isOfItem) return;
    // The listing is stored after this call.
    setImmediate(() => {
      for (const feed of feeds.values()) if (maySee(context, feed, news)) addFeedEvent(feed, toNewsState(news));
    });
  });

  const getAssistantFeed = (by: AssistantAsker): Feed => {
    const found = feeds.get(by.assistantId);
    if (found) return found;
    const ids = { prefix: randomUUID().slice(0, 8), count: 0 };
    const made: Feed = { newest: new Map(), events: [], listeners: new Set(), by, mark: null, ids };
    updateAssistantFeed(context, made);
    feeds.set(by.assistantId, made);
    return made;
  };

  return {
    listen: (by, lastId, listener) => {
      const feed = getAssistantFeed(by);
      updateAssistantFeed(context, feed);
      const at = feed.events.findIndex(({ id }) => id === lastId);
      const missed = (at === -1 ? listNewestEvents(feed) : feed.events.slice(at + 1)).filter(
        // The assistant might no longer see the listing.
        (event) => event.type !== 'listing' || maySee(context, feed, event.data.listing),
      );
      feed.listeners.add(listener);
      return { missed, stop: () => void feed.listeners.delete(listener) };
    },
    count: () => feeds.size,
  };
};

const updateAssistantFeed = (context: FeedsContext, feed: Feed): void => {
  const { api } = context;
  // `retryAfterS` changes as time passes, so it must not cause events.
  const approvals = api
    .approvals(feed.by)
    .map(({ retryAfterS: _left, ...approval }) => approval)
    .toReversed();
  const { mark, items } = api.changedItems(feed.by, feed.mark);
  const states: KeyedState[] = [
    ...approvals.map((approval) => ({
      key: `approval ${approval.id}`,
      state: { type: 'approval' as const, data: { approval } },
    })),
    ...items.map((item) => ({ key: `item ${item.itemId}`, state: { type: 'item' as const, data: { item } } })),
  ];
  for (const state of states) addFeedEvent(feed, state);
  feed.mark = mark;
};

type KeyedState = { key: string; state: FeedState };

/** Sends the state to the listeners, unless it is the latest one with this key. */
const addFeedEvent = (feed: Feed, { key, state }: KeyedState): void => {
  const text = JSON.stringify(state.data);
  if (feed.newest.get(key)?.text === text) return;
  feed.ids.count += 1;
  const event = { id: `${feed.ids.prefix}-${feed.ids.count}`, ...state };
  feed.newest.set(key, { text, event });
  feed.events.push(event);
  if (feed.events.length > maxRemembered) feed.events.shift();
  for (const listener of feed.listeners) listener(event);
};

const newsFacts = {
  written: { news: 'written', status: 'pending_review' },
  sales: { news: 'sold', status: 'sold' },
} as const;

const toNewsState = ({ listingId, kind, title, at }: ListingNews): KeyedState => ({
  key: `listing ${listingId}`,
  state: {
    type: 'listing',
    data: { listing: { listingId, ...newsFacts[kind], title, at: new Date(at).toISOString() } },
  },
});

const maySee = (
  { api }: Pick<FeedsContext, 'api'>,
  { by }: Feed,
  { listingId }: Pick<ListingNews, 'listingId'>,
): boolean => {
  try {
    api.checkVisibility(by, listingId);
    return true;
  } catch {
    return false;
  }
};

const listNewestEvents = (feed: Feed): FeedEvent[] => {
  const newest = [...feed.newest.values()].map(({ event }) => event);
  return newest.sort((a, b) => parseEventNumber(a.id) - parseEventNumber(b.id));
};

const parseEventNumber = (id: string): number => Number(id.split('-')[1]);

const maxStreams = { perAssistant: 4, total: 40 };
const keepAliveMs = 25_000;

const serializeFeedEvent = ({ id, type, data }: FeedEvent): string =>
  `id: ${id}\nevent: ${type}\ndata: ${JSON.stringify(data)}\n\n`;

/**
 * Serves `/companion/events`, which streams the changes of an assistant's approvals and items, and news of listings, as
 * server-sent events.
 */
export const createEventRoutes = (companion: Companion, api: AssistantApi): Router => {
  const router = Router();
  const isPaired = (assistantId: string): boolean =>
    companion.assistants.list().assistants.some((one) => one.assistantId === assistantId);
  const { onChanged, onListingNews } = companion;
  const isConnected = (): boolean => companion.state(null).connection !== 'none';
  const feeds = createEventFeedService({ onChanged, onListingNews, isConnected, isPaired }, api);
  const streams = new Map<string, number>();

  const reserveEventStream = ({ assistantId }: AssistantAsker): (() => void) => {
    const own = streams.get(assistantId) ?? 0;
    const all = [...streams.values()].reduce((sum, count) => sum + count, 0);
    if (own >= maxStreams.perAssistant || all >= maxStreams.total) {
      const sentence = 'Too many event streams are open. Close one, or read how things stand instead.';
      throw new Problem('TOO_MANY_STREAMS', sentence, { retryAfterS: 30 });
    }
    streams.set(assistantId, own + 1);
    return () => {
      const left = (streams.get(assistantId) ?? 1) - 1;
      if (left > 0) streams.set(assistantId, left);
      else streams.delete(assistantId);
    };
  };

  /** A stream ends when its assistant is paused or is no longer paired. */
  const isStillAllowed = (request: Request): boolean => {
    try {
      authenticateAssistant(companion.assistants, request);
      return true;
    } catch {
      return false;
    }
  };

  router.get('/', (request: Request, response: Response) => {
    const by = authenticateAssistant(companion.assistants, request);
    response.once('close', reserveEventStream(by));
    const last = request.headers['last-event-id'];
    const { missed, stop } = feeds.listen(by, typeof last === 'string' ? last : null, (event) => sendFeedEvent(event));
    response.once('close', stop);
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', connection: 'keep-alive' });
    response.write(': listening\n\n');
    const sendFeedEvent = (event: FeedEvent): void => {
      // Disconnect a listener that does not read, because its events would fill the memory. It can resume with
      // `Last-Event-ID`.
      if (!response.write(serializeFeedEvent(event)) && response.writableLength > 1_000_000) response.destroy();
    };
    missed.forEach(sendFeedEvent);
    const keepAlive = setInterval(() => response.write(': alive\n\n'), keepAliveMs);
    const unsubscribe = companion.onChanged((topic) => {
      if (topic === 'assistants' && !isStillAllowed(request)) response.end();
    });
    response.once('close', () => {
      clearInterval(keepAlive);
      unsubscribe();
    });
  });
  return router;
};

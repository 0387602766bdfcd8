import { randomUUID } from 'node:crypto';
import type { Companion } from '../core/companion/createCompanion.ts';
import type { Assistant, Door } from './door.ts';

export type FeedEvent = { id: string; type: 'approval' | 'item'; data: unknown };
type Listener = (event: FeedEvent) => void;
type Feed = {
  known: Map<string, { text: string; event: FeedEvent }>;
  events: FeedEvent[];
  listeners: Set<Listener>;
  by: Assistant;
  /** Up to here its items are known; null for not at all. */
  mark: string | null;
};

const mostRemembered = 500;

/**
 * What happens to each assistant's own approvals and items. The core only says that something changed, so a feed looks
 * at what its assistant may see and tells what is new. Ids count up within one run of the companion; after a restart, or
 * when too much was missed, a listener is told how everything stands.
 */
export const createFeeds = (companion: Companion, door: Door) => {
  const run = randomUUID().slice(0, 8);
  const feeds = new Map<string, Feed>();
  let count = 0;
  let looking = false;

  /** How the approvals stand, and the items that may stand otherwise than when this was last asked. */
  const stateOf = ({ by, mark: since }: Feed): { mark: string; all: Omit<FeedEvent, 'id'>[] } => {
    const approvals = door.approvals(by).toReversed();
    const { mark, items } = door.changedItems(by, since);
    const all = [
      ...approvals.map((approval) => ({ type: 'approval' as const, data: { approval } })),
      ...items.map((item) => ({ type: 'item' as const, data: { item } })),
    ];
    return { mark, all };
  };

  const look = (feed: Feed): void => {
    const { mark, all } = stateOf(feed);
    for (const one of all) {
      const text = JSON.stringify(one.data);
      const key = `${one.type} ${keyOf(one.data)}`;
      if (feed.known.get(key)?.text === text) continue;
      count += 1;
      const event = { id: `${run}-${count}`, ...one };
      feed.known.set(key, { text, event });
      feed.events.push(event);
      if (feed.events.length > mostRemembered) feed.events.shift();
      for (const listener of feed.listeners) listener(event);
    }
    feed.mark = mark;
  };

  companion.onChanged((topic) => {
    if (looking || feeds.size === 0 || (topic !== 'approvals' && topic !== 'items')) return;
    looking = true;
    // Many changes of one moment are one look.
    setImmediate(() => {
      looking = false;
      if (companion.state(null).connection === 'none') return;
      for (const feed of feeds.values()) {
        try {
          look(feed);
        } catch {
          // Its listeners are told with the next change; how everything stands can be read besides.
        }
      }
    });
  });

  const feedOf = (by: Assistant): Feed => {
    const found = feeds.get(by.assistantId);
    if (found) return found;
    const made: Feed = { known: new Map(), events: [], listeners: new Set(), by, mark: null };
    look(made);
    feeds.set(by.assistantId, made);
    return made;
  };

  return {
    /** Answers what was missed since `lastId`, or how everything stands; tells from then on what is new, until `stop`. */
    listen: (by: Assistant, lastId: string | null, listener: Listener): { missed: FeedEvent[]; stop: () => void } => {
      const feed = feedOf(by);
      look(feed);
      const at = feed.events.findIndex(({ id }) => id === lastId);
      const missed = at === -1 ? standing(feed) : feed.events.slice(at + 1);
      feed.listeners.add(listener);
      return { missed, stop: () => void feed.listeners.delete(listener) };
    },
  };

  /** The newest event of each thing, oldest first. */
  function standing(feed: Feed): FeedEvent[] {
    const newest = [...feed.known.values()].map(({ event }) => event);
    return newest.sort((a, b) => numberOf(a.id) - numberOf(b.id));
  }
};

const numberOf = (id: string): number => Number(id.split('-')[1]);

const keyOf = (data: unknown): string => {
  const { approval, item } = data as { approval?: { id: string }; item?: { itemId: string } };
  return approval?.id ?? item?.itemId ?? '';
};

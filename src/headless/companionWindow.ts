import type { ProblemView } from '../core/base/problem.ts';
import type { CompanionWindow, Reply } from '../ipc/calls.ts';

/** Why a page has no secret. */
type NoSecret = 'LINK_USED' | 'LINK_ENDED' | 'LINK_MISSING';

/** How a page comes by the secret of the session, and keeps it. */
type WindowSecret = {
  /** A secret that was not refused yet, or why there is none. Throws when the companion cannot be asked. */
  find: () => Promise<{ secret: string } | { none: NoSecret }>;
  /** The companion took it. */
  prove: (secret: string) => void;
  /** The companion did not take it: it is one of an earlier start. */
  refuse: (secret: string) => void;
  /** Called when another tab offers a secret to a page that has none. */
  onOffer: (listener: () => void) => void;
};

/** Trades the token of the link for the secret, once; null where there is no token any more. */
type EnterByLink = () => Promise<{ secret: string } | { none: NoSecret } | null>;

/** The other tabs of the window. `proven` is what this tab may give them, `isWanted` what it takes of them. */
type OtherTabs = (own: { proven: () => string | null; isWanted: (secret: string) => boolean }) => {
  /** What another tab has offered; null while none has. */
  offered: () => string | null;
  /** What the first tab answers; null when none does within a second. */
  ask: () => Promise<string | null>;
  /** Tabs that wait without a secret open by it. */
  offer: (secret: string) => void;
  onOffer: (listener: () => void) => void;
};

// The server sends these three functions to the browser as text, so each uses nothing from outside of itself but types.

/** The token goes out of the address at once: neither a bookmark nor a copied address shall hold it. */
export const enterByLink = (): EnterByLink => {
  const address = new URL(location.href);
  let token = address.searchParams.get('token');
  if (token !== null) {
    address.searchParams.delete('token');
    history.replaceState(history.state, '', address.pathname + address.search + address.hash);
  }
  return async () => {
    if (token === null) return null;
    const response = await fetch('/enter', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token }),
      signal: AbortSignal.timeout(10_000),
    });
    token = null;
    if (response.ok) return (await response.json()) as { secret: string };
    return { none: response.status === 410 ? 'LINK_USED' : 'LINK_ENDED' };
  };
};

/** A secret is handed from tab to tab by a channel that is the page's own by its whole origin. */
export const otherTabs: OtherTabs = ({ proven, isWanted }) => {
  type TabMessage = { wanted?: unknown; secret?: unknown } | null;
  const channel = new BroadcastChannel('companion');
  const answerTimeoutMs = 1_000;
  let offered: string | null = null;
  let onAnswer = (): void => undefined;
  let listener = (): void => undefined;
  channel.onmessage = ({ data }: MessageEvent<TabMessage>) => {
    const own = proven();
    if (data?.wanted === true && own !== null) channel.postMessage({ secret: own });
    if (typeof data?.secret !== 'string' || !isWanted(data.secret)) return;
    offered = data.secret;
    onAnswer();
    listener();
  };
  return {
    offered: () => offered,
    ask: () =>
      new Promise((resolve) => {
        onAnswer = () => resolve(offered);
        setTimeout(() => resolve(null), answerTimeoutMs);
        channel.postMessage({ wanted: true });
      }),
    offer: (secret) => channel.postMessage({ secret }),
    onOffer: (heard) => {
      listener = heard;
    },
  };
};

/**
 * The secret is traded for the token of the link, lies in the storage of the tab, which keeps it over a reload, and is
 * handed from tab to tab. Storage and channel are the page's own by its whole origin, with its name and its port.
 */
export const windowSecret = (enter: EnterByLink, tabsOf: OtherTabs): WindowSecret => {
  const name = 'companion';
  const refused = new Set<string>();
  let proven: string | null = null;
  let none: NoSecret = 'LINK_MISSING';
  const tabs = tabsOf({
    proven: () => proven,
    isWanted: (secret) => proven === null && !refused.has(secret),
  });

  // A browser may be told to keep nothing: then a reload needs a new link, or another tab.
  const storage = <T>(use: (storage: Storage) => T): T | null => {
    try {
      return use(sessionStorage);
    } catch {
      return null;
    }
  };
  const byLink = async (): Promise<string | null> => {
    const entered = await enter();
    if (entered !== null && 'none' in entered) none = entered.none;
    return entered !== null && 'secret' in entered ? entered.secret : null;
  };
  const usable = (secret: string | null): secret is string => secret !== null && !refused.has(secret);

  return {
    find: async () => {
      const sources = [byLink, () => storage((kept) => kept.getItem(name)), tabs.offered, tabs.ask];
      for (const source of proven === null ? sources : [() => proven]) {
        const secret = await source();
        if (usable(secret)) return { secret };
      }
      return { none };
    },
    prove: (secret) => {
      proven = secret;
      storage((kept) => kept.setItem(name, secret));
      tabs.offer(secret);
    },
    refuse: (secret) => {
      refused.add(secret);
      if (proven === secret) proven = null;
      storage((kept) => kept.getItem(name) === secret && kept.removeItem(name));
      if (none === 'LINK_MISSING') none = 'LINK_ENDED';
    },
    onOffer: tabs.onOffer,
  };
};

/** What a page says by itself, when the companion does not. */
export type WindowProblems = Record<NoSecret | 'awayBefore' | 'awayDuring', ProblemView>;

type ConnectionEvents = {
  /** A message after the greeting. */
  onMessage: (text: string) => void;
  /** The socket has closed: what was sent by it stays without an answer. */
  onLost: () => void;
  /** There is a socket again, or none to be had: what changed meanwhile is not known. */
  onAgain: () => void;
};

type WindowConnection = {
  /** The socket, once it is clear whether there is one. */
  socket: () => Promise<WebSocket | null>;
  /** Why the page may not connect; null when it may. */
  locked: () => NoSecret | null;
  /** The address below which pictures and uploads are, as the server greets with it. */
  base: () => string;
};

// The server sends these two functions to the browser as text, so each uses nothing from outside of itself but types.

/** One WebSocket that sends the secret first, and reconnects by itself, ever less often up to every four seconds. */
export const windowConnection = (
  { find, prove, refuse, onOffer }: WindowSecret,
  { onMessage, onLost, onAgain }: ConnectionEvents,
): WindowConnection => {
  const secretRefused = 4401;
  let socket: WebSocket | null = null;
  let ready: Promise<boolean>;
  let locked: NoSecret | null = null;
  let base = '';
  let retryMs = 250;

  const connectLater = (): void => {
    retryMs = Math.min(retryMs * 2, 4_000);
    setTimeout(() => {
      ready = connect(true);
    }, retryMs);
  };

  const open = (secret: string, again: boolean): Promise<boolean> =>
    new Promise((resolve) => {
      const opening = new WebSocket(`ws://${location.host}/calls`);
      opening.onopen = () => opening.send(JSON.stringify({ secret }));
      opening.onmessage = ({ data }) => {
        if (socket === opening) return onMessage(String(data));
        // The first message is the greeting.
        ({ base } = JSON.parse(String(data)) as { base: string });
        socket = opening;
        retryMs = 250;
        prove(secret);
        resolve(true);
        if (again) onAgain();
      };
      opening.onclose = ({ code }) => {
        socket = null;
        onLost();
        if (code === secretRefused) {
          refuse(secret);
          // There may be another one; if not, the screens say so.
          return resolve(connect(true));
        }
        resolve(false);
        connectLater();
      };
    });

  const connect = async (again: boolean): Promise<boolean> => {
    const found = await find().catch(() => null);
    if (found === null) {
      connectLater();
      return false;
    }
    locked = 'none' in found ? found.none : null;
    if ('secret' in found) return open(found.secret, again);
    if (again) onAgain();
    return false;
  };

  ready = connect(false);
  onOffer(() => {
    if (locked === null) return;
    locked = null;
    ready = connect(true);
  });
  return { socket: async () => ((await ready) ? socket : null), locked: () => locked, base: () => base };
};

/** What the page gets as `window.companion`: the calls of the table over one connection, and the topics that changed. */
export const companionWindow = (
  topics: readonly string[],
  problems: WindowProblems,
  connect: (events: ConnectionEvents) => WindowConnection,
): CompanionWindow => {
  type Waiting = { resolve: (reply: Reply) => void };
  const listeners = new Set<(topic: string) => void>();
  const waiting = new Map<number, Waiting>();
  let lastId = 0;

  const announce = (topic: string): void => listeners.forEach((listener) => listener(topic));
  const connection = connect({
    onMessage: (text) => {
      const message = JSON.parse(text) as { topic: string } | { id: number; reply: Reply };
      if ('topic' in message) return announce(message.topic);
      waiting.get(message.id)?.resolve(message.reply);
      waiting.delete(message.id);
    },
    onLost: () => {
      for (const [id, { resolve }] of waiting) {
        waiting.delete(id);
        resolve({ ok: false, problem: problems.awayDuring });
      }
    },
    // Everything is read again.
    onAgain: () => topics.forEach(announce),
  });

  return {
    host: 'browser',
    get base() {
      return connection.base();
    },
    call: async (name, input) => {
      const socket = await connection.socket();
      if (socket === null) return { ok: false, problem: problems[connection.locked() ?? 'awayBefore'] };
      const id = (lastId += 1);
      const reply = new Promise<Reply>((resolve) => waiting.set(id, { resolve }));
      socket.send(JSON.stringify({ id, name, input }));
      return reply;
    },
    onChanged: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
};

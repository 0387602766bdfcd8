import type { ProblemView } from '../core/base/problem.ts';
import type { CompanionWindow, CallReply } from '../ipc/calls.ts';

/** Why a page has no secret. */
type MissingSecretReason = 'LINK_USED' | 'LINK_ENDED' | 'LINK_MISSING';

/** How a page obtains and stores the secret of the session. */
type WindowSecret = {
  /**
   * Returns a secret that was not refused yet, or the reason for having none. Throws if the companion cannot be
   * reached.
   */
  find: () => Promise<{ secret: string } | { none: MissingSecretReason }>;
  /** Records that the companion accepted the secret. */
  prove: (secret: string) => void;
  /** Records that the companion refused the secret, for example because it is from an earlier start. */
  refuse: (secret: string) => void;
  /** Registers a listener that is called when another tab offers a secret to a page without a secret. */
  onOffer: (listener: () => void) => void;
};

/** Exchanges the token of the link for the secret, once. Returns null if there is no token. */
type EnterByLink = () => Promise<{ secret: string } | { none: MissingSecretReason } | null>;

/**
 * The other tabs of the window. `proven` is the secret that this tab may offer; `isWanted` decides whether it accepts
 * one.
 */
type OtherTabs = (own: { proven: () => string | null; isWanted: (secret: string) => boolean }) => {
  /** Returns the last secret that another tab offered, or null. */
  offered: () => string | null;
  /** Returns the first answer of another tab; null if none answers within a second. */
  ask: () => Promise<string | null>;
  /** Offers the secret to tabs that have none. */
  offer: (secret: string) => void;
  onOffer: (listener: () => void) => void;
};

// The server sends these three functions to the browser as source text, so they must not use anything from outside
// themselves except types.

/** Removes the token from the address immediately, so that no bookmark or copied address contains it. */
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

/** Passes the secret between tabs on a broadcast channel, which is limited to the page's origin. */
export const connectOtherTabs: OtherTabs = ({ proven, isWanted }) => {
  type TabMessage = { wanted?: unknown; secret?: unknown } | null;
  const channel = new BroadcastChannel('companion');
  const answerTimeoutMs = 1_000;
  let offered: string | null = null;
  let resolvePendingAsk = (): void => undefined;
  let notifyOfferListener = (): void => undefined;
  channel.onmessage = ({ data }: MessageEvent<TabMessage>) => {
    const own = proven();
    if (data?.wanted === true && own !== null) channel.postMessage({ secret: own });
    if (typeof data?.secret !== 'string' || !isWanted(data.secret)) return;
    offered = data.secret;
    resolvePendingAsk();
    notifyOfferListener();
  };
  return {
    offered: () => offered,
    ask: () =>
      new Promise((resolve) => {
        resolvePendingAsk = () => resolve(offered);
        setTimeout(() => resolve(null), answerTimeoutMs);
        channel.postMessage({ wanted: true });
      }),
    offer: (secret) => channel.postMessage({ secret }),
    onOffer: (heard) => {
      notifyOfferListener = heard;
    },
  };
};

/**
 * Obtains the secret from the link's token, from the tab's storage, which survives a reload, or from another tab.
 * Storage and channel are limited to the page's origin, including its host name and port.
 */
export const createWindowSecret = (enter: EnterByLink, tabsOf: OtherTabs): WindowSecret => {
  const name = 'companion';
  const refused = new Set<string>();
  let proven: string | null = null;
  let none: MissingSecretReason = 'LINK_MISSING';
  const tabs = tabsOf({
    proven: () => proven,
    isWanted: (secret) => proven === null && !refused.has(secret),
  });

  // A browser may block storage. Then a reload needs a new link or another tab.
  const withTabStorage = <T>(use: (storage: Storage) => T): T | null => {
    try {
      return use(sessionStorage);
    } catch {
      return null;
    }
  };
  const readLinkSecret = async (): Promise<string | null> => {
    const entered = await enter();
    if (entered !== null && 'none' in entered) none = entered.none;
    return entered !== null && 'secret' in entered ? entered.secret : null;
  };
  const isUsableSecret = (secret: string | null): secret is string => secret !== null && !refused.has(secret);

  return {
    find: async () => {
      const sources = [readLinkSecret, () => withTabStorage((kept) => kept.getItem(name)), tabs.offered, tabs.ask];
      for (const source of proven === null ? sources : [() => proven]) {
        const secret = await source();
        if (isUsableSecret(secret)) return { secret };
      }
      return { none };
    },
    prove: (secret) => {
      proven = secret;
      withTabStorage((kept) => kept.setItem(name, secret));
      tabs.offer(secret);
    },
    refuse: (secret) => {
      refused.add(secret);
      if (proven === secret) proven = null;
      withTabStorage((kept) => kept.getItem(name) === secret && kept.removeItem(name));
      if (none === 'LINK_MISSING') none = 'LINK_ENDED';
    },
    onOffer: tabs.onOffer,
  };
};

/** Problems that a page reports by itself, because the companion is not reachable. */
export type WindowProblems = Record<MissingSecretReason | 'awayBefore' | 'awayDuring', ProblemView>;

type ConnectionEvents = {
  /** Receives each message after the greeting. */
  onMessage: (text: string) => void;
  /** Called when the socket has closed: pending calls get no answer. */
  onLost: () => void;
  /** Called after a reconnect, or when no connection is possible: changes may have been missed. */
  onReconnected: () => void;
};

type WindowConnection = {
  /** Returns the socket once the attempt to connect has settled; null if it failed. */
  socket: () => Promise<WebSocket | null>;
  /** Returns why the page may not connect; null if it may. */
  locked: () => MissingSecretReason | null;
  /** Returns the base path of pictures and uploads, which the server sends in its greeting. */
  base: () => string;
};

// The server sends these two functions to the browser as source text, so they must not use anything from outside
// themselves except types.

/**
 * Opens a WebSocket that sends the secret first. Reconnects automatically, with a delay that grows up to four seconds.
 */
export const openWindowConnection = (
  { find, prove, refuse, onOffer }: WindowSecret,
  { onMessage, onLost, onReconnected }: ConnectionEvents,
): WindowConnection => {
  const secretRefused = 4401;
  let socket: WebSocket | null = null;
  let ready: Promise<boolean>;
  let locked: MissingSecretReason | null = null;
  let base = '';
  let retryMs = 250;

  const scheduleReconnect = (): void => {
    retryMs = Math.min(retryMs * 2, 4_000);
    setTimeout(() => {
      ready = connectWithSecret(true);
    }, retryMs);
  };

  const openCallSocket = (secret: string, isReconnect: boolean): Promise<boolean> =>
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
        if (isReconnect) onReconnected();
      };
      opening.onclose = ({ code }) => {
        socket = null;
        onLost();
        if (code === secretRefused) {
          refuse(secret);
          // Another secret may be available; if not, the screens show the reason.
          return resolve(connectWithSecret(true));
        }
        resolve(false);
        scheduleReconnect();
      };
    });

  const connectWithSecret = async (isReconnect: boolean): Promise<boolean> => {
    const found = await find().catch(() => null);
    if (found === null) {
      scheduleReconnect();
      return false;
    }
    locked = 'none' in found ? found.none : null;
    if ('secret' in found) return openCallSocket(found.secret, isReconnect);
    if (isReconnect) onReconnected();
    return false;
  };

  ready = connectWithSecret(false);
  onOffer(() => {
    if (locked === null) return;
    locked = null;
    ready = connectWithSecret(true);
  });
  return { socket: async () => ((await ready) ? socket : null), locked: () => locked, base: () => base };
};

/** Creates `window.companion` of the page: calls over one connection, and change notifications by topic. */
export const createCompanionWindow = (
  topics: readonly string[],
  problems: WindowProblems,
  connect: (events: ConnectionEvents) => WindowConnection,
): CompanionWindow => {
  type Waiting = { resolve: (reply: CallReply) => void };
  const listeners = new Set<(topic: string) => void>();
  const waiting = new Map<number, Waiting>();
  let lastId = 0;

  const announceTopic = (topic: string): void => listeners.forEach((listener) => listener(topic));
  const connection = connect({
    onMessage: (text) => {
      const message = JSON.parse(text) as { topic: string } | { id: number; reply: CallReply };
      if ('topic' in message) return announceTopic(message.topic);
      waiting.get(message.id)?.resolve(message.reply);
      waiting.delete(message.id);
    },
    onLost: () => {
      for (const [id, { resolve }] of waiting) {
        waiting.delete(id);
        resolve({ ok: false, problem: problems.awayDuring });
      }
    },
    // Read everything again.
    onReconnected: () => topics.forEach(announceTopic),
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
      const reply = new Promise<CallReply>((resolve) => waiting.set(id, { resolve }));
      socket.send(JSON.stringify({ id, name, input }));
      return reply;
    },
    onChanged: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
};

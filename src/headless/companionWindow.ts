import type { ProblemView } from '../core/base/problem.ts';
import type { CompanionWindow, CallReply } from '../ipc/calls.ts';

type MissingSecretReason = 'LINK_USED' | 'LINK_ENDED' | 'LINK_MISSING';

type WindowSecret = {
  /**
   * Returns a secret that the companion has not refused, or the reason why there is none. Throws if the companion
   * cannot be reached.
   */
  find: () => Promise<{ secret: string } | { none: MissingSecretReason }>;
  prove: (secret: string) => void;
  refuse: (secret: string) => void;
  onOffer: (listener: () => void) => void;
};

/** Exchanges the token in the address for the secret, at most once. Returns null if the address contains no token. */
type ExchangeLinkToken = () => Promise<{ secret: string } | { none: MissingSecretReason } | null>;

/** `proven` returns the secret that this tab offers. `isWanted` returns whether this tab accepts a secret. */
type OtherTabs = (own: { proven: () => string | null; isWanted: (secret: string) => boolean }) => {
  offered: () => string | null;
  /** Returns the first secret that another tab sends within a second, or null. */
  ask: () => Promise<string | null>;
  offer: (secret: string) => void;
  onOffer: (listener: () => void) => void;
};

// The server sends the next three functions as source text, so they must use nothing from outside themselves.

/** Removes the token from the address at once, so that no bookmark or copied address contains the token. */
export const createLinkTokenExchange = (): ExchangeLinkToken => {
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

/** A broadcast channel reaches only tabs with the origin of this page, so no other site receives the secret. */
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
 * Looks for the secret: exchanges the token in the address, then reads the storage of the tab, then asks other tabs.
 * The storage is limited to the origin, which includes the random host name.
 */
export const createWindowSecret = (enter: ExchangeLinkToken, tabsOf: OtherTabs): WindowSecret => {
  const name = 'companion';
  const refused = new Set<string>();
  let proven: string | null = null;
  let none: MissingSecretReason = 'LINK_MISSING';
  const tabs = tabsOf({
    proven: () => proven,
    isWanted: (secret) => proven === null && !refused.has(secret),
  });

  // If the browser blocks storage, the secret is lost on a reload. The page then needs a new link or another tab.
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

export type WindowProblems = Record<MissingSecretReason | 'awayBefore' | 'awayDuring', ProblemView>;

type ConnectionEvents = {
  onMessage: (text: string) => void;
  /** Called when the socket closes, because pending calls get no answer. */
  onLost: () => void;
  /**
   * Called after a reconnect, and after an attempt to reconnect that found no secret. The page then reads its data
   * again, because it might have missed changes.
   */
  onReconnected: () => void;
};

type WindowConnection = {
  /** Returns null if the attempt to connect fails. */
  socket: () => Promise<WebSocket | null>;
  locked: () => MissingSecretReason | null;
  /** Returns the base path of pictures and uploads. The server sends the path in its greeting. */
  base: () => string;
};

// The server sends the next two functions as source text, so they must use nothing from outside themselves.

/** The socket sends the secret first. After a lost connection, the delay doubles up to four seconds. */
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
          // Look for another secret. If the search fails, the window shows the reason.
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
    onReconnected: () => topics.forEach(announceTopic),
  });

  return {
    host: 'browser',
    get base() {
      return connection.base();
    },
    call: async (name, input, proofId) => {
      const socket = await connection.socket();
      if (socket === null) return { ok: false, problem: problems[connection.locked() ?? 'awayBefore'] };
      const id = (lastId += 1);
      const reply = new Promise<CallReply>((resolve) => waiting.set(id, { resolve }));
      socket.send(JSON.stringify({ id, name, input, proofId }));
      return reply;
    },
    onChanged: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
};
